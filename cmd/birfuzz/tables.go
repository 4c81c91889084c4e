package main

import (
	"context"

	"birfuzz/passes"
	"birfuzz/reports"
)

func runOps(_ context.Context, e *env, args []string) error {
	f := newFlags(e)
	names, err := f.parse(args)
	if err != nil {
		return err
	}
	return reports.Ops(e.out, names, f.json)
}

func runPasses(_ context.Context, e *env, args []string) error {
	f := newFlags(e)
	if err := f.none(args); err != nil {
		return err
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
