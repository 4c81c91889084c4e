package oracle

import (
	"slices"
	"strings"
)

// Kind is the answer of the judge (semantics §6).
type Kind uint8

// The kinds of verdicts.
const (
	Same      Kind = iota
	Different      // a check failed
	Undefined      // the program after the pass has no meaning, or leaves bytes undefined that were not
	Unknown        // a limit was reached
	Void           // the program before the pass has no meaning: nothing was judged
)

var kindNames = [...]string{"same", "different", "undefined", "unknown", "void"}

// String returns the kind in lower case.
func (k Kind) String() string { return kindNames[k] }

// Verdict is what the judge says of one step.
type Verdict struct {
	Kind    Kind
	Class   string    // the first check that failed, in the order of Checks, or "hang"; empty when none did
	Failed  []Failure // one a failed check, in the order of Checks
	Why     string    // Unknown and Void: which limit was reached, or why the program before has no meaning
	Skipped int       // further input sets on which the program before has no meaning, or reached a limit
	// Schedule is the order in which the failure shows, where that is another one than the program's facts ask for.
	Schedule Schedule
	way      runWay // of the run that shows the failure
}

// Failure is one failed check.
type Failure struct {
	Check   string
	Detail  string   // one or two lines: names, positions, values
	Witness *Witness // the same as data; nil where the words say it all
}

// String returns the class and all details.
func (v Verdict) String() string {
	var b strings.Builder
	b.WriteString(v.Kind.String())
	if v.Class != "" {
		b.WriteString(" (" + v.Class + ")")
	}
	if v.Why != "" {
		b.WriteString(": " + v.Why)
	}
	for _, f := range v.Failed {
		b.WriteString("\n  " + f.Check + ": " + f.Detail)
	}
	return b.String()
}

// hangClass is the class of a program that no longer ends in any time near that of the one before.
const hangClass = "hang"

// judgement collects failures.
type judgement struct {
	failed []Failure
	way    runWay // of the run that showed them
}

// verdict gives the failures their order and kind.
func (j *judgement) verdict(skipped int) Verdict {
	v := Verdict{Skipped: skipped, way: j.way}
	if len(j.failed) == 0 {
		return v
	}
	for i := range checks {
		for _, f := range j.failed {
			if f.Check == checks[i].Name {
				v.Failed = append(v.Failed, f)
				break
			}
		}
	}
	for _, f := range j.failed {
		if f.Check == hangClass {
			v.Failed = append(v.Failed, f)
		}
	}
	shownFirst(v.Failed)
	v.Kind, v.Class = Different, v.Failed[0].Check
	if v.Class == Undefined.String() {
		v.Kind = Undefined
	}
	return v
}

// shownFirst puts an edge that points forwards behind what the run shows of it. Two dependent instructions that changed places are known by
// what became of the data, with an edge between them or without; the edge alone names those that did no harm yet [ours].
func shownFirst(failed []Failure) {
	if len(failed) > 1 && failed[0].Check == scheduleCheck && slices.ContainsFunc(failed, func(f Failure) bool { return dataChecks[f.Check] }) {
		edge := failed[0]
		copy(failed, failed[1:])
		failed[len(failed)-1] = edge
	}
}

// SteadyClass is the check that asks a pass twice.
const SteadyClass = "steady"

// Names of checks that code asks for.
const (
	scheduleCheck   = "schedule"
	raceCheck       = "race"
	deadlockCheck   = "deadlock"
	fencesCheck     = "fences"
	provenanceCheck = "provenance"
	steadyCheck     = SteadyClass
)

// dataChecks are those that a run answers by what it leaves.
var dataChecks = map[string]bool{"accumulation": true, "undefined": true, "value": true, "publish": true, "provenance": true}

func (j *judgement) fail(check string, f *flaw) {
	j.failed = append(j.failed, Failure{Check: check, Detail: f.detail, Witness: f.witness})
}
