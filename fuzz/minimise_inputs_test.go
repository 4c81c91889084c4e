package fuzz

import (
	"testing"

	"birfuzz/ir"
	"birfuzz/ir/num"
	"birfuzz/passes"
)

// TestPlainInputs: the inputs of a finding are as plain as the failure lets them be: a product with a wrong factor shows on ones, not on zeros,
// and what is not to blame is zero.
func TestPlainInputs(t *testing.T) {
	p, err := ir.Parse("scale.bir", `
func f {
  input x: f32[4,8]
  output y: f32[4,8]
  sb s: f32[4,8]
  sb u: f32[4,8]
Block1:
  I-0: s = Load x
  m: u = TensorScalar s op0=mult const0=1
  I-1: y = Save u
}
`)
	if err != nil {
		t.Fatal(err)
	}
	rule := &passes.Rule{Name: "scale"}
	found := shrunk(t, p, passes.Pass{Name: "scale", Rules: []*passes.Rule{rule}, Run: func(c *passes.Ctx) error {
		fed := false
		for in := range c.Program().Insts {
			if fed = fed || in.Name == "I-0" && len(in.Args) == 2; fed && in.Name == "m" && c.Allow(rule, in) {
				c.Edit().Change(func() { in.SetFloat(ir.PConst0, 2) })
			}
		}
		return nil
	}})
	if found.Class != "value" || len(found.inputs) != 1 || !all(found.inputs["x"], 1) {
		t.Errorf("class %s on inputs %v, want value on ones\n%s", found.Class, found.inputs, found.Text())
	}
}

// TestPlainElements: where not all elements may be plain, those that may are.
func TestPlainElements(t *testing.T) {
	values := make([]float32, 16)
	for i := range values {
		values[i] = 100 + float32(i)
	}
	w := filled(ir.Tensor{DType: num.Float32, Data: make([]byte, 64)}, func(i int) float32 { return values[i] })
	s := plainer{best: ir.Values{"w": w}, calls: 30, still: func(v ir.Values) bool {
		return element(v["w"], 5) == 105 && element(v["w"], 11) == 111
	}}
	s.clear("w")
	w = s.best["w"]
	for i := range values {
		if want := map[int]float32{5: 105, 11: 111}[i]; element(w, i) != want {
			t.Errorf("element %d is %g, want %g", i, element(w, i), want)
		}
	}
}

// TestInputsFollowTheProgram: a location that became smaller keeps its first numbers, one of another type the same numbers.
func TestInputsFollowTheProgram(t *testing.T) {
	p, err := ir.Parse("in.bir", "func f {\n  input x: u8[1,2]\n  input z: f32[1,2]\n  output y: f32[1,1]\nBlock1:\n}\n")
	if err != nil {
		t.Fatal(err)
	}
	data := filled(ir.Tensor{DType: num.Float32, Shape: []int64{1, 4}, Data: make([]byte, 16)}, func(i int) float32 { return float32(3 + i) })
	got := inputsOf(p, ir.Values{"x": data, "z": data, "gone": data})
	if len(got) != 2 {
		t.Fatalf("%d locations, want 2", len(got))
	}
	for name, v := range got {
		if elems(v) != 2 || element(v, 0) != 3 || element(v, 1) != 4 {
			t.Errorf("%s: %v", name, v)
		}
	}
}
