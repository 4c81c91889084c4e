package fuzz_test

import (
	"fmt"
	"slices"
	"testing"

	"birfuzz/fuzz"
	"birfuzz/gen"
	"birfuzz/ir"
	"birfuzz/ir/birtest"
	"birfuzz/oracle"
)

// unusedSemaphores returns the semaphores that no instruction of a core names, the last one first. serialise has instructions wait for each other by
// one of them, and by the next after a reset: who waits for what a semaphore held before it was reset would not notice the reset.
func unusedSemaphores(f *ir.Func) (out []int64) {
	var used [ir.NumSemaphores]bool
	for in := range f.Insts {
		for _, list := range [][]ir.Sem{in.Wait, in.Update} {
			for _, s := range list {
				used[s.ID] = true
			}
		}
	}
	for id := int64(ir.NumSemaphores - 1); id >= 0; id-- {
		if !used[id] {
			out = append(out, id)
		}
	}
	return out
}

// serialise makes a program Synced in the simplest way: each instruction of a core waits for the one before. False where that cannot be said: in
// loops, where a wait would have to grow with the trips, and beside predicates.
func serialise(p *ir.Program) bool {
	for _, f := range p.Cores {
		n, free := int64(0), unusedSemaphores(f)
		for in := range f.Insts {
			if in.Loop != nil || len(in.Pred) > 0 || len(free) < 2 {
				return false
			}
			in.Wait = append(slices.Clone(in.Wait), ir.Sem{ID: free[0], Value: n})
			if n++; in.Spec().Resets {
				n, free = 1, free[1:]
			}
			in.Update = append(slices.Clone(in.Update), ir.Sem{ID: free[0], Value: 1})
		}
	}
	p.Facts |= ir.Synced
	return true
}

// loseWait takes one wait for the token away.
func loseWait(r *gen.Rand, p *ir.Program) {
	var all []*ir.Inst
	for in := range p.Insts {
		all = append(all, in)
	}
	if len(all) > 0 {
		in := all[r.IntN(len(all))]
		in.Wait = in.Wait[:len(in.Wait)-1]
	}
}

// TestSerialisedPrograms: generated programs whose instructions wait for each other one by one have no race and give in every schedule what they
// give in order. Where one wait is lost and a schedule shows it, the clocks know.
func TestSerialisedPrograms(t *testing.T) {
	t.Parallel()
	most := 600
	if birtest.Quick() {
		most = 50
	}
	ran, racy, shown := 0, 0, 0
	for i := range most {
		c := fuzz.Generate(13, i, nil)
		m := oracle.NewMachine()
		if m.Prepare(c.Program, oracle.Layout{}) != nil {
			continue
		}
		want, ok := outputsOf(t, m, c.Inputs[0].Values, "")
		p := c.Program.Clone()
		if !ok || p.NumInsts() > 300 || !serialise(p) {
			continue
		}
		if got := everySchedule(t, p, c.Inputs[0].Values, 4); got != want {
			t.Fatalf("%s serialised leaves something else: %s\n%s", c.Name, got, p)
		}
		ran++
		loseWait(gen.New(uint64(i)), p)
		if err := m.Prepare(p, oracle.Layout{}); err != nil {
			t.Fatal(err)
		}
		known, ok := outputsOf(t, m, c.Inputs[0].Values, "engines")
		if !ok {
			racy++
			continue
		}
		if got := everySchedule(t, p, c.Inputs[0].Values, 4); got != known {
			t.Fatalf("%s: a schedule shows a lost wait that the clocks do not know of: %s\n%s", c.Name, got, p)
		}
		shown++
	}
	if ran < most/10 || racy < ran/20 || shown < ran/20 {
		t.Errorf("%d programs, %d race without a wait, %d do not", ran, racy, shown)
	}
	t.Logf("%d programs, %d race without a wait, %d do not", ran, racy, shown)
}

// everySchedule runs a program in adversarial schedules, n of them drawn, and returns what all of them leave, or what the first one does that
// leaves something else.
func everySchedule(t *testing.T, p *ir.Program, in ir.Values, n int) string {
	t.Helper()
	m := oracle.NewMachine()
	if err := m.Prepare(p, oracle.Layout{}); err != nil {
		t.Fatal(err)
	}
	list, err := m.Adversarial(n)
	if err != nil {
		t.Fatal(err)
	}
	first, ok := outputsOf(t, m, in, "engines")
	if !ok {
		return first
	}
	for _, s := range list {
		if got, ok := outputsOf(t, m, in, s.String()); got != first || !ok {
			return fmt.Sprintf("schedule %s: %s", s, got)
		}
	}
	return first
}

// TestSerialisedIsTheSame: to the judge a program and the same one with waits of that kind are the same, also where cores meet, publish and let
// news in; and what is lost with a wait is a race to it.
func TestSerialisedIsTheSame(t *testing.T) {
	most := 600
	if birtest.Quick() {
		most = 60
	}
	promise := ir.Contract{Gives: ir.Synced, Same: []ir.Law{}}
	j := oracle.NewJudge(oracle.Options{Orders: 4})
	same, races := 0, 0
	for i := range most {
		c := fuzz.Generate(17, i, nil)
		p := c.Program.Clone()
		if p.NumInsts() > 300 || !serialise(p) || j.Start(c.Program, c.Values()).Kind != oracle.Same {
			continue
		}
		if v := j.Next(c.Program, p, promise, true); v.Kind != oracle.Same {
			t.Fatalf("%s serialised: %s\n%s", c.Name, v, p)
		}
		same++
		q := p.Clone()
		loseWait(gen.New(uint64(i)), q)
		switch v := j.Next(p, q, promise, true); {
		case v.Kind == oracle.Different && (v.Class == "race" || v.Class == "deadlock"): // an update may come before the reset that it stood behind
			races++
		case v.Kind != oracle.Same && v.Kind != oracle.Unknown: // a program may be too large for its elements to be followed
			t.Fatalf("%s without a wait: %s\n%s", c.Name, v, q)
		}
	}
	if same < most/10 || races < same/20 {
		t.Errorf("%d programs, %d races", same, races)
	}
	t.Logf("%d programs, %d races", same, races)
}
