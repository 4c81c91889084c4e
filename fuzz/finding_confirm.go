package fuzz

import (
	"context"
	"fmt"
	"strings"

	"birfuzz/oracle"
	"birfuzz/passes"
)

// replays is how often a finding is run again before it is filed.
const replays = 2

// Cure says what has to be refused for the blamed pass to be right on the program of a finding. Empty: nobody asked, since the pass asks for no
// rewrites or is a command of somebody else, of which one rewrite is all there is, or what it claims is to blame.
type Cure string

// The cures.
const (
	CureRewrite Cure = "rewrite" // the one rewrite that is blamed, all others granted
	CureRule    Cure = "rule"    // every rewrite of its rule
	CureNone    Cure = "none"    // not even those, nor those of any other rule alone: the rule shows what several do
)

// CureOther begins a cure that names another rule than the blamed one, which shows what that spoils: every rewrite of it, and not the blamed.
const CureOther = "rule "

// other returns the rule that such a cure names, "" of the others.
func (c Cure) other() string {
	name, _ := strings.CutPrefix(string(c), CureOther)
	if name == string(c) {
		return ""
	}
	return name
}

func (c Cure) mends() bool { return c == CureRewrite || c == CureRule || c.other() != "" }

// Says tells it in words, "" where there is nothing to tell.
func (c Cure) Says() string {
	if rule := c.other(); rule != "" {
		return "Without all rewrites of " + rule + " the pass keeps the meaning of the program; without those of that rule it does not."
	}
	switch c {
	case CureRewrite:
		return "Without it the pass keeps the meaning of the program."
	case CureRule:
		return "Without all rewrites of that rule the pass keeps the meaning of the program; without this one alone it does not."
	case CureNone:
		return "Without all rewrites of that rule the pass breaks the program still: the cause is another one."
	}
	return ""
}

// refusal says which rewrites are refused (passes.Options).
type refusal = func(r *passes.Rule, inst string) bool

// confirm runs the pass alone on the program of the finding again, as it is filed: some times as before, to see whether it does the same, and
// with the blamed rewrite refused, to see whether it is right then. What ctx cut off says nothing.
func (f *Finding) confirm(ctx context.Context, o oracle.Options) {
	shown := 0
	for range replays {
		if r := f.replay(o, nil); r.Failed && r.Verdict.Class == f.Class && detailOf(&r.Verdict) == f.Detail {
			shown++
		}
	}
	cure, refused := f.cure(o)
	if ctx.Err() != nil {
		return
	}
	if f.Cure, f.refused = cure, refused; shown < replays {
		f.Flaky = fmt.Sprintf("shown by %d of %d replays of the pass alone", shown, replays)
	}
}

// replay runs the pass alone on the program of the finding, in a tester of its own, with the rewrites refused that refuse names.
func (f *Finding) replay(o oracle.Options, refuse refusal) Result {
	if o.Steady = never; f.Check == oracle.SteadyClass {
		o.Steady = 1
	}
	if s, err := oracle.ParseSchedule(f.Schedule); err == nil {
		o.Schedule = s
	}
	t := NewTester([]passes.Pass{*f.pass}, o)
	t.short = true
	run := passes.Unlimited()
	run.Refuse = refuse
	return t.run(Case{Name: f.Program, Program: f.before, Inputs: []Input{{f.Inputs, f.inputs}}}, t.Passes, run, true)
}

// cure finds out what has to be refused for the pass to be right.
func (f *Finding) cure(o oracle.Options) (Cure, refusal) {
	if f.Rule == "" || f.pass.Command != nil {
		return "", nil
	}
	ofRule := func(r *passes.Rule, _ string) bool { return r.Name == f.Rule }
	for _, try := range []struct {
		cure   Cure
		refuse refusal
	}{
		{CureRewrite, func(r *passes.Rule, inst string) bool { return ofRule(r, inst) && inst == f.Inst }},
		{CureRule, ofRule},
	} {
		if f.replay(o, try.refuse).Verdict.Kind == oracle.Same {
			return try.cure, try.refuse
		}
	}
	for _, other := range f.pass.Rules {
		refuse := func(r *passes.Rule, _ string) bool { return r.Name == other.Name }
		if other.Name != f.Rule && f.replay(o, refuse).Verdict.Kind == oracle.Same {
			return CureOther + Cure(other.Name), refuse
		}
	}
	return CureNone, nil
}

// detailOf joins what the failed checks of a verdict say, a line each.
func detailOf(v *oracle.Verdict) string {
	var lines []string
	for _, fail := range v.Failed {
		lines = append(lines, fail.Detail)
	}
	return strings.Join(lines, "\n")
}
