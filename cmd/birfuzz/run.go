package main

import (
	"context"
	"fmt"
	"slices"

	"birfuzz/fuzz"
	"birfuzz/ir"
	"birfuzz/ir/birjson"
	"birfuzz/oracle"
	"birfuzz/reports"
)

func runRun(_ context.Context, e *env, args []string) error {
	f := newFlags(e, "run", "FILE")
	ioPath := f.String("io", "", "CASE.io.json: take inputs from there and compare with what it expects")
	quiet := f.Bool("quiet", false, "do not print the outputs")
	limit := f.Int("max", 64, "print at most so many elements of an output; 0 is all")
	rest, err := f.parse(args)
	if err != nil {
		return err
	}
	if len(rest) != 1 {
		return fmt.Errorf("want one FILE, got %d", len(rest))
	}
	p, err := loadLegal(rest[0])
	if err != nil {
		return err
	}
	in := fuzz.Inputs(f.seed, p)[0]
	var want *birjson.IO
	if *ioPath != "" {
		if want, err = loadIO(*ioPath); err != nil {
			return err
		}
		in = want.Inputs
	}
	return execute(e, p, in, want, *quiet, *limit)
}

// execute runs the program, prints the outputs and compares them with what a case expects, if there is one.
func execute(e *env, p *ir.Program, in ir.Values, want *birjson.IO, quiet bool, limit int) error {
	r, err := oracle.Execute(p, in)
	if err != nil {
		return err
	}
	if r.Fault != nil {
		return fmt.Errorf("the program is undefined: %w", r.Fault)
	}
	if !quiet {
		if err := reports.Outputs(e.out, r, limit); err != nil {
			return err
		}
	}
	if want == nil {
		return nil
	}
	if err := compare(p, r, want); err != nil {
		fmt.Fprintln(e.out, err)
		return errFindings
	}
	return nil
}

// compare returns an error that names the first element that is not as the case expects.
func compare(p *ir.Program, r oracle.Result, want *birjson.IO) error {
	moves := movesOnly(p)
	for _, name := range sortedNames(want.Expect) {
		x := want.Expect[name]
		got, ok := r.Outputs[name]
		if !ok {
			return fmt.Errorf("%s: the case expects it, the program has no such output", name)
		}
		if d := oracle.FirstDifference(got, x.Tensor, r.Poison[name], oracle.Tolerance{RTol: x.RTol, ATol: x.ATol, Bits: moves}); d != nil {
			return fmt.Errorf("%s: %w", name, d)
		}
	}
	return nil
}

// movesOnly tells whether the program only moves bits: then equal numbers are not enough (bir-json.md, "Input and expected-output files").
func movesOnly(p *ir.Program) bool {
	for in := range p.Insts {
		s := in.Spec()
		if len(in.Outs()) == 0 {
			continue
		}
		if s.Flow != ir.FlowMove || slices.ContainsFunc(in.Args, func(o ir.Operand) bool { return o.DType != in.Args[0].DType }) {
			return false
		}
	}
	return true
}

func sortedNames(m map[string]birjson.Expect) []string {
	var out []string
	for n := range m {
		out = append(out, n)
	}
	slices.Sort(out)
	return out
}
