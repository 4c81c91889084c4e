package passes

import "birfuzz/ir"

// granted returns the list that comes of asking, for each instruction of want that is not the next of old, whether it may be placed: want up
// to the first refusal, then the rest of old.
func granted(c *Ctx, r *Rule, old, want []*ir.Inst) []*ir.Inst {
	placed := make(map[*ir.Inst]bool, len(old))
	next := 0 // the first of old that is not placed
	out := make([]*ir.Inst, 0, len(old))
	for _, in := range want {
		for next < len(old) && placed[old[next]] {
			next++
		}
		if in != old[next] && !c.Allow(r, in) {
			break
		}
		placed[in] = true
		out = append(out, in)
	}
	for _, in := range old {
		if !placed[in] {
			out = append(out, in)
		}
	}
	return out
}
