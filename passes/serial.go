package passes

import "birfuzz/ir"

// serialise takes isParallel from the loops that hold one of the new fences. Behind a fence everyone may read what stands before it: once
// there is one in every iteration, which iteration comes first shows, and the loop may not run downwards any more (semantics §2).
func serialise(c *Ctx, fences map[*ir.Inst]bool) {
	for in := range c.Program().Insts {
		if in.Loop != nil && in.Loop.Parallel && holdsSome(in.Loop, fences) {
			c.Edit().Change(func() { in.Loop.Parallel = false })
		}
	}
}

func holdsSome(l *ir.Loop, some map[*ir.Inst]bool) bool {
	for in := range l.Insts {
		if some[in] {
			return true
		}
	}
	return false
}
