package fuzz

import (
	"fmt"
	"strings"

	"github.com/kballard/go-shellquote"

	"birfuzz/ir"
	"birfuzz/oracle"
	"birfuzz/passes"
)

// Finding is one broken case, explained. The JSON keys are those of the command's -json output; they are never renamed.
type Finding struct {
	File       string          `json:"file"`               // the file of the case, empty for a generated one
	Program    string          `json:"program"`            // name of the case
	Level      string          `json:"level"`              // pipeline
	Varied     string          `json:"varied,omitempty"`   // the passes that were drawn in its place, as -passes takes them
	Pass       string          `json:"pass"`               // the pass that broke it
	Run        string          `json:"run"`                // that pass with its knobs, as -passes takes it
	Rule       string          `json:"rule"`               // the rewrite that did, where the pass names its rules
	Shared     string          `json:"shared,omitempty"`   // the code that the rule has in common with others (passes.Rule)
	Inst       string          `json:"inst"`               // the instruction at which, or location to which, that rewrite was made
	Claim      string          `json:"claim,omitempty"`    // the facts that the pass gives and that are not so, where nothing else is wrong
	Analysis   string          `json:"analysis,omitempty"` // the pass that writes down what the blamed one rests on, and is wrong about the program already
	Check      string          `json:"check"`              // first failed check
	Class      string          `json:"class"`              // its class
	Checks     []string        `json:"checks"`             // all failed checks
	Detail     string          `json:"detail"`             // what differs, in words
	Insts      int             `json:"insts"`              // instructions of the reproducer
	Reproducer string          `json:"reproducer"`         // folder with the reproducer, empty when none was written
	Signature  string          `json:"signature"`          // equal for findings with one cause
	Duplicates int             `json:"duplicates"`         // further programs with the same class, pass and rule
	Schedule   string          `json:"schedule,omitempty"` // the order in which it shows, where it is not the one that the facts ask for
	Inputs     string          `json:"inputs,omitempty"`   // kind of the inputs that show it (Input.Kind)
	Judged     string          `json:"judged,omitempty"`   // the checks that were asked, as -checks takes them, where they were not all
	Witness    *oracle.Witness `json:"witness,omitempty"`  // who did it, where and how; absent where the detail says it all
	Shape      []string        `json:"shape"`              // what is left in the reduced program that needs thought in a compiler, sorted (shapeOf)
	Also       []string        `json:"also,omitempty"`     // further classes in which the same cause was seen
	Core       []string        `json:"core"`               // the least of the shapes of programs that show the same cause
	Alike      int             `json:"alike,omitempty"`    // programs that were reduced too, and turned out to show a cause that stands already
	United     string          `json:"united,omitempty"`   // the folder of the finding that this one, filed before, turned out to have one cause with
	Cure       Cure            `json:"cure,omitempty"`     // what has to be refused for the pass to be right
	Flaky      string          `json:"flaky,omitempty"`    // how often replays showed it, where not all did
	Known      *KnownEntry     `json:"known,omitempty"`    // the entry of a file of known findings that silences it
	Made       *Made           `json:"made,omitempty"`     // versions and options

	pass    *passes.Pass
	before  *ir.Program
	after   *ir.Program
	inputs  ir.Values
	refused refusal // the rewrites without which the pass is right
	// explain fills in the witness. It runs the program twice, so it waits until nothing else is to become of the finding.
	explain func()
}

// newFinding explains a failed result; the reproducer is the program before the failing step.
func newFinding(c Case, level string, o oracle.Options, r Result, b Blame) *Finding {
	f := &Finding{File: c.File, Program: c.Name, Level: level, Pass: r.Pass.Name, Run: r.Pass.Spelling(), Rule: b.Rule, Class: r.Verdict.Class,
		Judged: o.Checks.String(), pass: r.Pass, inputs: c.Inputs[0].Values}
	if c.Passes != nil {
		f.Varied = passes.Spellings(c.Passes)
	}
	f.blame(b)
	f.take(r, c.Values())
	return f
}

// blame notes what the rule rests on and where it is to blame, or what is in its place.
func (f *Finding) blame(b Blame) {
	if b.Claim != 0 {
		f.Rule = ""
	}
	f.Inst, f.Claim, f.Analysis, f.Shared = b.Inst, b.Claim.String(), b.Analysis, ""
	for _, r := range f.pass.Rules {
		if r.Name == f.Rule {
			f.Shared = r.Shared
		}
	}
}

// take copies what a verdict on some inputs says.
func (f *Finding) take(r Result, inputs []ir.Values) {
	f.Checks = f.Checks[:0]
	for _, fail := range r.Verdict.Failed {
		f.Checks = append(f.Checks, fail.Check)
	}
	f.Check = f.Class
	if len(f.Checks) > 0 {
		f.Check = f.Checks[0]
	}
	f.Detail = detailOf(&r.Verdict)
	f.Schedule = r.Verdict.Schedule.String()
	if f.Check == oracle.SteadyClass {
		f.Judged = f.Check // else only some steps are made twice
	}
	f.before, f.after = r.Before, r.After
	f.explain = func() { f.Witness = oracle.Explain(&r.Verdict, r.Before, r.After, r.Promise, inputs) }
	f.Insts, f.Shape = r.Before.NumInsts(), shapeOf(r.Before)
	f.Core = f.Shape
	f.Signature = f.sign()
}

// Text returns the finding as a .bir file: the story as comments, then the program before the pass.
func (f *Finding) Text() string {
	var b strings.Builder
	line := func(format string, args ...any) {
		for _, l := range strings.Split(fmt.Sprintf(format, args...), "\n") {
			b.WriteString(strings.TrimRight("; "+l, " ") + "\n")
		}
	}
	line("run: %s", f.Run)
	line("")
	line("%s: pass %s breaks this program (%s).", f.Class, f.Pass, strings.Join(f.Checks, ", "))
	if f.Rule != "" {
		line("The rewrite: %s.", strings.TrimSuffix(f.Rule+" at "+f.Inst, " at "))
	}
	if f.Claim != "" {
		line("What it says of the program is not so: facts(%s). It is right but for that.", f.Claim)
	}
	if says := f.Cure.Says(); says != "" {
		line("%s", says)
	}
	if f.Analysis != "" {
		line("What it rests on is wrong about this program already: %s writes that down.", f.Analysis)
	}
	line("Found in %s.", f.origin())
	if f.Flaky != "" {
		line("NOT STEADY: %s.", f.Flaky)
	}
	line("")
	line("%s", f.Detail)
	if told := f.Witness.Lines(); len(told) > 0 {
		line("")
		line("%s", strings.Join(told, "\n"))
	}
	line("")
	line("Reproduce: %s", f.command())
	if f.after != nil {
		line("")
		line("What the pass did:")
		line("%s", strings.TrimRight(ir.Diff(f.before, f.after), "\n"))
	}
	b.WriteString("\n")
	b.WriteString(f.before.String())
	return b.String()
}

// origin says which case showed the finding, on which inputs, and in which pipeline unless its passes were picked by hand.
func (f *Finding) origin() string {
	text := f.Program
	if f.Level != "" {
		text += ", level " + f.Level
	}
	if f.Varied != "" {
		text += ", varied"
	}
	if f.Inputs != "" {
		text += ", on " + f.Inputs + " inputs"
	}
	return text
}

// command returns a command line that shows the finding again.
func (f *Finding) command() string {
	return "birfuzz check " + f.arguments() + " finding.bir"
}

// arguments returns those of that command line, without the program.
func (f *Finding) arguments() string {
	define := ""
	if c := f.pass.Command; c != nil {
		flag, value := c.Flag()
		define = flag + " " + shellquote.Join(value) + " "
		if c.Timeout() != passes.DefaultTimeout {
			define += fmt.Sprintf("-pass-timeout %s ", c.Timeout())
		}
	}
	if f.Judged != "" {
		define += "-checks " + f.Judged + " "
	}
	if f.Schedule != "" {
		define += "-schedule " + shellquote.Join(f.Schedule) + " "
	}
	return define + "-passes " + shellquote.Join(f.Run)
}
