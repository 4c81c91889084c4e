package fuzz

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"birfuzz/gen"
	"birfuzz/ir"
	"birfuzz/ir/birtest"
	"birfuzz/oracle"
	"birfuzz/passes"
)

// TestHighWaterMarks: the high-water marks that pre_sched and memory_analysis_after_pre_sched publish are those that the oracle sees when the
// program runs.
//
// In code without loops and predicates the published mark equals, byte for byte, that of storage which is given from the first access to the
// last. Loops and predicates are known only as text to a pass: there a location lives for the whole loop though it may be touched late, in one
// trip or in none, so the mark may be too high, but it is never below what was live. That holds in all code, and with equality wherever no
// location is dead between two values.
func TestHighWaterMarks(t *testing.T) {
	whole, err := passes.Pipeline("O2")
	if err != nil {
		t.Fatal(err)
	}
	last := slices.IndexFunc(whole, func(p passes.Pass) bool { return p.Name == "pre_sched" })
	for _, c := range []struct {
		name     string
		passes   []passes.Pass
		straight float64 // at least so large a share of functions has neither loop nor predicate
		live     float64 // and in such a share the mark is what was live
	}{
		{"O2", whole[:last+1], 0.9, 0.85},
		{"alone", named(t, "pre_sched"), 0.5, 0.75},
	} {
		w := waterTest{t: t, passes: append(c.passes[:len(c.passes):len(c.passes)], named(t, "memory_analysis_after_pre_sched")...)}
		n := 500
		if birtest.Quick() {
			n = 30
		}
		cfg := gen.Default()
		for i := range n {
			w.program(Generate(9, i, &cfg))
		}
		t.Logf("%s: %d functions, %d straight, in %d the mark is what was live", c.name, w.all, w.straight, w.live)
		if w.all < n/2 || float64(w.straight) < c.straight*float64(w.all) || float64(w.live) < c.live*float64(w.all) {
			t.Errorf("%s: %d functions, %d straight, in %d the mark is what was live: want shares of %g and %g", c.name, w.all, w.straight, w.live, c.straight, c.live)
		}
	}
}

func named(t *testing.T, list string) []passes.Pass {
	t.Helper()
	ps, err := passes.Named(list)
	if err != nil {
		t.Fatal(err)
	}
	return ps
}

// waterTest counts functions whose marks were compared.
type waterTest struct {
	t                   *testing.T
	passes              []passes.Pass
	all, straight, live int
}

// program schedules a program and compares what is published of it with what it does.
func (w *waterTest) program(c Case) {
	var published []int64 // by pre_sched
	passes.Run(c.Program, w.passes, passes.Unlimited(), func(s *passes.Step) bool {
		switch s.Pass.Name {
		case "pre_sched":
			published = scanMarks(s, "sb_hwm=%d")
			return s.Declined == "" // a program that was not scheduled has no mark
		case "memory_analysis_after_pre_sched":
			w.compare(c, s, published)
		}
		return true
	})
}

// scanMarks reads a number from every line of a step's log that begins with the format.
func scanMarks(s *passes.Step, format string) []int64 {
	var out []int64
	for _, e := range s.Events {
		var n int64
		if _, err := fmt.Sscanf(e.Text, format, &n); err == nil {
			out = append(out, n)
		}
	}
	return out
}

func (w *waterTest) compare(c Case, s *passes.Step, published []int64) {
	seen, err := oracle.ObserveHighWater(s.After, c.Inputs[0].Values)
	if errors.Is(err, oracle.ErrTooLong) { // a loop of many trips, which no pass unrolls
		return
	}
	if err != nil {
		w.t.Errorf("%s: %v", c.Name, err)
		return
	}
	for i, f := range s.After.Cores {
		sb, psum := scanMarks(s, f.Name+": sb_hwm=%d"), scanMarks(s, f.Name+": sb_hwm="+fmt.Sprint(published[i])+" psum_hwm=%d")
		if len(sb) != 1 || len(psum) != 1 || sb[0] != published[i] {
			w.t.Fatalf("%s, %s: pre_sched says %d, the analysis %d, PSUM %d", c.Name, f.Name, published[i], sb, psum)
		}
		w.function(c.Name, f, oracle.HighWater{SB: oracle.Room{Given: sb[0]}, PSUM: oracle.Room{Given: psum[0]}}, seen[i])
	}
}

// function compares what was published of a function with what was seen.
func (w *waterTest) function(name string, f *ir.Func, published, seen oracle.HighWater) {
	straight := straightLine(f)
	for _, m := range []struct {
		memory          string
		published, seen oracle.Room
	}{{"SB", published.SB, seen.SB}, {"PSUM", published.PSUM, seen.PSUM}} {
		if got := m.published.Given; got < m.seen.Live || straight && got != m.seen.Given {
			w.t.Errorf("%s, %s, %s: %d published, seen %+v, straight %v", name, f.Name, m.memory, got, m.seen, straight)
		}
	}
	w.all++
	if straight {
		w.straight++
	}
	if published.SB.Given == seen.SB.Live {
		w.live++
	}
}

// straightLine tells whether every instruction of a function runs once.
func straightLine(f *ir.Func) bool {
	ended := false
	for in := range f.Insts {
		if ended || in.Loop != nil || len(in.Pred) > 0 {
			return false
		}
		ended = in.Spec().Ends
	}
	return true
}
