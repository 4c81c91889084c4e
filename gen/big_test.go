package gen_test

import (
	"testing"
	"time"

	"birfuzz/gen"
	"birfuzz/ir"
)

// TestLargest: programs of the largest size are legal and have about that size.
func TestLargest(t *testing.T) {
	var m gen.Maker
	var v ir.Verifier
	for seed := range uint64(max(count(8), 1)) {
		c := gen.Swarm(gen.New(seed))
		if seed%2 == 0 {
			c = gen.Default()
		}
		c.MinInsts, c.MaxInsts = 10_000, 10_000
		start := time.Now() // for the log: a time is no fact about the code
		p := m.Program(gen.New(seed), &c)
		drawn := time.Since(start)
		if list := v.Verify(p, p.Facts); len(list) > 0 {
			t.Errorf("seed %d: %v", seed, list.First(3))
		}
		if n := p.NumInsts(); n < 8000 || n > 10_000 {
			t.Errorf("seed %d has %d instructions, want about 10,000", seed, n)
		}
		t.Logf("seed %d: %d instructions, %d locations, drawn in %v, verified in %v", seed, p.NumInsts(), len(p.Cores[0].Sets), drawn, time.Since(start)-drawn)
	}
}
