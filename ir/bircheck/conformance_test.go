package bircheck

import (
	"testing"

	"birfuzz/ir/birtest"
)

// TestConformance: every program that ships with the project is legal.
func TestConformance(t *testing.T) {
	n := 0
	for c, err := range birtest.Conformance() {
		if err != nil {
			t.Fatal(err)
		}
		n++
		for _, bad := range Check(c.BIR) {
			t.Errorf("%s: %s", c.File(), bad)
		}
	}
	if n < 500 {
		t.Errorf("only %d cases", n)
	}
}
