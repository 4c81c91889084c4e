package fuzz

import (
	"birfuzz/ir"
	"birfuzz/passes"
)

// Blame names the rewrite of a failing step.
type Blame struct {
	Rule     string   // rule of the rewrite; empty where the pass asks nothing (external passes), or none is to blame
	Inst     string   // the instruction at which it was made, or of a pass that asks nothing the first that it made otherwise
	Claim    ir.Facts // what the pass says of the program and is not so, where that alone is to blame
	Analysis string   // the pass that writes down what the blamed one rests on and is wrong about the program already; empty: there is none
	Replays  int      // how often the pass was run again to find it, or a hybrid was judged
}

// FindBlame finds, by fuel, the first rewrite with which the blamed pass breaks the program: with n rewrites granted the step fails, with
// n−1 it does not. It takes at most log₂ of the rewrites made, plus two, replays. Of a pass that asks for none a region is blamed that it changed,
// where the contract frees provenance (hybrids); else origins say more, once the finding is explained.
// A pass of ours that did not end is not run again.
func (t *Tester) FindBlame(c Case, r Result) Blame {
	var b Blame
	if r.stuck() {
		return b
	}
	step := Case{Name: c.Name, Program: r.Before, Inputs: c.Inputs}
	if b.Claim = t.claim(step, r); b.Claim != 0 {
		return b
	}
	b.Analysis = t.analysis(step, r.Pass)
	if r.Pass.Command != nil {
		b = t.blameHybrid(step, r)
		if r.Step < len(r.Tally) { // else nothing was counted
			for _, n := range r.Tally[r.Step].Rules {
				if n.Fired > 0 { // its one rule, that its output is taken
					b.Rule = n.Rule.Name
				}
			}
		}
		return b
	}
	events := t.events(step, r.Pass)
	b.Replays++
	lo, hi := 0, len(events) // fails with hi rewrites; not with lo
	if hi == 0 {
		return b
	}
	for hi-lo > 1 {
		mid := (lo + hi) / 2
		b.Replays++
		if t.fails(step, r, mid) {
			hi = mid
		} else {
			lo = mid
		}
	}
	b.Rule, b.Inst = events[hi-1].Rule.Name, events[hi-1].Inst
	return b
}

// events returns the rewrites that the pass makes on the program, in order; what it only logs is left out.
func (t *Tester) events(c Case, p *passes.Pass) []passes.Event {
	var out []passes.Event
	passes.Run(c.Program.Clone(), []passes.Pass{*p}, passes.Unlimited(), func(s *passes.Step) bool {
		for _, e := range s.Events {
			if e.Rule != nil {
				out = append(out, e)
			}
		}
		return false
	})
	return out
}

// fails tells whether the step still fails, in the same class, with only fuel rewrites granted.
func (t *Tester) fails(c Case, r Result, fuel int) bool {
	got := t.run(c, []passes.Pass{*r.Pass}, passes.Options{Fuel: fuel}, true)
	return got.Failed && got.Verdict.Class == r.Verdict.Class
}

// Failure is what a shrinker keeps: which pass fails, how, and by which of its rules.
type Failure struct {
	Pass  *passes.Pass
	Class string
	Rule  string // empty: any; passes that ask nothing have none
	Claim bool   // what the pass says of the program is not so, and nothing else is wrong
}

// Still tells whether the pass alone, run on p with these inputs, fails in the same class and by the same rule: what a shrinker asks of every
// candidate. A candidate that is itself illegal or undefined does not count.
func (t *Tester) Still(p *ir.Program, inputs []Input, f Failure) bool {
	if len(ir.Verify(p, p.Facts)) > 0 {
		return false
	}
	c := Case{Program: p, Inputs: inputs}
	got := t.run(c, []passes.Pass{*f.Pass}, passes.Unlimited(), true)
	if !got.Failed || got.Verdict.Class != f.Class {
		return false
	}
	if f.Claim {
		return t.claim(c, got) != 0
	}
	return f.Rule == "" || onlyFired(&got, f.Rule) || t.FindBlame(c, got).Rule == f.Rule
}

// onlyFired tells whether the failing step made rewrites of one rule only: then no other can be to blame, and nothing need be run again.
func onlyFired(r *Result, rule string) bool {
	fired := false
	for _, n := range r.Tally[len(r.Tally)-1].Rules {
		switch {
		case n.Fired == 0:
		case n.Rule.Name != rule:
			return false
		default:
			fired = true
		}
	}
	return fired
}

// failsWith returns the first of the input sets on which the failure shows, and false if it does on none alone.
func (t *Tester) failsWith(p *ir.Program, inputs []Input, f Failure) (Input, bool) {
	for _, in := range inputs {
		if t.Still(p, []Input{in}, f) {
			return in, true
		}
	}
	return Input{}, false
}
