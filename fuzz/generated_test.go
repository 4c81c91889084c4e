package fuzz_test

import (
	"slices"
	"testing"

	"birfuzz/fuzz"
	"birfuzz/ir"
	"birfuzz/ir/birtest"
	"birfuzz/oracle"
)

// TestGeneratedPrograms: what is drawn is legal, has a meaning, and leaves no undefined byte in an output (semantics §5): a byte that is undefined
// before a pass is one in which no pass can be wrong.
func TestGeneratedPrograms(t *testing.T) {
	t.Parallel()
	n, outputs := 600, 0
	if birtest.Quick() {
		n = 25
	}
	for i := range n {
		c := fuzz.Generate(17, i, nil)
		if cs := ir.Verify(c.Program, c.Program.Facts); len(cs) > 0 {
			t.Fatalf("%s is illegal: %v\n%s", c.Name, cs, c.Program)
		}
		r, err := oracle.Execute(c.Program, c.Inputs[0].Values)
		if err != nil || r.Fault != nil {
			t.Fatalf("%s: %v, %v\n%s", c.Name, err, r.Fault, c.Program)
		}
		for name, undefined := range r.Poison {
			if outputs++; slices.Contains(undefined, true) {
				t.Errorf("%s leaves undefined bytes in %s\n%s", c.Name, name, c.Program)
			}
		}
	}
	if outputs < n/4 {
		t.Errorf("%d outputs of %d programs looked at", outputs, n)
	}
}
