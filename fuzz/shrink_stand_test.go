package fuzz

import (
	"testing"

	"birfuzz/gen"
	"birfuzz/ir"
	"birfuzz/ir/birtest"
)

// TestCandidatesAreTheirText: what a shrink tries is what a file with its text says, so that a finding is found again where it was filed.
func TestCandidatesAreTheirText(t *testing.T) {
	cfg := gen.Default()
	cfg.MinInsts = 8
	for _, f := range []gen.Feature{gen.Tickets, gen.Loops, gen.Windows, gen.Predicates} {
		cfg.Features[f] = 0.7
	}
	tried, n := map[uint64]bool{}, 60
	if birtest.Quick() {
		n = 15
	}
	for i := range n {
		c := Generate(31, i, &cfg)
		c.Program.Number()
		for s := newStand(c.Program); ; {
			q := s.next()
			if q == nil {
				break
			}
			h := q.Hash()
			if tried[h] || len(ir.Verify(q, q.Facts)) > 0 {
				continue
			}
			tried[h] = true
			read, err := ir.Parse("candidate", q.String())
			if err != nil {
				t.Fatalf("program %d: %v\n%s", i, err, q)
			}
			if read.Facts == 0 {
				read.Facts = read.Assumed()
			}
			if read.Number(); read.Hash() != h {
				t.Fatalf("program %d: reduction %s: another program is read than was tried (facts %s and %s):\n%s", i, reductions[s.reduction].name, read.Facts, q.Facts, q)
			}
			if h%4 == 0 { // some go on
				s.take(q)
			}
		}
	}
	if len(tried) < 15*n {
		t.Errorf("only %d candidates were legal", len(tried))
	}
}
