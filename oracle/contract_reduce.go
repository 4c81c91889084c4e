package oracle

import "birfuzz/ir"

// mayCut tells whether what has changed in a location, which was a, is that it was cut down to a part of it, and whether that was allowed:
// of memory of SB or DRAM that nobody knows but this function, and of which no one has asked where it lies.
func (m *matched) mayCut(what string, a, b *ir.Loc) bool {
	return m.cuts != nil && what == changedDims && (a.Type == ir.SB || a.Type == ir.DRAM) && a.Set.Kind == ir.Internal && a.Set.Space == ir.Local &&
		!a.Allocated && !a.Pinned && !a.WrittenByAnotherCore && !a.RuntimeReserved && len(a.RemoteLocalTarget)+len(a.Alias) == 0 &&
		b.Bytes() <= a.Bytes() && (!a.Type.OnChip() || b.Rows <= a.Rows && b.RowBytes <= a.RowBytes)
}

// cloneOrCut tells whether b may be a clone of what is left of a.
func (m *matched) cloneOrCut(a, b *ir.Loc) bool {
	return cloneOf(a, b) || m.mayCut(changedLoc(a, b, nil), a, b) && a.Set.Space == b.Set.Space && !b.Allocated
}

// inCut returns the operands args of an instruction, which was a, with each access of a location that was cut moved to where the same bytes
// lie in what is left. All accesses of a location must move alike.
func (m *matched) inCut(args []ir.Operand, a, in *ir.Inst) []ir.Operand {
	for i := range min(len(args), len(in.Args)) {
		old, now := &a.Args[i], &in.Args[i]
		if !old.IsAP() || !now.IsAP() || old.DType != now.DType || !m.mayCut(changedDims, old.Loc, now.Loc) {
			continue
		}
		if _, known := m.cuts[now.Loc]; !known {
			m.cuts[now.Loc] = columnOf(old) - columnOf(now)
		}
		moveInto(&args[i], old.Loc, now.Loc, m.cuts[now.Loc])
	}
	return args
}

// columnOf returns the byte of a row at which an access begins, its axes at 0; DRAM is one row.
func columnOf(o *ir.Operand) int64 {
	size := int64(o.DType.Size())
	if !o.Loc.Type.OnChip() {
		return o.Off.C * size
	}
	return o.Off.C % max(o.Pitch(), 1) * size
}

// moveInto rewrites an access of location old as one of now, which begins that many bytes behind the beginning of the rows of old.
func moveInto(o *ir.Operand, old, now *ir.Loc, behind int64) {
	size := int64(o.DType.Size())
	if !old.Type.OnChip() {
		o.Off.C -= behind / size
		return
	}
	was, is := max(old.RowBytes/size, 1), now.RowBytes/size
	o.Off.C = o.Off.C/was*is + o.Off.C%was - behind/size
	o.AP[0].Step = int32(int64(o.AP[0].Step) / was * is)
}
