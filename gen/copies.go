package gen

import "birfuzz/ir"

// put emits a transfer of all that is written of one slot to the same rows and bytes of another, which has rows of the same length; under
// predicates if there are any. It reports false if no row of the op table does it.
func (b *builder) put(from, to *slot, pred []ir.Predicate) bool {
	t := from.dtype
	if b.depth >= maxDepth || from.loc.RowBytes != to.loc.RowBytes || from.def.c0%t.Size() != 0 || from.def.width()%t.Size() != 0 {
		return false
	}
	k := b.IntN(len(rows.move))
	for range rows.move {
		row := rows.move[k]
		k = (k + 1) % len(rows.move)
		if row.Lanewise || row.Engines[b.prog.Arch] == 0 || !row.Ins[0].Types.Has(t) {
			continue
		}
		if row.Ins[0].Mem.Holds(from.loc.Type) && row.Outs[0].Mem.Holds(to.loc.Type) && b.transfer(row, from, to, pred) {
			return true
		}
	}
	return false
}

func (b *builder) transfer(row *ir.Spec, from, to *slot, pred []ir.Predicate) bool {
	d := &b.drafts[b.depth]
	b.depth++
	defer func() { b.depth-- }()
	d.start(b, row)
	if !d.settings() || !d.engine() {
		return false
	}
	d.guarded = false
	if reach := d.in.Engine.Reaches(); !reach.Holds(from.loc.Type) || !reach.Holds(to.loc.Type) {
		return false
	}
	w, ok := b.access(&d.args[1], from, tileOf(from.def.rows(), from.def.width()/from.dtype.Size()), from.dtype, reading, false)
	if !ok || w.rect != from.def || d.args[1].AP[0].Step == 0 {
		return false
	}
	d.args[0], d.touched[0], d.touched[1] = d.args[1], w, w
	d.args[0].Loc, d.touched[0].slot = to.loc, to
	d.in.Pred = pred
	return d.late() && b.commit(d)
}

// steady tells whether the slot is all of a location of this core's own, that is written and nobody relies on.
func (s *slot) steady() bool {
	return s.readable() && len(s.terms) == 0 && s.part == nil && !s.given() && !s.root.frozen && !s.root.busy && s.loc.Set.Space == ir.Local
}

// pick returns a slot that is right, preferring late ones; nil if there is none.
func (b *builder) pick(right func(*slot) bool) *slot {
	count := len(b.slots)
	if count == 0 {
		return nil
	}
	k := max(b.IntN(count), b.IntN(count))
	for range count {
		if s := b.slots[k]; right(s) {
			return s
		}
		if k--; k < 0 {
			k = count - 1
		}
	}
	return nil
}

// inDRAM returns scratch DRAM that is written, made from an input where there is none.
func (b *builder) inDRAM() *slot {
	if s := b.pick(func(s *slot) bool { return s.loc.Set.Kind == ir.Internal && s.loc.Type.IsDRAM() && s.steady() }); s != nil && b.Bool(0.7) {
		return s
	}
	lanes, free := b.sizes(0, 0)
	x := b.source(lanes, free, one(&b.Rand, b.common))
	if x == nil {
		return nil
	}
	s := b.newScratch(x.rows, x.width/x.dtype.Size(), x.dtype)
	if !b.put(x, s, nil) {
		return nil
	}
	return s
}

// copyWithin draws copies inside DRAM that change nothing, or would not if nothing came between.
func (b *builder) copyWithin() {
	if b.left < 5 {
		return
	}
	s := b.inDRAM()
	if s == nil || !s.steady() {
		return
	}
	switch b.Pick([]int{2, 3, 3}) {
	case 0: // onto itself
		to := s.root
		for to.twin != nil && b.Bool(0.6) {
			to = to.twin
		}
		b.put(s, to, nil)
	case 1: // and again, or back
		if u := b.like(s); b.put(s, u, nil) {
			b.between()
			b.again(s, u)
		}
	default: // of what is not written any more
		u := b.like(s)
		if !b.put(s, u, nil) {
			return
		}
		if len(b.loops) == 0 && b.Bool(0.8) {
			s.root.readOnly, u.readOnly = true, true
		}
		if b.left > b.reserve {
			b.moved(u, ir.InSB|ir.InDRAM, u.dtype)
		}
	}
}

// again repeats the transfer from s to u, or takes it back.
func (b *builder) again(s, u *slot) {
	if b.left < 1 || !s.steady() || !u.steady() {
		return
	}
	if b.Bool(0.5) && s.writable() {
		b.put(u, s, nil)
		return
	}
	b.put(s, u, nil)
}

// between draws an unrelated instruction now and then.
func (b *builder) between() {
	if b.left > 3 && b.Bool(0.4) {
		b.draw()
	}
}

// spill saves a tile to DRAM and loads it again, as an allocator that ran out of room would; what comes between may have changed it.
func (b *builder) spill() {
	if b.left < 4 {
		return
	}
	s := b.pick(func(s *slot) bool { return s.loc.Type == ir.SB && s.steady() && s.writable() })
	if s == nil {
		return
	}
	u := b.like(s)
	if !b.put(s, u, nil) {
		return
	}
	b.between()
	if s.steady() && s.writable() && u.steady() && b.put(u, s, nil) && b.left > 2 && b.Bool(0.4) {
		b.between()
		b.again(s, u)
	}
}
