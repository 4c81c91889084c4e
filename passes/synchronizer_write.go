package passes

import (
	"slices"

	"birfuzz/ir"
)

// syncWriter writes waits and updates down.
type syncWriter struct {
	ctx    *Ctx
	names  *nameSet
	count  int64 // of semaphores so far
	around map[*ir.Inst]ir.Insertion
	lanes  map[syncLane]*syncCount // of the stretch
	info   []syncInfo
}

// syncCount is a semaphore and what it has been raised to.
type syncCount struct{ id, value int64 }

// syncInfo is what an instruction of the program gets.
type syncInfo struct {
	inst         *ir.Inst
	wait, update []ir.Sem
}

// stretch collects what the instructions of a stretch get.
func (w *syncWriter) stretch(s *syncStretch) {
	clear(w.lanes)
	raises := make([]bool, len(s.nodes))
	for i := range s.nodes {
		for _, j := range s.nodes[i].waits {
			raises[j] = true
		}
	}
	reached := make([]ir.Sem, len(s.nodes)) // what says that a node is complete
	for i, in := range s.insts {
		var wait []ir.Sem
		for _, j := range s.nodes[i].waits {
			wait = append(wait, reached[j])
		}
		x := ir.Insertion{}
		info := syncInfo{inst: in}
		info.wait, x.Before = w.fit(in, wait)
		switch {
		case s.stuck(i):
			x = w.halt(&s.nodes[i], in) // nobody waits for it by a semaphore, nor it
		case raises[i]:
			reached[i] = w.raise(syncLaneOf(in, s.arch))
			update := []ir.Sem{{ID: reached[i].ID, Value: 1}}
			if len(in.Pred) == 0 {
				info.update = update
				break
			}
			x.After = []*ir.Inst{w.behind(in, update, s.arch)}
		}
		w.info = append(w.info, info)
		if x.Before != nil || x.After != nil {
			w.around[in] = x
		}
	}
}

// raise adds 1 to the semaphore of a lane and returns what it has come to.
func (w *syncWriter) raise(l syncLane) ir.Sem {
	c := w.lanes[l]
	if c == nil {
		c = &syncCount{id: w.fresh()}
		w.lanes[l] = c
	}
	c.value++
	return ir.Sem{ID: c.id, Value: c.value}
}

func (w *syncWriter) fresh() int64 {
	w.count++
	return w.count - 1
}

// fit splits waits into those that an instruction has room for, and carriers in front of it. Those of an engine run before it anyway; what has
// no engine must wait for its carriers, each of which waits for one more.
func (w *syncWriter) fit(in *ir.Inst, wait []ir.Sem) (own []ir.Sem, before []*ir.Inst) {
	room := ir.MaxWaits
	if len(in.Pred) > 0 {
		room = 0
	}
	for len(wait) > room {
		n := min(ir.MaxWaits, len(wait))
		x := newFence("EventSemaphore", w.names.fresh(in.Name+"_wait"), in.Engine)
		x.Wait, wait = wait[:n:n], wait[n:]
		if in.Engine == ir.Unassigned {
			done := w.fresh()
			x.Update = []ir.Sem{{ID: done, Value: 1}}
			wait = append(wait, ir.Sem{ID: done, Value: 1})
		}
		before = append(before, x)
	}
	return wait, before
}

// behind returns what says, behind an instruction under a predicate, that it is complete or was not there.
func (w *syncWriter) behind(in *ir.Inst, update []ir.Sem, arch ir.Arch) *ir.Inst {
	op := "EventSemaphore"
	if in.Transfers(arch) {
		op = "Drain"
	}
	x := newFence(op, w.names.fresh(in.Name+"_done"), in.Engine)
	x.Update = update
	return x
}

// halt lets the core stand still around an instruction that no semaphore can have to do with.
func (w *syncWriter) halt(n *syncNode, in *ir.Inst) (x ir.Insertion) {
	if n.halts {
		x.Before = []*ir.Inst{newFence("Drain", w.names.fresh(in.Name+"_wait"), ir.ALL)}
	}
	if n.parts {
		x.After = []*ir.Inst{newFence("Drain", w.names.fresh(in.Name+"_done"), ir.ALL)}
	}
	return x
}

// write changes the program. own are the instructions that had sync_info.
func (w *syncWriter) write(own []*ir.Inst) {
	w.ctx.Edit().Change(func() {
		for _, in := range own {
			in.Wait, in.Update = nil, nil
		}
		for _, x := range w.info {
			x.inst.Wait, x.inst.Update = x.wait, x.update
		}
	})
	for _, f := range w.ctx.Program().Cores {
		for b := range f.AllBlocks {
			w.ctx.Edit().Insert(b, w.around)
		}
	}
	made := map[*ir.Inst]bool{}
	for _, x := range w.around {
		for _, in := range slices.Concat(x.Before, x.After) {
			made[in] = true
		}
	}
	serialise(w.ctx, made)
}
