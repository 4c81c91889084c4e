package fuzz

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// Hunt builds birfuzz once a mutant and lets a campaign look for it.
type Hunt struct {
	Root     string        // the source tree
	Seed     uint64        // of every campaign
	Count    int           // programs a mutant; 0: as many as it must be found within
	Duration time.Duration // time a mutant; 0 is DefaultHunt
	Levels   []string      // pipelines, the first of which that runs the mutated pass is taken
	Workers  int           // mutants hunted at a time, on one core each; 0 is one a CPU
	Out      string        // folder for reproducers, one folder a mutant in it; empty: none are kept
	Progress func(done, total int, name string)
}

// DefaultHunt is the time that a mutant is given: three times what one may need on a core of its own, for the machine may be busy.
const DefaultHunt = 3 * time.Minute

// hangGrace is how long a campaign may go on after its time: a pass of ours that runs for ever keeps it from ending.
const hangGrace = 30 * time.Second

// MutantOutcome is what became of one mutant. The JSON keys are those of the command's -json output; they are never renamed.
type MutantOutcome struct {
	Name     string  `json:"name"`
	Killed   bool    `json:"killed"`
	Check    string  `json:"check"`    // the class of the finding
	Programs int     `json:"programs"` // judged until it was found, or all of them
	Seconds  float64 `json:"seconds"`  // of processor time, on one core, the shrink included
	Insts    int     `json:"insts"`    // of the shrunk reproducer
	Minimum  int     `json:"minimum"`  // of the smallest that a person found
	Blame    bool    `json:"blame"`    // a rule of the mutant was blamed

	Mutant *Mutant `json:"-"`
	Rule   string  `json:"-"` // the rule that was blamed
	Note   string  `json:"-"` // why it was not killed, or what is odd about the kill
	Err    error   `json:"-"` // there was no hunt: the mutant does not build
}

// MutantScore is the outcome of a hunt: what -json prints.
type MutantScore struct {
	Total   int             `json:"total"`
	Killed  int             `json:"killed"`
	Mutants []MutantOutcome `json:"mutants"`
}

// Run hunts every mutant. The outcomes are in the order of ms; those that ctx kept from being hunted are left out. The error says why
// nothing could be hunted at all.
func (h *Hunt) Run(ctx context.Context, ms []*Mutant) (*MutantScore, error) {
	tmp, err := os.MkdirTemp("", "birfuzz-mutants-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	b := bench{hunt: h, tmp: tmp}
	if b.goTool, err = exec.LookPath("go"); err != nil {
		return nil, fmt.Errorf("mutants are built with the Go tool: %w", err)
	}
	b.control = filepath.Join(tmp, "control")
	if err := b.build(ctx, b.control, ""); err != nil {
		return nil, fmt.Errorf("%s without a mutant %w", h.Root, err)
	}
	return h.score(ctx, ms, b.try), nil
}

// score spreads the mutants over workers.
func (h *Hunt) score(ctx context.Context, ms []*Mutant, try func(context.Context, *Mutant) MutantOutcome) *MutantScore {
	n := h.Workers
	if n <= 0 {
		n = runtime.GOMAXPROCS(0)
	}
	outcomes := make([]*MutantOutcome, len(ms))
	jobs := make(chan int)
	var mu sync.Mutex // of done, and of Progress
	var wg sync.WaitGroup
	done := 0
	for range min(n, len(ms)) {
		wg.Go(func() {
			for i := range jobs {
				o := try(ctx, ms[i])
				if ctx.Err() != nil {
					continue // what it came to may be the doing of whoever interrupted
				}
				outcomes[i] = &o
				mu.Lock()
				if done++; h.Progress != nil {
					h.Progress(done, len(ms), ms[i].Name)
				}
				mu.Unlock()
			}
		})
	}
	for i := range ms {
		jobs <- i
	}
	close(jobs)
	wg.Wait()
	s := &MutantScore{Mutants: []MutantOutcome{}}
	for _, o := range outcomes {
		if o == nil {
			continue
		}
		s.Mutants = append(s.Mutants, *o)
		s.Total++
		if o.Killed {
			s.Killed++
		}
	}
	return s
}

// count returns how many programs the mutant is given.
func (h *Hunt) count(m *Mutant) int { return cmp.Or(h.Count, m.Within) }

// bench is where mutants are built and run.
type bench struct {
	hunt    *Hunt
	tmp     string
	goTool  string
	control string // birfuzz without a mutant
}

// build builds birfuzz with an overlay; the error goes on from "the mutant …".
func (b *bench) build(ctx context.Context, binary, overlay string) error {
	args := []string{"build", "-buildvcs=false", "-ldflags=-s -w", "-o", binary} // debug tables would be half of the linker's work
	if overlay != "" {
		args = append(args, "-overlay", overlay)
	}
	cmd := exec.CommandContext(ctx, b.goTool, append(args, "./cmd/birfuzz")...)
	cmd.Dir = b.hunt.Root
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("does not build: %s", compilerLine(string(out), err))
	}
	return nil
}

// compilerLine returns the first line of a failed build that is no heading.
func compilerLine(out string, err error) string {
	for line := range strings.Lines(out) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return line
		}
	}
	return err.Error()
}

// try builds one mutant and hunts it.
func (b *bench) try(ctx context.Context, m *Mutant) MutantOutcome {
	o := MutantOutcome{Name: m.Name, Minimum: m.Minimum, Mutant: m}
	binary, err := b.plant(ctx, m)
	if err != nil {
		o.Err = err
		return o
	}
	defer os.Remove(binary)
	for known := range maxKnown {
		report, took, err := b.campaign(ctx, m, binary, known+1)
		if err != nil {
			o.Note = err.Error()
			break
		}
		o.Programs, o.Seconds = report.Programs, took.Seconds()
		if len(report.Findings) <= known {
			o.Note = strings.TrimPrefix(o.Note+"; ", "; ") + survival(m, report, b.hunt.count(m)) + b.diagnose(ctx, binary, m)
			break
		}
		if o.Note = b.confirm(ctx, binary, report.Findings[known]); o.Note == "" {
			o.kill(report.Findings[known])
			break
		}
	}
	return o
}

// kill notes the finding that was the mutant's doing.
func (o *MutantOutcome) kill(f *Finding) {
	o.Killed, o.Check, o.Insts, o.Rule = true, f.Class, f.Insts, f.Rule
	o.Blame = slices.Contains(o.Mutant.Rules, f.Rule)
	if !slices.Contains(o.Mutant.Caught, f.Class) {
		o.Note = "expected " + strings.Join(o.Mutant.Caught, " or ")
	}
}

// maxKnown is how many findings that are there without the mutant, or that do not show again, a hunt steps over.
const maxKnown = 4

// plant builds birfuzz with the mutant in it.
func (b *bench) plant(ctx context.Context, m *Mutant) (binary string, err error) {
	edited, err := m.edited(b.hunt.Root)
	if err != nil {
		return "", err
	}
	base := filepath.Join(b.tmp, m.Name)
	overlay, err := json.Marshal(map[string]map[string]string{
		"Replace": {filepath.Join(b.hunt.Root, filepath.FromSlash(m.Source)): base + ".go"},
	})
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(base+".go", []byte(edited), 0o600); err != nil {
		return "", err
	}
	if err := os.WriteFile(base+".json", overlay, 0o600); err != nil {
		return "", err
	}
	if err := b.build(ctx, base, base+".json"); err != nil {
		text := err.Error()
		if _, at, ok := strings.Cut(text, m.Name+".go:"); ok { // the compiler names the file that it read
			text = "does not build: " + m.Source + ":" + at
		}
		return "", fmt.Errorf("%s:%d: the mutant %s", m.Path, m.Edits[0].Line, text)
	}
	return base, nil
}

// campaign runs the planted birfuzz until it has so many findings, and returns how much processor time that took.
func (b *bench) campaign(ctx context.Context, m *Mutant, binary string, findings int) (*Report, time.Duration, error) {
	pipeline, err := m.pipelineFlags(b.hunt.Levels)
	if err != nil {
		return nil, 0, err
	}
	limit := cmp.Or(b.hunt.Duration, DefaultHunt)
	out := b.hunt.Out
	if out == "" {
		out = filepath.Join(b.tmp, "found")
	}
	ctx, cancel := context.WithTimeout(ctx, limit+hangGrace)
	defer cancel()
	return child(ctx, binary, append([]string{"fuzz", "-json", "-stop-after", fmt.Sprint(findings), "-seed", fmt.Sprint(b.hunt.Seed),
		"-count", fmt.Sprint(b.hunt.count(m)), "-duration", limit.String(), "-out", filepath.Join(out, m.Name)}, pipeline...))
}

// child runs a birfuzz that prints a report, on one core.
func child(ctx context.Context, binary string, args []string) (*Report, time.Duration, error) {
	cmd := exec.CommandContext(ctx, binary, append(args, "-workers", "1")...)
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	var ended *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return nil, 0, errors.New("the campaign does not come to its end: the pass runs for ever")
	case errors.As(err, &ended) && ended.ExitCode() == 1: // findings
	case err != nil:
		return nil, 0, fmt.Errorf("the campaign broke down: %s", compilerLine(complaint.String(), err))
	}
	r := &Report{}
	if err := json.Unmarshal(out, r); err != nil {
		return nil, 0, fmt.Errorf("the campaign printed no report: %w", err)
	}
	return r, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}

// confirm says why the finding is not the mutant's doing, "" if it is: its reproducer fails again, in a process of its own, and is right
// without the mutant.
func (b *bench) confirm(ctx context.Context, mutated string, f *Finding) (why string) {
	args := []string{"check", "-json", "-passes", f.Pass, filepath.Join(f.Reproducer, "finding.bir")}
	again, _, err := child(ctx, mutated, args)
	switch {
	case err != nil:
		return err.Error()
	case len(again.Findings) != 1 || again.Findings[0].key() != f.key():
		return "a reproducer does not show its finding again"
	}
	without, _, err := child(ctx, b.control, args)
	switch {
	case err != nil:
		return err.Error()
	case len(without.Findings) > 0 || without.Verdicts.Same != 1:
		return "a reproducer fails without the mutant too"
	}
	return ""
}

// survival says how far the campaign came with a mutant that it did not find.
func survival(m *Mutant, r *Report, count int) string {
	considered, fired := 0, 0
	for _, c := range r.Rules {
		if slices.Contains(m.Rules, c.Rule) {
			considered += c.Considered
			fired += c.Fired
		}
	}
	late := ""
	if r.Programs < count {
		late = ", when its time was up"
	}
	return fmt.Sprintf("not found in %d programs%s; its rules were considered %d times and fired %d times", r.Programs, late, considered, fired)
}

// diagnose says what is to be mended after a mutant was not found. The text tests of its passes hold the shapes on which its rules must not
// fire: if one of them shows the mutant, programs of that shape are not generated; else the judge does not see what is wrong with them.
func (b *bench) diagnose(ctx context.Context, mutated string, m *Mutant) string {
	said := ""
	for _, p := range passesOf(m.Rules) {
		folder := filepath.Join(b.hunt.Root, "passes", "testdata", p)
		if _, err := os.Stat(folder); err != nil {
			continue
		}
		args := []string{"check", "-json", "-passes", p, folder}
		with, _, err := child(ctx, mutated, args)
		without, _, err2 := child(ctx, b.control, args)
		if err := cmp.Or(err, err2); err != nil {
			said = cmp.Or(said, "; the text tests of "+p+" cannot be checked: "+err.Error())
			continue
		}
		said = cmp.Or(said, "; no text test of its passes shows it: the oracle does not see it, or it changes no meaning")
		for _, f := range with.Findings {
			if !slices.ContainsFunc(without.Findings, func(g *Finding) bool { return g.key() == f.key() }) {
				return "; " + filepath.ToSlash(filepath.Join("passes/testdata", p, filepath.Base(f.File))) + " shows it (" + f.Class +
					"): the generator lacks that shape"
			}
		}
	}
	return said
}
