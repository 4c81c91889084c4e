package fuzz

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"birfuzz/passes"
)

// Hunt builds birfuzz with each mutant in it and lets a campaign look for it. Mutants that change bodies of functions alone share one build.
type Hunt struct {
	Root     string        // the source tree
	Seed     uint64        // of every campaign
	Count    int           // programs a mutant; 0: as many as it must be found within
	Duration time.Duration // time a mutant; 0 is DefaultHunt
	Levels   []string      // pipelines, the first of which that runs the mutated pass is taken, unless the mutant names one
	Workers  int           // mutants hunted at a time, on one core each; 0 is one a CPU
	Out      string        // folder for reproducers, one folder a mutant in it; empty: none are kept
	Failures int           // failures of every killed mutant over which its findings are counted; 0: they are not
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
	Minimum  int     `json:"minimum"`  // of the smallest that is known
	Blame    bool    `json:"blame"`    // a rule of the mutant was blamed; where the pass made no rewrite, but a claim that is wrong, a pass with one

	Buckets  int `json:"buckets,omitempty"`  // findings that the campaign makes of its failures, if they were counted
	Failures int `json:"failures,omitempty"` // over which they were

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
	b, err := newBench(h)
	if err != nil {
		return nil, err
	}
	defer b.close()
	if err := b.open(ctx, ms); err != nil {
		return nil, err
	}
	s := &MutantScore{Mutants: spread(ctx, h, len(ms), func(i int) string { return ms[i].Name }, func(i int) MutantOutcome { return b.try(ctx, ms[i]) })}
	for _, o := range s.Mutants {
		s.Total++
		if o.Killed {
			s.Killed++
		}
	}
	return s, nil
}

// spread spreads n mutants over the hunt's workers and returns what became of them, in order. Those that ctx kept from being tried are left out.
func spread[T any](ctx context.Context, h *Hunt, n int, name func(i int) string, try func(i int) T) []T {
	outcomes, tried := make([]T, n), make([]bool, n)
	jobs := make(chan int)
	var mu sync.Mutex // of done, and of Progress
	var wg sync.WaitGroup
	done := 0
	for range min(Workers(h.Workers), n) {
		wg.Go(func() {
			for i := range jobs {
				o := try(i)
				if ctx.Err() != nil {
					continue // what it came to may be the doing of whoever interrupted
				}
				outcomes[i], tried[i] = o, true
				mu.Lock()
				if done++; h.Progress != nil {
					h.Progress(done, n, name(i))
				}
				mu.Unlock()
			}
		})
	}
	for i := range n {
		jobs <- i
	}
	close(jobs)
	wg.Wait()
	out := []T{}
	for i := range n {
		if tried[i] {
			out = append(out, outcomes[i])
		}
	}
	return out
}

// programs returns how many programs the mutant is given.
func (b *bench) programs(m *Mutant) int { return cmp.Or(b.hunt.Count, m.Within) }

// try plants one mutant and hunts it.
func (b *bench) try(ctx context.Context, m *Mutant) MutantOutcome {
	o := MutantOutcome{Name: m.Name, Minimum: m.Minimum, Mutant: m}
	mutated, err := b.plant(ctx, m)
	if err != nil {
		o.Err = err
		return o
	}
	defer mutated.remove()
	for known := range maxKnown {
		run := huntRun{seed: b.hunt.Seed, count: b.programs(m), findings: known + 1, limit: cmp.Or(b.hunt.Duration, DefaultHunt)}
		report, took, err := b.campaign(ctx, m, mutated, run)
		if err != nil {
			o.Note = err.Error()
			break
		}
		o.Programs, o.Seconds = report.Programs, took.Seconds()
		if len(report.Findings) <= known {
			o.Note = strings.TrimPrefix(o.Note+"; ", "; ") + survival(m, report, run.count) + b.diagnose(ctx, mutated, m)
			break
		}
		if o.Note = b.confirm(ctx, mutated, report.Findings[known]); o.Note == "" {
			o.kill(report.Findings[known])
			break
		}
	}
	if o.Killed && b.hunt.Failures > 0 {
		n, err := b.count(ctx, m, mutated, o.Programs)
		if err != nil {
			o.Note = strings.TrimPrefix(o.Note+"; ", "; ") + err.Error()
		}
		o.Buckets, o.Failures = n.buckets, n.failures
	}
	return o
}

// kill notes the finding that was the mutant's doing.
func (o *MutantOutcome) kill(f *Finding) {
	o.Killed, o.Check, o.Insts, o.Rule = true, f.Class, f.Insts, f.Rule
	o.Blame = slices.Contains(o.Mutant.Rules, f.Rule) || f.Rule == "" && slices.Contains(passesOf(o.Mutant.Rules), f.Pass)
	if !slices.Contains(o.Mutant.Caught, f.Class) {
		o.Note = "expected " + strings.Join(o.Mutant.Caught, " or ")
	}
}

// maxKnown is how many findings that are there without the mutant, or that do not show again, a hunt steps over.
const maxKnown = 4

// huntRun is one campaign for a mutant.
type huntRun struct {
	seed            uint64
	count, findings int           // it ends after so many programs, or findings if that is not 0
	limit           time.Duration // or when its time is up
}

// campaign runs the planted birfuzz, and returns how much processor time that took.
func (b *bench) campaign(ctx context.Context, m *Mutant, mutated executable, run huntRun) (*Report, time.Duration, error) {
	pipeline, err := m.pipeline(b.hunt.Levels)
	if err != nil {
		return nil, 0, err
	}
	out := b.hunt.Out
	if out == "" {
		out = filepath.Join(b.tmp, "found")
	}
	ctx, cancel := context.WithTimeout(ctx, run.limit+hangGrace)
	defer cancel()
	return mutated.run(ctx, []string{"fuzz", "-json", "-stop-after", fmt.Sprint(run.findings), "-seed", fmt.Sprint(run.seed),
		"-count", fmt.Sprint(run.count), "-duration", run.limit.String(), "-out", filepath.Join(out, m.Name), "-passes", passes.Spellings(pipeline)})
}

// confirm says why the finding is not the mutant's doing, "" if it is: its reproducer shows it again, in a process of its own and word for word,
// and is right without the mutant.
func (b *bench) confirm(ctx context.Context, mutated executable, f *Finding) (why string) {
	args := []string{"blame", "-json", "-passes", f.Run}
	if f.Judged != "" {
		args = append(args, "-checks", f.Judged)
	}
	if f.Schedule != "" {
		args = append(args, "-schedule", f.Schedule)
	}
	args = append(args, filepath.Join(f.Reproducer, "finding.bir"))
	again, _, err := mutated.run(ctx, args)
	switch {
	case err != nil:
		return err.Error()
	case len(again.Findings) != 1 || again.Findings[0].key() != f.key():
		return "a reproducer does not show its finding again"
	case told(again.Findings[0]) != told(f):
		return "a reproducer tells another story when it is run again"
	}
	without, _, err := b.shared.run(ctx, args)
	switch {
	case err != nil:
		return err.Error()
	case len(without.Findings) > 0 || without.Verdicts.Same != 1:
		return "a reproducer fails without the mutant too"
	}
	return ""
}

// told is all that a finding says of its program: not where that is from, how often it was met, or what was tried with it before it was filed.
func told(f *Finding) string {
	g := *f
	g.File, g.Program, g.Level, g.Varied, g.Reproducer, g.Inputs, g.Made = "", "", "", "", "", "", nil
	g.Duplicates, g.Also, g.Alike, g.Cure, g.Flaky, g.Known = 0, nil, 0, "", "", nil
	text, err := json.Marshal(&g)
	if err != nil {
		return err.Error()
	}
	return string(text)
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
func (b *bench) diagnose(ctx context.Context, mutated executable, m *Mutant) string {
	said := ""
	for _, p := range passesOf(m.Rules) {
		folder := filepath.Join(b.hunt.Root, "passes", "testdata", p)
		if _, err := os.Stat(folder); err != nil {
			continue
		}
		args := []string{"check", "-json", "-passes", p, folder}
		with, _, err := mutated.run(ctx, args)
		without, _, err2 := b.shared.run(ctx, args)
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
