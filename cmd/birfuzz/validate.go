package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os/signal"

	"birfuzz/fuzz"
	"birfuzz/gen"
)

// maxShown bounds the complaints that are printed; -json has all.
const maxShown = 20

// checkFlag adds the flag of birfuzz gen that asks what validate answers.
func (f *flags) checkFlag() *bool {
	return f.Bool("check", false, "print no program, but whether all -count programs are legal by two validators that know nothing of each other,\nand run with no fault and no undefined output; anything else ends with exit status 1")
}

// validate is birfuzz gen -check: it prints what is wrong with generated programs, and no program.
func (f *flags) validate(ctx context.Context, config *gen.Config) error {
	ctx, stop := signal.NotifyContext(ctx, interrupts...)
	defer stop()
	v := fuzz.Validation{Seed: f.seed, Count: max(f.count, 1), Workers: f.workers, Config: config}.Run(ctx)
	if err := f.printValidated(&v); err != nil {
		return err
	}
	if !v.OK() {
		return errFindings
	}
	return nil
}

func (f *flags) printValidated(v *fuzz.Validated) error {
	if f.json {
		enc := json.NewEncoder(f.env.out)
		enc.SetIndent("", "  ")
		return enc.Encode(v)
	}
	for _, c := range v.Complaints[:min(len(v.Complaints), maxShown)] {
		fmt.Fprintf(f.env.out, "seed %d %s\n", f.seed, c)
	}
	_, err := fmt.Fprintf(f.env.out, "%d programs of %d instructions in %.1f s (%.0f/s): %d illegal, %d by the second validator, %d void, %d undefined, %d unknown\n",
		v.Programs, v.Insts, v.Seconds, float64(v.Programs)/max(v.Seconds, 1e-9), v.Illegal, v.Second, v.Void, v.Undefined, v.Unknown)
	return err
}
