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
	b.farSemaphore()
}

// post gives an instruction waits for what semaphores hold, and updates.
func (b *builder) post(in *ir.Inst) {
	s := &b.sems
	k := b.IntN(len(s.ids))
	if b.Bool(0.6) && (s.held[k] > 0 || b.Bool(0.2)) {
		in.Wait = b.semas.list(ir.Sem{ID: s.ids[k], Value: int64(b.IntN(int(s.held[k]) + 1))})
	}
	if len(in.Wait) == 0 || b.Bool(0.5) {
		k := b.IntN(len(s.ids))
		v := b.farUpdate(s.held[k], int64(b.Between(1, 3)))
		in.Update = b.semas.list(ir.Sem{ID: s.ids[k], Value: v})
		if len(b.loops) == 0 { // in a loop it may happen any number of times
			s.held[k] += v
		}
	}
}

// maxTickets bounds programs whose instructions wait for each other: their schedules are many.
const maxTickets = 300

// tickets makes the program Synced: each instruction takes a ticket of one semaphore, and gives out the next when it is complete. Whoever
// knows anyway that the one before is complete need not wait. That can be said only of one core's straight line, where nothing else has to do
// with semaphores: a wait does not grow with the trips of a loop.
func (b *builder) tickets() {
	if len(b.prog.Cores) > 1 || b.prog.NumInsts() > maxTickets || b.prog.Facts.Has(ir.Deps) {
		return
	}
	for in := range b.prog.Insts {
		if in.Loop != nil || len(in.Pred) > 0 || in.HasSync() || in.Spec().Effect != ir.Pure {
			return
		}
	}
	r := b.fork("tickets")
	id, taken := int64(r.IntN(ir.NumSemaphores)), int64(0)
	var last *ir.Inst
	for in := range b.prog.Insts {
		if known := last == nil || inTurn(last, in, b.prog.Arch); !known || r.Bool(0.5) {
			in.Wait = b.semas.list(ir.Sem{ID: id, Value: taken})
		}
		taken++
		in.Update = b.semas.list(ir.Sem{ID: id, Value: 1})
		last = in
	}
	b.prog.Facts |= ir.Synced
}

// inTurn tells whether an engine issues b only when a, which it has issued before, is complete: a transfer is not.
func inTurn(a, b *ir.Inst, arch ir.Arch) bool {
	return a.Engine == b.Engine && a.Engine != ir.Unassigned && !a.Transfers(arch)
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
