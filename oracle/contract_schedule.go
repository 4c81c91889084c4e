package oracle

import (
	"fmt"
	"slices"

	"birfuzz/ir"
)

// scheduled: what is left stands in its old block and does what it did, though to a clone of a location, or to what is left of one; what is new loads from memory into a
// clone; what is gone had no effect. No Flow edge is left, and of the other edges none between two that are left is gone.
func (m *matched) scheduled() string {
	for i, f := range m.after.Cores {
		g := m.before.Cores[m.core(i)]
		was := map[string]*ir.Loc{}
		for l := range g.Locs {
			was[l.Name] = l
		}
		for in := range f.Insts {
			a := m.old[m.core(i)][in.Name]
			if a != nil && m.displaced(a, in) != "" {
				return m.displaced(a, in)
			}
			if d := m.scheduledInst(a, in, was); d != "" {
				return in.Name + d
			}
		}
	}
	for in := range m.before.Insts {
		if in.HasEffect() && !m.survives(in) {
			return m.accuse(in, ", which has an effect, is gone")
		}
	}
	return m.each(m.keptEdges)
}

// scheduledInst returns what is wrong with an instruction, which was a; a is nil where it is new.
func (m *matched) scheduledInst(a, in *ir.Inst, was map[string]*ir.Loc) string {
	switch {
	case a == nil && !(plainMove(in, was) && was[in.Args[0].Loc.Name] == nil && in.Args[1].Loc.Type.IsDRAM()):
		return " is new and more than a load into a clone"
	case a == nil:
	case !sameInst(a, in, m.inCut(stoodFor(a, in, was, m.cloneOrCut), a, in), in.Args):
		return " is another instruction than before"
	}
	return ""
}

// keptEdges: the edges of an instruction are its old ones, Flow edges apart. Where one of those that it waited for is gone, and its edges were
// handed on, one may be stronger than it was: of two edges to one target the stronger stays (walrus.md §1.3).
func (m *matched) keptEdges(p instPair) string {
	heir := slices.ContainsFunc(p.a.Deps, func(d ir.Dep) bool { return !m.left[p.core][d.On] })
	for _, d := range p.b.Deps {
		if d.Kind == ir.Flow {
			return "the Flow edge to " + d.On.Name + " is left"
		}
	}
	for _, d := range p.a.Deps {
		stays := slices.ContainsFunc(p.b.Deps, func(e ir.Dep) bool { return e.On.Name == d.On.Name && (e.Kind == d.Kind || heir && e.Kind > d.Kind) })
		if d.Kind != ir.Flow && !stays && m.left[p.core][d.On] {
			return fmt.Sprintf("the %s edge to %s is gone", d.Kind, d.On.Name)
		}
	}
	return ""
}
