package oracle

import (
	"slices"

	"birfuzz/ir"
)

// inserted: what was there stands in its old order and does what it did, though to storage that a new location may stand for; what is new
// only moves, between on-chip and local memory, of which one side is new.
func (m *matched) inserted() string {
	d := m.standIns(sameShape, func(in *ir.Inst, was map[string]*ir.Loc) string {
		if !plainMove(in, was) {
			return m.accuse(in, " is new and more than a move to or from new storage")
		}
		return ""
	})
	if d != "" {
		return d
	}
	return m.allSurvive()
}

// allSurvive returns a complaint about an instruction that is gone.
func (m *matched) allSurvive() string {
	for in := range m.before.Insts {
		if !m.survives(in) {
			return m.accuse(in, " is gone")
		}
	}
	return ""
}

// rebound: what is left stands in its old order and does what it did, though to a clone of a location; what is gone only moved.
func (m *matched) rebound() string {
	d := m.standIns(cloneOf, func(in *ir.Inst, _ map[string]*ir.Loc) string { return in.Name + " is new" })
	if d != "" {
		return d
	}
	for in := range m.before.Insts {
		if (in.Spec().Flow != ir.FlowMove || lasting(in)) && !m.survives(in) {
			return m.accuse(in, " is gone and more than a move")
		}
	}
	return ""
}

// standIns returns the first complaint about the instructions of after: what fresh says of one that is new, and of the others that one has
// moved, or does something else than before to anything but a new location that may stand for the old one.
func (m *matched) standIns(may func(old, new *ir.Loc) bool, fresh func(in *ir.Inst, was map[string]*ir.Loc) string) string {
	for i, f := range m.after.Cores {
		was := map[string]*ir.Loc{}
		for l := range m.before.Cores[m.core(i)].Locs {
			was[l.Name] = l
		}
		last := int32(-1)
		for in := range f.Insts {
			a := m.old[m.core(i)][in.Name]
			switch {
			case a == nil:
				if d := fresh(in, was); d != "" {
					return d
				}
			case m.displaced(a, in) != "":
				return m.displaced(a, in)
			case a.ID < last:
				return m.accuse(in, " has moved")
			case !sameInst(a, in, stoodFor(a, in, was, may), in.Args):
				return m.accuse(in, " is another instruction than before")
			default:
				last = a.ID
			}
		}
	}
	return ""
}

// sameShape tells whether storage holds as much as another, in the same memory.
func sameShape(a, b *ir.Loc) bool {
	return a.Type == b.Type && a.Rows == b.Rows && a.RowBytes == b.RowBytes
}

// cloneOf tells whether b is a clone of a: of its kind and shape, and in its place if it has one.
func cloneOf(a, b *ir.Loc) bool {
	return changedLoc(a, b, nil) == "" && moved(a, b) == "" && a.Set.Space == b.Set.Space && a.UserAllocated == b.UserAllocated
}

// plainMove tells whether a new instruction moves bits, without a cast and whatever the axes are, to or from storage that was not there.
func plainMove(in *ir.Inst, was map[string]*ir.Loc) bool {
	if in.Spec().Flow != ir.FlowMove || in.HasEffect() || in.HasSync() || len(in.Args) != 2 || in.NOut != 1 || len(in.Params) > 0 {
		return false
	}
	dst, src := &in.Args[0], &in.Args[1]
	if len(in.Pred) > 0 || !dst.IsAP() || !src.IsAP() || dst.DType != src.DType || dst.Loc.Visible() || src.Loc.Visible() {
		return false
	}
	return was[dst.Loc.Name] == nil || was[src.Loc.Name] == nil
}

// stoodFor returns the operands of an instruction before the pass, with new locations in the place of those that they may stand for.
func stoodFor(before, after *ir.Inst, was map[string]*ir.Loc, may func(old, new *ir.Loc) bool) []ir.Operand {
	args := slices.Clone(before.Args)
	for i := range min(len(args), len(after.Args)) {
		if a, b := args[i].Loc, after.Args[i].Loc; a != nil && b != nil && was[b.Name] == nil && may(a, b) {
			args[i].Loc = b
		}
	}
	return args
}

// placed: what is left of storage is as it was, but that on-chip locations without a place may have got one.
func (m *matched) placed() string {
	return m.eachLoc(func(_ int, a, b *ir.Loc) string {
		switch {
		case a.Set.Space != b.Set.Space:
			return "addr_space has changed"
		case !a.Allocated && a.Type.OnChip():
			return ""
		}
		return moved(a, b)
	})
}
