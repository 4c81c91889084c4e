package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"birfuzz/fuzz"
	"birfuzz/ir"
	"birfuzz/reports"
)

// defaultPrograms is how many programs `fuzz` makes when neither -count nor -duration is given.
const defaultPrograms = 1000

// defaultOut is where `fuzz` files what it finds.
const defaultOut = "findings"

func runFuzz(ctx context.Context, e *env, args []string) error {
	f := newFlags(e).passFlags()
	if err := f.none(args); err != nil {
		return err
	}
	if f.count == 0 && f.duration == 0 {
		f.count = defaultPrograms
	}
	if f.out == "" {
		f.out = defaultOut
	}
	if !f.json {
		fmt.Fprintf(e.out, "seed %d, %s\n", f.seed, f.what())
	}
	w := work{env: e, flags: f, announce: true}
	r, err := w.run(ctx)
	return finish(e, f, r, err)
}

func runCheck(ctx context.Context, e *env, args []string) error {
	f := newFlags(e).passFlags()
	w, err := workOn(e, f, args)
	if err != nil {
		return err
	}
	w.announce = true
	r, err := w.run(ctx)
	return finish(e, f, r, err)
}

func runBlame(ctx context.Context, e *env, args []string) error {
	return explain(ctx, e, args, true)
}

func runShrink(ctx context.Context, e *env, args []string) error {
	return explain(ctx, e, args, false)
}

// explain runs the pipeline on given programs and prints what broke them: as they are (keep: blame) or made small (shrink).
func explain(ctx context.Context, e *env, args []string, keep bool) error {
	f := newFlags(e).passFlags()
	w, err := workOn(e, f, args)
	if err != nil {
		return err
	}
	w.keep = keep
	r, err := w.run(ctx)
	if f.json || err != nil {
		return finish(e, f, r, err)
	}
	for _, why := range r.Unjudged {
		fmt.Fprintln(e.out, "not judged:", why)
	}
	if len(r.Findings) == 0 {
		fmt.Fprintf(e.out, "nothing to explain: %d of %d programs judged, and every step keeps the meaning of each\n", r.Verdicts.Same, r.Programs)
		return nil
	}
	printTexts(e.out, r.Findings)
	return errFindings
}

// printTexts prints findings as .bir files.
func printTexts(w io.Writer, fs []*fuzz.Finding) {
	for i, found := range fs {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprint(w, found.Text())
	}
}

// interrupts are the signals that end a command in good order.
var interrupts = []os.Signal{os.Interrupt, syscall.SIGTERM}

// work is a campaign for every level that the flags name.
type work struct {
	env      *env
	flags    *flags
	given    []*given // nil: programs are generated
	keep     bool     // findings are not shrunk
	announce bool     // findings are announced as they are made
}

// workOn returns the work on the programs of a command line.
func workOn(e *env, f *flags, args []string) (*work, error) {
	rest, err := f.parse(args)
	if err != nil {
		return nil, err
	}
	w := &work{env: e, flags: f}
	w.given, err = loadAll(rest)
	return w, err
}

// run runs the campaigns until they are done or somebody interrupts; then the report is of what was done. It is there even with an error,
// unless nothing was run.
func (w *work) run(ctx context.Context) (*fuzz.Report, error) {
	campaigns, err := w.campaigns()
	if err != nil {
		return nil, err
	}
	if err := w.flags.probeOut(); err != nil {
		return nil, err
	}
	ctx, stop := signal.NotifyContext(ctx, interrupts...)
	defer stop()
	context.AfterFunc(ctx, stop) // whoever cannot wait interrupts again
	var total *fuzz.Report
	for _, c := range campaigns {
		if total != nil && c.Findings > 0 {
			c.Findings -= len(total.Findings) // -stop-after is for all levels together
		}
		bar := newProgress(w.env, w.announce && !w.flags.json)
		c.Progress, c.Found = bar.draw, bar.found
		r, err := c.Run(ctx)
		bar.clear()
		if total == nil {
			total = r
		} else {
			total.Merge(r)
		}
		if err != nil || ctx.Err() != nil || w.flags.findings > 0 && len(total.Findings) >= w.flags.findings {
			return total, err
		}
	}
	return total, nil
}

// facts returns the facts that the programs may have.
func (w *work) facts() ir.Facts {
	if w.given == nil {
		return fuzz.DrawnFacts
	}
	var facts ir.Facts
	for _, g := range w.given {
		facts |= g.program.Facts
	}
	return facts
}

// campaigns builds one campaign a level, all before the first is run: a wrong flag is no surprise at the end.
func (w *work) campaigns() ([]*fuzz.Campaign, error) {
	var out []*fuzz.Campaign
	for _, level := range w.flags.levels() {
		c, err := w.flags.campaign(level, w.facts())
		if err != nil {
			return nil, err
		}
		c.NoShrink = w.keep
		if w.given != nil {
			c.Count, c.Workers = len(w.given), min(c.Workers, room(w.given))
			c.Source = func(i int) fuzz.Case { return w.given[i].judged(w.flags.seed) }
		}
		out = append(out, c)
	}
	return out, nil
}

// finish prints the report and turns findings into the exit status. Findings that could not be filed are printed whole.
func finish(e *env, f *flags, r *fuzz.Report, failed error) error {
	if r == nil {
		return failed
	}
	var err error
	if f.json {
		err = r.WriteJSON(e.out)
	} else {
		err = reports.Campaign(e.out, r)
	}
	switch {
	case failed != nil:
		fmt.Fprintln(e.err)
		printTexts(e.err, unfiled(r.Findings))
		return failed
	case err == nil && len(r.Findings) > 0:
		return errFindings
	}
	return err
}

func unfiled(fs []*fuzz.Finding) []*fuzz.Finding {
	var out []*fuzz.Finding
	for _, f := range fs {
		if f.Reproducer == "" {
			out = append(out, f)
		}
	}
	return out
}
