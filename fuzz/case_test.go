package fuzz

import (
	"strings"
	"testing"

	"birfuzz/ir"
)

// DrawnFacts is what the generator gives: a list of passes that needs more can do nothing in a campaign.
func TestDrawnFacts(t *testing.T) {
	var seen ir.Facts
	for i := range 400 {
		seen |= Generate(7, i, nil).Program.Facts
	}
	if seen != DrawnFacts {
		t.Errorf("programs have the facts %s, DrawnFacts says %s", seen, DrawnFacts)
	}
}

// TestInputKinds: every case has one set of each kind, named, in the order in which they are tried; all of them are tried at the end.
func TestInputKinds(t *testing.T) {
	c := Generate(3, 1, nil)
	var kinds []string
	for _, in := range c.Inputs {
		kinds = append(kinds, in.Kind)
	}
	if got := strings.Join(kinds, " "); got != "exact ordinary edge" {
		t.Errorf("got %s", got)
	}
	if v := c.Values(); len(v) != 3 || len(v[2]) != len(c.Inputs[2].Values) {
		t.Error("other sets for the judge")
	}
}
