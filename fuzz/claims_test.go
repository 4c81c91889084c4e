package fuzz

import (
	"testing"

	"birfuzz/gen"
	"birfuzz/ir"
	"birfuzz/oracle"
	"birfuzz/passes"
)

// TestIdleClaims: a pass that changes nothing is believed nothing that it says of the program.
func TestIdleClaims(t *testing.T) {
	const head = "func f {\n  output y: f32[4,8]\n  sb t: f32[4,8]"
	const body = "\n  I-0: t = Memset constant=1 @DVE\n  I-1: y = Save t @SP"
	for _, c := range []struct {
		name, src string
		gives     ir.Facts
		class     string // "" where the claim is right
	}{
		{"placed", head + " at base 0 addr 0" + body + "\n}", ir.Placed, ""},
		{"unplaced", head + body + "\n}", ir.Placed, "illegal"},
		{"ordered", head + body + " after(I-0)\n}", ir.Deps, ""},
		{"unordered", head + body + "\n}", ir.Deps, "schedule"},
		{"looped", head + "\n  L: for i = 0..2 {\n    I-0: t = Memset constant=1 @DVE\n  }\n  I-1: y = Save t @SP\n}", ir.Unrolled, "illegal"},
	} {
		p, err := ir.Parse(c.name, c.src)
		if err != nil {
			t.Fatal(err)
		}
		idle := passes.Pass{Name: "idle", Contract: ir.Contract{Gives: c.gives, Same: []ir.Law{}}, Run: func(*passes.Ctx) error { return nil }}
		tester := NewTester([]passes.Pass{idle}, oracle.Options{})
		r := tester.Test(Case{Name: c.name, Program: p, Inputs: []Input{{Values: gen.Inputs(gen.New(1), p, gen.Exact)}}})
		if r.Verdict.Class != c.class || r.Failed != (c.class != "") {
			t.Errorf("%s: %+v, want class %q", c.name, r.Verdict, c.class)
		}
	}
}
