package fuzz

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

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

// shrinkable returns cases of the size on which the pass fails, in that class if one is named.
func shrinkable(b testing.TB, pass passes.Pass, class string, insts, n int) []Case {
	b.Helper()
	cfg := gen.Default()
	cfg.MinInsts, cfg.MaxInsts, cfg.Short = insts, insts, 0
	t := NewTester([]passes.Pass{pass}, oracle.Options{})
	var out []Case
	for i := 0; len(out) < n; i++ {
		if i > 100*n {
			b.Fatalf("%d failing programs in %d, want %d", len(out), i, n)
		}
		c := Generate(1, i, &cfg)
		if r := t.Test(c); r.Failed && (class == "" || r.Verdict.Class == class) {
			out = append(out, c)
		}
	}
	return out
}

// BenchmarkShrink makes programs of 64 instructions small that a planted bug breaks. It prints the medians of predicate calls, of
// milliseconds and of instructions that are left.
func BenchmarkShrink(b *testing.B) {
	for _, bug := range []string{"swap", "constant", "accumulate", "past-end", "cross-barrier"} {
		b.Run(bug, func(b *testing.B) { benchmarkShrink(b, bug, "", 64, 20, Budget{}) })
	}
}

// BenchmarkShrinkLarge does so with 10,000 instructions, and as many workers as the name says.
func BenchmarkShrinkLarge(b *testing.B) {
	if testing.Short() {
		b.Skip("takes most of a minute a program")
	}
	for _, bug := range []string{"accumulate", "cross-barrier"} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/%d", bug, workers), func(b *testing.B) { benchmarkShrink(b, bug, "", 10_000, 1, Budget{Workers: workers}) })
		}
	}
}

func benchmarkShrink(b *testing.B, bug, class string, size, programs int, budget Budget) {
	pass := planted(bug)
	cases := shrinkable(b, pass, class, size, programs)
	var calls, insts, took []int
	for i := 0; b.Loop(); i++ {
		w, before := showing(b, pass, cases[i%len(cases)])
		budget.crew = w.hire(budget.Workers)
		start := time.Now()
		small, n := shrink(context.Background(), before, w.still, budget)
		took = append(took, int(time.Since(start).Microseconds()))
		calls, insts = append(calls, n), append(insts, small.NumInsts())
	}
	b.ReportMetric(median(calls), "calls")
	b.ReportMetric(median(took)/1000, "ms")
	b.ReportMetric(median(insts), "insts")
}

// showing returns what asks whether the pass still breaks a program as it breaks that of the case, and the program.
func showing(tb testing.TB, pass passes.Pass, c Case) (*shown, *ir.Program) {
	tb.Helper()
	r := NewTester([]passes.Pass{pass}, oracle.Options{}).Test(c)
	w := &shown{failure: Failure{Pass: r.Pass, Class: r.Verdict.Class}}
	w.inOrder(oracle.Schedule{})
	var ok bool
	if w.from, ok = w.failsWith(r.Before, c.Inputs); !ok {
		tb.Fatalf("%s does not fail again", c.Name)
	}
	return w, r.Before
}

func median(s []int) float64 {
	slices.Sort(s)
	return float64(s[len(s)/2])
}
