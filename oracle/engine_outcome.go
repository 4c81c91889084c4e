package oracle

import (
	"cmp"
	"slices"

	"birfuzz/ir"
)

// orderOf returns the order in which a program runs that its facts ask for (semantics §2). By edges it would run in any order with the same
// result, so it runs in order.
func orderOf(p *ir.Program) Schedule {
	if p.Facts.Has(ir.Synced) {
		return Schedule{kind: asEngines}
	}
	return Schedule{}
}

// orderOf returns the order of the run.
func (w *runWay) orderOf(p *ir.Program) Schedule {
	if w.order.kind != programOrder {
		return w.order
	}
	return orderOf(p)
}

// inProgramOrder puts the fences of a run that was not in order into program order, core by core, and counts for every access to visible
// memory those that stand before it in program order: which engine was ahead when the fence of another one was executed is no part of the
// meaning. Where a fault ended the run, what stands behind the first instance that is not complete is left out, as in a run in order.
func (o *outcome) inProgramOrder(m *Machine) {
	if m.way.Schedule.kind == programOrder || o.crowded {
		return
	}
	behind := func(core, rank int32) bool { return rank > m.cores[core].thread.rank }
	slices.SortStableFunc(o.fences, compareFenceEvents)
	o.fences = slices.DeleteFunc(o.fences, func(e fenceEvent) bool { return behind(e.core, e.rank) })
	o.touches = slices.DeleteFunc(o.touches, func(t touch) bool { return behind(t.core, t.rank) })
	for i := range o.touches {
		t := &o.touches[i]
		lo, _ := slices.BinarySearchFunc(o.fences, fenceEvent{core: t.core}, compareFenceEvents)
		hi, _ := slices.BinarySearchFunc(o.fences, fenceEvent{core: t.core, rank: t.rank + 1}, compareFenceEvents)
		t.interval = int32(hi - lo)
	}
}

func compareFenceEvents(a, b fenceEvent) int {
	return cmp.Or(cmp.Compare(a.core, b.core), cmp.Compare(a.rank, b.rank))
}
