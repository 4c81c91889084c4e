package fuzz

import (
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
