package oracle

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"birfuzz/ir"
	"birfuzz/ir/birjson"
	"birfuzz/ir/birtest"
	"birfuzz/ir/num"
)

// TestConformance: every conformance case gives what it expects, and leaves no byte of it undefined.
func TestConformance(t *testing.T) {
	cases := 0
	for c, err := range birtest.Conformance() {
		if err != nil {
			t.Fatal(err)
		}
		cases++
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
		if err := agrees(r.Outputs[name], want); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		for i, bad := range r.Poison[name] {
			if bad {
				return fmt.Errorf("%s: byte %d is undefined", name, i)
			}
		}
	}
	return nil
}

// agrees compares an output with what is expected, within the case's tolerance (bir-json.md).
func agrees(got ir.Tensor, want birjson.Expect) error {
	if got.DType != want.DType || len(got.Data) != len(want.Data) {
		return fmt.Errorf("%d bytes of %v, want %d of %v", len(got.Data), got.DType, len(want.Data), want.DType)
	}
	size := got.DType.Size()
	for i := range len(got.Data) / size {
		a, b := num.Load(got.Data[i*size:], got.DType), num.Load(want.Data[i*size:], got.DType)
		if x, y := float64(num.Decode(got.DType, a)), float64(num.Decode(got.DType, b)); a != b && !near(x, y, want) {
			return fmt.Errorf("element %d is %v (%#x), want %v (%#x)", i, x, a, y, b)
		}
	}
	return nil
}

func near(x, y float64, e birjson.Expect) bool {
	return x == y && e.DType.IsFloat() || x != x && y != y || e.ATol+e.RTol > 0 && math.Abs(x-y) <= e.ATol+e.RTol*math.Abs(y)
}
