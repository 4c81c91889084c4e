package oracle

import "slices"

// What a judge keeps from one program for the next is bounded: a rare program with much memory, or with many fences around it, would else hold
// what it needed for as long as the judge lives. Programs as campaigns draw them stay far below the bounds, so that nothing is made anew for
// them.
const (
	maxIdleOutcome = 4 << 20  // bytes of what a run showed
	maxIdleLab     = 16 << 20 // bytes of a machine's memory and its shadow
)

// slim lets go of what is beyond the bounds. Nothing of a chain is needed any more.
func (j *Judge) slim() {
	for g := range j.spare {
		j.spare[g] = slices.DeleteFunc(j.spare[g], func(o *outcome) bool { return o.held() > maxIdleOutcome })
	}
	if j.kept.held() > maxIdleLab {
		j.kept = newCellLab()
	}
	if j.steps.held() > maxIdleLab {
		j.steps = newCellLab()
	}
	if j.elems.held() > maxIdleLab {
		j.elems = newElementLab()
	}
	if j.twin != nil && j.twin.held() > maxIdleLab {
		j.twin = nil
	}
}

// Bytes an element, about: the bounds need no more.
const (
	eventBytes  = 80 // of fences, touches, shots and used accumulations
	nodeBytes   = 16 // of members, and of entries of a wordMap
	shadowBytes = 28 // of a unit
	cellBytes   = 64
)

// held returns the bytes that an outcome holds, used or not.
func (o *outcome) held() int {
	events := cap(o.fences) + cap(o.touches) + cap(o.shots) + cap(o.used.list)
	nodes := cap(o.syncs) + cap(o.used.nodes) + cap(o.used.set.keys) + cap(o.members.keys) + cap(o.bases.keys)
	return cap(o.bytes) + 8*cap(o.origins) + eventBytes*events + nodeBytes*nodes
}

// held returns the bytes that a lab holds for memory and shadow.
func (b *lab) held() int {
	n := cap(b.machine.arena)
	if t := b.elems; t != nil {
		return n + shadowBytes*cap(t.shadow) + 8*(cap(t.races)+cap(t.readers))
	}
	all := b.cells.grids[:cap(b.cells.grids)] // those of larger programs too
	for i := range all {
		n += cellBytes * cap(all[i].cells)
	}
	return n
}
