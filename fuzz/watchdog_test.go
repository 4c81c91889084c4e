package fuzz

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"birfuzz/oracle"
	"birfuzz/passes"
)

// spin is a right pass that never ends on a program with so many instructions or more. It ends with the test.
func spin(t *testing.T, insts int) passes.Pass {
	var over atomic.Bool
	t.Cleanup(func() { over.Store(true) })
	return passes.Pass{Name: "spin", Run: func(c *passes.Ctx) error {
		for c.Program().NumInsts() >= insts && !over.Load() {
			time.Sleep(time.Millisecond) // other tests want the core
		}
		return nil
	}}
}

// TestPassWithoutEnd: a pass of ours that spins is a finding of class hang with the pass named and the program as the steps before left it,
// for any number of workers, and the campaign ends by itself.
func TestPassWithoutEnd(t *testing.T) {
	ps := []passes.Pass{touch(0), spin(t, 10), touch(3)}
	for _, workers := range []int{1, 3} {
		c := &Campaign{Seed: 1, Count: 500, Workers: workers, Passes: ps}
		c.patience.own = 100 * time.Millisecond
		r, err := c.Run(context.Background())
		if err != nil || len(r.Findings) != 1 {
			t.Fatalf("%d workers: %d findings, %v, want 1", workers, len(r.Findings), err)
		}
		f := r.Findings[0]
		if f.Class != passes.Hang || f.Check != passes.Hang || f.Pass != "spin" || f.Rule != "" || f.Duplicates != maxStuck-1 || r.Stuck != maxStuck || !r.Exhausted {
			t.Errorf("%d workers: %+v in %d stuck programs", workers, f, r.Stuck)
		}
		if !strings.Contains(f.Detail, "did not end within 100ms") || !strings.Contains(f.Text(), "Reproduce: birfuzz check -passes spin finding.bir") {
			t.Errorf("%s", f.Text())
		}
	}
}

// TestHangBehindSteps: what a hang is reported on is what the pass was given, not what it was made into, and the tester can be used again.
func TestHangBehindSteps(t *testing.T) {
	cases := benchCases(20)
	ps := []passes.Pass{touch(0), spin(t, 1)}
	good, bad := NewTester(ps[:1], oracle.Options{}), NewTester(ps, oracle.Options{})
	bad.patience.own = 50 * time.Millisecond
	for i := range 2 {
		want, got := good.run(cases[i], ps[:1], passes.Unlimited(), true), bad.Test(cases[i])
		if !got.stuck() || got.Step != 1 || got.Pass.Name != "spin" || got.After != nil {
			t.Fatalf("case %d: %+v", i, got)
		}
		if got.Before.String() != want.After.String() || want.After.String() == cases[i].Program.String() {
			t.Errorf("case %d: the program is not what the step before gave", i)
		}
		if b := bad.FindBlame(cases[i], got); b.Replays != 0 {
			t.Errorf("case %d: run %d times again", i, b.Replays)
		}
	}
	bad.Passes = ps[:1]
	for i := range cases {
		if r := bad.Test(cases[i]); r.Verdict.Kind != oracle.Same {
			t.Fatalf("case %d: the tester that met a hang says %v", i, r.Verdict)
		}
	}
}

// TestSlowPassEnds: the limit is of one pass, not of the pipeline, and does not count what the judge takes.
func TestSlowPassEnds(t *testing.T) {
	slow := passes.Pass{Name: "slow", Run: func(*passes.Ctx) error { time.Sleep(20 * time.Millisecond); return nil }}
	ps := []passes.Pass{slow, slow, slow, slow, slow, slow}
	p := benchCases(1)[0].Program
	steps := 0
	stuck := watch(p, ps, passes.Unlimited(), 90*time.Millisecond, func(s *passes.Step) bool {
		if steps++; s.Index == 2 {
			time.Sleep(200 * time.Millisecond)
		}
		return true
	})
	if stuck != -1 || steps != len(ps) {
		t.Errorf("given up on pass %d after %d steps", stuck, steps)
	}
}
