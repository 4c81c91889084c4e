package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"birfuzz/fuzz"
	"birfuzz/ir"
	"birfuzz/ir/birjson"
)

func runGen(_ context.Context, e *env, args []string) error {
	f := newFlags(e, "gen", "")
	asJSON := f.Bool("bir-json", false, "write .bir.json in place of .bir")
	rest, err := f.parse(args)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return fmt.Errorf("unexpected argument %q", rest[0])
	}
	for i := range max(f.count, 1) {
		c := fuzz.Generate(f.seed, i, nil)
		if err := writeProgram(e, c.Program, f.out, fmt.Sprintf("gen-%d-%d", f.seed, i), *asJSON || f.json); err != nil {
			return err
		}
	}
	return nil
}

// writeProgram writes to dir/name.bir (or .bir.json), or prints when dir is empty.
func writeProgram(e *env, p *ir.Program, dir, name string, asJSON bool) error {
	text, ext := p.String(), ".bir"
	if asJSON {
		var b bytes.Buffer
		if err := birjson.Write(&b, p); err != nil {
			return err
		}
		text, ext = b.String(), ".bir.json"
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

func runFmt(_ context.Context, e *env, args []string) error {
	f := newFlags(e, "fmt", "FILE…")
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
	var b bytes.Buffer
	err = birjson.Write(&b, p)
	return b.String(), err
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
	f := newFlags(e, "convert", "FILE")
	rest, err := f.parse(args)
	if err != nil {
		return err
	}
	if len(rest) != 1 {
		return fmt.Errorf("want one FILE, got %d", len(rest))
	}
	p, err := load(rest[0])
	if err != nil {
		return err
	}
	toJSON := strings.HasSuffix(rest[0], ".bir")
	if f.out == "" {
		return writeProgram(e, p, "", "", toJSON)
	}
	text := p.String()
	if toJSON {
		var b bytes.Buffer
		if err := birjson.Write(&b, p); err != nil {
			return err
		}
		text = b.String()
	}
	return fuzz.WriteFile(f.out, text)
}
