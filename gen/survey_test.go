package gen_test

import (
	"testing"

	"birfuzz/gen"
	"birfuzz/ir"
	"birfuzz/ir/birtest"
)

// TestNothingMissing: 100,000 programs have every feature, pair of features, instruction, engine, element type and name of a setting that
// there is; a few thousand have every feature and instruction.
func TestNothingMissing(t *testing.T) {
	var s gen.Survey
	c := gen.Default()
	r := gen.New(1)
	n := 50_000
	if birtest.Quick() {
		n = 2000
	}
	for range n {
		s.Draw(r, gen.Default())
		s.Draw(r, gen.Swarm(r))
	}
	t.Logf("%d different structures of %d programs", s.Structures, s.Programs)
	if birtest.Quick() {
		for f, n := range s.Features {
			if n == 0 {
				t.Errorf("no program has %v", gen.Feature(f))
			}
		}
		for op, u := range s.Rows {
			if spec := ir.Op(op).Spec(); u.Count == 0 && spec.Weight > 0 {
				t.Errorf("no program has %s", spec.Name)
			}
		}
		return
	}
	for _, m := range s.Missing(&c) {
		t.Errorf("%d programs have no %s", s.Programs, m)
	}
}
