package gen_test

import (
	"testing"

	"birfuzz/gen"
	"birfuzz/ir"
	"birfuzz/ir/birtest"
)

// count returns n, or a tenth of it in short runs.
func count(n int) int {
	if birtest.Quick() {
		return n / 10
	}
	return n
}

// TestProgramsVerify: every program is legal, with the facts that it claims.
func TestProgramsVerify(t *testing.T) {
	var v ir.Verifier
	for name, c := range map[string]gen.Config{"default": gen.Default(), "bench": gen.Bench()} {
		for seed := range uint64(count(2000)) {
			p := gen.Program(gen.New(seed), c)
			if list := v.Verify(p, p.Facts); len(list) > 0 {
				t.Fatalf("%s, seed %d:\n%v\n%v", name, seed, list, p)
			}
		}
	}
}
