package passes

import (
	"errors"
	"fmt"
	"path"
	"runtime"
	"strings"

	"birfuzz/ir"
)

// Run runs the passes in order on p, which must be numbered, and shows each step to visit, which returns false to stop.
//
// p is changed in place: clone it first if it is still needed. An external pass, and a restart after a breakdown, put another program in its
// stead, so whoever follows the program takes Step.After. A step that failed hands on the program that it was given. A pass whose needs an
// earlier one declined to give is not run; a need that nobody ever gives is found beforehand by Check.
func Run(p *ir.Program, ps []Pass, o Options, visit func(*Step) bool) {
	for i := range ps {
		s := step(p, &ps[i], i, o)
		p = s.After
		if !visit(s) {
			return
		}
		if s.Changed {
			o.Copies.Return(s.Before)
		}
	}
}

func step(p *ir.Program, pass *Pass, index int, o Options) *Step {
	c := &Ctx{pass: pass, edit: ir.NewEditIn(p, o.Copies), fuel: -1, refuse: o.Refuse, timeout: o.Timeout, tally: make([]Count, len(pass.Rules))}
	for i, r := range pass.Rules {
		c.tally[i].Rule = r
	}
	if index == o.FuelAt && o.Fuel >= 0 {
		c.fuel = o.Fuel
	}
	s := &Step{Pass: pass, Index: index}
	if lack := pass.Contract.Needs &^ p.Facts; lack != 0 {
		c.Decline(fmt.Sprintf("needs %s, which no earlier pass gave", lack))
	} else {
		s.Failure = c.execute()
	}
	c.conclude(s, p.Facts)
	return s
}

// execute runs the pass and turns whatever goes wrong into a Failure.
func (c *Ctx) execute() (f *Failure) {
	defer func() {
		if r := recover(); r != nil {
			f = &Failure{Crash, fmt.Sprintf("panic: %v (%s)", r, PanicSite())}
		}
	}()
	err := c.pass.Run(c)
	switch {
	case errors.As(err, &f):
		return f
	case err != nil:
		return &Failure{Crash, err.Error()}
	case c.edit.Count() > 0 && c.pass.Verifies:
		return &Failure{Crash, fmt.Sprintf("%d edits by a verifier", c.edit.Count())}
	case c.edit.Count() > 0 && c.granted == 0:
		return &Failure{Crash, fmt.Sprintf("%d edits that no rule was asked for", c.edit.Count())}
	}
	return nil
}

// conclude fills in the step and brings the program's facts up to date.
func (c *Ctx) conclude(s *Step, had ir.Facts) {
	s.Tally, s.Events, s.Declined = c.tally, c.events, c.declined
	s.After = c.edit.Program()
	s.Before = s.After
	before := c.edit.Before()
	if s.Failure != nil {
		if before != nil { // half-edited: go back to the snapshot
			s.Before, s.After = before, before
		}
		return
	}
	if before != nil {
		c.edit.Done()
		s.Before, s.Changed = before, true
	}
	facts := s.After.Facts &^ c.dropped
	if c.declined == "" {
		facts = facts&^c.pass.Contract.Drops | c.pass.Contract.Gives
	}
	s.Gained = facts &^ had
	switch {
	case s.Changed:
		s.After.Facts = facts
	case facts != had: // Before keeps the facts that it had
		p := *s.After
		p.Facts, s.After = facts, &p
	}
}

// PanicSite, called by a deferred function itself, names the innermost frame of ours on the panicking stack, "file.go:12": a location to look at, not a trace to read.
func PanicSite() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
	for {
		f, more := frames.Next()
		if !strings.HasPrefix(f.Function, "runtime.") {
			return fmt.Sprintf("%s:%d", path.Base(f.File), f.Line)
		}
		if !more {
			return "unknown place"
		}
	}
}

// Check finds a pass whose needs no earlier one gives, without running anything. facts are those that a program may have at the start. What
// an external pass gives nobody knows beforehand: behind one nothing is said to be missing.
func Check(ps []Pass, facts ir.Facts) error {
	for i := range ps {
		c := &ps[i].Contract
		if ps[i].Command != nil {
			return nil
		}
		if lack := c.Needs &^ facts; lack != 0 {
			return fmt.Errorf("pass %d, %s: needs the facts %s, which neither the program nor an earlier pass gives", i+1, ps[i].Name, lack)
		}
		facts = facts&^c.Drops | c.Gives
	}
	return nil
}
