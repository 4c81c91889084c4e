package fuzz

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kballard/go-shellquote"

	"birfuzz/ir"
	"birfuzz/ir/birjson"
	"birfuzz/oracle"
	"birfuzz/passes"
)

// Finding is one broken case, explained. The JSON keys are those of the command's -json output; they are never renamed.
type Finding struct {
	File       string          `json:"file"`               // the file of the case, empty for a generated one
	Program    string          `json:"program"`            // name of the case
	Level      string          `json:"level"`              // pipeline
	Pass       string          `json:"pass"`               // the pass that broke it
	Run        string          `json:"run"`                // that pass with its knobs, as -passes takes it
	Rule       string          `json:"rule"`               // the rewrite that did, where the pass names its rules
	Inst       string          `json:"inst"`               // the instruction at which that rewrite was made
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

	pass   *passes.Pass
	before *ir.Program
	after  *ir.Program
	inputs ir.Values
	// explain fills in the witness. It runs the program twice, so it waits until nothing else is to become of the finding.
	explain func()
}

// newFinding explains a failed result; the reproducer is the program before the failing step.
func newFinding(c Case, level string, o oracle.Options, r Result, b Blame) *Finding {
	f := &Finding{File: c.File, Program: c.Name, Level: level, Pass: r.Pass.Name, Run: r.Pass.Spelling(), Rule: b.Rule, Inst: b.Inst, Class: r.Verdict.Class,
		Judged: o.Checks.String(), pass: r.Pass, inputs: c.Inputs[0].Values}
	f.take(r, c.Values())
	return f
}

// take copies what a verdict on some inputs says.
func (f *Finding) take(r Result, inputs []ir.Values) {
	f.Checks = f.Checks[:0]
	var lines []string
	for _, fail := range r.Verdict.Failed {
		f.Checks = append(f.Checks, fail.Check)
		lines = append(lines, fail.Detail)
	}
	f.Check = f.Class
	if len(f.Checks) > 0 {
		f.Check = f.Checks[0]
	}
	f.Detail = strings.Join(lines, "\n")
	f.Schedule = r.Verdict.Schedule.String()
	if f.Check == oracle.SteadyClass {
		f.Judged = f.Check // else only some steps are made twice
	}
	f.before, f.after = r.Before, r.After
	f.explain = func() { f.Witness = oracle.Explain(&r.Verdict, r.Before, r.After, r.Promise, inputs) }
	f.Insts = r.Before.NumInsts()
	f.Signature = f.sign()
}

// sign hashes what stays the same when one cause shows in two programs: class, pass, rule and the opcodes of the reduced program.
func (f *Finding) sign() string {
	var ops []string
	for in := range f.before.Insts {
		ops = append(ops, in.Op.String())
	}
	slices.Sort(ops)
	h := fnv.New64a()
	fmt.Fprint(h, f.Class, "\x00", f.Pass, "\x00", f.Rule, "\x00", slices.Compact(ops))
	return fmt.Sprintf("%016x", h.Sum64())
}

// key is equal for findings that are reported once.
func (f *Finding) key() string { return f.Class + "\x00" + f.Pass + "\x00" + f.Rule }

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
	line("Found in %s.", f.origin())
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
	if f.Inputs != "" {
		text += ", on " + f.Inputs + " inputs"
	}
	return text
}

// command returns a command line that shows the finding again.
func (f *Finding) command() string {
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
	return "birfuzz check " + define + "-passes " + shellquote.Join(f.Run) + " finding.bir"
}

// Write files the finding under dir in a folder named by class, pass and signature: finding.bir, finding.bir.json, finding.io.json (the
// inputs) and finding.json. Files appear whole or not at all.
func (f *Finding) Write(dir string) error {
	folder := filepath.Join(dir, fileName(fmt.Sprintf("%s-%s-%s", f.Class, f.Pass, f.Signature)))
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	f.Reproducer = folder
	if err := f.writeTo(folder); err != nil {
		f.Reproducer = ""
		return err
	}
	return nil
}

func (f *Finding) writeTo(folder string) error {
	var bir, io strings.Builder
	if err := birjson.Write(&bir, f.before); err != nil {
		return err
	}
	if err := birjson.WriteIO(&io, &birjson.IO{Source: f.Program, Licence: "Apache-2.0", Inputs: inputsOf(f.before, f.inputs)}); err != nil {
		return err
	}
	for _, part := range []struct{ name, text string }{
		{"finding.bir", f.Text()}, {"finding.bir.json", bir.String()}, {"finding.io.json", io.String()},
	} {
		if err := WriteFile(filepath.Join(folder, part.name), part.text); err != nil {
			return err
		}
	}
	return f.writeMeta(folder)
}

// writeMeta writes finding.json: what -json says of the finding.
func (f *Finding) writeMeta(folder string) error {
	meta, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return err
	}
	return WriteFile(filepath.Join(folder, "finding.json"), string(meta)+"\n")
}

// fileName keeps letters, digits, dot, dash and underscore.
func fileName(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '.' || r == '-' || r == '_' || '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z' {
			return r
		}
		return '_'
	}, s)
}

// WriteFile writes a file so that a reader never sees half of it.
func WriteFile(path, text string) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), ".part-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.WriteString(text)
	if e := tmp.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	if err := os.Chmod(tmp.Name(), 0o644); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}
