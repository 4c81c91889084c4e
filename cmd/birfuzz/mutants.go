package main

import (
	"context"
	"fmt"
	"os/signal"
	"regexp"

	"birfuzz/fuzz"
	"birfuzz/passes"
	"birfuzz/reports"
)

// runMutants plants every mutant of the source tree in turn and lets a campaign look for it.
func runMutants(ctx context.Context, e *env, args []string) error {
	f := newFlags(e)
	src := f.String("src", ".", "take the source tree at or above `DIR`")
	name := f.String("run", "", "hunt only mutants whose names match `REGEXP`")
	if err := f.none(args); err != nil {
		return err
	}
	match, err := regexp.Compile(*name)
	if err != nil {
		return fmt.Errorf("-run: %w", err)
	}
	for _, level := range f.levels() {
		if _, err := passes.Pipeline(level); err != nil {
			return err
		}
	}
	root, err := fuzz.SourceTree(*src)
	if err != nil {
		return fmt.Errorf("%w; -src names one", err)
	}
	ms, err := fuzz.ReadMutants(root, match)
	if err != nil {
		return err
	}
	if err := f.probeOut(); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(ctx, interrupts...)
	defer stop()
	bar := newProgress(e, false)
	h := fuzz.Hunt{Root: root, Seed: f.seed, Count: f.count, Duration: f.duration, Levels: f.levels(), Workers: f.workers, Out: f.out, Progress: bar.step}
	s, err := h.Run(ctx, ms)
	bar.clear()
	if err != nil {
		return err
	}
	return finishMutants(e, f, s, len(ms))
}

// finishMutants prints the score and turns it into the exit status.
func finishMutants(e *env, f *flags, s *fuzz.MutantScore, asked int) error {
	show := reports.Mutants
	if f.json {
		show = reports.MutantsJSON
	}
	if err := show(e.out, s); err != nil {
		return err
	}
	for _, o := range s.Mutants {
		if o.Err != nil {
			return o.Err
		}
	}
	switch {
	case s.Total < asked:
		return fmt.Errorf("interrupted after %d of %d mutants", s.Total, asked)
	case s.Killed < s.Total:
		return errFindings
	}
	return nil
}
