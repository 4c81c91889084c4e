package fuzz

import (
	"context"
	"math"
	"runtime"
	"slices"

	"birfuzz/ir"
	"birfuzz/oracle"
	"birfuzz/passes"
)

// Minimise shrinks the program of a finding so that its pass still breaks it in the same class and by the same rule, keeps the one input set
// that shows it, with plain numbers in it where they do, and explains the small program in place of the large one. A finding that cannot be
// shown by its pass alone, or whose pass is one of ours that did not end, is left as it was found. Then it says who did it (oracle.Explain).
func Minimise(ctx context.Context, f *Finding, c Case, r Result, o oracle.Options, keep bool) {
	if r.stuck() {
		return
	}
	f.minimise(ctx, c, r, o, keep)
	f.explain()
	f.explain = nil
	if f.Rule == "" && f.Inst == "" && f.Witness != nil && f.Witness.Culprit != nil {
		f.Inst = f.Witness.Culprit.Inst // blamed by origins
	}
}

func (f *Finding) minimise(ctx context.Context, c Case, r Result, o oracle.Options, keep bool) {
	s := shown{failure: Failure{Pass: r.Pass, Class: f.Class, Rule: f.Rule, Claim: f.Claim != ""}, options: o}
	if s.options.Steady = never; f.Check == oracle.SteadyClass {
		s.options.Steady = 1 // which steps a judge asks twice by itself depends on the program too
	}
	s.inOrder(r.Verdict.Schedule)
	var ok bool
	if s.from, ok = s.failsWith(r.Before, c.Inputs); !ok {
		return
	}
	f.inputs, f.Inputs = s.from.Values, s.from.Kind
	if keep {
		return
	}
	s.simplifyPass(ctx, r.Before)
	s.simplify(ctx, r.Before)
	crew := s.hire(workersFor(r.Before))
	small, _ := shrink(ctx, r.Before, s.still, Budget{crew: crew})
	s.simplify(ctx, small)
	s.simplifyPass(ctx, small)
	s.plainInputs(ctx, small)
	step := Case{Name: c.Name, Program: small, Inputs: []Input{s.inputs(small)}}
	t := s.tester()
	got := t.run(step, []passes.Pass{*s.failure.Pass}, passes.Unlimited(), true)
	if !got.Failed || got.Verdict.Class != f.Class || ctx.Err() != nil && r.Pass.Command != nil {
		return // the last: what is said of a process that was ended is the doing of whoever interrupted
	}
	f.inputs, f.pass, f.Run = step.Inputs[0].Values, s.failure.Pass, s.failure.Pass.Spelling()
	f.blame(t.FindBlame(step, got))
	f.take(got, step.Values())
}

// never is an oracle.Options.Steady that has no step made again: what shrinks for another reason need not run its pass twice.
const never = math.MaxInt

// manyInsts is from how many instructions on a program is worth more than one worker.
const manyInsts = 1000

// workersFor returns how many candidates of a program are to be asked about at a time. A campaign has work for its other cores.
func workersFor(p *ir.Program) int {
	if p.NumInsts() < manyInsts {
		return 1
	}
	return runtime.GOMAXPROCS(0)
}

// shown asks whether a candidate still shows a failure. It may be asked by several goroutines at once.
type shown struct {
	idle    chan *Tester // those that nobody uses
	options oracle.Options
	failure Failure
	from    Input // the inputs of the unshrunk program
}

// maxTesters bounds how many testers are kept.
const maxTesters = 64

// hire returns workers who ask, and who help with a question when they have none of their own.
func (w *shown) hire(workers int) *crew {
	c := newCrew(workers)
	if c.size() > 1 {
		w.options.Beside = c.beside
		w.inOrder(oracle.Schedule{})
	}
	return c
}

// inOrder has candidates run in a schedule too; the empty one: in none but that of their facts, unless the options name one. Which other orders a
// judge tries by itself depends on the program's hash, so a candidate would lose them.
func (w *shown) inOrder(o oracle.Schedule) {
	if o != (oracle.Schedule{}) {
		w.options.Schedule = o
	}
	w.idle = make(chan *Tester, maxTesters)
}

// tester returns one that nobody else uses.
func (w *shown) tester() *Tester {
	select {
	case t := <-w.idle:
		return t
	default:
		t := NewTester(nil, w.options)
		t.short = true
		return t
	}
}

// giveBack lets others use a tester.
func (w *shown) giveBack(t *Tester) {
	select {
	case w.idle <- t:
	default:
	}
}

// failsWith returns the first of the input sets on which the failure shows, and false if it does on none alone.
func (w *shown) failsWith(p *ir.Program, inputs []Input) (Input, bool) {
	t := w.tester()
	defer w.giveBack(t)
	return t.failsWith(p, inputs, w.failure)
}

// simplify puts a schedule that is easier to follow in the place of the one in which the failure shows, as long as it shows.
func (w *shown) simplify(ctx context.Context, p *ir.Program) {
	w.inOrder(simplest(w.options.Schedule, oracle.Schedule.Simpler, func(o oracle.Schedule) bool {
		w.inOrder(o)
		return ctx.Err() == nil && w.still(p)
	}))
}

// simplifyPass puts the pass with a setting less that is not at its default in the place of the one that fails, as long as the failure shows:
// chaos and knobs that have nothing to do with it are gone from the reproducer.
func (w *shown) simplifyPass(ctx context.Context, p *ir.Program) {
	plain := simplest(*w.failure.Pass, func(q passes.Pass) []passes.Pass { return q.Simpler() }, func(q passes.Pass) bool {
		w.failure.Pass = &q
		return ctx.Err() == nil && w.still(p)
	})
	w.failure.Pass = &plain
}

// simplest goes on from a thing to the first of the simpler ones that shows the failure, until none does.
func simplest[T any](at T, simpler func(T) []T, shows func(T) bool) T {
	for {
		list := simpler(at)
		i := slices.IndexFunc(list, shows)
		if i < 0 {
			return at
		}
		at = list[i]
	}
}

func (w *shown) still(p *ir.Program) bool { return w.stillOn(p, w.inputs(p)) }

// stillOn is still on inputs of the caller's own.
func (w *shown) stillOn(p *ir.Program, in Input) bool {
	t := w.tester()
	defer w.giveBack(t)
	return t.Still(p, []Input{in}, w.failure)
}

// inputs cuts the unshrunk program's inputs down to what p has.
func (w *shown) inputs(p *ir.Program) Input { return Input{w.from.Kind, inputsOf(p, w.from.Values)} }
