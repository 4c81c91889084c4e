// Package fuzz runs campaigns: it makes programs, runs the passes on them, has every step judged, blames the rewrite that broke one,
// shrinks the program and files a finding that a person can read.
package fuzz

import (
	"fmt"

	"birfuzz/gen"
	"birfuzz/ir"
	"birfuzz/passes"
)

// Case is one program with the inputs on which it is judged.
type Case struct {
	Name    string // how a person finds it again: "seed 1 program 17", or a file name
	File    string // the file it came from, empty for a generated one
	Program *ir.Program
	Inputs  []Input       // at least one set; the first is used at every changed step, all of them at the end
	Passes  []passes.Pass // run in the place of the tester's, where they were drawn for this case (Free); nil: the tester's
}

// Input is one set of inputs of a program.
type Input struct {
	Kind   string // what numbers they are: given, exact, ordinary or edge (semantics §7)
	Values ir.Values
}

// Given is the kind of inputs that stand beside a program.
const Given = "given"

// Values returns the input sets as a judge takes them.
func (c *Case) Values() []ir.Values {
	out := make([]ir.Values, len(c.Inputs))
	for i := range c.Inputs {
		out[i] = c.Inputs[i].Values
	}
	return out
}

// DrawnFacts are the facts that generated programs have, each of them some.
const DrawnFacts = ir.Unrolled | ir.Deps | ir.Placed | ir.Synced | ir.Grouped

// inputKinds are the kinds of input sets that every case gets, in order (semantics §7).
var inputKinds = []gen.InputKind{gen.Exact, gen.Ordinary, gen.Edge}

// Generate returns case number index of the campaign with that seed. Equal arguments give equal cases.
func Generate(seed uint64, index int, c *gen.Config) Case {
	r, cfg := Drawing(seed, index, c)
	p := gen.Program(r, cfg)
	return Case{Name: fmt.Sprintf("seed %d program %d", seed, index), Program: p, Inputs: Inputs(seed, p)}
}

// Drawing returns the stream and the configuration from which Generate draws the program: c, or where that is nil one of the program's own.
func Drawing(seed uint64, index int, c *gen.Config) (*gen.Rand, gen.Config) {
	r := gen.New(seed).Fork(fmt.Sprint("case ", index))
	cfg := gen.Swarm(r.Fork("swarm"))
	if c != nil {
		cfg = *c
	}
	return r.Fork("program"), cfg
}

// maxInputs bounds the input sets of one program together, in bytes: a program with large inputs gets fewer sets, one at least.
const maxInputs = 96 << 20

// Inputs draws the input sets of a program, one of each kind unless they are very large. Values depend on the seed, the location's name and
// shape and the domains of the ops that read it, so a smaller program keeps the inputs of what is left of it.
func Inputs(seed uint64, p *ir.Program) []Input { return inputsOfKinds(seed, p, inputKinds) }

// inputsOfKinds draws the first of those input sets, those of the given first kinds.
func inputsOfKinds(seed uint64, p *ir.Program, kinds []gen.InputKind) []Input {
	needs := gen.NeedsOf(p)
	var sets []Input
	for i, k := range kinds {
		set := needs.Inputs(gen.New(seed).Fork(fmt.Sprint("inputs ", i)), k)
		sets = append(sets, Input{k.String(), set})
		if dataBytes(set)*(i+2) > maxInputs {
			break
		}
	}
	return sets
}

// dataBytes returns how much data a set holds.
func dataBytes(set ir.Values) int {
	n := 0
	for _, t := range set {
		n += len(t.Data)
	}
	return n
}

// Complete returns the given values with what they lack taken from drawn ones: an io.json may leave out inputs that nothing reads.
func Complete(given, drawn ir.Values) ir.Values {
	out := ir.Values{}
	for name, v := range drawn {
		out[name] = v
	}
	for name, v := range given {
		out[name] = v
	}
	return out
}
