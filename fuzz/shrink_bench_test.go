package fuzz

import (
	"context"
	"slices"
	"testing"

	"birfuzz/gen"
	"birfuzz/ir"
	"birfuzz/oracle"
	"birfuzz/passes"
)

// planted returns a pass of ours with one of the wrong edits.
func planted(bug string) passes.Pass {
	rule := &passes.Rule{Name: "planted." + bug}
	return passes.Pass{Name: "planted", Rules: []*passes.Rule{rule}, Run: func(c *passes.Ctx) error {
		if c.Allow(rule, nil) {
			c.Edit().Change(func() { wrongEdits[bug](c.Program()) })
		}
		return nil
	}}
}

// shrinkable returns cases of the size on which the pass fails.
func shrinkable(b *testing.B, pass passes.Pass, insts, n int) []Case {
	b.Helper()
	cfg := gen.Default()
	cfg.MinInsts, cfg.MaxInsts, cfg.Short = insts, insts, 0
	t := NewTester([]passes.Pass{pass}, oracle.Options{})
	var out []Case
	for i := 0; len(out) < n; i++ {
		if i > 100*n {
			b.Fatalf("%d failing programs in %d, want %d", len(out), i, n)
		}
		if c := Generate(1, i, &cfg); t.Test(c).Failed {
			out = append(out, c)
		}
	}
	return out
}

// BenchmarkShrink makes programs of 64 instructions small that a planted bug breaks. It prints the medians of predicate calls and of
// instructions that are left.
func BenchmarkShrink(b *testing.B) {
	for _, bug := range []string{"swap", "constant", "accumulate", "past-end"} {
		b.Run(bug, func(b *testing.B) {
			pass := planted(bug)
			cases := shrinkable(b, pass, 64, 20)
			t := NewTester([]passes.Pass{pass}, oracle.Options{})
			var calls, insts []int
			for i := 0; b.Loop(); i++ {
				c := cases[i%len(cases)]
				n, left := shrinkOnce(b, t, c)
				calls, insts = append(calls, n), append(insts, left)
			}
			b.ReportMetric(median(calls), "calls")
			b.ReportMetric(median(insts), "insts")
		})
	}
}

// shrinkOnce returns how many predicate calls a shrink took, and what is left.
func shrinkOnce(b *testing.B, t *Tester, c Case) (calls, insts int) {
	r := t.Test(c)
	w := shown{t: t, failure: Failure{Pass: r.Pass, Class: r.Verdict.Class}}
	var ok bool
	if w.from, ok = t.failsWith(r.Before, c.Inputs, w.failure); !ok {
		b.Fatalf("%s does not fail again", c.Name)
	}
	small := Shrink(context.Background(), r.Before, func(p *ir.Program) bool {
		calls++
		return w.still(p)
	}, Budget{})
	return calls, small.NumInsts()
}

func median(s []int) float64 {
	slices.Sort(s)
	return float64(s[len(s)/2])
}
