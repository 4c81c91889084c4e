package gen

import "birfuzz/ir"

// put emits a transfer of all that is written of one slot to the same rows and bytes of another, which has rows of the same length; under
// predicates if there are any. It reports false if no row of the op table does it.
func (b *builder) put(from, to *slot, pred []ir.Predicate) bool {
	return from.loc.RowBytes == to.loc.RowBytes && b.lay(from, to, from.def, pred)
}

// lay emits a transfer of all that is written of one slot to a rectangle of another; under predicates if there are any. It reports false if no
// row of the op table does it.
func (b *builder) lay(from, to *slot, at rect, pred []ir.Predicate) bool {
	t, size := from.dtype, from.dtype.Size()
	if b.depth >= maxDepth || from.def.empty() || from.def.c0%size != 0 || from.def.width()%size != 0 || at.c0%size != 0 || !to.divides(int64(size)) {
		return false
	}
	k := b.IntN(len(b.rows.move))
	for range b.rows.move {
		row := b.rows.move[k]
		k = (k + 1) % len(b.rows.move)
		if row.Lanewise || row.Engines[b.prog.Arch] == 0 || !row.Ins[0].Types.Has(t) {
			continue
		}
		if row.Ins[0].Mem.Holds(from.loc.Type) && row.Outs[0].Mem.Holds(to.loc.Type) && b.transfer(row, from, to, at, pred) {
			return true
		}
	}
	return false
}

func (b *builder) transfer(row *ir.Spec, from, to *slot, at rect, pred []ir.Predicate) bool {
	d := b.draft(row)
	defer b.drafted()
	if !d.settings() || !d.engine() {
		return false
	}
	d.guarded = false
	if reach := d.in.Engine.Reaches(); !reach.Holds(from.loc.Type) || !reach.Holds(to.loc.Type) {
		return false
	}
	size := from.dtype.Size()
	w, ok := b.access(&d.args[1], from, tileOf(from.def.rows(), from.def.width()/size), from.dtype, reading, false)
	if !ok || w.rect != from.def || d.args[1].AP[0].Step == 0 {
		return false
	}
	pitch := int(to.loc.RowBytes) / size
	d.args[0], d.touched[0], d.touched[1] = d.args[1], touch{to, at, w.dense}, w
	d.args[0].Loc, d.args[0].Off = to.loc, b.offset(to, at.r0*pitch+at.c0/size, size)
	d.args[0].AP[0].Step = int32(pitch)
	d.in.Pred = pred
	return d.late() && b.commit(d)
}

// cut returns a slot for a part of a slot, as if that alone were written. It is nobody's but the caller's.
func (b *builder) cut(s *slot, part rect) *slot {
	c := b.scratch.slot()
	*c = *s
	c.def = part
	return c
}

// steady tells whether the slot is all of a location of this core's own, that is written and nobody relies on.
func (s *slot) steady() bool { return s.readable() && s.free() }

// free tells whether the slot is all of a location of this core's own, on whose values, if it has any, nobody relies.
func (s *slot) free() bool {
	return !s.hidden && len(s.terms) == 0 && s.part == nil && !s.given() && !s.root.frozen && !s.root.busy && s.loc.Set.Space == ir.Local
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
	switch b.Pick([]int{2, 3, 3, 1}) {
	case 0: // onto itself
		b.put(s, b.sameStorage(s), nil)
	case 1: // and again, or back
		if u := b.like(s); b.once(s, u) {
			b.between(s, u)
			b.again(s, u)
		}
	case 2: // to other rows
		if k := s.def.rows() / 2; k > 0 {
			from, to := s.def, s.def
			from.r1, to.r0, to.r1 = from.r0+k, from.r0+k, from.r0+2*k
			b.lay(b.cut(s, from), s.root, to, nil)
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

// sameStorage returns another slot of the storage, or of what may be one with it; or the slot itself.
func (b *builder) sameStorage(s *slot) *slot {
	to := s.root
	for to.twin != nil && b.Bool(0.6) {
		to = to.twin
	}
	if to.twin == nil && b.on(MayAliases) && len(s.loc.Alias) > 0 {
		whole := func(r *slot) bool { // and no window
			return r.root == s.root && r.loc == s.loc.Alias[0].Loc && len(r.terms) == 0 && r.base == 0
		}
		if r := b.pick(whole); r != nil {
			return r
		}
	}
	return to
}

// once draws the transfer that is to be repeated; now and then it may not run, and other values stand there.
func (b *builder) once(s, u *slot) bool {
	if b.left < 5 || !b.sometimes(Predicates, 0.3) {
		return b.put(s, u, nil)
	}
	b.overwrite(u)
	return u.def.has(s.def) && b.put(s, u, b.predicates())
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

// between draws an unrelated instruction now and then, or one that writes to a side of the transfer.
func (b *builder) between(s, u *slot) {
	switch {
	case b.left < 4 || b.Bool(0.4):
	case b.Bool(0.5):
		b.draw()
	case b.Bool(0.5) && s.writable():
		b.overwrite(s)
	default:
		b.overwrite(u)
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
	if !b.once(s, u) {
		return
	}
	b.cover(s)
	b.between(s, u)
	if s.free() && s.writable() && u.steady() && b.put(u, s, nil) && b.left > 2 && b.Bool(0.4) {
		b.between(s, u)
		b.again(s, u)
	}
}

// cover puts another tile in the place of a saved one, for as long as it takes to use it. The saved tile then holds nothing.
func (b *builder) cover(s *slot) {
	if !s.loc.Allocated || len(b.loops) > 0 || b.left < 6 || !b.sometimes(Overlays, 0.8) {
		return
	}
	x := b.newInput(s.rows, s.width/s.dtype.Size(), s.dtype)
	if x == nil {
		return
	}
	t := b.internal(ir.SB, s.rows, s.width, s.dtype)
	t.loc.Allocated, t.loc.Addr, t.loc.Base = true, s.loc.Addr, s.loc.Base
	b.flow.root[t.loc.ID] = b.flow.root[s.loc.ID]
	s.fixed, t.fixed = true, true
	if b.put(x, t, nil) {
		b.moved(t, ir.InDRAM, t.dtype)
		b.lose(s)
	}
	t.hidden = true
}

// lose records that nothing is left of what stood in the storage of a slot, through whatever window it was seen.
func (b *builder) lose(s *slot) {
	for _, w := range b.slots {
		if w.root == s.root {
			w.def = rect{}
		}
	}
}
