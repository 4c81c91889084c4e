package passes

import "testing"

// The document's NOTE on the two placements: levels 1 to 3 run the SSA exit before allocation and again behind it, level 0 before it only. Which
// of the two it is, is told by the function attribute sb_allocated alone: the allocator between them sets it.
func TestNoteNonSsaTwoPlacements(t *testing.T) {
	for level, want := range map[string][]string{
		"O0": {"non_ssa_legalization", "linear_scan_allocator"},
		"O1": {"non_ssa_legalization", "linear_scan_allocator", "non_ssa_legalization"},
		"O2": {"non_ssa_legalization", "linear_scan_allocator", "non_ssa_legalization"},
		"O3": {"non_ssa_legalization", "linear_scan_allocator", "non_ssa_legalization"},
	} {
		ps, err := Pipeline(level)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range ps {
			if p.Name == want[0] || p.Name == want[1] {
				got = append(got, p.Name)
			}
		}
		if len(got) != len(want) || got[0] != want[0] || got[1] != want[1] || got[len(got)-1] != want[len(want)-1] {
			t.Errorf("%s: %v, want %v", level, got, want)
		}
	}
	p := parse(t, "func f {\n  output y: f32[4,8]\n  sb a: f32[4,8]\n  I-0: a = Memset constant=1 @DVE\n  I-1: y = Save a @SP\n}\n")
	ps, _ := Named("non_ssa_legalization,linear_scan_allocator,non_ssa_legalization")
	Run(p, ps, Unlimited(), func(s *Step) bool {
		if after := s.After.Cores[0].HasAttr(sbAllocated); after != (s.Index > 0) {
			t.Errorf("behind place %d: sb_allocated is %v", s.Index, after)
		}
		return true
	})
}
