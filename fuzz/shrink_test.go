package fuzz

import (
	"context"
	"strings"
	"testing"

	"birfuzz/ir"
)

// TestShrink: what the failure does not need goes, with the storage that nobody mentions any more and the data of its constants.
func TestShrink(t *testing.T) {
	const src = `
func f attrs(need_unroll) {
  const c: f32[1,2]
  input x: f32[4,8]
  output y: f32[4,8]
  output z: f32[1,2]
  sb s: f32[4,8]
  sb u: f32[1,2]
Block1:
  I-0: s = Load x @SP queue=q0 order(1)
  I-1: u = Load c @SP after(ordered I-0)
  L-0: for i = 0..4 {
    I-2: y = Save s @SP
  }
  I-3: z = Save u @SP
}
data c: f32[1,2] = [1, 2]
`
	p, err := ir.Parse("shrink.bir", src)
	if err != nil {
		t.Fatal(err)
	}
	before := p.String()
	small := Shrink(context.Background(), p, func(q *ir.Program) bool {
		if len(ir.Verify(q, 0)) > 0 {
			return false
		}
		for in := range q.Insts {
			if in.Name == "I-2" {
				return true
			}
		}
		return false
	}, Budget{})
	if p.String() != before {
		t.Error("Shrink changed the program that it was given")
	}
	got := small.String()
	for _, gone := range []string{"I-0", "I-1", "I-3", "for", "queue", "need_unroll", "x:", "c:", "u:", "z:", "data"} {
		if strings.Contains(got, gone) {
			t.Errorf("%q is still there:\n%s", gone, got)
		}
	}
	if small.NumInsts() != 1 {
		t.Errorf("%d instructions, want 1", small.NumInsts())
	}
}
