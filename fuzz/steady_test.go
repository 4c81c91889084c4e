package fuzz

import (
	"context"
	"errors"
	"strings"
	"testing"

	"birfuzz/ir"
	"birfuzz/oracle"
	"birfuzz/passes"
)

// breaksOnItself promises to be idempotent, and breaks down on its own output.
func breaksOnItself() passes.Pass {
	rule := &passes.Rule{Name: "once.rename"}
	return passes.Pass{Name: "once", Rules: []*passes.Rule{rule}, Contract: ir.Contract{Once: true}, Run: func(c *passes.Ctx) error {
		for in := range c.Program().Insts {
			if in.Name == "renamed" {
				return errors.New("seen before")
			}
		}
		for in := range c.Program().Insts {
			if c.Allow(rule, in) {
				c.Edit().Change(func() { in.Name = "renamed" })
			}
			break
		}
		return nil
	}}
}

// TestBreaksDownTheSecondTime: a pass that breaks down only when it is asked again is found, shrunk, and fails again with the checks that the
// finding names.
func TestBreaksDownTheSecondTime(t *testing.T) {
	ps := []passes.Pass{breaksOnItself()}
	c := &Campaign{Seed: 1, Count: 10, Workers: 1, Findings: 1, Passes: ps, Oracle: oracle.Options{Steady: 1}}
	r, err := c.Run(context.Background())
	if err != nil || len(r.Findings) != 1 {
		t.Fatalf("%d findings, %v, want 1", len(r.Findings), err)
	}
	f := r.Findings[0]
	if f.Class != passes.Crash || f.Check != oracle.SteadyClass || f.Insts > 2 || !strings.Contains(f.Text(), "-checks steady ") {
		t.Errorf("class %s by the check %s\n%s", f.Class, f.Check, f.Text())
	}
	if again := NewTester(ps, oracle.Options{Steady: 1}).Test(Case{Program: f.before, Inputs: Inputs(1, f.before)}); again.Verdict.Class != f.Class {
		t.Errorf("again: %s", again.Verdict)
	}
}
