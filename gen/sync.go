package gen

import "birfuzz/ir"

// semaphores is what a core's semaphores hold at least when the next instruction runs in program order.
type semaphores struct {
	ids  []int64
	held []int64
}

// signal draws an instruction that updates semaphores and waits only for what they hold.
func (b *builder) signal() {
	if len(b.rows.sync) == 0 {
		return
	}
	b.nameSemaphores()
	in := b.bare(one(&b.Rand, b.rows.sync))
	b.post(in)
	b.emit(in)
}

// nameSemaphores draws which semaphores the core uses, once.
func (b *builder) nameSemaphores() {
	s := &b.sems
	if len(s.ids) > 0 {
		return
	}
	for range b.Between(1, 4) {
		s.ids = append(s.ids, int64(len(s.ids))*60+int64(b.IntN(60)))
		s.held = append(s.held, 0)
	}
}

// post gives an instruction waits for what semaphores hold, and updates.
func (b *builder) post(in *ir.Inst) {
	s := &b.sems
	k := b.IntN(len(s.ids))
	if b.Bool(0.6) && (s.held[k] > 0 || b.Bool(0.2)) {
		in.Wait = append(in.Wait, ir.Sem{ID: s.ids[k], Value: int64(b.IntN(int(s.held[k]) + 1))})
	}
	if len(in.Wait) == 0 || b.Bool(0.5) {
		k, v := b.IntN(len(s.ids)), int64(b.Between(1, 3))
		in.Update = append(in.Update, ir.Sem{ID: s.ids[k], Value: v})
		if len(b.loops) == 0 { // in a loop it may happen any number of times
			s.held[k] += v
		}
	}
}

// ticket gives an instruction that computes waits and updates, where it surely runs.
func (b *builder) ticket(in *ir.Inst) {
	if len(in.Args) > 0 && len(in.Pred) == 0 && !in.HasSync() && in.Spec().Effect == ir.Pure && !b.parallel() && !b.long() {
		b.nameSemaphores()
		b.post(in)
	}
}

// barrier draws another fence of one core, or now and then an instruction that does nothing.
func (b *builder) barrier() {
	if len(b.rows.local) == 0 {
		return
	}
	row := one(&b.Rand, b.rows.local)
	if len(b.rows.idle) > 0 && b.Bool(0.2) {
		row = one(&b.Rand, b.rows.idle)
	}
	if row.Sync() == ir.SyncResets {
		if len(b.loops) > 0 { // what later trips wait for would be gone
			return
		}
		clear(b.sems.held)
	}
	b.emit(b.bare(row))
}

// bare returns an instruction without operands on one of its engines.
func (b *builder) bare(row *ir.Spec) *ir.Inst {
	in := b.insts.one()
	list := row.Engines[b.prog.Arch].List()
	*in = ir.Inst{Op: row.Op, Engine: one(&b.Rand, list)}
	if b.Bool(0.2) {
		in.Engine = ir.Unassigned
	}
	return in
}
