package oracle

import (
	"cmp"
	"fmt"
	"slices"

	"birfuzz/ir"
)

// instanceEdge says that one instance waits for another; both are positions in a trace.
type instanceEdge struct {
	from, on int32
	kind     ir.EdgeKind
}

// compareEdges: every edge between two instances is there as its expression says (semantics §2): inside a loop equal iterations, loop-carried
// ones i and i−d, between depths all instances; an edge of or to a loop is one of or to everything in it. More may only lead back, between
// two instances of one instruction, or of two that such an edge joined: a distance over a loop that has become several can only be said as
// "all of them".
//
// Edges are listed and compared one instance at a time, in program order, which is their order: a list of all, two loops with an edge between
// them having as many as the product of their instances, would be most of the work.
func (t *trace) compareEdges(b *trace) string {
	before, after := edgeWalk{trace: t}, edgeWalk{trace: b}
	for from := range t.list {
		old, now := before.from(int32(from)), after.from(int32(from))
		if before.total > maxInstanceEdges || after.total > maxInstanceEdges {
			return ""
		}
		if slices.Equal(old, now) {
			continue
		}
		if d := t.compareFrom(b, old, now); d != "" {
			return d
		}
	}
	return ""
}

// compareFrom compares the edges of one instance, as edgeWalk.from lists them.
func (t *trace) compareFrom(b *trace, old, now []instanceEdge) string {
	i := 0
	for _, e := range now {
		if i < len(old) && old[i].on < e.on {
			break
		}
		expected := ir.EdgeKind(0)
		if i < len(old) && old[i].on == e.on {
			expected = old[i].kind
			i++
		}
		switch {
		case e.kind == expected:
		case e.kind < expected:
			return fmt.Sprintf("%s: the edge to %s is of kind %s, was %s", b.list[e.from].in.Name, b.list[e.on].name(), e.kind, expected)
		case e.on > e.from || !t.joins(e):
			return fmt.Sprintf("%s: the %s edge to %s is new", b.list[e.from].in.Name, e.kind, b.list[e.on].name())
		}
	}
	if i < len(old) {
		e := old[i]
		return fmt.Sprintf("%s: the %s edge to %s is gone", b.list[e.from].in.Name, e.kind, t.list[e.on].name())
	}
	return ""
}

// joins tells whether there may be an edge like e beyond what the expressions say.
func (t *trace) joins(e instanceEdge) bool {
	x, y := t.list[e.from].in, t.list[e.on].in
	if x == y && e.kind == ir.Ordered {
		return true
	}
	leads := func(on *ir.Inst, kind ir.EdgeKind) bool {
		return kind == e.kind && (on == y || slices.Contains(t.around[y.ID], on))
	}
	for _, holder := range append([]*ir.Inst{x}, t.around[x.ID]...) {
		if slices.ContainsFunc(holder.Deps, func(d ir.Dep) bool { return leads(d.On, d.Kind) }) ||
			slices.ContainsFunc(holder.LoopDeps, func(d ir.LoopDep) bool { return leads(d.On, d.Kind) }) {
			return true
		}
	}
	return false
}

// edgeWalk lists the edges of a trace, those of one instance at a time.
type edgeWalk struct {
	*trace
	only  ir.EdgeKind // edges of other kinds are left out; 0: none are
	list  []instanceEdge
	total int // edges listed so far
}

// byTarget orders the edges of one instance, of those to one target the strongest first.
func byTarget(a, b instanceEdge) int {
	return cmp.Or(cmp.Compare(a.on, b.on), cmp.Compare(b.kind, a.kind))
}

// from lists the edges of an instance by ascending target, of the edges to one the strongest. The list is valid until the next call.
func (w *edgeWalk) from(i int32) []instanceEdge {
	w.collect(i)
	w.total += len(w.list)
	if !slices.IsSortedFunc(w.list, byTarget) {
		slices.SortFunc(w.list, byTarget)
	}
	w.list = slices.CompactFunc(w.list, func(a, b instanceEdge) bool { return a.on == b.on })
	return w.list
}

// collect lists the edges of an instance as they stand on its instruction and the loops around it.
func (w *edgeWalk) collect(i int32) {
	in := w.trace.list[i].in
	w.list = w.list[:0]
	w.of(i, in)
	for _, l := range w.around[in.ID] {
		w.of(i, l)
	}
}

// of adds the edges that stand on holder, the instruction of the instance or a loop around it.
func (w *edgeWalk) of(from int32, holder *ir.Inst) {
	for _, d := range holder.Deps {
		if w.wants(d.Kind) && !slices.Contains(w.around[w.trace.list[from].in.ID], d.On) { // it has come there already
			w.to(from, holder, d.On, d.Kind, nil)
		}
	}
	for _, d := range holder.LoopDeps {
		if w.wants(d.Kind) {
			w.to(from, holder, d.On, d.Kind, d.Dist)
		}
	}
}

// wants tells whether edges of that kind are listed.
func (w *edgeWalk) wants(kind ir.EdgeKind) bool { return w.only == 0 || w.only == kind }

// to adds an edge to the instances of on, or of all that stands in it, in the iterations of the loops around both that are dist back.
func (w *edgeWalk) to(from int32, holder, on *ir.Inst, kind ir.EdgeKind, dist []int64) {
	x := &w.trace.list[from]
	a, b := w.around[holder.ID], w.around[on.ID]
	first, n := int64(0), 0
	for ; n < len(a) && n < len(b) && a[n] == b[n]; n++ {
		l := a[n].Loop
		trip := (x.values[n] - l.LB) / l.Stride
		if n < len(dist) {
			trip -= dist[n]
		}
		if trip < 0 {
			return
		}
		first = first*l.Trips() + trip
	}
	w.instances(from, on, kind, n, first)
}

// instances adds an edge to every instance of on, or of what stands in it, whose index over the outermost n loops is first.
func (w *edgeWalk) instances(from int32, on *ir.Inst, kind ir.EdgeKind, n int, first int64) {
	if on.Loop != nil {
		for _, b := range on.Loop.Blocks {
			for _, sub := range b.Insts {
				w.instances(from, sub, kind, n, first)
			}
		}
		return
	}
	inner := int64(1)
	for _, l := range w.around[on.ID][n:] {
		inner *= l.Loop.Trips()
	}
	all := w.by[on.ID]
	at, _ := slices.BinarySearchFunc(all, first*inner, func(i int32, index int64) int { return cmp.Compare(w.trace.list[i].index, index) })
	for ; at < len(all) && w.trace.list[all[at]].index < (first+1)*inner && len(w.list) <= maxInstanceEdges; at++ {
		if all[at] != from {
			w.list = append(w.list, instanceEdge{from, all[at], kind})
		}
	}
}
