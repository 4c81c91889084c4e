package main

import (
	"flag"
	"fmt"

	"birfuzz/passes"
)

// freedomFlag adds the flag that says what of the passes is drawn anew for some of the programs.
func (f *flags) freedomFlag() *flags {
	f.StringVar(&f.freedom, "freedom", "all", "for one program in four, draw anew `KIND,…` of the passes: knobs, what they refuse (chaos),\n"+
		"their order; all or none. With -passes none, unless it is asked for")
	return f
}

// noneWithPasses are the flags whose default holds for levels: with -passes they are off unless they stand on the command line.
var noneWithPasses = []string{"freedom", "variants"}

// freed returns what -freedom asks for. Whoever lists the passes wants that list, unless he says otherwise.
func (f *flags) freed() (passes.Freedom, error) {
	if f.freedom == "" || f.passes != "" && !f.given("freedom") {
		return 0, nil
	}
	free, err := passes.ParseFreedom(f.freedom)
	if err != nil {
		return 0, fmt.Errorf("-freedom: %w", err)
	}
	return free, nil
}

// given tells whether a flag stands on the command line.
func (f *flags) given(name string) bool {
	found := false
	f.Visit(func(x *flag.Flag) { found = found || x.Name == name })
	return found
}
