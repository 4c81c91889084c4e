package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"birfuzz/fuzz"
	"birfuzz/ir"
	"birfuzz/ir/birjson"
)

// load reads a program: .bir is the text form, anything else bir.json.
func load(path string) (*ir.Program, error) {
	if strings.HasSuffix(path, ".bir") {
		src, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		return ir.Parse(path, string(src))
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return birjson.Read(f, path)
}

// loadLegal reads a program and verifies it.
func loadLegal(path string) (*ir.Program, error) {
	p, err := load(path)
	if err != nil {
		return nil, err
	}
	if cs := ir.Verify(p, p.Facts); len(cs) > 0 {
		return nil, fmt.Errorf("%s is not a legal program:\n%w", path, cs)
	}
	return p, nil
}

// ioBeside returns the name of the input file that belongs to a program: x.bir and x.bir.json have x.io.json.
func ioBeside(path string) string {
	return strings.TrimSuffix(strings.TrimSuffix(path, ".json"), ".bir") + ".io.json"
}

// loadIO reads an io.json.
func loadIO(path string) (*birjson.IO, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return birjson.ReadIO(f, path)
}

// loadCase reads a program with its input sets: the io.json beside it first, if there is one, then drawn ones.
func loadCase(path string, seed uint64) (fuzz.Case, error) {
	p, err := loadLegal(path)
	if err != nil {
		return fuzz.Case{}, err
	}
	c := fuzz.Case{Name: filepath.Base(path), File: path, Program: p, Inputs: fuzz.Inputs(seed, p)}
	beside, err := loadIO(ioBeside(path))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return c, nil
	case err != nil:
		return c, err
	}
	c.Inputs = append([]ir.Values{fuzz.Complete(beside.Inputs, c.Inputs[0])}, c.Inputs...)
	return c, nil
}

// programs expands folders into the programs in them, in name order. Of x.bir and x.bir.json that stand side by side (a finding) the text is taken.
func programs(args []string) ([]string, error) {
	var out []string
	for _, a := range args {
		st, err := os.Stat(a)
		switch {
		case err != nil:
			return nil, err
		case !st.IsDir():
			out = append(out, a)
			continue
		}
		err = filepath.WalkDir(a, func(p string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && (strings.HasSuffix(p, ".bir") || strings.HasSuffix(p, ".bir.json")) {
				out = append(out, p)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(out, func(p string) bool {
		text, json := strings.CutSuffix(p, ".json")
		return json && slices.Contains(out, text)
	}), nil
}

// cases reads all programs of a command line; without any it is an error.
func cases(args []string, seed uint64) ([]fuzz.Case, error) {
	files, err := programs(args)
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, errors.New("no program given: want FILE… (.bir or .bir.json)")
	}
	var out []fuzz.Case
	for _, path := range files {
		c, err := loadCase(path, seed)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}
