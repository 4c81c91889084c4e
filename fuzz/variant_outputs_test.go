package fuzz_test

import (
	"testing"

	"birfuzz/fuzz"
	"birfuzz/ir"
	"birfuzz/ir/birtest"
	"birfuzz/oracle"
	"birfuzz/passes"
)

// TestVariantOutputs: a program and its variant, each through the pipeline alone, compute the same. No judge has a part in it: both ends are
// executed and their outputs compared, number by number.
func TestVariantOutputs(t *testing.T) {
	t.Parallel()
	n, compared := 120, 0
	if birtest.Quick() {
		n = 15
	}
	ps, err := passes.Pipeline("O2-loops")
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		c := fuzz.Generate(23, i, nil)
		plain := endOf(t, c, ps)
		varied := endOf(t, c, append([]passes.Pass{fuzz.VariantPass(int64(i))}, ps...))
		if plain.Fault != nil || varied.Fault != nil {
			t.Errorf("%s: %v, %v", c.Name, plain.Fault, varied.Fault)
		}
		for name, want := range plain.Outputs {
			compared++
			if err := oracle.FirstDifference(varied.Outputs[name], want, varied.Poison[name], oracle.Tolerance{}); err != nil {
				t.Errorf("%s: output %s: %v", c.Name, name, err)
			}
		}
	}
	if compared < n {
		t.Errorf("only %d outputs of %d programs were compared", compared, n)
	}
}

// endOf returns what the program computes after the passes.
func endOf(t *testing.T, c fuzz.Case, ps []passes.Pass) oracle.Result {
	t.Helper()
	p := c.Program.Clone()
	last := p
	passes.Run(p, ps, passes.Unlimited(), func(s *passes.Step) bool {
		if s.Failure != nil {
			t.Fatalf("%s: pass %s: %v", c.Name, s.Pass.Name, s.Failure)
		}
		last = s.After
		return true
	})
	if bad := ir.Verify(last, last.Facts); bad != nil {
		t.Fatalf("%s: %v", c.Name, bad[0])
	}
	r, err := oracle.Execute(last, c.Inputs[0].Values)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
