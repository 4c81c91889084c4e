package gen_test

import (
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"

	"birfuzz/gen"
	"birfuzz/ir"
)

// TestGopter: what Programs generates verifies, and a counter-example shrinks to what it takes.
func TestGopter(t *testing.T) {
	params := gopter.DefaultTestParametersWithSeed(1)
	params.MinSuccessfulTests = count(500)
	good := gopter.NewProperties(params)
	good.Property("programs verify", prop.ForAll(func(p *ir.Program) bool {
		return len(ir.Verify(p, p.Facts)) == 0
	}, gen.Programs(gen.Default())))
	good.TestingRun(t)

	fills := func(p *ir.Program) int {
		n := 0
		for in := range p.Insts {
			if in.Spec().Flow == ir.FlowNone && in.NOut > 0 {
				n++
			}
		}
		return n
	}
	r := prop.ForAll(func(p *ir.Program) bool {
		if len(ir.Verify(p, p.Facts)) > 0 {
			t.Error("the shrinker gave an illegal program")
		}
		return fills(p) < 2
	}, gen.Programs(gen.Default())).Check(params)
	if r.Status != gopter.TestFailed {
		t.Fatalf("no program of %d has two fills: %v", params.MinSuccessfulTests, r)
	}
	smallest := r.Args[0].Arg.(*ir.Program)
	if fills(smallest) != 2 || smallest.NumInsts() > 2+synced(smallest)+3 {
		t.Errorf("shrunk to %d instructions:\n%v", smallest.NumInsts(), smallest)
	}
}

// synced counts the instructions that the shrinker leaves alone.
func synced(p *ir.Program) int {
	n := 0
	for in := range p.Insts {
		if in.HasSync() {
			n++
		}
	}
	return n
}
