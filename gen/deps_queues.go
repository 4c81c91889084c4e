package gen

import (
	"slices"

	"birfuzz/ir"
)

// queues knows of a list of instructions, one after the other, which of those not far before each it waits for: by the edges that the list has
// been given, by the queues of its engine, by fences, and by all of them. What may be skipped orders nothing else, and loops count as nothing.
type queues struct {
	list  []*ir.Inst
	arch  ir.Arch
	rows  []before64 // by instruction
	all   past       // who waits for everybody
	work  [ir.NumEngines]past
	sent  [ir.NumEngines]past // transfers in the engine's own queue
	fence past                // who touches visible memory
	shown past                // the next fence
	later before64            // of the instructions before the one at hand, which wait for it from trip to trip
}

// before64 is a set of the 64 instructions before one: bit k is the k-th, counted backwards from the one just before it.
type before64 uint64

// past is what the next in a queue waits for, as seen from one place in the list.
type past struct {
	at  int32
	set before64
}

// from returns the set as it is seen from a later place.
func (p past) from(at int32) before64 { return p.set << (at - p.at) }

// begin starts with a list.
func (q *queues) begin(list []*ir.Inst, arch ir.Arch) {
	*q = queues{list: list, arch: arch, rows: q.rows[:0]}
}

// sure tells whether an instruction of the list runs whenever the list does.
func (q *queues) sure(i int32) bool { return q.list[i].Loop == nil && len(q.list[i].Pred) == 0 }

// advance gives the instructions up to the i-th their rows, of which its own is still open to edges.
func (q *queues) advance(i int32) {
	q.rows = slices.Grow(q.rows, int(i)+1-len(q.rows))
	for k := int32(len(q.rows)); k <= i; k++ {
		if k > 0 {
			q.enter(k - 1)
		}
		q.rows = append(q.rows, q.row(k))
	}
}

// row returns what queues and fences have an instruction wait for.
func (q *queues) row(i int32) before64 {
	in, set := q.list[i], q.all.from(i)
	if in.Loop != nil {
		return set
	}
	if in.Spec().Effect.Fence() {
		set |= q.fence.from(i) | q.shown.from(i)
	} else if shows(in) {
		set |= q.fence.from(i)
	}
	switch {
	case in.Engine == ir.ALL:
		return ^before64(0)
	case in.Engine == ir.Unassigned:
		return set
	}
	set |= q.work[in.Engine].from(i)
	if in.Queue == "" && in.Transfers(q.arch) {
		set |= q.sent[in.Engine].from(i)
	}
	return set
}

// enter puts an instruction, whose row is complete, into its queue, and among those that fences order.
func (q *queues) enter(i int32) {
	in := q.list[i]
	if in.Loop != nil {
		return
	}
	if in.Spec().Effect.Fence() {
		q.next(&q.fence, i)
	} else if shows(in) {
		q.shown = past{i + 1, q.shown.from(i+1) | q.reach(i)}
	}
	switch {
	case in.Engine == ir.ALL:
		q.next(&q.all, i)
	case in.Engine == ir.Unassigned:
	case !in.Transfers(q.arch):
		q.next(&q.work[in.Engine], i)
	case in.Queue == "":
		q.next(&q.sent[in.Engine], i)
	}
}

// next puts an instruction at the end of a queue. It brings along what it waits for itself, or, where it may be skipped, leaves it at what was there.
func (q *queues) next(p *past, i int32) {
	set := q.reach(i)
	if !q.sure(i) {
		set |= p.from(i + 1)
	}
	*p = past{i + 1, set}
}

// reach returns what one who waits for an instruction surely waits for, as seen from the place behind it.
func (q *queues) reach(i int32) before64 {
	if q.sure(i) {
		return q.rows[i]<<1 | 1
	}
	return 1
}

// shows tells whether an instruction touches memory whose accesses fences order (semantics §3).
func shows(in *ir.Inst) bool {
	return slices.ContainsFunc(in.Args, func(o ir.Operand) bool { return o.Loc != nil && o.Loc.Visible() })
}

// waits tells whether an instruction that has a row surely waits for an earlier one, if both run.
func (q *queues) waits(i, on int32) bool { return i-on <= 64 && q.rows[i]>>(i-on-1)&1 != 0 }

// wait notes that it does.
func (q *queues) wait(i, on int32) {
	if q.list[i].Loop != nil || q.list[on].Loop != nil || i-on > 64 {
		return
	}
	q.rows[i] |= 1 << (i - on - 1)
	if q.sure(on) {
		q.rows[i] |= q.rows[on] << (i - on)
	}
}

// waitsLater tells whether an instruction waits, in a later trip, for the one at hand, the i-th, because another one does that it waits for.
func (q *queues) waitsLater(in, i int32) bool {
	return i-in <= 64 && q.list[in].Loop == nil && q.list[i].Loop == nil && q.later>>(i-in)&q.rows[in] != 0
}

// waitLater notes that an instruction waits, in the next trip, for the one at hand.
func (q *queues) waitLater(in, i int32) {
	if i-in <= 64 && q.sure(in) && q.list[i].Loop == nil {
		q.later |= 1 << (i - in - 1)
	}
}
