package main

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"birfuzz/fuzz"
	"birfuzz/ir"
	"birfuzz/ir/birjson"
	"birfuzz/oracle"
	"birfuzz/reports"
)

func runRun(_ context.Context, e *env, args []string) error {
	f := newFlags(e).scheduleFlag("run in the order of `SCHEDULE` in place of the one that the program's facts ask for")
	ioPath := f.String("io", "", "take inputs from `CASE.io.json` and compare with what it expects")
	quiet := f.Bool("quiet", false, "do not print the outputs")
	limit := f.Int("max", 64, "print at most `N` elements of an output; 0 is all")
	path, err := f.one(args)
	if err != nil {
		return err
	}
	if *limit < 0 {
		return fmt.Errorf("-max: got %d, want 0 or more", *limit)
	}
	order, named, err := f.order()
	if err != nil {
		return err
	}
	p, err := loadLegal(path, oracle.DefaultMaxBytes)
	if err != nil {
		return err
	}
	r := runOf{program: p, file: path, path: path}
	if *ioPath == "" {
		r.in = fuzz.Inputs(f.seed, p)[0].Values
	} else if r.want, err = loadIO(*ioPath, p); err != nil {
		return err
	} else {
		r.path, r.in = *ioPath, r.want.Inputs
	}
	if named {
		r.result, err = oracle.ExecuteAs(p, r.in, order)
	} else {
		r.result, err = oracle.Execute(p, r.in)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", r.path, err)
	}
	return r.show(e, f.json, *quiet, *limit)
}

// runOf is one run of a program.
type runOf struct {
	program *ir.Program
	file    string // the program's
	path    string // the file that the inputs came from, else the program's
	in      ir.Values
	want    *birjson.IO // nil: nothing is expected
	result  oracle.Result
}

// show prints the outputs and compares them with what a case expects, if there is one.
func (r *runOf) show(e *env, asJSON, quiet bool, limit int) error {
	switch {
	case r.result.Fault != nil:
		return fmt.Errorf("%s: the program is undefined: %w", r.file, r.result.Fault)
	case r.result.Limited:
		return fmt.Errorf("%s: the program was given up after %d steps", r.file, oracle.DefaultMaxSteps)
	}
	var err error
	switch {
	case quiet:
	case asJSON:
		err = r.writeJSON(e)
	default:
		err = reports.Outputs(e.out, r.result, limit)
	}
	if err != nil || r.want == nil {
		return err
	}
	if err := compare(r.program, r.result, r.want); err != nil {
		to := e.out
		if asJSON {
			to = e.err
		}
		fmt.Fprintln(to, err)
		return errFindings
	}
	return nil
}

// writeJSON prints the run as an io.json that expects what the program gave.
func (r *runOf) writeJSON(e *env) error {
	x := birjson.IO{Source: "birfuzz run " + r.path, Inputs: r.in, Expect: map[string]birjson.Expect{}}
	for name, t := range r.result.Outputs {
		if slices.Contains(r.result.Poison[name], true) {
			return fmt.Errorf("output %q has undefined elements, which an io.json cannot say", name)
		}
		x.Expect[name] = birjson.Expect{Tensor: t}
	}
	return birjson.WriteIO(e.out, &x)
}

// compare returns an error that names the first element that is not as the case expects.
func compare(p *ir.Program, r oracle.Result, want *birjson.IO) error {
	moves := movesOnly(p)
	for _, name := range slices.Sorted(maps.Keys(want.Expect)) {
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
