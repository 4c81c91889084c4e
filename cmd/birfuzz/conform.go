package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"birfuzz/ir"
	"birfuzz/ir/birjson"
	"birfuzz/ir/birtest"
	"birfuzz/oracle"
	"birfuzz/reports"
)

func runConform(_ context.Context, e *env, args []string) error {
	f := newFlags(e)
	all := f.Bool("all", false, "list every case, not only those that fail")
	dirs, err := f.parse(args)
	if err != nil {
		return err
	}
	cs, err := conformCases(dirs)
	if err != nil {
		return err
	}
	var rows []reports.ConformRow
	failed, unusable := 0, 0
	for _, c := range cs {
		row := reports.ConformRow{Group: c.Group, Case: c.Name, Err: conformOne(c)}
		if row.Err != nil {
			failed++
		}
		if errors.As(row.Err, new(badCase)) {
			unusable++
		}
		rows = append(rows, row)
	}
	if f.json {
		err = reports.ConformJSON(e.out, rows)
	} else {
		err = reports.Conform(e.out, rows, *all)
	}
	switch {
	case err != nil:
		return err
	case unusable > 0:
		return fmt.Errorf("%d of %d cases cannot be run, want legal programs and inputs for them", unusable, len(cs))
	case failed > 0:
		return errFindings
	}
	return nil
}

// badCase is what is wrong with a case that cannot be run: bad input, which says nothing about what programs mean.
type badCase struct{ error }

// Unwrap makes badCase one of the errors that package errors looks into.
func (b badCase) Unwrap() error { return b.error }

// conformCases returns the cases below the folders, or those that ship with birfuzz.
func conformCases(dirs []string) ([]birtest.Case, error) {
	var out []birtest.Case
	if len(dirs) == 0 {
		for c, err := range birtest.Conformance() {
			if err != nil {
				return nil, err
			}
			out = append(out, c)
		}
		return out, nil
	}
	for _, d := range dirs {
		err := filepath.WalkDir(d, func(p string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(p, ".bir.json") {
				return err
			}
			c, err := readCase(d, p)
			if err == nil {
				out = append(out, c)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no .bir.json below %s", strings.Join(dirs, ", "))
	}
	return out, nil
}

func readCase(dir, path string) (birtest.Case, error) {
	bir, err := os.ReadFile(path)
	if err != nil {
		return birtest.Case{}, err
	}
	io, err := os.ReadFile(ioBeside(path))
	if err != nil {
		return birtest.Case{}, fmt.Errorf("%s has no expected outputs: %w", path, err)
	}
	return birtest.Case{Group: filepath.Base(dir), Name: strings.TrimSuffix(filepath.Base(path), ".bir.json"), BIR: bir, IO: io}, nil
}

// conformOne reads, verifies, runs and compares one case.
func conformOne(c birtest.Case) error {
	p, err := birjson.Read(bytes.NewReader(c.BIR), c.Name+".bir.json")
	if err != nil {
		return badCase{err}
	}
	if cs := ir.Verify(p, p.Facts); len(cs) > 0 {
		return badCase{cs}
	}
	want, err := birjson.ReadIO(bytes.NewReader(c.IO), c.Name+".io.json")
	if err != nil {
		return badCase{err}
	}
	r, err := oracle.Execute(p, want.Inputs)
	if err != nil {
		return badCase{err}
	}
	if r.Fault != nil {
		return r.Fault
	}
	return compare(p, r, want)
}
