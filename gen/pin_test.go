package gen_test

import (
	"hash/fnv"
	"io"
	"testing"

	"birfuzz/gen"
)

// pinned is the hash of the programs of the first 50 seeds and their inputs of every kind. It last changed when tiles were bounded in elements
// (Config.Elems), when features got streams of their own and those from EmptyLoops on came, when inputs were drawn from 64 numbers a tensor,
// when Pressure came, when Shared memory of two cores got addresses, results, further names and pieces (PlacedShared to Pieces), and is visited,
// and when Relays to OrderedFences came, with repeated copies whose sides are written, ShardIDs below floor and mod, loops of fences alone, and
// sums that share their bank; and when the shapes of whole loops came (LoopPairs to SharedTypes), and Swarm got streams of its own; and
// when Transfers to Blocks came, pairs of loops that count, and long inner loops in nests; and when ManyDims to NewTypes came;
// and when engines, types and generations got the rules that they have now, and Halves to LongTiles came; and when RolledEdges and LeanEdges came.
const pinned = 0xb302a31f47aae54a

// TestPinned: a seed means the same bytes on every machine and after every change that was not meant to change the generator.
func TestPinned(t *testing.T) {
	h := fnv.New64a()
	for seed := range uint64(50) {
		c := gen.Default()
		if seed%2 == 1 {
			c = gen.Swarm(gen.New(seed))
		}
		p := gen.Program(gen.New(seed), c)
		if _, err := p.WriteTo(h); err != nil {
			t.Fatal(err)
		}
		for k := range gen.NumInputKinds {
			in := gen.Inputs(gen.New(seed), p, k)
			for _, f := range p.Cores {
				for l := range f.Locs {
					_, _ = io.WriteString(h, l.Name)
					_, _ = h.Write(in[l.Name].Data)
				}
			}
		}
	}
	if got := h.Sum64(); got != pinned {
		t.Errorf("the programs of seeds 0 to 49 hash to %#x, not %#x. If the change was meant to draw other programs, or the text form or the op\n"+
			"table changed, put the new number here: findings keep programs, not seeds, so no finding is lost. Otherwise find out what differs.", got, uint64(pinned))
	}
}

// benched is the hash of the first 400 programs of Bench. It changes only where the language does, so that figures of different days compare: it
// last did when engines got the operators that they have, which made four in five of those programs illegal.
const benched = 0xdb35cbe1507fce47

// TestBenchPinned: what speed is measured on stays what it is, whatever features come.
func TestBenchPinned(t *testing.T) {
	h := fnv.New64a()
	for seed := range uint64(400) {
		if _, err := gen.Program(gen.New(seed), gen.Bench()).WriteTo(h); err != nil {
			t.Fatal(err)
		}
	}
	if got := h.Sum64(); got != benched {
		t.Errorf("the programs of Bench hash to %#x, not %#x: a new feature must be off in Bench, and draw from no stream that others draw from", got, uint64(benched))
	}
}
