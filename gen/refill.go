package gen

import "birfuzz/ir"

// drawRefill puts the same constants down twice. The first time may be under a condition, and between the two the tile may be read, or written.
func (b *builder) drawRefill() {
	if b.room() < 6 || b.parallel() {
		return
	}
	lanes, free := b.sizes(0, 0)
	x := b.newInput(min(lanes, ir.Partitions), free, one(&b.Rand, b.common))
	if x == nil {
		return
	}
	s := b.aside(ir.SB, x.rows, x.width, x.dtype)
	if !b.put(x, s, nil) {
		return
	}
	if b.roomy(6) && b.Bool(0.6) {
		t := b.runs()
		b.within(func(loops []*ir.Loop) { b.twice(s, x, when(loops[0], ir.Cmp(b.IntN(int(ir.NumCmps))))) }, t)
	} else {
		b.twice(s, x, nil)
	}
	s.release()
	if b.room() > 0 {
		b.moved(s, ir.InSB|ir.InDRAM, s.dtype)
	}
}

// twice fills a tile, the first time under a condition if there is any, and again.
func (b *builder) twice(s, x *slot, pred []ir.Predicate) {
	if b.Bool(0.3) {
		pred = nil
	}
	in := b.refill(s, pred)
	if in == nil {
		return
	}
	switch b.IntN(4) {
	case 0:
		if b.left > 2 {
			b.moved(s, ir.InSB|ir.InDRAM, s.dtype)
		}
	case 1:
		if part := s.all(); b.left > 2 {
			part.r1 = (part.r1 + 1) / 2
			b.lay(b.cut(x, part), s, part, nil)
		}
	}
	if b.left > 0 {
		b.emitAgain(in)
	}
}

// refill fills all of a tile that is there with constants; nil if no row of the op table does it.
func (b *builder) refill(s *slot, pred []ir.Predicate) *ir.Inst {
	k := b.IntN(len(b.rows.fill))
	for range b.rows.fill {
		row := b.rows.fill[k]
		k = (k + 1) % len(b.rows.fill)
		if row.Engines[b.prog.Arch] != 0 && b.depth < maxDepth && b.filledBy(row, s, pred) {
			return b.block.Insts[len(b.block.Insts)-1]
		}
	}
	return nil
}

// filledBy draws a fill of a row.
func (b *builder) filledBy(row *ir.Spec, s *slot, pred []ir.Predicate) bool {
	d := b.draft(row)
	defer b.drafted()
	if !d.settings() || !d.engine() {
		return false
	}
	d.guarded, d.in.Pred = false, pred
	return d.on(0, &row.Outs[0], s, filling) && d.late() && b.commit(d)
}

// emitAgain draws an instruction again, without a condition. It writes no more than what is written.
func (b *builder) emitAgain(in *ir.Inst) { b.emit(b.copyOf(in)) }

// copyOf returns what an instruction does without a condition, as one that has no name yet.
func (b *builder) copyOf(in *ir.Inst) *ir.Inst {
	c := b.insts.one()
	*c = ir.Inst{Op: in.Op, Engine: in.Engine, Queue: in.Queue, NOut: in.NOut, Args: b.args.take(len(in.Args)), Params: b.params.take(len(in.Params))}
	copy(c.Args, in.Args)
	copy(c.Params, in.Params)
	return c
}
