package gen

import (
	"birfuzz/ir"
	"birfuzz/ir/num"
)

// split says how a tensor is split into pieces of one size, over which loops go: each trip reaches the piece of its number, or one some pieces
// away.
type split struct {
	mem    ir.MemType
	dtype  num.DType
	lanes  int    // rows of a piece
	width  int    // bytes of a row of a piece
	byRows bool   // pieces are rows below each other; otherwise next to each other
	n      int    // loops, 1 or 2
	trips  [2]int // of each
	margin int    // pieces around those of the trips, on both sides and in each dimension
}

// field is a tensor so split.
type field struct {
	split
	slot *slot
}

// splitting draws how the tensors are split over which one or two loops of such bounds go.
func (b *builder) splitting(loops ...bounds) split {
	c := split{mem: ir.SB, dtype: one(&b.Rand, b.common), n: len(loops)}
	if b.Bool(0.3) {
		c.mem, c.byRows = ir.DRAM, b.Bool(0.5)
	}
	unit := 1
	for i, t := range loops {
		c.trips[i], unit = int(t.trips), leastMultiple(unit, int(t.stride))
	}
	c.lanes = min(one(&b.Rand, b.lanes), ir.Partitions/4)
	if c.byRows {
		c.lanes = unit
	}
	c.width = step8 * unit * b.Between(1, 3)
	return c
}

// leastMultiple returns the least common multiple.
func leastMultiple(m, n int) int {
	for k := m; ; k += m {
		if k%n == 0 {
			return k
		}
	}
}

// margins returns the split with so many pieces around those of the trips.
func (c split) margins(n int) split {
	c.margin = n
	return c
}

// in returns the split for another memory, with pieces of the same shape. On chip no row but a few may be the first of an access.
func (c split) in(m ir.MemType) split {
	c.mem = m
	c.byRows = c.byRows && !m.OnChip()
	return c
}

// pieces returns how many pieces there are.
func (c *split) pieces() int {
	n := 1
	for _, t := range c.trips[:c.n] {
		n *= t + 2*c.margin
	}
	return n
}

// size returns the rows and the elements a row of the whole tensor.
func (c *split) size() (rows, free int) {
	if c.byRows {
		return c.lanes * c.pieces(), c.width / c.dtype.Size()
	}
	return c.lanes, c.width * c.pieces() / c.dtype.Size()
}

// bank tells whether a row of the whole tensor fits into a bank of PSUM.
func (c *split) bank() bool {
	_, free := c.size()
	return free*c.dtype.Size() <= ir.PSUMBankBytes
}

// fieldOf returns the field that a slot is.
func (b *builder) fieldOf(c split, s *slot) *field {
	f := b.fields.next()
	*f = field{c, s}
	return f
}

// given returns a field that the host fills, nil when there are enough.
func (b *builder) given(c split) *field {
	rows, free := c.size()
	x := b.newInput(rows, free, c.dtype)
	if x == nil {
		return nil
	}
	c.mem = ir.DRAM
	return b.fieldOf(c, x)
}

// empty returns a field that nobody has written: the program's own, or in DRAM now and then a result.
func (b *builder) empty(c split) *field {
	rows, free := c.size()
	var s *slot
	if c.mem == ir.DRAM && !b.on(Shards) && b.Bool(0.5) {
		s = b.newOutput(rows, free, c.dtype)
	} else {
		s = b.aside(c.mem, rows, free*c.dtype.Size(), c.dtype)
	}
	s.fixed, s.hidden = true, true
	return b.fieldOf(c, s)
}

// full returns a field with values in all of its pieces, nil if there is no way to give it any.
func (b *builder) full(c split) *field {
	x := b.given(c)
	if x == nil {
		return nil
	}
	f := b.empty(c)
	if !b.put(x.slot, f.slot, nil) && (c.mem != ir.PSUM || b.refill(f.slot, nil) == nil) { // no DMA may lead there
		return nil
	}
	if !f.slot.def.has(f.slot.all()) {
		return nil
	}
	return f
}

// complete records that every piece is written, by trips of which each has pieces of its own.
func (f *field) complete() { f.slot.def, f.slot.scattered = f.slot.all(), false }

// release lets other instructions find the tensors. Those that are wholly written may be read.
func (b *builder) release(list ...*field) {
	for _, f := range list {
		f.slot.release()
	}
}

// at returns a window over the piece that each trip of the loops reaches, moved by so many pieces in each dimension. Loops of any bounds reach
// the same pieces: strides count as one piece.
func (b *builder) at(f *field, loops []*ir.Loop, shift ...int) *slot {
	w, s := b.scratch.slot(), f.slot
	*w = slot{loc: s.loc, root: s.root, rows: s.rows, width: f.width, dtype: s.dtype}
	step := int64(f.width)
	if f.byRows {
		step, w.rows = int64(f.lanes)*s.loc.RowBytes, f.lanes
	}
	w.def, w.terms = w.all(), b.terms.take(f.n)[:0]
	for i := f.n - 1; i >= 0; i-- {
		l, first := loops[i], int64(f.margin)
		if i < len(shift) {
			first += int64(shift[i])
		}
		coef := step / l.Stride
		w.base += first*step - coef*l.LB
		if coef != 0 { // of one trip, whatever the stride
			w.terms = append(w.terms, ir.Term{Kind: ir.AxisTerm, Axis: l, Coef: coef})
		}
		step *= int64(f.trips[i] + 2*f.margin)
	}
	return w
}

// apply draws an instruction that computes one piece from others of its shape, elementwise or, of the first alone, unchanged. It reports false
// if no row of the op table does.
func (b *builder) apply(pred []ir.Predicate, to *slot, from ...*slot) bool {
	if to.loc.Type.OnChip() && len(b.rows.elem) > 0 {
		for range 3 {
			if b.computed(one(&b.Rand, b.rows.elem), pred, to, from) {
				return true
			}
		}
	}
	return b.lay(from[0], to, to.def, pred)
}

// computed draws an instruction of an elementwise row.
func (b *builder) computed(row *ir.Spec, pred []ir.Predicate, to *slot, from []*slot) bool {
	if b.depth >= maxDepth || row.Engines[b.prog.Arch] == 0 {
		return false
	}
	d := b.draft(row)
	defer b.drafted()
	if !d.settings() || !d.engine() {
		return false
	}
	d.guarded, d.in.Pred = false, pred
	reads := 0
	for i := range row.Ins {
		s, at := &row.Ins[i], int(d.in.NOut)+i
		switch {
		case s.Opt && !d.owed(i):
			d.in.Args = d.in.Args[:at]
		case s.Role == ir.Scalar:
			if !d.immediate(i) {
				return false
			}
			continue
		default:
			if !d.on(at, s, from[reads%len(from)], reading) {
				return false
			}
			reads++
			continue
		}
		break
	}
	return d.on(0, &row.Outs[0], to, updating) && d.fills(to) && d.apart() && d.defined() && d.late() && b.commit(d)
}

// fills tells whether the first output is all of the piece: who draws it counts on that.
func (d *draft) fills(to *slot) bool {
	t := &d.touched[0]
	return t.dense && t.rect == to.def
}

// on makes argument at an access of the slot in the slot's type.
func (d *draft) on(at int, s *ir.OperandSpec, sl *slot, u use) bool {
	if !(s.Mem & d.in.Engine.Reaches()).Holds(sl.loc.Type) || !s.Types.Has(sl.dtype) || d.force != 0 && !d.force.Has(sl.dtype) {
		return false
	}
	return d.place(at, s, sl, sl.dtype, u)
}
