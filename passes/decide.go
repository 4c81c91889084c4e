package passes

import "birfuzz/ir"

// sharedDeciding is the Shared of the rules by which decide asks.
const sharedDeciding = "a predicate that is constant"

// decide asks, for every instruction of f with predicates that are constant, whether they may be decided. Where one does not hold the
// instruction goes; a loop all of whose instructions go goes too. Those that hold are removed from the list.
func decide(c *Ctx, r *Rule, f *ir.Func) {
	gone, left := map[*ir.Inst]bool{}, map[*ir.Inst][]ir.Predicate{}
	for in := range f.Insts {
		open, hold := ir.Decide(in.Pred)
		switch {
		case hold && len(open) == len(in.Pred) || !c.Allow(r, in):
		case hold:
			left[in] = open
		default:
			gone[in] = true
		}
	}
	if len(left) > 0 {
		c.Edit().Change(func() {
			for in, open := range left {
				in.Pred = open
			}
		})
	}
	if len(gone) > 0 {
		hollow(f.Blocks, gone)
		c.Edit().DeleteNever(gone)
	}
}

// hollow adds the loops to gone that hold something, and nothing that is not gone. It tells whether all of the blocks is gone.
func hollow(bs []*ir.Block, gone map[*ir.Inst]bool) bool {
	all, some := true, false
	for _, b := range bs {
		for _, in := range b.Insts {
			if in.Loop != nil && !in.HasSync() && hollow(in.Loop.Blocks, gone) {
				gone[in] = true
			}
			all, some = all && gone[in], true
		}
	}
	return all && some
}
