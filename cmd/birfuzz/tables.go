package main

import (
	"context"
	"fmt"

	"birfuzz/fuzz"
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
	lists, err := f.lists()
	switch {
	case err != nil:
		return err
	case f.json:
		return reports.PassesJSON(e.out, lists)
	}
	for i, l := range lists {
		if i > 0 {
			fmt.Fprintln(e.out)
		}
		title := "level " + l.Level
		if l.Level == "" {
			title = f.what()
		}
		if err := reports.Passes(e.out, title, l.Rows); err != nil {
			return err
		}
	}
	return nil
}

// lists returns the list of every level that the flags name, or that of -passes.
func (f *flags) lists() ([]reports.PassList, error) {
	if f.passes != "" {
		ps, err := passesNamed(f.passes)
		if err != nil {
			return nil, err
		}
		return []reports.PassList{{Rows: passes.RowsOf(ps)}}, f.inOrder(ps, "", fuzz.DrawnFacts)
	}
	var out []reports.PassList
	for _, level := range f.levels() {
		rows, err := passes.Rows(level)
		if err != nil {
			return nil, err
		}
		out = append(out, reports.PassList{Level: level, Rows: rows})
	}
	return out, nil
}
