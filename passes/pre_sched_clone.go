package passes

import (
	"fmt"

	"birfuzz/ir"
)

var ruleSchedClone = &Rule{
	Name:   "presched.clone-load",
	Shared: sharedRenaming,
	Doc: "Gives a later Load of a location, with the uses that it alone reaches, a clone of the location: what waited for the uses of the earlier value waits no longer. Only where " +
		"non_ssa_legalization might rename, or might but for several blocks, none of them in a loop, that touch the location; and where a linear scan spills nothing, since clones need room.",
}

// cloneLoads is LoadCloning, which the documents name as conditional and say of that it cuts false anti edges. What it is, and when it runs, is
// ours. It comes before stage A, so that the clones have a place in its order. It is sound as the renaming of non_ssa_legalization is, of
// which it does the part that concerns loads: the levels 6 and 8 have no such pass, and the documents' test for it, one block, is not asked for
// here. Blocks run one after the other, so a web may lie in several; one that loops have a part in stays, since what an instruction in a loop
// reads from outside is known of the loop as a whole.
func cloneLoads(c *Ctx) {
	p := c.Program()
	p.Number()
	l := loadCloner{newSsaExit(c)}
	for _, f := range p.Cores {
		for _, u := range usesOf(f) {
			if u.loc.Type.OnChip() && u.conflict() && l.unclonable(u) == "" {
				l.location(u)
			}
		}
	}
}

// loadCloner is one execution of the cloning.
type loadCloner struct{ ssaExit }

// unclonable says why webs of a location keep its name, "" if they need not.
func (l *loadCloner) unclonable(u *locUses) string {
	if u.blocks > 1 && u.looped {
		return l.unsplittable(u)
	}
	return l.unrenamable(u)
}

// location gives every web of a location that begins with a Load, the first web apart, a clone.
func (l *loadCloner) location(u *locUses) {
	if l.webs == nil {
		l.webs = newWebs(l.ctx.Program())
	}
	at := u.loc
	for n, g := range l.webs.of(u)[1:] {
		switch {
		case !loadedWeb(g):
			l.ctx.Refuse(ruleSchedClone, g[0].inst, "not filled by one Load")
		case l.ctx.Allow(ruleSchedClone, g[0].inst):
			at = cloneBehind(l.ctx, u.loc, at, l.names.fresh(fmt.Sprint(u.loc.Name, "_LoadClone", n)))
			l.rebind(g, u.loc, at)
		}
	}
}

// loadedWeb tells whether one Load is all that writes a web.
func loadedWeb(w web) bool {
	for i, a := range w {
		if a.write != (i == 0) {
			return false
		}
	}
	return loads(w[0].inst)
}

// loads tells whether an instruction moves bits from DRAM into on-chip memory, without a cast, and does nothing else.
func loads(in *ir.Inst) bool {
	return in.Spec().Flow == ir.FlowMove && len(in.Args) == 2 && in.NOut == 1 && in.Args[1].IsAP() && in.Args[1].Loc.Type.IsDRAM() &&
		in.Args[0].DType == in.Args[1].DType && !in.HasEffect() && len(in.Params) == 0
}
