package oracle

import (
	"strings"

	"birfuzz/ir"
)

// DefaultSteady is Options.Steady where it names none: rare, for it runs the pass again.
const DefaultSteady = 32

// AsksTwice tells whether the pass is to be asked once more for the program before the step that Next judged last, so that Steady can judge the
// answers. The program decides, so that a replay asks again.
func (j *Judge) AsksTwice() bool {
	return j.options.Checks.Has(steadyCheck) && j.stepped%uint64(j.options.Steady) == 0
}

// Steady judges a pass by what it answers when it is asked again (semantics §6): again is its second answer to the program of which it made
// after; twice is what it made of after, nil where that was not asked. Only a pass that promises to be idempotent (ir.Contract.Once) owes to leave
// its own output alone. Texts are compared, facts included: names are part of the answer.
func (j *Judge) Steady(after, again, twice *ir.Program, c ir.Contract) Verdict {
	j.step.found = judgement{failed: j.step.found.failed[:0]}
	found := &j.step.found
	switch {
	case !j.options.Checks.Has(steadyCheck):
	case after.Hash() != again.Hash():
		found.fail(steadyCheck, answersDiffer("the pass answers the same program otherwise the second time", after, again))
	case c.Once && twice != nil && after.Hash() != twice.Hash():
		found.fail(steadyCheck, answersDiffer("the pass changes its own output, though it promises to be idempotent", after, twice))
	}
	return found.verdict(0)
}

// answersDiffer is a flaw of two answers that are not one.
func answersDiffer(what string, a, b *ir.Program) *flaw {
	for line := range strings.Lines(ir.Diff(a, b)) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "-") || strings.HasPrefix(line, "+") {
			return &flaw{what + ": " + line, &Witness{Line: line}}
		}
	}
	return said(what)
}
