package main

import (
	"context"
	"fmt"

	"birfuzz/passes"
	"birfuzz/reports"
)

func runOps(_ context.Context, e *env, args []string) error {
	f := newFlags(e, "ops", "")
	rest, err := f.parse(args)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return fmt.Errorf("unexpected argument %q", rest[0])
	}
	if f.json {
		return reports.OpsJSON(e.out)
	}
	return reports.Ops(e.out)
}

func runPasses(_ context.Context, e *env, args []string) error {
	f := newFlags(e, "passes", "")
	rest, err := f.parse(args)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return fmt.Errorf("unexpected argument %q", rest[0])
	}
	rows, err := passes.Rows(f.level)
	if err != nil {
		return err
	}
	if f.json {
		return reports.PassesJSON(e.out, rows)
	}
	return reports.Passes(e.out, f.level, rows)
}
