package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"birfuzz/fuzz"
	"birfuzz/passes"
	"birfuzz/reports"
)

// defaultPrograms is how many programs `fuzz` makes when neither -count nor -duration is given.
const defaultPrograms = 1000

func runFuzz(ctx context.Context, e *env, args []string) error {
	f := newFlags(e, "fuzz", "").passFlags()
	rest, err := f.parse(args)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return fmt.Errorf("unexpected argument %q: fuzz makes its own programs", rest[0])
	}
	if f.count == 0 && f.duration == 0 {
		f.count = defaultPrograms
	}
	if f.out == "" {
		f.out = "findings"
	}
	if !f.json {
		fmt.Fprintf(e.out, "seed %d, level %s\n", f.seed, f.level)
	}
	return campaigns(ctx, e, f, nil)
}

func runCheck(ctx context.Context, e *env, args []string) error {
	f := newFlags(e, "check", "FILE…").passFlags()
	rest, err := f.parse(args)
	if err != nil {
		return err
	}
	cs, err := cases(rest, f.seed)
	if err != nil {
		return err
	}
	return campaigns(ctx, e, f, cs)
}

// campaigns runs one campaign a level (-level may list several, or be "all") and prints the reports; given is nil for generated programs.
func campaigns(ctx context.Context, e *env, f *flags, given []fuzz.Case) error {
	total := (*fuzz.Report)(nil)
	for _, level := range levels(f.level) {
		c, err := f.campaign(level)
		if err != nil {
			return err
		}
		if given != nil {
			c.Count = len(given)
			c.Source = func(i int) fuzz.Case { return given[i] }
		}
		bar := newProgress(e, f.json)
		c.Progress, c.Found = bar.draw, bar.found
		report, err := c.Run(ctx)
		bar.clear()
		if err != nil {
			return err
		}
		if f.passes != "" {
			return finish(e, f, report)
		}
		if total == nil {
			total = report
		} else {
			total.Merge(report)
		}
	}
	return finish(e, f, total)
}

func levels(s string) []string {
	if s == "all" {
		return passes.Levels()
	}
	return strings.Split(s, ",")
}

// finish prints the report and turns findings into the exit status.
func finish(e *env, f *flags, r *fuzz.Report) error {
	if f.json {
		if err := r.WriteJSON(e.out); err != nil {
			return err
		}
	} else if err := reports.Campaign(e.out, r); err != nil {
		return err
	}
	if len(r.Findings) > 0 {
		return errFindings
	}
	return nil
}

// progress draws one line on a terminal and is silent elsewhere.
type progress struct {
	e    *env
	json bool
	last time.Time
}

func newProgress(e *env, json bool) *progress { return &progress{e: e, json: json} }

const redraw = 200 * time.Millisecond

func (p *progress) draw(r *fuzz.Report) {
	if !p.e.terminal || time.Since(p.last) < redraw {
		return
	}
	p.last = time.Now()
	fmt.Fprintf(p.e.err, "\r\x1b[K%d programs, %.0f/s, %d findings", r.Programs, r.Rate, len(r.Findings))
}

// found announces a finding as soon as it is filed.
func (p *progress) found(f *fuzz.Finding) {
	p.clear()
	if !p.json {
		fmt.Fprintln(p.e.out, reports.Line(f))
	}
}

func (p *progress) clear() {
	if p.e.terminal && !p.last.IsZero() {
		fmt.Fprint(p.e.err, "\r\x1b[K")
	}
}

const noFailure = "nothing to explain: every step of the pipeline keeps the meaning of every program given"

func runBlame(ctx context.Context, e *env, args []string) error {
	return explain(ctx, e, "blame", args, true)
}

func runShrink(ctx context.Context, e *env, args []string) error {
	return explain(ctx, e, "shrink", args, false)
}

// explain runs the pipeline on given programs and prints what broke them: as they are (blame) or made small (shrink).
func explain(ctx context.Context, e *env, name string, args []string, keep bool) error {
	f := newFlags(e, name, "FILE…").passFlags()
	rest, err := f.parse(args)
	if err != nil {
		return err
	}
	cs, err := cases(rest, f.seed)
	if err != nil {
		return err
	}
	c, err := f.campaign(f.level)
	if err != nil {
		return err
	}
	c.Count, c.NoShrink = len(cs), keep
	c.Source = func(i int) fuzz.Case { return cs[i] }
	r, err := c.Run(ctx)
	if err != nil {
		return err
	}
	if f.json {
		return finish(e, f, r)
	}
	if len(r.Findings) == 0 {
		fmt.Fprintln(e.out, noFailure)
		return nil
	}
	for _, found := range r.Findings {
		fmt.Fprintln(e.out, found.Text())
	}
	return errFindings
}
