package gen

import (
	"birfuzz/ir"
	"birfuzz/ir/num"
)

// step8 is what window offsets are multiples of: the size of the largest element, so that accesses of every type divide them.
const step8 = 8

// windows opens windows of a loop: over locations that it reads piece by piece, and over a new one that it writes so.
func (b *builder) windows(n *nest) {
	if !b.on(Windows) {
		return
	}
	for range b.Between(1, 3) {
		b.readWindow(n.loop)
	}
	if b.Bool(0.7) && len(n.loop.Blocks) > 0 {
		b.writeWindow(n)
	}
}

// leaf is an expression of an axis with its least value and how far it reaches.
type leaf struct {
	term     ir.Term
	lo, span int64
}

// leafOf draws an expression of a loop's axis: the axis, or now and then its remainder or quotient by a small number.
func (b *builder) leafOf(l *ir.Loop) leaf {
	last := l.LB + (max(l.Trips(), 1)-1)*l.Stride
	t := ir.Term{Kind: ir.AxisTerm, Axis: l}
	if b.Bool(0.75) {
		return leaf{t, l.LB, last - l.LB}
	}
	t.Coef = 1
	sub := &ir.Affine{Terms: []ir.Term{t}}
	k := int64(b.Between(2, 3))
	if b.Bool(0.5) {
		return leaf{ir.Term{Kind: ir.ModTerm, Sub: sub, N: k}, 0, k - 1}
	}
	lo := ir.FloorDiv(l.LB, k)
	return leaf{ir.Term{Kind: ir.FloorDivTerm, Sub: sub, N: k}, lo, ir.FloorDiv(last, k) - lo}
}

// readWindow opens a window over a location that is wholly written where the window goes. An offset with an axis names a set, so it must have one
// piece (bir-json.md).
func (b *builder) readWindow(l *ir.Loop) {
	s := b.find(need{mem: ir.InSB | ir.InPSUM | ir.InDRAM, types: b.types})
	if s == nil || s.twin != nil || s.root.twin != nil || len(s.loc.Set.Locs) > 1 {
		return
	}
	f := b.leafOf(l)
	if s.loc.Type.IsDRAM() && b.Bool(0.5) && b.rowWindow(s, f) {
		return
	}
	b.columnWindow(s, f)
}

// columnWindow opens a window that moves inside the rows of a location.
func (b *builder) columnWindow(s *slot, f leaf) {
	start := (s.def.c0 + step8 - 1) / step8 * step8
	units := int64(s.def.c1-start) / step8
	if units < 1+f.span {
		return
	}
	unit := int64(0)
	if f.span > 0 {
		unit = int64(b.Between(1, int((units-1)/f.span)))
	}
	width := units - unit*f.span
	if unit > 0 && width > unit && b.Bool(0.5) {
		width = unit
	}
	f.term.Coef = unit * step8
	w := b.newWindow(s, int64(start)-f.term.Coef*f.lo, f.term, int(width)*step8)
	w.def = rect{s.def.r0, s.def.r1, 0, w.width}
}

// rowWindow opens a window that moves over rows of DRAM.
func (b *builder) rowWindow(s *slot, f leaf) bool {
	if int64(s.def.rows()) < 1+f.span {
		return false
	}
	unit := int64(0)
	if f.span > 0 {
		unit = int64(b.Between(1, (s.def.rows()-1)/int(f.span)))
	}
	height := int64(s.def.rows()) - unit*f.span
	f.term.Coef = unit * s.loc.RowBytes
	w := b.newWindow(s, -f.term.Coef*f.lo, f.term, s.width)
	w.def = rect{s.def.r0, s.def.r0 + int(height), s.def.c0, s.def.c1}
	return true
}

// newWindow adds a slot that moves over s.
func (b *builder) newWindow(s *slot, base int64, t ir.Term, width int) *slot {
	w := b.scratch.slot()
	*w = slot{loc: s.loc, root: s.root, rows: s.rows, width: width, base: s.base + base, dtype: s.dtype, readOnly: true, used: true}
	w.terms = s.terms
	if t.Coef != 0 { // one that does not move outlives the loop for which it was opened
		w.terms = append(append(b.terms.take(1 + len(s.terms))[:0], s.terms...), t)
	}
	b.slots = append(b.slots, w)
	return w
}

// writeWindow opens a window over a new location that the trips fill piece by piece.
func (b *builder) writeWindow(n *nest) {
	l := n.loop
	f := leaf{ir.Term{Kind: ir.AxisTerm, Axis: l}, l.LB, (max(l.Trips(), 1) - 1) * l.Stride}
	t := b.dtype(b.types)
	if t == num.Invalid || b.on(Shards) {
		return
	}
	lanes, free := b.sizes(0, 0)
	trips := int(max(l.Trips(), 1))
	unit := max(free*t.Size()/trips/step8/int(l.Stride), 1) * step8 // bytes an axis step
	width := unit * int(l.Stride)
	if width*trips > 16<<10 {
		return
	}
	total := width * trips / t.Size()
	var s *slot
	if b.Bool(0.6) && b.mem&ir.InSB != 0 {
		s = b.newTile(ir.SB, lanes, total, t)
	} else {
		s = b.newOutput(lanes, total, t)
	}
	if s == nil {
		return
	}
	f.term.Coef = int64(unit)
	w := b.newWindow(s, -f.term.Coef*f.lo, f.term, width)
	w.readOnly = false
	s.busy = true
	whole := s.width == width*trips && len(b.loops) == 1
	n.tiled = append(n.tiled, tiling{w, whole})
}
