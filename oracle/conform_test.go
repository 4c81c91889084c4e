package oracle

import (
	"bytes"
	"fmt"
	"testing"

	"birfuzz/ir/birjson"
	"birfuzz/ir/birtest"
)

// TestConformance: every conformance case gives what it expects, and leaves no byte of it undefined.
func TestConformance(t *testing.T) {
	cases := 0
	for c, err := range birtest.Conformance() {
		if err != nil {
			t.Fatal(err)
		}
		if cases++; birtest.Quick() && cases%4 != 0 {
			continue
		}
		if err := conforms(c); err != nil {
			t.Errorf("%s: %v", c.File(), err)
		}
	}
	if cases < 500 {
		t.Errorf("%d cases, want all of them", cases)
	}
}

func conforms(c birtest.Case) error {
	p, err := birjson.Read(bytes.NewReader(c.BIR), c.File())
	if err != nil {
		return err
	}
	data, err := birjson.ReadIO(bytes.NewReader(c.IO), c.Name)
	if err != nil {
		return err
	}
	r, err := Execute(p, data.Inputs)
	if err != nil {
		return err
	}
	if r.Fault != nil {
		return r.Fault
	}
	for name, want := range data.Expect {
		if err := FirstDifference(r.Outputs[name], want.Tensor, r.Poison[name], Tolerance{RTol: want.RTol, ATol: want.ATol}); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}
