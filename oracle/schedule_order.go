package oracle

import (
	"fmt"
	"slices"

	"birfuzz/ir"
)

// precedence is the closure of edges, queues and fences over the instances of a core, as far as it has been built, in program order.
type precedence struct {
	trace  *trace
	arch   ir.Arch
	edges  edgeWalk
	places places
	words  int      // of a row
	bits   []uint64 // a row an instance: those that it waits for
	fences bool     // they order by themselves

	// The last instances so far that give order by themselves; none: −1.
	all     int32                // that joined every queue
	work    [ir.NumEngines]int32 // by engine: that is complete before the engine issues the next
	issued  [ir.NumEngines]int32 // by engine: the transfer in the engine's unnamed queue
	queues  map[string]int32     // the transfer in the named queue
	own     []int32              // by instruction: where it has no engine and so a queue of its own
	fence   int32
	visible []int32 // the accesses to visible memory since the fence
}

// none stands for no instance.
const none = int32(-1)

// reset begins with a trace of a program.
func (p *precedence) reset(t *trace, of *ir.Program, o owed) {
	n, insts := len(t.list), of.NumInsts()
	p.trace, p.arch, p.words, p.fences = t, of.Arch, (n+63)/64, !o.fences
	p.edges = edgeWalk{trace: t, list: p.edges.list[:0]}
	p.bits = slices.Grow(p.bits[:0], n*p.words)[:n*p.words]
	clear(p.bits)
	p.all, p.fence, p.visible = none, none, p.visible[:0]
	for e := range p.work {
		p.work[e], p.issued[e] = none, none
	}
	if p.queues == nil {
		p.queues = map[string]int32{}
	}
	clear(p.queues)
	p.own = slices.Grow(p.own[:0], insts)[:insts]
	for i := range p.own {
		p.own[i] = none
	}
}

// row returns those that instance i waits for.
func (p *precedence) row(i int32) []uint64 { return p.bits[int(i)*p.words : (int(i)+1)*p.words] }

// has tells whether instance i waits for the earlier instance j.
func (p *precedence) has(i, j int32) bool { return p.bits[int(i)*p.words+int(j>>6)]>>(j&63)&1 != 0 }

// after notes that instance i waits for j, and so for all that j waits for. What does not stand before i gives it no order.
func (p *precedence) after(i, j int32) {
	if j < 0 || j >= i || p.has(i, j) {
		return
	}
	row, other := p.row(i), p.row(j)
	for w := range other[:j>>6+1] {
		row[w] |= other[w]
	}
	row[j>>6] |= 1 << (j & 63)
}

// next takes up the next instance. sees: it touches visible memory.
func (p *precedence) next(i int32, sees bool) {
	x := &p.trace.list[i]
	w := &p.edges
	w.collect(i)
	for k := len(w.list) - 1; k >= 0; k-- { // what stands later may bring the earlier ones along
		p.after(i, w.list[k].on)
	}
	p.queue(i, x.in)
	if p.fences {
		p.fenced(i, x.in.Spec().Effect.Fence(), sees)
	}
}

// queue gives instance i its place in the queues (semantics §2, as engines): an engine issues in order, and its own work is complete before the
// next; a transfer runs in its queue, in order with the transfers there and with nothing else. Without engine an instruction has a queue of its
// own, and ALL joins every queue (bir-json.md, "Small things settled").
func (p *precedence) queue(i int32, in *ir.Inst) {
	if in.Engine == ir.ALL {
		row := p.row(i)
		for w := range i >> 6 {
			row[w] = ^uint64(0)
		}
		row[i>>6] = 1<<(i&63) - 1
		p.all = i
		return
	}
	p.after(i, p.all)
	transfer := in.Transfers(p.arch)
	if in.Engine == ir.Unassigned {
		p.after(i, p.own[in.ID])
		p.own[in.ID] = i
	} else {
		p.after(i, p.work[in.Engine])
		switch {
		case !transfer:
			p.work[in.Engine] = i
		case in.Queue == "":
			p.after(i, p.issued[in.Engine])
			p.issued[in.Engine] = i
		}
	}
	if transfer && in.Queue != "" {
		if j, ok := p.queues[in.Queue]; ok {
			p.after(i, j)
		}
		p.queues[in.Queue] = i
	}
}

// fenced orders fences with each other and with the accesses to visible memory around them (semantics §3.4), and with nothing else.
func (p *precedence) fenced(i int32, fence, sees bool) {
	if !fence && !sees {
		return
	}
	p.after(i, p.fence)
	if !fence {
		p.visible = append(p.visible, i)
		return
	}
	for _, j := range slices.Backward(p.visible) {
		p.after(i, j)
	}
	p.fence, p.visible = i, p.visible[:0]
}

// kept: two instances of was, which ran before the pass, that an Ordered edge joined and that still run keep their order.
func (p *precedence) kept(was *trace) string {
	w, known := edgeWalk{trace: was, only: ir.Ordered, list: p.edges.list[:0]}, false
	for i := range was.list {
		w.collect(int32(i))
		for _, e := range w.list {
			if e.on >= e.from {
				continue
			}
			if !known {
				p.places.fill(p.trace)
				known = true
			}
			from, on := p.places.of(&was.list[i]), p.places.of(&was.list[e.on])
			if from != none && on != none && (on > from || !p.has(from, on)) {
				return fmt.Sprintf("%s need not wait for %s any more, as an Ordered edge had it", p.trace.list[from].label(), p.trace.list[on].label())
			}
		}
	}
	return ""
}

// places knows where in a trace each instance stands, by what it stands for.
type places struct {
	at    wordMap[int32]
	twice wordSet // what several stand for
}

func (p *places) fill(t *trace) {
	p.at.clear()
	p.twice.clear()
	for i := range t.list {
		if h := t.list[i].identity(); !p.at.put(h, int32(i)) {
			p.twice.add(h)
		}
	}
}

// of returns the place of the one instance that stands for what x does; none where there is none, or several.
func (p *places) of(x *instance) int32 {
	h := x.identity()
	if i, ok := p.at.get(h); ok && !p.twice.has(h) {
		return i
	}
	return none
}
