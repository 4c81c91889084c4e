package oracle

import (
	"fmt"
	"slices"

	"birfuzz/ir"
	"birfuzz/ir/num"
)

// maxRetraced bounds what one run writes down of its origins, in elements, an event being as much as eventElements are. Beyond it nobody is named.
const (
	maxRetraced   = 1 << 22
	eventElements = 8
)

// retrace is an element run that writes down what every instance read and wrote, so that a value can be followed back.
type retrace struct {
	elementTracker
	machine *Machine
	out     outcome
	loops   map[*ir.Inst][]*ir.Loop // around each instruction, outermost first
	events  []event
	fences  []int32 // events before each publishing fence, by its moment
	made    wordSet // origins of all elements written
	by      map[string]int32
	reading event // of the instance that runs
	failed  bool  // the last event is one that came to a fault
	room    int   // elements that may still be written down
	full    bool
}

// event is one instance that ran. Of a collective it is one member's part.
type event struct {
	c      *code
	values []int64    // of the axes around it
	at     []place    // one an operand
	in     [][]uint64 // origins that it read, one list an operand; empty: it did not read that
	how    wrote
	from   int      // wroteCopy: the input
	pick   []int32  // wrotePick
	out    []uint64 // origins of the elements of output 0 when it was written
	bits   []uint64 // and their values
	state  []uint64 // the same of the accumulator, where it was written
	zeroes []zeroed // what it cleared beside
	when   stamp
	peers  []int32 // of a collective: the events of all its members
}

// retraceOf runs a program and writes down what happened; nil where it cannot be run or is too large.
func retraceOf(p *ir.Program, in ir.Values, w runWay, l lens) *retrace {
	return retraceWithin(maxRetraced, p, in, w, l)
}

// retraceWithin is retraceOf with room for that many elements.
func retraceWithin(room int, p *ir.Program, in ir.Values, w runWay, l lens) *retrace {
	t := &retrace{loops: map[*ir.Inst][]*ir.Loop{}, by: map[string]int32{}, room: room}
	for _, f := range p.Cores {
		t.nests(f.Blocks, nil)
	}
	t.machine = newMachine(t)
	if t.machine.Prepare(p, Layout{Joined: w.joined, MaxBytes: DefaultMaxBytes / 2}) != nil || t.machine.size/l.unit > maxShadow/2 {
		return nil
	}
	t.observe(elementGrain, l, &t.out)
	t.whole = true
	b := lab{machine: t.machine, watch: &t.watcher}
	way := Way{Downward: w.down, Clear: true, Schedule: w.orderOf(p), Racy: w.order.kind != programOrder}
	if b.run(in, way, &t.out) != nil || t.full {
		return nil
	}
	for i := range t.events {
		e := &t.events[i]
		t.by[t.key(e)] = int32(i) // where an instruction runs twice in one iteration, by several cores, the key tells them apart
	}
	return t
}

// nests notes the loops around every instruction.
func (t *retrace) nests(bs []*ir.Block, around []*ir.Loop) {
	for _, b := range bs {
		for _, in := range b.Insts {
			t.loops[in] = around
			if in.Loop != nil {
				t.nests(in.Loop.Blocks, append(around[:len(around):len(around)], in.Loop))
			}
		}
	}
}

// instance returns the instance that an event is.
func (t *retrace) instance(e *event) *instance {
	return &instance{in: e.c.inst, loops: t.loops[e.c.inst], values: e.values, shard: int64(e.c.core)}
}

// key is equal for the instances before and after a pass that stand for one.
func (t *retrace) key(e *event) string { return fmt.Sprint(e.c.core, " ", t.instance(e).name()) }

// spend counts words to be written down; false: there is no room.
func (t *retrace) spend(n int) bool {
	t.room -= n
	t.full = t.full || t.room < 0
	return !t.full
}

// before implements tracker.
func (t *retrace) before(c *code, at []place) *Fault {
	if f := t.elementTracker.before(c, at); f != nil {
		t.events, t.failed = append(t.events, t.read(c, at, t.found(c, at))), true
		return f
	}
	t.reading = t.read(c, at, t.in)
	return nil
}

// found returns what an instance that comes to a fault would have read.
func (t *retrace) found(c *code, at []place) [][]uint64 {
	in := make([][]uint64, len(at))
	for k := range at {
		if at[k].acc.st != nil && k >= c.nout {
			in[k] = t.gather(nil, c.core, &at[k], "")
		}
	}
	return in
}

// read begins an event: what is in the operands' lists was read just now. Where there is no room, none of that is kept.
func (t *retrace) read(c *code, at []place, in [][]uint64) event {
	if !t.spend(eventElements) {
		return event{c: c}
	}
	e := event{c: c, at: slices.Clone(at), when: t.now(c.core), values: slices.Clone(t.m.cores[c.core].thread.axes[:len(t.loops[c.inst])])}
	for k := range at {
		var list []uint64
		if k < len(in) && t.spend(len(in[k])) {
			list = slices.Clone(in[k])
		}
		e.in = append(e.in, list)
	}
	return e
}

// cleared implements tracker.
func (t *retrace) cleared(c *code, list []zeroed) {
	t.elementTracker.cleared(c, list)
	t.reading.zeroes = slices.Clone(list)
}

// after implements tracker.
func (t *retrace) after(c *code, at []place, r *ran) *Fault {
	f := t.elementTracker.after(c, at, r)
	e := t.reading
	e.how, e.from = r.how, r.from
	if r.how == wrotePick && t.spend(len(r.pick)) {
		e.pick = slices.Clone(r.pick)
	}
	t.wrote(&e)
	t.failed = f != nil
	return f
}

// wrote ends an event: its output and the accumulator hold what it left there.
func (t *retrace) wrote(e *event) {
	if t.full {
		return
	}
	if e.c.nout > 0 && e.c.acc[0].st != nil {
		e.out, e.bits = t.left(&e.at[0])
	}
	if a := e.c.accum; a != noAcc && e.c.inst.WritesAcc() {
		e.state, _ = t.left(&e.at[a])
	}
	t.events = append(t.events, *e)
}

// left returns the origins and the values of the elements of a place as they stand.
func (t *retrace) left(p *place) (origins, bits []uint64) {
	if !t.spend(2 * p.acc.count()) {
		return nil, nil
	}
	origins = t.standing(nil, p, "")
	for _, h := range origins {
		t.made.add(h)
	}
	p.runs(func(at int) {
		for x := at; x < at+p.acc.run; x += p.acc.size {
			bits = append(bits, num.Load(t.m.data[x:], p.acc.dtype))
		}
	})
	return origins, bits
}

// fence implements tracker.
func (t *retrace) fence(core int, c *code) {
	t.elementTracker.fence(core, c)
	for int(t.moment) > len(t.fences) {
		t.fences = append(t.fences, int32(len(t.events)))
	}
}

// exchange implements tracker.
func (t *retrace) exchange(members []member, moves []transfer) *Fault {
	var list []event
	for i := range members {
		m := &members[i]
		e := t.read(m.c, m.at, nil)
		if k := m.c.nout; k < len(e.in) {
			e.in[k] = t.gather(nil, m.core, &m.at[k], "")
			t.spend(len(e.in[k]))
		}
		list = append(list, e)
	}
	f := t.elementTracker.exchange(members, moves)
	first := int32(len(t.events))
	for i := range list {
		for k := range list {
			list[i].peers = append(list[i].peers, first+int32(k))
		}
		t.wrote(&list[i])
	}
	return f
}

// deed is an element that an event wrote: of its output, or of the accumulator.
type deed struct {
	event int32 // −1: nobody wrote it, it is an input, a constant or poison
	elem  int
	state bool // of the accumulator
}

// nobody wrote an element.
var nobody = deed{event: -1}

// writerOf returns who wrote the byte at an arena offset last, among the first events.
func (t *retrace) writerOf(at int, end int32) deed {
	for i := end - 1; i >= 0; i-- {
		e := &t.events[i]
		if a := e.c.accum; a != noAcc && e.state != nil {
			if k := elementAt(&e.at[a], at); k >= 0 {
				return deed{i, k, true}
			}
		}
		if e.out == nil {
			continue
		}
		if k := elementAt(&e.at[0], at); k >= 0 && !(e.pick != nil && e.pick[k] == ir.Keep) {
			return deed{i, k, false}
		}
		if e.clears(at) {
			return deed{i, 0, false}
		}
	}
	return nobody
}

// clears tells whether an event zeroed a byte beside its output.
func (e *event) clears(at int) bool {
	return slices.ContainsFunc(e.zeroes, func(z zeroed) bool {
		rel := at - z.at
		return rel >= 0 && rel/z.l.st.pitch < z.rows && rel%z.l.st.pitch < z.bytes
	})
}

// elementAt returns the number of the element of an access that holds the byte at an arena offset; −1 if none does.
func elementAt(p *place, at int) int {
	a := p.acc
	if a.st == nil || at < p.base || at >= p.base+a.span {
		return -1
	}
	found, n := -1, 0
	p.runs(func(x int) {
		if at >= x && at < x+a.run {
			found = n + (at-x)/a.size
		}
		n += a.run / a.size
	})
	return found
}

// offsetOf returns the arena offset of an element of an access.
func offsetOf(p *place, elem int) int {
	found, n, each := p.base, 0, p.acc.run/p.acc.size
	p.runs(func(x int) {
		if elem >= n && elem < n+each {
			found = x + (elem-n)*p.acc.size
		}
		n += each
	})
	return found
}

// origin returns the origin of what was written.
func (t *retrace) origin(w deed) uint64 {
	e := &t.events[w.event]
	list := e.out
	if w.state {
		list = e.state
	}
	if w.elem < len(list) {
		return list[w.elem]
	}
	return poisonOrigin
}
