package fuzz

import (
	"context"
	"math"

	"birfuzz/ir"
	"birfuzz/oracle"
	"birfuzz/passes"
)

// Minimise shrinks the program of a finding so that its pass still breaks it in the same class and by the same rule, keeps the one input set
// that shows it, and explains the small program in place of the large one. A finding that cannot be shown by its pass alone, or whose pass
// is one of ours that did not end, is left as it was found. Then it says who did it (oracle.Explain).
func Minimise(ctx context.Context, f *Finding, c Case, r Result, o oracle.Options, keep bool) {
	if r.stuck() {
		return
	}
	f.minimise(ctx, c, r, o, keep)
	f.explain()
	f.explain = nil
}

func (f *Finding) minimise(ctx context.Context, c Case, r Result, o oracle.Options, keep bool) {
	s := shown{failure: Failure{Pass: r.Pass, Class: f.Class, Rule: f.Rule}, options: o}
	if s.options.Steady = never; f.Check == oracle.SteadyClass {
		s.options.Steady = 1 // which steps a judge asks twice by itself depends on the program too
	}
	s.inOrder(r.Verdict.Schedule)
	var ok bool
	if s.from, ok = s.t.failsWith(r.Before, c.Inputs, s.failure); !ok {
		return
	}
	f.inputs, f.Inputs = s.from.Values, s.from.Kind
	if keep {
		return
	}
	s.simplifyPass(r.Before)
	s.simplify(r.Before)
	small := Shrink(ctx, r.Before, s.still, Budget{})
	s.simplify(small)
	s.simplifyPass(small)
	step := Case{Name: c.Name, Program: small, Inputs: []Input{s.inputs(small)}}
	got := s.t.run(step, []passes.Pass{*s.failure.Pass}, passes.Unlimited(), true)
	if !got.Failed || got.Verdict.Class != f.Class {
		return
	}
	f.inputs = step.Inputs[0].Values
	f.pass, f.Run = s.failure.Pass, s.failure.Pass.Spelling()
	if f.Rule != "" {
		f.Inst = s.t.FindBlame(step, got).Inst
	}
	f.take(got, step.Values())
}

// never is an oracle.Options.Steady that has no step made again: what shrinks for another reason need not run its pass twice.
const never = math.MaxInt

// shown asks whether a candidate still shows a failure.
type shown struct {
	t       *Tester
	options oracle.Options
	failure Failure
	from    Input // the inputs of the unshrunk program
}

// inOrder has candidates run in a schedule too; the empty one: in none but that of their facts, unless the options name one. Which other orders a
// judge tries by itself depends on the program's hash, so a candidate would lose them.
func (w *shown) inOrder(o oracle.Schedule) {
	if o != (oracle.Schedule{}) {
		w.options.Schedule = o
	}
	w.t = NewTester([]passes.Pass{*w.failure.Pass}, w.options)
	w.t.short = true
}

// simplify puts a schedule that is easier to follow in the place of the one in which the failure shows, as long as it shows.
func (w *shown) simplify(p *ir.Program) {
	for again := w.options.Schedule != (oracle.Schedule{}); again; {
		again = false
		had := w.options.Schedule
		for _, o := range had.Simpler() {
			if w.inOrder(o); w.still(p) {
				again = true
				break
			}
			w.inOrder(had)
		}
	}
}

func (w *shown) still(p *ir.Program) bool {
	return w.t.Still(p, []Input{w.inputs(p)}, w.failure)
}

// inputs cuts the unshrunk program's inputs down to what p has.
func (w *shown) inputs(p *ir.Program) Input { return Input{w.from.Kind, inputsOf(p, w.from.Values)} }

// inputsOf returns of some values those that p has a location for: one that kept its size keeps its data, one that became smaller keeps the
// first bytes.
func inputsOf(p *ir.Program, from ir.Values) ir.Values {
	out := ir.Values{}
	for _, f := range p.Cores {
		for l := range f.Locs {
			v, ok := from[l.Name]
			if !ok {
				continue
			}
			if n := l.Bytes(); n < int64(len(v.Data)) {
				v.Data = v.Data[:n]
				v.Shape = l.Set.Shape
			}
			out[l.Name] = v
		}
	}
	return out
}
