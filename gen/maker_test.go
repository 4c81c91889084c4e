package gen_test

import (
	"testing"

	"birfuzz/gen"
)

// TestMaker: a Maker draws what Program draws, whatever stood in its memory before: programs of all sizes follow each other.
func TestMaker(t *testing.T) {
	var m gen.Maker
	sizes := [...]int{64, 3, 300, 1500, 20}
	for seed := range uint64(count(400)) {
		c := gen.Default()
		if seed%3 > 0 {
			c = gen.Swarm(gen.New(seed))
		}
		c.MaxInsts = sizes[seed%uint64(len(sizes))]
		got := m.Program(gen.New(seed), &c).String()
		if want := gen.Program(gen.New(seed), c).String(); got != want {
			t.Fatalf("seed %d: a Maker draws\n%s\nnot\n%s", seed, got, want)
		}
	}
}
