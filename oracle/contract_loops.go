package oracle

import (
	"fmt"
	"slices"

	"birfuzz/ir"
)

// instancesMoved: on every core the same instances run, each with the operands, settings and order vector that its program says for that
// iteration, in whatever order; what became of the data says whether the order was sound. An instance that has come out of loops stands for all
// their trips. What stood in a loop with no_reorder still does. Edges stay, but for Flow, Anti and Output between two that share more loops than
// they did: what joined all their trips then joins equal ones, and the data tells whether that was enough.
func (m *matched) instancesMoved() string { return m.traces((*trace).regroup) }

// instanceKey names an instance across programs.
type instanceKey struct {
	source string
	at     string // iteration
}

func (x *instance) key() instanceKey { return instanceKey{sourceOf(x.in), fmt.Sprint(x.iteration())} }

// regroup returns how the instances of b differ from those of t, which ran before the pass, their order apart.
func (t *trace) regroup(b *trace) string {
	now := map[instanceKey][]int32{} // several, where unrollers were careless
	for i := range b.list {
		k := b.list[i].key()
		now[k] = append(now[k], int32(i))
	}
	became, used := make([]int32, len(t.list)), make([]bool, len(b.list))
	for i := range t.list {
		x := &t.list[i]
		at, ok := t.standIn(b, x, now, used)
		if !ok {
			return x.name() + " no longer runs"
		}
		used[at], became[i] = true, at
		what := x.differs(&b.list[at])
		if pinned(x) != pinned(&b.list[at]) {
			what = "no_reorder"
		}
		if what != "" {
			return fmt.Sprintf("%s: %s is not that of %s", b.list[at].in.Name, what, x.name())
		}
	}
	if i := slices.Index(used, false); i >= 0 {
		return fmt.Sprintf("%s runs as well, for %s", b.list[i].in.Name, b.list[i].name())
	}
	return t.regroupEdges(b, became)
}

// pinned tells whether an instance runs in a loop with no_reorder.
func pinned(x *instance) bool {
	return slices.ContainsFunc(x.loops, func(l *ir.Loop) bool { return l.NoReorder })
}

// maxHoistedLoops bounds the loops that an instruction may have come out of.
const maxHoistedLoops = 6

// standIn returns the instance of b that stands for x: that of the same iteration, each once; or else one that has come out of some of the loops
// around and stands for all their trips. It says so itself: its iteration (ir.Inst.Iter) is that of the first trip.
func (t *trace) standIn(b *trace, x *instance, now map[instanceKey][]int32, used []bool) (int32, bool) {
	for _, at := range now[x.key()] {
		if !used[at] {
			return at, true
		}
	}
	first := *x
	for some := 1; some < 1<<min(len(x.values), maxHoistedLoops); some++ { // of the loops around, innermost first
		first.values = slices.Clone(x.values)
		for k := range first.values {
			if some>>k&1 != 0 {
				n := len(x.values) - 1 - k
				first.values[n] = x.loops[n].LB
			}
		}
		for _, at := range now[first.key()] {
			if b.list[at].in.Iter != nil {
				return at, true
			}
		}
	}
	return 0, false
}

// regroupEdges: an edge between two instances is there, as strong or stronger, unless it stands for shared bytes and their sources have come into
// one loop that they did not share. What has come out of a loop, and so stands for several instances, need not wait for earlier trips of it.
// became are the instances of b that stand for those of t.
func (t *trace) regroupEdges(b *trace, became []int32) string {
	old, now := t.edges(), b.edges()
	if old == nil || now == nil {
		return ""
	}
	standsFor := make([]int32, len(b.list))
	for _, i := range became {
		standsFor[i]++
	}
	for _, e := range old {
		from, on := became[e.from], became[e.on]
		i, ok := slices.BinarySearchFunc(now, instanceEdge{from: from, on: on}, comparePair)
		out := standsFor[from] > 1 && on > from
		joined := e.kind != ir.Ordered && t.shared(e.from, e.on) < b.shared(from, on)
		if from == on || out || ok && now[i].kind >= e.kind || joined {
			continue
		}
		return fmt.Sprintf("%s: the %s edge to %s is gone", b.list[from].in.Name, e.kind, t.list[e.on].name())
	}
	return ""
}

// shared returns how many loops stand around the instructions of both instances.
func (t *trace) shared(i, j int32) int {
	a, b := t.list[i].loops, t.list[j].loops
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
