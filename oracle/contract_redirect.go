package oracle

import "birfuzz/ir"

// redirects tells whether b reads what a read, reads redirected apart: in the place of bytes of one internal DRAM location of the core, the
// same pattern of the same type in another (semantics §6, dead_code_elim). Whether that holds the same bytes is the other checks' question.
func redirects(a, b *ir.Inst) bool {
	x, y := a.Ins(), b.Ins()
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if !ir.SameOperand(x[i], y[i]) && !redirected(x[i], y[i]) {
			return false
		}
	}
	return true
}

func redirected(x, y ir.Operand) bool {
	if !x.IsAP() || !y.IsAP() || !internalDRAM(x.Loc) || !internalDRAM(y.Loc) {
		return false
	}
	x.Loc, x.Off.C = y.Loc, y.Off.C
	return ir.SameOperand(x, y)
}

func internalDRAM(l *ir.Loc) bool {
	return l != nil && l.Type.IsDRAM() && l.Set.Kind == ir.Internal && l.Set.Space == ir.Local
}
