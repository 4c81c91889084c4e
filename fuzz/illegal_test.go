package fuzz

import (
	"context"
	"strings"
	"testing"

	"birfuzz/ir"
	"birfuzz/passes"
)

// TestIllegalProgramsAreVoid: a generated program that is illegal is void and says whose fault that is, though a verifier among the passes stops it; the
// same verifier is a finding where a pass made the program illegal.
func TestIllegalProgramsAreVoid(t *testing.T) {
	const legal = "module gen3\nfunc sg0000 {\n  sb t: f32[4,8]\n  output y: f32[4,8]\n  I-0: t = Memset @DVE\n  I-1: y = Save t @SP\n}\n"
	verifiers, err := passes.Named("birverifier")
	if err != nil {
		t.Fatal(err)
	}
	verifier := verifiers[0]
	breaks := passes.Pass{Name: "breaks", Run: func(c *passes.Ctx) error {
		c.Edit().Change(func() { c.Program().Cores[0].Blocks[0].Insts[0].Engine = ir.PE })
		return nil
	}}
	for _, tt := range []struct {
		name, old, now string
		passes         []passes.Pass
		void, found    int
	}{
		{"illegal", "@DVE", "@PE", []passes.Pass{verifier}, 1, 0},
		{"made illegal", "", "", []passes.Pass{breaks, verifier}, 0, 1},
		{"legal", "", "", []passes.Pass{verifier}, 0, 0},
	} {
		p, err := ir.Parse("t.bir", strings.Replace(legal, tt.old, tt.now, 1))
		if err != nil {
			t.Fatal(err)
		}
		c := Campaign{Count: 1, Workers: 1, Passes: tt.passes, NoShrink: true, Source: func(int) Case { return Case{Name: "seed 1 program 0", Program: p, Inputs: Inputs(1, p)} }}
		r, err := c.Run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if r.Void != tt.void || len(r.Findings) != tt.found {
			t.Errorf("%s: %d void and %d findings, want %d and %d", tt.name, r.Void, len(r.Findings), tt.void, tt.found)
		}
		if said := strings.Join(r.Unjudged, "\n"); tt.void > 0 && !strings.Contains(said, "void: the generator made an illegal program, which is a fault of birfuzz and of no pass: ") {
			t.Errorf("%s: got %q", tt.name, said)
		}
	}
}
