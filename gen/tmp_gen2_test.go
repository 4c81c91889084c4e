package gen_test

import (
	"os"
	"strconv"
	"testing"

	"birfuzz/gen"
	"birfuzz/ir"
)

func TestTmpVerify(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("TMPN"))
	bad := 0
	var v ir.Verifier
	for seed := range uint64(n) {
		c := gen.Default()
		if seed%2 == 1 {
			c = gen.Swarm(gen.New(seed))
		}
		p := gen.Program(gen.New(seed), c)
		if p.NumInsts() > c.MaxInsts {
			t.Errorf("seed %d: %d insts", seed, p.NumInsts())
		}
		cs := v.Verify(p, p.Facts)
		if len(cs) == 0 {
			cs = ir.VerifyCores(p)
		}
		if len(cs) > 0 {
			if bad++; bad < 4 {
				t.Errorf("seed %d: %v\n%v", seed, cs, p)
			}
		}
	}
	t.Logf("%d bad of %d", bad, n)
}
