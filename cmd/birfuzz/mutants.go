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
	f := newFlags(e).noCount("as many as a mutant's file says that it is found within,\nand of -operators enough to see what code each level goes through")
	src := f.String("src", ".", "take the source tree at or above `DIR`")
	name := f.String("run", "", "hunt only mutants whose names match `REGEXP`")
	failures := f.Int("failures", 0, "count the findings that `N` failures of each killed mutant come to, on seeds of their own")
	operators := f.Int("operators", 0, "in their place make `N` mutants by the operators of mutation testing, drawn from the code that campaigns reach")
	if err := f.none(args); err != nil {
		return err
	}
	switch {
	case *operators < 0:
		return fmt.Errorf("-operators: got %d, want 0 or more", *operators)
	case *failures < 0:
		return fmt.Errorf("-failures: got %d, want 0 or more", *failures)
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
	if err := f.probeFolders(); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(ctx, interrupts...)
	defer stop()
	bar := newProgress(e, false)
	h := fuzz.Hunt{Root: root, Seed: f.seed, Count: f.count, Duration: f.duration, Levels: f.levels(), Workers: f.workers, Out: f.out, Failures: *failures,
		Progress: bar.step}
	if *operators > 0 {
		return huntOperators(ctx, f, bar, h, *operators)
	}
	ms, err := fuzz.ReadMutants(root, match)
	if err != nil {
		return err
	}
	s, err := h.Run(ctx, ms)
	bar.clear()
	if err != nil {
		return err
	}
	return finishMutants(e, f, s, len(ms))
}

// huntOperators tries a sample of operator mutants. It is a score and no test: mutants that change nothing survive, and the exit status is 0.
func huntOperators(ctx context.Context, f *flags, bar *progress, h fuzz.Hunt, n int) error {
	if !f.given("level") {
		h.Levels = nil
	}
	s, err := h.Operators(ctx, n)
	bar.clear()
	if err != nil {
		return err
	}
	show := reports.Operators
	if f.json {
		show = reports.OperatorsJSON
	}
	return show(f.env.out, s)
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
