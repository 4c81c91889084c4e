package fuzz

import (
	"birfuzz/ir"
	"birfuzz/oracle"
	"birfuzz/passes"
)

// Result is what became of one case.
type Result struct {
	Verdict oracle.Verdict // of the first step that is not Same, else of the whole
	Step    int            // index of that step in the pipeline, -1 when the program itself was void
	Pass    *passes.Pass   // its pass
	Before  *ir.Program    // the program before that step, nil when nothing failed
	After   *ir.Program    // and after it; nil when the pass gave none
	Promise ir.Contract    // what the pass promised of that step
	Failed  bool           // the step is a finding
	Judged  oracle.Tally   // what judging the case took
	Tally   []Tally        // what the rules of each step did, in pipeline order
}

// Tally is what the rules of one step did.
type Tally struct {
	Pass  *passes.Pass
	Rules []passes.Count
}

// Tester runs cases through a pipeline, one at a time. It is reused for many cases and not safe for concurrent use.
type Tester struct {
	Passes   []passes.Pass
	judge    *oracle.Judge
	patience *patience
	copies   *ir.Copies  // memory of the programs between the passes
	work     *ir.Program // what the passes work on
	short    bool        // wait for hangs no longer than the runs that ended suggest
}

// NewTester returns a tester for the pipeline.
func NewTester(ps []passes.Pass, o oracle.Options) *Tester {
	return &Tester{Passes: ps, judge: oracle.NewJudge(o), patience: &patience{}, copies: &ir.Copies{}}
}

// Test runs the pipeline, or the case's own, on a copy of the case's program. Every changed step is judged on the first input set, the end on all of them;
// where only the end shows a difference the pipeline is run again with all sets at every step, so that the step is known.
func (t *Tester) Test(c Case) Result {
	had := t.judge.Tally()
	r := t.test(c)
	r.excuse(&c)
	now := t.judge.Tally()
	r.Judged = now.Since(had)
	return r
}

func (t *Tester) test(c Case) Result {
	ps := t.Passes
	if c.Passes != nil {
		ps = c.Passes
	}
	r := t.run(c, ps, passes.Unlimited(), len(c.Inputs) == 1)
	if r.Verdict.Kind != oracle.Same || r.After == nil || len(c.Inputs) == 1 {
		return r
	}
	if t.judge.Finish(c.Program, r.After, whole(ps)).Kind == oracle.Same {
		t.copies.Return(t.work)
		r.Before, r.After = nil, nil
		return r
	}
	tally := r.Tally
	r = t.run(c, ps, passes.Unlimited(), true)
	r.Tally = tally
	return r
}

// run is one trip through a pipeline. When nothing failed, Result.After is the last program, if any step changed it.
func (t *Tester) run(c Case, ps []passes.Pass, o passes.Options, all bool) Result {
	r := Result{Step: -1, Verdict: t.judge.Start(c.Program, c.Values())}
	if r.Verdict.Kind != oracle.Same {
		return r
	}
	t.copies.Keep()
	o.Timeout, o.Copies = t.patience.limit(ps, t.short), t.copies
	limit := t.patience.ownLimit(c.Program.NumInsts())
	t.work = t.copies.Clone(c.Program)
	stuck := watch(t.work, ps, o, limit, func(s *passes.Step) bool {
		r.Tally = append(r.Tally, Tally{s.Pass, s.Tally})
		if s.Failure == nil && !s.Changed && !s.Claims() {
			return true
		}
		v := t.judgeStep(s, all)
		if v.Kind == oracle.Same && s.Changed && t.judge.AsksTwice() {
			v = t.askTwice(s, o)
		}
		if v.Kind == oracle.Same {
			if s.Changed {
				r.After = s.After
			}
			return true
		}
		r.Verdict, r.Step, r.Pass = v, s.Index, s.Pass
		r.Before, r.After, r.Promise = s.Before, s.After, s.Promised()
		t.patience.saw(v.Class)
		r.Failed = v.Kind == oracle.Different || v.Kind == oracle.Undefined
		return false
	})
	if stuck >= 0 {
		t.copies = &ir.Copies{} // the old one is the abandoned pass's
		r.hung(c, ps, o, stuck, limit)
	}
	return r
}

// judgeStep turns a pass's own failure into a verdict and has everything else judged.
func (t *Tester) judgeStep(s *passes.Step, all bool) oracle.Verdict {
	if f := s.Failure; f != nil {
		return brokenDown(f, f.Class, "")
	}
	if !s.Changed && !s.Gained.Has(ir.Synced) { // that is how a program is run, and not only what is said of it
		return t.judge.Claims(s.Before, s.After, s.Promised())
	}
	return t.judge.Next(s.Before, s.After, s.Promised(), all)
}

// whole is what a pipeline as a whole promises: meaning, as far as every one of its passes does.
func whole(ps []passes.Pass) ir.Contract {
	var c ir.Contract
	for i := range ps {
		p := &ps[i].Contract
		c.Gives |= p.Gives
		c.Drops |= p.Drops
		c.Arithmetic = c.Arithmetic || p.Arithmetic
		c.Number.ULP += p.Number.ULP
		c.Number.Reassociate = c.Number.Reassociate || p.Number.Reassociate
		if p.Fences == ir.FencesAdded {
			c.Fences = ir.FencesAdded
		}
	}
	return c
}
