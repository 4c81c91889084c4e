package oracle

import (
	"cmp"
	"fmt"
	"slices"

	"birfuzz/ir"
)

// instancesMoved: on every core the same instances run, each with the operands, settings and order vector that its program says for that
// iteration, in whatever order; what became of the data says whether the order was sound. An instance that has come out of loops stands for all
// their trips. What stood in a loop with no_reorder still does. Edges stay, but for Flow, Anti and Output between two that share more loops than
// they did: what joined all their trips then joins equal ones, and the data tells whether that was enough.
func (m *matched) instancesMoved() string { return m.traces((*trace).regroup) }

// regroup returns how the instances of b differ from those of t, which ran before the pass, their order apart.
func (t *trace) regroup(b *trace) string {
	now := stands{first: make(map[uint64]int32, len(b.list)), next: make([]int32, len(b.list))}
	for i := range slices.Backward(b.list) {
		now.enter(b.list[i].identity(), int32(i))
	}
	became, used := make([]int32, len(t.list)), make([]bool, len(b.list))
	for i := range t.list {
		x := &t.list[i]
		at, ok := t.standIn(b, x, &now, used)
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

// stands finds the instances of one identity, by ascending position: several, where unrollers were careless.
type stands struct {
	first map[uint64]int32
	next  []int32 // by instance; none
}

// enter puts an instance before those of its identity.
func (s *stands) enter(identity uint64, i int32) {
	s.next[i] = none
	if k, ok := s.first[identity]; ok {
		s.next[i] = k
	}
	s.first[identity] = i
}

// of calls yield with the instances of an identity.
func (s *stands) of(identity uint64) func(yield func(int32) bool) {
	return func(yield func(int32) bool) {
		i, ok := s.first[identity]
		for ok && i != none && yield(i) {
			i = s.next[i]
		}
	}
}

// pinned tells whether an instance runs in a loop with no_reorder.
func pinned(x *instance) bool {
	return slices.ContainsFunc(x.loops, func(l *ir.Loop) bool { return l.NoReorder })
}

// maxHoistedLoops bounds the loops that an instruction may have come out of.
const maxHoistedLoops = 6

// standIn returns the instance of b that stands for x: that of the same iteration, each once; or else one that has come out of some of the loops
// around and stands for all their trips. It says so itself: its iteration (ir.Inst.Iter) is that of the first trip.
func (t *trace) standIn(b *trace, x *instance, now *stands, used []bool) (int32, bool) {
	for at := range now.of(x.identity()) {
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
		for at := range now.of(first.identity()) {
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
	standsFor := make([]int32, len(b.list))
	for _, i := range became {
		standsFor[i]++
	}
	before, after := edgeWalk{trace: t}, edgeWalk{trace: b}
	kept := map[int32][]instanceEdge{} // of those that stand for several, which would else be listed, and counted, once for each
	for i, from := range became {
		old := before.from(int32(i))
		now, listed := kept[from]
		if !listed {
			now = after.from(from)
		}
		if !listed && standsFor[from] > 1 {
			now = slices.Clone(now)
			kept[from] = now
		}
		if before.total > maxInstanceEdges || after.total > maxInstanceEdges {
			return ""
		}
		for _, e := range old {
			on := became[e.on]
			k, ok := slices.BinarySearchFunc(now, on, func(e instanceEdge, on int32) int { return cmp.Compare(e.on, on) })
			out := standsFor[from] > 1 && on > from
			joined := e.kind != ir.Ordered && t.shared(e.from, e.on) < b.shared(from, on)
			if from == on || out || ok && now[k].kind >= e.kind || joined {
				continue
			}
			return fmt.Sprintf("%s: the %s edge to %s is gone", b.list[from].in.Name, e.kind, t.list[e.on].name())
		}
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
