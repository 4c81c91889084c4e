package oracle

import (
	"slices"

	"birfuzz/ir"
)

// shrunk: nothing is new, gone or moved, and every instruction does what it did. Only a location that has lost a part may be touched
// elsewhere: all its accesses have stopped to move along axes, or moved alike to where the same bytes lie in what is left.
func (m *matched) shrunk() string {
	if d := m.sameCount(); d != "" {
		return d
	}
	last, core := int32(-1), 0
	for _, p := range m.insts { // in the order of after
		if p.core != core {
			last, core = -1, p.core
		}
		if p.a.ID < last {
			return m.accuse(p.b, " has moved")
		}
		last = p.a.ID
	}
	return m.each(func(p instPair) string {
		if args := m.inCut(m.stopped(p.a, p.b), p.a, p.b); !sameInst(p.a, p.b, args, p.b.Args) {
			return "another instruction than before"
		}
		return ""
	})
}

// stopped returns the operands of an instruction, which is now in, with the axes taken from those accesses of cut locations that have none
// any more.
func (m *matched) stopped(a, in *ir.Inst) []ir.Operand {
	args := slices.Clone(a.Args)
	for i := range min(len(args), len(in.Args)) {
		o, now := &args[i], &in.Args[i]
		if o.IsAP() && now.IsAP() && now.Off.IsConst() && m.mayCut(changedDims, o.Loc, now.Loc) {
			o.Off = ir.Konst(o.Off.C)
		}
	}
	return args
}
