package fuzz

import (
	"context"

	"birfuzz/ir"
	"birfuzz/oracle"
	"birfuzz/passes"
)

// Minimise shrinks the program of a finding so that its pass still breaks it in the same class and by the same rule, keeps the one input set
// that shows it, and explains the small program in place of the large one. A finding that cannot be shown by its pass alone, or whose pass
// is one of ours that did not end, is left as it was found.
func Minimise(ctx context.Context, f *Finding, c Case, r Result, o oracle.Options, keep bool) {
	if r.stuck() {
		return
	}
	t := NewTester([]passes.Pass{*r.Pass}, o)
	t.short = true
	w := witness{t: t, failure: Failure{Pass: r.Pass, Class: f.Class, Rule: f.Rule}}
	var ok bool
	if w.from, ok = t.failsWith(r.Before, c.Inputs, w.failure); !ok {
		return
	}
	f.inputs = w.from
	if keep {
		return
	}
	small := Shrink(ctx, r.Before, w.still, Budget{})
	step := Case{Name: c.Name, Program: small, Inputs: []ir.Values{w.inputs(small)}}
	got := t.run(step, []passes.Pass{*r.Pass}, passes.Unlimited(), true)
	if !got.Failed || got.Verdict.Class != f.Class {
		return
	}
	f.inputs = step.Inputs[0]
	if f.Rule != "" {
		f.Inst = t.FindBlame(step, got).Inst
	}
	f.take(got)
}

// witness asks whether a candidate still shows a failure.
type witness struct {
	t       *Tester
	failure Failure
	from    ir.Values // the inputs of the unshrunk program
}

func (w *witness) still(p *ir.Program) bool {
	return w.t.Still(p, []ir.Values{w.inputs(p)}, w.failure)
}

// inputs cuts the unshrunk program's inputs down to what p has.
func (w *witness) inputs(p *ir.Program) ir.Values { return inputsOf(p, w.from) }

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
