package ir

// Box is the bounding rectangle of an access inside its location: rows Row ≤ r < RowEnd, bytes Col ≤ c < ColEnd of a row. DRAM is one row.
// Two accesses of one location with disjoint boxes share no byte; that is quick to see, unlike Overlap.
type Box struct{ Row, RowEnd, Col, ColEnd int64 }

// Box returns the bounding rectangle of a physical memory operand.
func (o *Operand) Box() Box {
	size, last := int64(o.DType.Size()), int64(0)
	for i := 1; i < int(o.N); i++ {
		last += int64(o.AP[i].Step) * int64(o.AP[i].Num-1)
	}
	outer := int64(o.AP[0].Step) * int64(o.AP[0].Num-1)
	off := o.Off.C
	if !o.Loc.Type.OnChip() {
		return Box{0, 1, off * size, (off + outer + last + 1) * size}
	}
	pitch := max(o.Pitch(), 1)
	row, col := off/pitch, off%pitch
	return Box{row, row + outer/pitch + 1, col * size, (col + last + 1) * size}
}

// Meets tells whether the two rectangles have a byte in common.
func (b *Box) Meets(c *Box) bool {
	return b.Row < c.RowEnd && c.Row < b.RowEnd && b.Col < c.ColEnd && c.Col < b.ColEnd
}
