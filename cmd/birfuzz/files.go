package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"birfuzz/fuzz"
	"birfuzz/ir"
	"birfuzz/ir/birjson"
	"birfuzz/reports"
)

func runGen(ctx context.Context, e *env, args []string) error {
	f := newFlags(e).noCount(fmt.Sprintf("1, of a -survey %d", surveyed))
	g := f.generator()
	asJSON := f.Bool("bir-json", false, "write .bir.json in place of .bir; -json does so too, and prints several programs as one array")
	counts := f.Bool("survey", false, "draw -count programs as a campaign of the -seed does, and print what they are made of and what none of\nthem has though programs may; anything missing ends with exit status 1")
	features := f.Bool("features", false, "print the names of the features that a configuration may turn, with their probabilities, and no program")
	check := f.checkFlag()
	if err := f.none(args); err != nil {
		return err
	}
	config, err := g.read()
	if err != nil {
		return err
	}
	if *counts {
		return survey(f, config)
	}
	if *features {
		return reports.Features(e.out, config, f.json)
	}
	if *check {
		return f.validate(ctx, config)
	}
	array := f.json && f.out == "" && f.count > 1 // one JSON value
	for i := range max(f.count, 1) {
		c := fuzz.Generate(f.seed, i, config)
		if array {
			fmt.Fprint(e.out, [...]string{"[\n", ",\n"}[min(i, 1)])
		}
		if err := writeProgram(e, c.Program, f.out, fmt.Sprintf("gen-%d-%d", f.seed, i), *asJSON || f.json); err != nil {
			return err
		}
	}
	if array {
		fmt.Fprintln(e.out, "]")
	}
	return nil
}

// writeProgram writes to dir/name.bir (or .bir.json), or prints when dir is empty.
func writeProgram(e *env, p *ir.Program, dir, name string, asJSON bool) error {
	text, ext, err := spell(p, asJSON)
	if err != nil {
		return err
	}
	if dir == "" {
		_, err := fmt.Fprint(e.out, text)
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	return fuzz.WriteFile(filepath.Join(dir, name+ext), text)
}

// spell returns the program in one of its two forms, and the ending of the name of a file that holds it.
func spell(p *ir.Program, asJSON bool) (text, ext string, err error) {
	if !asJSON {
		return p.String(), ".bir", nil
	}
	var b strings.Builder
	err = birjson.Write(&b, p)
	return b.String(), ".bir.json", err
}

func runFmt(_ context.Context, e *env, args []string) error {
	f := newFlags(e)
	write := f.Bool("w", false, "write the result back to the file")
	rest, err := f.parse(args)
	if err != nil {
		return err
	}
	if len(rest) == 0 {
		return errors.New("no program given: want FILE…")
	}
	for _, path := range rest {
		text, err := canonical(path)
		if err != nil {
			return err
		}
		if *write {
			err = fuzz.WriteFile(path, text)
		} else {
			_, err = fmt.Fprint(e.out, text)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// canonical returns the file's program in the canonical spelling of the file's own form; leading comments of a .bir file stay.
func canonical(path string) (string, error) {
	p, err := load(path)
	if err != nil {
		return "", err
	}
	if strings.HasSuffix(path, ".bir") {
		src, err := os.ReadFile(path)
		return leadingComments(string(src)) + p.String(), err
	}
	text, _, err := spell(p, true)
	return text, err
}

// leadingComments returns the comment and blank lines at the top of a text.
func leadingComments(src string) string {
	var b strings.Builder
	for line := range strings.Lines(src) {
		if t := strings.TrimSpace(line); t != "" && !strings.HasPrefix(t, ";") {
			break
		}
		b.WriteString(line)
	}
	return b.String()
}

func runConvert(_ context.Context, e *env, args []string) error {
	f := newFlags(e)
	path, err := f.one(args)
	if err != nil {
		return err
	}
	p, err := load(path)
	if err != nil {
		return err
	}
	text, _, err := spell(p, strings.HasSuffix(path, ".bir"))
	switch {
	case err != nil:
		return err
	case f.out != "":
		return fuzz.WriteFile(f.out, text)
	}
	_, err = fmt.Fprint(e.out, text)
	return err
}
