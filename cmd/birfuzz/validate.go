package main

import (
	"context"
	"fmt"
	"os/signal"

	"birfuzz/fuzz"
	"birfuzz/gen"
	"birfuzz/reports"
)

// checkFlag adds the flag of birfuzz gen that asks what validate answers.
func (f *flags) checkFlag() *bool {
	return f.Bool("check", false, "print no program, but whether all -count programs are legal by two validators that know nothing of each other,\nand run with no fault, no undefined output, and edges that suffice where they\nshould; one that is not ends with exit status 1")
}

// validate is birfuzz gen -check: it prints what is wrong with generated programs, and no program.
func (f *flags) validate(ctx context.Context, config *gen.Config) error {
	ctx, stop := signal.NotifyContext(ctx, interrupts...)
	defer stop()
	count := max(f.count, 1)
	v := fuzz.Validation{Seed: f.seed, Count: count, Workers: f.workers, Config: config}.Run(ctx)
	if err := reports.Validated(f.env.out, f.seed, &v, f.json); err != nil {
		return err
	}
	switch {
	case !v.OK():
		return errFindings
	case v.Programs < count:
		return fmt.Errorf("interrupted after %d of %d programs", v.Programs, count)
	}
	return nil
}
