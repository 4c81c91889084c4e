package gen

import (
	"math/bits"

	"birfuzz/ir"
	"birfuzz/ir/num"
)

// extent is the size of an access: lanes, and the sizes of its free pairs, outermost first.
type extent struct {
	lanes int
	dims  [ir.MaxPairs - 1]int
	n     int
}

func tileOf(lanes, free int) extent {
	e := extent{lanes: lanes, n: 1}
	e.dims[0] = free
	return e
}

func (e *extent) free() int {
	n := 1
	for _, d := range e.dims[:e.n] {
		n *= d
	}
	return n
}

// use says what an access is for.
type use uint8

const (
	reading  use = iota
	filling      // writes that may go to bytes nobody wrote: they must leave no gap
	updating     // writes inside what is written
)

// touch is what an access reaches: a rectangle of its slot, wholly where dense.
type touch struct {
	slot  *slot
	rect  rect
	dense bool
}

// access makes o the access of the extent in s. Lanewise ones obey the rule of start partitions. It reports false when s has no room.
func (b *builder) access(o *ir.Operand, s *slot, e extent, d num.DType, u use, lanewise bool) (touch, bool) {
	size := d.Size()
	shift := bits.TrailingZeros8(uint8(size)) & 7 // sizes are powers of two, and dividing by them would cost much of this
	if int(s.loc.RowBytes)&(size-1) != 0 || !s.divides(int64(size)) {
		return touch{}, false
	}
	area := s.def
	if u == filling {
		area = s.all()
	}
	pitch := int(s.loc.RowBytes) >> shift
	*o = ir.Operand{}
	o.Kind, o.DType, o.Loc, o.N = ir.APOperand, d, s.loc, 1
	row, rows, ok := b.rowsOf(o, s, area, e.lanes, pitch, u, lanewise)
	if !ok {
		return touch{}, false
	}
	first, end := (area.c0+size-1)>>shift, area.c1>>shift
	span, dense, ok := b.pairs(o, e, end-first, u)
	if !ok {
		return touch{}, false
	}
	if slack := end - first - span; slack > 0 && b.sometimes(Partial, 0.4) {
		first += b.IntN(slack + 1)
	}
	o.Off = b.offset(s, row*pitch+first, size)
	return touch{s, rect{row, row + rows, first << shift, (first + span) << shift}, dense}, true
}

// offset returns where element number at of a slot, of so many bytes, stands in its location.
func (b *builder) offset(s *slot, at, size int) ir.Affine {
	shift := bits.TrailingZeros8(uint8(size)) & 7
	a := ir.Konst(int64(at) + s.base>>shift)
	if len(s.terms) > 0 {
		a.Terms = b.terms.take(len(s.terms))
		for i, t := range s.terms {
			t.Coef >>= shift // nothing is left over: see divides
			a.Terms[i] = t
		}
	}
	return a
}

// divides tells whether the slot starts at a whole element wherever it moves.
func (s *slot) divides(size int64) bool {
	for i := range s.terms {
		if s.terms[i].Coef&(size-1) != 0 {
			return false
		}
	}
	return s.base&(size-1) == 0
}

// rowsOf draws the rows of an access and sets its first pair. Where there are too few rows, a read may take one for every lane.
func (b *builder) rowsOf(o *ir.Operand, s *slot, area rect, lanes, pitch int, u use, lanewise bool) (row, rows int, ok bool) {
	repeat := u == reading && b.on(Broadcast) && (area.rows() < lanes || b.Bool(0.03))
	if area.rows() < lanes && !repeat {
		return 0, 0, false
	}
	rows = lanes
	o.AP[0] = ir.Pair{Step: int32(pitch), Num: int32(lanes)}
	if repeat {
		rows, o.AP[0].Step = 1, 0
	}
	if !lanewise {
		if slack := area.rows() - rows; slack > 0 && b.sometimes(Partial, 0.4) {
			return area.r0 + b.IntN(slack+1), rows, true
		}
		return area.r0, rows, true
	}
	row, ok = b.startRow(s, area, rows)
	return row, rows, ok
}

// startRow draws a legal start partition: any number of rows from 0, up to 64 from 64, up to 32 from 32 and 96.
func (b *builder) startRow(s *slot, area rect, rows int) (int, bool) {
	base := 0
	if s.loc.Allocated {
		base = int(s.loc.Base)
	}
	var may [4]int
	n := 0
	for i, room := range [...]int{128, 32, 64, 32} {
		if r := 32*i - base; r >= area.r0 && r+rows <= area.r1 && rows <= room {
			may[n] = r
			n++
		}
	}
	if n == 0 {
		return 0, false
	}
	if n == 1 || !b.sometimes(Partial, 0.5) {
		return may[0], true
	}
	return may[b.IntN(n)], true
}

// pairs sets the free pairs of an access that has room for that many elements in a row. It returns the elements from the first to the last
// reached, and whether all between are.
func (b *builder) pairs(o *ir.Operand, e extent, room int, u use) (span int, dense, ok bool) {
	free := e.free()
	if free > room {
		if u == reading && b.on(Broadcast) && room > 0 {
			return b.repeat(o, e, room)
		}
		return 0, false, false
	}
	step := 1
	if u != filling && room >= 2*free && b.sometimes(Strided, 0.3) {
		step = b.Between(2, min(room/free, 4))
	}
	split := false
	if e.n == 1 && free > 1 && b.sometimes(Strided, 0.25) {
		if inner := b.divisor(free); inner > 0 {
			e.dims[0], e.dims[1], e.n, split = free/inner, inner, 2, true
		}
	}
	at := step
	for i := e.n - 1; i >= 0; i-- {
		o.AP[1+i] = ir.Pair{Step: int32(at), Num: int32(e.dims[i])}
		at *= e.dims[i]
	}
	o.N = uint8(1 + e.n)
	span = (free-1)*step + 1
	if e.n == 2 && u != filling {
		span += b.gap(o, e, room-span)
	}
	if split && b.Bool(0.3) { // the same elements in another order
		o.AP[1], o.AP[2] = o.AP[2], o.AP[1]
	}
	return span, step == 1 && span == free, true
}

// gap moves the outer steps of two pairs apart and returns by how many elements the access grows.
func (b *builder) gap(o *ir.Operand, e extent, slack int) int {
	outer := e.dims[0] - 1
	if outer < 1 || slack < outer || !b.sometimes(Strided, 0.5) {
		return 0
	}
	extra := b.Between(1, min(slack/outer, 8))
	o.AP[1].Step += int32(extra)
	return extra * outer
}

// repeat reads fewer elements than the extent has, some of them again and again.
func (b *builder) repeat(o *ir.Operand, e extent, room int) (span int, dense, ok bool) {
	if e.n != 1 {
		return 0, false, false
	}
	free := e.free()
	inner := b.divisor(free)
	if inner == 0 || inner > room || b.Bool(0.3) {
		inner = 1
	}
	o.N = 3
	o.AP[1] = ir.Pair{Step: 0, Num: int32(free / inner)}
	o.AP[2] = ir.Pair{Step: 1, Num: int32(inner)}
	if inner == 1 {
		o.N = 2
	}
	return inner, true, true
}

// deepen splits the pairs of an access until it has four or five, if their numbers allow it: it reaches the same elements in the same order.
func (b *builder) deepen(o *ir.Operand) {
	want := uint8(b.Between(4, ir.MaxPairs))
	for at := o.N - 1; at >= 1 && o.N < want; at-- {
		p := o.AP[at]
		k := least(p.Num)
		if k == 0 {
			continue
		}
		copy(o.AP[at+1:], o.AP[at:o.N])
		p.Num /= k
		o.AP[at], o.AP[at+1] = ir.Pair{Step: p.Step * p.Num, Num: k}, p
		o.N++
		at += 2 // what is left may be split again
	}
}

// least returns the least divisor of n of a few, that is not n; 0 if there is none.
func least(n int32) int32 {
	for _, k := range [...]int32{2, 3, 5} {
		if k < n && n%k == 0 {
			return k
		}
	}
	return 0
}

// divisor returns a divisor of n other than 1 and n, 0 if it finds none at once.
func (b *builder) divisor(n int) int {
	for range 3 {
		if d := one(&b.Rand, []int{2, 3, 4, 5, 7, 8, 16, 32}); d < n && n%d == 0 {
			if b.Bool(0.5) {
				return d
			}
			return n / d
		}
	}
	return 0
}
