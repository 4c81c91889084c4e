package oracle

import "birfuzz/ir"

// hiddenNames returns the locations that a comparison leaves out: Shared before, and Local or gone after (semantics §3.5). Another core may
// still declare the name as Shared, and no longer touch it: that is what localize_shared_memory leaves behind where it removes nothing. The
// map is nil where there is none.
func hiddenNames(before, after *ir.Program) map[string]bool {
	if !hasShared(before) {
		return nil
	}
	shared, local := map[string]bool{}, make([]map[string]bool, len(before.Cores))
	for i, f := range after.Cores {
		own := coreBefore(before, i)
		for l := range f.Locs {
			switch {
			case l.Set.Space == ir.Shared:
				shared[l.Name] = true
			case local[own] == nil:
				local[own] = map[string]bool{}
				fallthrough
			default:
				local[own][l.Name] = true
			}
		}
	}
	var hidden map[string]bool
	for i, f := range before.Cores {
		for l := range f.Locs {
			if l.Set.Space == ir.Shared && (local[i][l.Name] || !shared[l.Name]) {
				if hidden == nil {
					hidden = map[string]bool{}
				}
				hidden[l.Name] = true
			}
		}
	}
	return hidden
}

func hasShared(p *ir.Program) bool {
	for _, f := range p.Cores {
		for _, s := range f.Sets {
			if s.Space == ir.Shared {
				return true
			}
		}
	}
	return false
}

// coreBefore returns the function of before that function i of the program after a pass comes from.
func coreBefore(before *ir.Program, i int) int { return min(i, len(before.Cores)-1) }
