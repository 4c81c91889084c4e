package fuzz

import (
	"fmt"
	"slices"

	"birfuzz/gen"
	"birfuzz/ir"
	"birfuzz/passes"
)

// VariantPass returns the pass that turns a program into another one of the same meaning (gen.Equivalences), each kind of change a rule. As a
// pass it is judged, blamed and shrunk like any other; but it is right by construction, so what is found at its step is wrong with the judge,
// and what is found behind it is a pass that takes two equal programs for different ones. The end is compared with the program before it.
func VariantPass(seed int64) passes.Pass {
	es := gen.Equivalences()
	p := passes.Pass{
		Name:     variantName,
		Doc:      "Writes pieces of the program in another way of the same meaning: the oracle's own question, put twice.",
		Knobs:    []passes.Knob{{Name: seedKnob, Doc: "What changes, and where.", Value: seed, Max: maxVariants}},
		Contract: gen.VariantContract(),
	}
	for _, e := range es {
		p.Rules = append(p.Rules, &passes.Rule{Name: variantName + "." + e.Name, Doc: e.Doc})
	}
	rules := p.Rules
	p.Run = func(c *passes.Ctx) error {
		ask := func(e *gen.Equivalence, at *ir.Inst, l *ir.Loc) bool {
			r := rules[slices.Index(es, e)]
			if at == nil {
				return c.AllowLoc(r, l)
			}
			return c.Allow(r, at)
		}
		gen.Variant(uint64(c.Knob(seedKnob)), c.Program(), es, ask, c.Edit().Change)
		return nil
	}
	return p
}

const (
	variantName = "variant"
	seedKnob    = "seed"
	maxVariants = 9999 // seeds: a short number is easier to type
)

// Vary gives case number index of a campaign a variant of its program to go on with, if it is one of every so many that get one: VariantPass
// comes before its own passes, or ps. Equal arguments give equal variants; the program itself, and its inputs, stay.
func (c *Case) Vary(seed uint64, index int, ps []passes.Pass, every int) {
	if every <= 0 {
		return
	}
	r := gen.New(seed).Fork(fmt.Sprint("case ", index)).Fork("variant")
	if r.IntN(every) > 0 {
		return
	}
	if c.Passes != nil {
		ps = c.Passes
	}
	c.Passes = slices.Concat([]passes.Pass{VariantPass(int64(r.IntN(maxVariants + 1)))}, ps)
}
