package gen

import (
	"fmt"
	"strings"
	"testing"
)

// TestSurveySamples: the instructions that a survey keeps stay what they were when further programs are drawn in the memory of theirs.
func TestSurveySamples(t *testing.T) {
	var s Survey
	for seed := range uint64(4) {
		s.Draw(New(seed), Default())
	}
	had := make([]string, len(s.samples))
	for op := range s.samples {
		had[op] = s.sampled(op)
	}
	for seed := range uint64(20) {
		s.Draw(New(4+seed), Default())
	}
	for op := range s.samples {
		if now := s.sampled(op); !strings.HasPrefix(now, had[op]) {
			t.Errorf("samples of op %d were\n%snow\n%s", op, had[op], now)
		}
	}
}

// sampled returns what the samples of a row are, a line each.
func (s *Survey) sampled(op int) string {
	var b strings.Builder
	for _, in := range s.samples[op] {
		fmt.Fprint(&b, in.Engine, in.Params)
		for i := range in.Args {
			o := &in.Args[i]
			fmt.Fprint(&b, " ", o.Kind, o.DType, o.Off.C, o.Pairs())
			if o.Loc != nil {
				fmt.Fprint(&b, *o.Loc.Set, o.Loc.Name, o.Loc.Type, o.Loc.Rows, o.Loc.RowBytes)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}
