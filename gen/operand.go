package gen

import (
	"math/bits"

	"birfuzz/ir"
	"birfuzz/ir/num"
)

// need says what a readable slot must offer.
type need struct {
	mem         ir.MemSet
	types       ir.DTypeSet
	lanes, free int // at least; 0 where the slot decides
	may         values
	write       bool
}

// needOf returns what operand spec s asks for, given what its letters stand for.
func (d *draft) needOf(s *ir.OperandSpec) need {
	n := need{mem: s.Mem & d.in.Engine.Reaches(), types: s.Types & d.b.types, may: anyValue}
	if d.force != 0 && (s.Role == ir.Data || s.Role == ir.Scalar) {
		n.types &= d.force
	}
	if s.Mem == ir.InPSUM && d.row.Flow == ir.FlowMatmul && d.b.prog.Arch < ir.CoreV4 {
		n.types &= ir.DTypesOf(num.Float32) // sums are narrowed from CoreV4 on (nki-isa.md §6)
	}
	if s.Same != 0 && d.same[s.Same&31] != num.Invalid {
		n.types &= ir.DTypesOf(d.same[s.Same&31])
	}
	if len(s.Shape) == 2 {
		n.lanes, n.free = d.get(s.Shape[0]), d.get(s.Shape[1])
	}
	return n
}

// input draws the i-th input.
func (d *draft) input(i int) bool {
	s := &d.row.Ins[i]
	switch s.Role {
	case ir.Scalar:
		if d.b.Bool(0.5) {
			return d.immediate(i)
		}
	case ir.Register, ir.RegOrImm:
		return d.register(i)
	case ir.Index:
		return d.index(i)
	}
	return d.read(i)
}

// read draws an input in memory.
func (d *draft) read(i int) bool {
	s, at := &d.row.Ins[i], int(d.in.NOut)+i
	n := d.needOf(s)
	o := &d.args[at]
	t := d.b.dtype(n.types)
	if t == num.Invalid {
		return false
	}
	*o = ir.Operand{Kind: ir.APOperand, DType: t} // the type decides the domain of a shift count
	n.may = valuesOf(&d.in, i)
	if !n.may.any() {
		return d.restricted(i, n, t)
	}
	sl := d.b.find(n)
	if sl == nil || n.mem == ir.InDRAM && d.b.Bool(0.2) {
		if fresh := d.b.prepare(n); fresh != nil {
			sl = fresh
		}
	}
	if sl == nil {
		return false
	}
	return d.place(at, s, sl, d.typeIn(sl, n.types), reading)
}

// restricted draws an input whose values must be of a set: moved from an input of the program that Inputs can still bind to it, or constants.
func (d *draft) restricted(i int, n need, t num.DType) bool {
	s, at := &d.row.Ins[i], int(d.in.NOut)+i
	if s.Role == ir.Scalar && d.b.Bool(0.7) {
		return d.immediate(i)
	}
	sl := d.b.findValues(n, t)
	if sl == nil {
		if sl = d.b.prepareValues(n, t); sl == nil {
			return false
		}
	}
	if d.rewrites(sl) || !d.place(at, s, sl, t, reading) {
		return false
	}
	d.b.restrict(sl, n.may)
	return true
}

// rewrites tells whether the instruction, in a loop, writes the location whose values it relies on: the next trip would find others.
func (d *draft) rewrites(sl *slot) bool {
	for i := range int(d.in.NOut) {
		if s := d.touched[i].slot; s != nil && s.root == sl.root {
			return len(d.b.loops) > 0
		}
	}
	return false
}

// typeIn draws the type in which a slot is read: mostly its own.
func (d *draft) typeIn(s *slot, types ir.DTypeSet) num.DType {
	own := d.b.flow.of(s.loc).dtype
	if types.Has(own) && !d.b.sometimes(Reinterpret, 0.08) {
		return own
	}
	size := s.dtype.Size()
	pick, n := num.Invalid, 0
	for t := num.Invalid + 1; t < num.NumDTypes; t++ {
		if types.Has(t) && (t.Size() == size || t.Size() < size && d.b.on(Reinterpret)) {
			n++
			if d.b.IntN(n) == 0 {
				pick = t
			}
		}
	}
	return pick
}

// place makes argument at an access of the slot and binds the letters that were open.
func (d *draft) place(at int, s *ir.OperandSpec, sl *slot, t num.DType, u use) bool {
	if t == num.Invalid {
		return false
	}
	area := sl.def
	if u == filling {
		area = sl.all()
	}
	e, ok := d.extentOf(s, area, t)
	if !ok {
		return false
	}
	w, ok := d.b.access(&d.args[at], sl, e, t, u, d.row.Lanewise)
	if !ok {
		return false
	}
	d.touched[at] = w
	d.bindTo(s, &e, t)
	if d.folds == 0 && d.row.Flow != ir.FlowFold && d.b.sometimes(ManyDims, 0.4) {
		d.b.deepen(&d.args[at])
	}
	return true
}

// bindTo gives the open letters of an operand the sizes of its access.
func (d *draft) bindTo(s *ir.OperandSpec, e *extent, t num.DType) {
	if s.Same != 0 {
		d.same[s.Same&31] = t
	}
	if len(s.Shape) == 1 {
		d.bind(s.Shape[0], e.lanes*e.free())
		d.shape = *e
		return
	}
	if sizeOf(s.Shape[0]) == 0 {
		d.bind(s.Shape[0], e.lanes)
	}
	if sizeOf(s.Shape[1]) == 0 {
		d.bind(s.Shape[1], e.free())
	}
}

// extentOf draws the extent of an access inside an area: what letters stand for, and what is open within the room there is.
func (d *draft) extentOf(s *ir.OperandSpec, area rect, t num.DType) (extent, bool) {
	size := t.Size()
	shift := bits.TrailingZeros8(uint8(size)) & 7
	room := area.c1>>shift - (area.c0+size-1)>>shift
	if room < 1 || area.rows() < 1 {
		return extent{}, false
	}
	if len(s.Shape) == 1 {
		return d.elements(s.Shape[0], area.rows(), room)
	}
	lanes, free := d.get(s.Shape[0]), d.get(s.Shape[1])
	openL, openF := lanes == 0, free == 0
	if openL {
		lanes = d.fit(s.Shape[0], d.cap(s.Shape[0], d.b.some(area.rows(), d.b.lanes)))
	}
	if openF {
		free = d.fit(s.Shape[1], d.cap(s.Shape[1], d.b.some(room, d.b.frees)))
	}
	if s.Shape[0] == s.Shape[1] && openL && openF { // a square
		n := min(lanes, free)
		lanes, free = n, n
	}
	if openF && d.folds > 0 {
		return d.folded(lanes, free), true
	}
	return tileOf(lanes, free), true
}

// fit bounds n, which an open letter is about to stand for, so that no operand that names the letter beside a known one grows past the
// program's tiles: the sizes of two inputs multiply in what a matmul writes.
func (d *draft) fit(letter byte, n int) int {
	if n <= minFree { // there is room for that everywhere
		return n
	}
	others := shapesOf[d.row.Op].beside[letter-'*']
	for i := range len(others) {
		if other := d.get(others[i]); other > 0 {
			n = min(n, d.b.freeOf(other))
		}
	}
	return n
}

// elements draws the extent of an access of which only the number of elements counts.
func (d *draft) elements(letter byte, rows, room int) (extent, bool) {
	n := d.get(letter)
	if n == 0 {
		return tileOf(d.b.some(rows, d.b.lanes), d.b.some(room, d.b.frees)), true
	}
	e := d.shape
	if e.lanes <= rows && e.free() <= room {
		return tileOf(e.lanes, e.free()), true
	}
	for k := min(rows, n); k >= 1; k-- { // fewest elements a lane
		if n%k == 0 {
			return tileOf(k, n/k), n/k <= room
		}
	}
	return extent{}, false
}

// folded splits free elements into pairs of which the instruction folds the innermost ones.
func (d *draft) folded(lanes, free int) extent {
	e := extent{lanes: lanes, n: d.folds}
	left := free
	for i := range d.folds {
		k := min(one(&d.b.Rand, []int{1, 2, 2, 3, 4, 8}), left)
		if i == d.folds-1 && d.b.Bool(0.3) {
			k = min(left, 16)
		}
		e.dims[i], left = k, left/k
	}
	if e.n < len(e.dims) {
		for i := e.n; i > 0; i-- {
			e.dims[i] = e.dims[i-1]
		}
		e.dims[0], e.n = left, e.n+1
		d.bind(d.row.Outs[0].Shape[1], left)
	} else {
		d.bind(d.row.Outs[0].Shape[1], 1)
	}
	return e
}

// some draws how much of n is accessed: all of it, or less.
func (b *builder) some(n int, usual []int) int {
	if !b.on(Partial) || b.Bool(0.6) {
		return n
	}
	if k := one(&b.Rand, usual); k <= n && b.Bool(0.7) {
		return k
	}
	return b.Between(1, n)
}

// find returns a readable slot that fits, preferring late ones; nil if there is none.
func (b *builder) find(n need) *slot {
	count := len(b.slots)
	if count == 0 {
		return nil
	}
	if len(b.loops) > 0 && b.sometimes(Windows, 0.5) {
		if s := b.window(func(s *slot) bool { return b.fits(s, &n) }); s != nil {
			return s
		}
	}
	k := max(b.IntN(count), b.IntN(count))
	for range count {
		if s := b.slots[k]; b.fits(s, &n) {
			return s
		}
		if k--; k < 0 {
			k = count - 1
		}
	}
	return nil
}

// window returns a slot that moves and is right; nil if there is none.
func (b *builder) window(right func(*slot) bool) *slot {
	k := b.IntN(len(b.slots))
	for range b.slots {
		if s := b.slots[k]; len(s.terms) > 0 && right(s) {
			return s
		}
		k = (k + 1) % len(b.slots)
	}
	return nil
}

// fits tells whether a slot offers what is needed.
func (b *builder) fits(s *slot, n *need) bool {
	if !n.mem.Holds(s.loc.Type) || !s.readable() || n.write && !s.writable() {
		return false
	}
	size := s.dtype.Size()
	if n.lanes > s.def.rows() && (n.write || !b.on(Broadcast)) {
		return false
	}
	if s.loc.Type.OnChip() && int64(n.free*size) > b.prog.Arch.SBUFBytes() { // however narrow it is: repeated, it would be longer than a partition
		return false
	}
	if n.free*size > s.def.width() && (n.write || !b.on(Broadcast) || n.lanes == 0) {
		return false
	}
	own := b.flow.of(s.loc).dtype
	return n.types.Has(own) || own == num.Invalid || b.on(Reinterpret)
}

// updated draws an output that the instruction reads too.
func (d *draft) updated(i int) bool {
	s := &d.row.Outs[i]
	n := d.needOf(s)
	n.write = true
	sl := d.b.find(n)
	if sl == nil || d.b.Bool(0.1) {
		if sl = d.b.prepare(n); sl == nil {
			return false
		}
	}
	return d.place(i, s, sl, d.typeIn(sl, n.types), updating)
}
