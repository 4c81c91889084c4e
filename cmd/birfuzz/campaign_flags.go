package main

import (
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"birfuzz/fuzz"
	"birfuzz/ir"
	"birfuzz/passes"
)

// knownFlag adds the flag that names a file of known findings.
func (f *flags) knownFlag() *flags {
	f.StringVar(&f.known, "known", "", "count what `FILE` silences, and report it no more; an entry a line, as in\n"+
		"class=value pass=vendor rule=vendor.output 2027-01-31 #4711, mended in 2.14\n"+
		"keys signature, class, pass, rule; values may be patterns (vend*); then the last day, and why")
	return f
}

// summaryFlag adds the flag that names a file for a CI step.
func (f *flags) summaryFlag() *flags {
	f.StringVar(&f.markdown, "markdown", "", "append a summary in Markdown to `FILE`, as $GITHUB_STEP_SUMMARY")
	return f
}

// resumeFlag adds the flag that goes on with a campaign.
func (f *flags) resumeFlag() *flags {
	f.BoolVar(&f.resume, "resume", false, "go on with the campaign that left its "+fuzz.JournalFile+" in the folder of -out, if there is one:\n"+
		"after its last program, with its counts. -count is of all programs, -duration of this run")
	return f
}

// silenced returns what -known names; nil if it names nothing.
func (f *flags) silenced() (*fuzz.Known, error) {
	if f.known == "" {
		return nil, nil
	}
	k, err := fuzz.ReadKnown(f.known, time.Now())
	if err != nil {
		return nil, fmt.Errorf("-known: %w", err)
	}
	all, err := passesNamed(strings.Join(append(passes.Known(), fuzz.VariantPass(0).Name), ","))
	if err != nil {
		return nil, err
	}
	external, err := f.external()
	if err != nil {
		return nil, err
	}
	for _, why := range k.Strangers(append(all, external...)) {
		fmt.Fprintln(f.env.err, "-known:", why)
	}
	return k, nil
}

// budgets are the flags that say how long a campaign goes on and who is told, and not what it does.
var budgets = []string{"count", "duration", "workers", "stop-after", "json", "out", "resume", "known", "markdown"}

// identity returns what decides what a campaign does: every other flag that does not stand at its default, or means something else where it is
// left out, and what the file of -config says.
func (f *flags) identity() (map[string]string, error) {
	out := map[string]string{}
	f.VisitAll(func(x *flag.Flag) {
		asked := f.passes != "" && slices.Contains(noneWithPasses, x.Name) && f.given(x.Name)
		if value := x.Value.String(); (value != x.DefValue || asked) && !slices.Contains(budgets, x.Name) {
			out[x.Name] = value
		}
	})
	if file := out["config"]; file != "" {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		h := fnv.New64a()
		h.Write(text)
		out["config"] = fmt.Sprintf("%s %016x", file, h.Sum64())
	}
	return out, nil
}

// openJournal gives each campaign the stretch of the journal that is about it; with -resume it goes on with what stands there. It returns how
// many programs are done.
func (w *work) openJournal(campaigns []*fuzz.Campaign) (done int, err error) {
	options, err := w.flags.identity()
	if err != nil {
		return 0, err
	}
	w.journal = fuzz.NewJournal(w.flags.out, options, fuzz.JournalEvery)
	if !w.flags.resume {
		old, err := w.journal.SetAside()
		if err != nil {
			return 0, fmt.Errorf("-out: %w", err)
		}
		if old != "" {
			fmt.Fprintf(w.env.err, "birfuzz fuzz: the journal of an earlier campaign is now %s\n", old)
		}
	} else {
		switch j, err := fuzz.OpenJournal(w.flags.out, options, fuzz.JournalEvery); {
		case err == nil:
			w.journal = j
		case !errors.Is(err, fs.ErrNotExist):
			return 0, fmt.Errorf("-resume: %w", err)
		}
	}
	for _, c := range campaigns {
		c.Journal = w.journal.Level(c.Level)
		if c.Resume, err = c.Journal.Earlier(); err != nil {
			return 0, err
		}
		if c.Resume != nil {
			done += c.Resume.Programs
		}
	}
	return done, w.journal.Begin()
}

// closeJournal deletes the journal of a campaign that made all its programs and found nothing. One that was cut off is told how to go on, unless
// the same command would end where it did.
func (w *work) closeJournal(total *fuzz.Report) {
	all := w.flags.count * len(w.flags.levels())
	total.Resumable = total.Programs < all && !total.Exhausted && !w.enough(total)
	if all > 0 && total.Programs >= all && len(total.Findings) == 0 {
		w.journal.Discard()
	}
}

// probeMarkdown finds out whether the file of -markdown can be written to, before anything is run.
func (f *flags) probeMarkdown() error {
	if f.markdown == "" {
		return nil
	}
	return f.appendMarkdown(func(*os.File) error { return nil })
}

// appendMarkdown appends the summary of a campaign to the file of -markdown.
func (f *flags) appendMarkdown(write func(*os.File) error) error {
	file, err := os.OpenFile(f.markdown, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("-markdown: %w", err)
	}
	err = write(file)
	if e := file.Close(); err == nil {
		err = e
	}
	if err != nil {
		return fmt.Errorf("-markdown: %w", err)
	}
	return nil
}

// checkLane tells why -schedule starve:LANE names no lane that a program has: one is an engine, an instruction without one, or the transfers
// that one issues. Of generated programs, given being nil, nobody knows the instructions beforehand.
func (f *flags) checkLane(given []*given) error {
	lane, ok := strings.CutPrefix(f.schedule, "starve:")
	if !ok {
		return nil
	}
	issuer := lane
	if core, rest, ok := strings.Cut(lane, "/"); ok && strings.Trim(core, "0123456789") == "" {
		issuer = rest
	}
	issuer, _, _ = strings.Cut(issuer, ".")
	if e, ok := ir.ParseEngine(issuer); ok && e != ir.Unassigned {
		return nil
	}
	for _, g := range given {
		for in := range g.program.Insts {
			if in.Engine == ir.Unassigned && in.Name == issuer {
				return nil
			}
		}
	}
	return fmt.Errorf("-schedule: got the lane %q, want an engine (%s), an instruction without one, or what one of them transfers (SP.dma); behind the core's number unless that is 0 (1/DVE)",
		lane, strings.Join(engines(), ", "))
}

// engines lists the names of the engines.
func engines() []string {
	var out []string
	for e := ir.Engine(0); e < ir.NumEngines; e++ {
		if e != ir.Unassigned {
			out = append(out, e.String())
		}
	}
	return out
}
