package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"birfuzz/fuzz"
	"birfuzz/ir"
	"birfuzz/ir/birjson"
	"birfuzz/oracle"
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

// loadLegal reads a program, verifies it, and sees that it can be run in so many bytes.
func loadLegal(path string, limit int64) (*ir.Program, error) {
	p, err := load(path)
	if err != nil {
		return nil, err
	}
	if p.Facts == 0 {
		p.Facts = p.Assumed()
	}
	if cs := ir.Verify(p, p.Facts); len(cs) > 0 {
		return nil, fmt.Errorf("%s is not a legal program:\n%s", path, cs.First(maxComplaints))
	}
	if err := oracle.NewMachine().Prepare(p, oracle.Layout{MaxBytes: limit}); err != nil {
		return nil, fmt.Errorf("%s cannot be run: %w", path, err)
	}
	return p, nil
}

// maxComplaints is how many complaints about one program people are shown.
const maxComplaints = 20

// ioBeside returns the name of the input file that belongs to a program: x.bir and x.bir.json have x.io.json.
func ioBeside(path string) string {
	return strings.TrimSuffix(strings.TrimSuffix(path, ".json"), ".bir") + ".io.json"
}

// loadIO reads an io.json whose inputs are meant for p.
func loadIO(path string, p *ir.Program) (*birjson.IO, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	x, err := birjson.ReadIO(f, path)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(x.Inputs)) {
		if err := fits(x.Inputs[name], locationNamed(p, name)); err != nil {
			return nil, fmt.Errorf("%s: input %q: %w", path, name, err)
		}
	}
	return x, nil
}

func locationNamed(p *ir.Program, name string) *ir.Loc {
	for _, f := range p.Cores {
		for l := range f.Locs {
			if l.Name == name {
				return l
			}
		}
	}
	return nil
}

// fits tells why data cannot be the content of an input.
func fits(t ir.Tensor, l *ir.Loc) error {
	switch {
	case l == nil:
		return errors.New("the program has no location of that name")
	case l.Set.Kind != ir.ExternalInput && l.Set.Kind != ir.Const:
		return fmt.Errorf("got data for a location of kind %v, want an input or a constant", l.Set.Kind)
	case t.DType != l.Set.DType:
		return fmt.Errorf("got data of dtype %v, want %v", t.DType, l.Set.DType)
	case int64(len(t.Data)) != l.Bytes():
		return fmt.Errorf("got %d bytes (shape %v), want %d (shape %v)", len(t.Data), t.Shape, l.Bytes(), l.Set.Shape)
	}
	return nil
}

// given is a program from a file, with the inputs that stand beside it, nil if there are none.
type given struct {
	path    string
	program *ir.Program
	beside  ir.Values
}

// judged returns the program as a case: the inputs beside it are the first set, completed where they leave out what nothing reads, and drawn
// ones follow. They are drawn anew each time, so that a folder of large programs costs the memory of one.
func (g *given) judged(seed uint64) fuzz.Case {
	c := fuzz.Case{Name: g.path, File: g.path, Program: g.program, Inputs: fuzz.Inputs(seed, g.program)}
	if g.beside != nil {
		given := fuzz.Input{Kind: fuzz.Given, Values: fuzz.Complete(g.beside, c.Inputs[0].Values)}
		c.Inputs = append([]fuzz.Input{given}, c.Inputs...)
	}
	return c
}

// maxJudged is the memory that a program may need if it is to be judged: the judge holds it twice.
const maxJudged = oracle.DefaultMaxBytes / 2

// room returns how many of the programs, which are all given at once, may be judged at a time so that memory is no more than one of the
// largest may need.
func room(gs []*given) int {
	largest := int64(1)
	for _, g := range gs {
		n := int64(0)
		for _, f := range g.program.Cores {
			for l := range f.Locs {
				n += l.Bytes()
			}
		}
		largest = max(largest, n)
	}
	return int(max(1, maxJudged/largest))
}

func loadGiven(path string) (*given, error) {
	p, err := loadLegal(path, maxJudged)
	if err != nil {
		return nil, err
	}
	g := &given{path: path, program: p}
	switch beside, err := loadIO(ioBeside(path), p); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	default:
		g.beside = beside.Inputs
	}
	return g, nil
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
		found, err := programsBelow(a)
		switch {
		case err != nil:
			return nil, err
		case len(found) == 0:
			return nil, fmt.Errorf("no .bir and no .bir.json below %s", a)
		}
		out = append(out, found...)
	}
	if len(out) == 0 {
		return nil, errors.New("no program given: want FILE… (.bir, .bir.json, or a folder of them)")
	}
	return out, nil
}

func programsBelow(dir string) ([]string, error) {
	var out []string
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && (strings.HasSuffix(p, ".bir") || strings.HasSuffix(p, ".bir.json")) {
			out = append(out, p)
		}
		return err
	})
	return slices.DeleteFunc(out, func(p string) bool {
		text, json := strings.CutSuffix(p, ".json")
		return json && slices.Contains(out, text)
	}), err
}

// loadAll reads all programs of a command line. All that cannot be read is reported, a line each or more.
func loadAll(args []string) ([]*given, error) {
	files, err := programs(args)
	if err != nil {
		return nil, err
	}
	var out []*given
	var bad []error
	for _, path := range files {
		g, err := loadGiven(path)
		if err != nil {
			bad = append(bad, err)
			continue
		}
		out = append(out, g)
	}
	return out, errors.Join(bad...)
}
