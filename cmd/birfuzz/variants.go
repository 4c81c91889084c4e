package main

import (
	"birfuzz/fuzz"
	"birfuzz/passes"
)

// variantShare is of how many programs of a campaign one is changed into another of the same meaning before the passes see it: few, since the
// judge's own answer about every step already says most of what a variant could show.
const variantShare = 16

// variantsFlag adds the flag that says how many.
func (f *flags) variantsFlag() *flags {
	f.IntVar(&f.variants, "variants", variantShare, "change one program in `N` into another of the same meaning first, and compare the end with what it was:\nthe pass variant; 0 is none. With -passes none, unless it is asked for")
	return f
}

// varied returns what -variants asks for. Whoever lists the passes wants that list, unless he says otherwise.
func (f *flags) varied() int {
	if f.passes != "" && !f.given("variants") {
		return 0
	}
	return f.variants
}

// passesNamed returns the passes of a list; the one of -variants may stand in it like any other.
func passesNamed(list string, more ...passes.Pass) ([]passes.Pass, error) {
	return passes.Named(list, append(more, fuzz.VariantPass(0))...)
}
