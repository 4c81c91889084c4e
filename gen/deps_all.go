package gen

import (
	"math/bits"
	"slices"

	"birfuzz/ir"
)

// ordering gives programs the edges that the fact Deps asks for: of any two instances that conflict, the later one waits for the earlier one, by
// edges or because of the queues that both are in (semantics §2, by edges).
//
// Two instances differ first in the trips of some loop around both, or in none. Inside one trip a plain edge joins them, in the list of
// instructions in which both stand, or the loops that hold them. From trip to trip an edge carried by that loop does, if they stand apart in its
// body; two that stand in one loop inside it are joined by an edge of that loop to itself. One distance does for all larger ones, for an
// instruction waits for its own earlier trips, by its queue, unless neither of the two surely runs in every trip: then each gets an edge.
type ordering struct {
	all    bool // it is to do that
	lean   bool // edges that queues and other edges make up for are mostly left out
	short  bool // a conflict would have taken too many edges, and got none
	chance Rand
	turn   trip
}

// distances is a set of distances in trips of one loop, one bit each; 0 is one of them. All bits stand for all distances, however many trips.
type distances uint8

// maxSpelled bounds the edges of one conflict, one a distance, and the trips of a loop that are gone through for how far apart two accesses meet.
const maxSpelled = 8

const sameTrip distances = 1

// ready makes the weaver ready to give the program all its edges.
func (w *weaver) ready() {
	w.all, w.lean, w.chance = true, w.on(LeanEdges), w.fork("all edges")
	w.analyst.arch, w.analyst.rolled = w.prog.Arch, !w.straight()
	w.analyst.queues = w.lean || w.analyst.rolled
	w.deps.first = 2 * w.names
}

// joined returns the instructions of several blocks as one list. It is valid until the next call.
func (w *weaver) joined(bs []*ir.Block) []*ir.Inst {
	w.joins = w.joins[:0]
	for _, bl := range bs {
		w.joins = append(w.joins, bl.Insts...)
	}
	return w.joins
}

// spare adds a few edges that only order to a list. It returns all pairs that are ordered.
func (w *weaver) spare(r *Rand, list []*ir.Inst, pairs []conflict) []conflict {
	had := len(pairs)
	for n := len(list); n > 1 && r.Bool(0.2); {
		to := r.Between(1, n-1)
		pairs = append(pairs, conflict{from: int32(r.IntN(to)), to: int32(to), kind: ir.Ordered})
	}
	for _, c := range pairs[had:] {
		w.wait(list[c.to], list[c.from], c.kind)
	}
	return pairs
}

// suffice gives a list, inside the loops around, edges for its conflicts, which it puts in another order. It returns the strongest kind of one
// that queues alone would not have ordered; 0: there is none.
func (w *weaver) suffice(list []*ir.Inst, pairs []conflict, around []*ir.Loop) (open ir.EdgeKind) {
	if len(around) > 0 {
		w.skippable(list, around[len(around)-1])
	}
	if w.lean {
		w.queues.begin(list, w.prog.Arch)
	}
	for len(pairs) > 0 {
		n := 1
		for n < len(pairs) && pairs[n].to == pairs[0].to {
			n++
		}
		open = max(open, w.group(list, pairs[:n], around))
		pairs = pairs[n:]
	}
	return open
}

// group is suffice for the conflicts of one later instruction.
func (w *weaver) group(list []*ir.Inst, group []conflict, around []*ir.Loop) (open ir.EdgeKind) {
	if w.lean { // the latest one first: it may bring the others along
		w.queues.advance(group[0].to)
		slices.SortFunc(group, func(a, b conflict) int { return int(b.from - a.from) })
	}
	for i := range group {
		c := &group[i]
		w.meet(list, c, around)
		if (c.ahead || c.back) && c.meets|c.again != 0 {
			open = max(open, c.kind, turned(c.kind))
		}
		w.inTrip(list, c)
	}
	if len(around) > 0 {
		w.queues.later = 0
		for i := range group {
			w.onwards(list, &group[i], around)
			w.backwards(list, &group[len(group)-1-i], around)
		}
	}
	return open
}

// inTrip gives a conflict its plain edge.
func (w *weaver) inTrip(list []*ir.Inst, c *conflict) {
	if c.meets&sameTrip == 0 {
		return
	}
	implied := w.lean && (!c.ahead || w.queues.waits(c.to, c.from))
	if w.lean {
		w.queues.wait(c.to, c.from)
	}
	if !implied || w.chance.Bool(0.15) {
		first, then := w.ends(list, c)
		w.wait(then, first, c.kind)
	}
}

// onwards gives a conflict the edges that have the later instruction wait for the earlier one in earlier trips. Mostly there is no need: where it
// waits in the same trip, and one of the two surely runs in every trip, queues do the rest.
func (w *weaver) onwards(list []*ir.Inst, c *conflict, around []*ir.Loop) {
	far, skipped := c.meets&^sameTrip, w.skipped(c)
	if far == 0 {
		return
	}
	if !c.ahead || c.meets&sameTrip != 0 && !skipped {
		if !w.chance.Bool(w.spares()) {
			return
		}
		skipped = false
	}
	first, then := w.ends(list, c)
	w.carries(then, first, c.kind, around, far, skipped)
}

// backwards gives a conflict the edges that have the earlier instruction wait for the later one in earlier trips.
func (w *weaver) backwards(list []*ir.Inst, c *conflict, around []*ir.Loop) {
	if c.again == 0 {
		return
	}
	q, skipped := &w.queues, w.skipped(c)
	implied := !c.back
	if w.lean {
		implied = implied || q.waitsLater(c.from, c.to)
		if !c.back || c.again&(sameTrip<<1) != 0 {
			q.waitLater(c.from, c.to)
		}
	}
	if implied {
		if !w.chance.Bool(w.spares()) {
			return
		}
		skipped = false
	}
	first, then := w.ends(list, c)
	w.carries(first, then, turned(c.kind), around, c.again, skipped)
}

// spares is the share of loop-carried edges that are there though others make up for them.
func (w *weaver) spares() float64 {
	if w.lean {
		return 0.05
	}
	return 0.3
}

// ends draws between which instructions an edge leads: those that conflict, or the loops in which they stand.
func (w *weaver) ends(list []*ir.Inst, c *conflict) (first, then *ir.Inst) {
	if first, then = c.first, c.then; first == nil { // there are no loops, then
		return list[c.from], list[c.to]
	}
	if from := list[c.from]; first != from && w.chance.Bool(0.3) {
		first = from
	}
	if to := list[c.to]; then != to && w.chance.Bool(0.3) {
		then = to
	}
	return first, then
}

// again has a loop, all of it, wait for itself in the trip before of the innermost loop around, for conflicts of that kind inside it.
func (w *weaver) again(in *ir.Inst, kind ir.EdgeKind, around []*ir.Loop) {
	if len(around) > 0 {
		l := around[len(around)-1]
		w.carries(in, in, kind, around, inTrips(l)&^sameTrip, skips(in, l))
	}
}

// carries has an instruction wait for another in earlier trips of the innermost loop around: at the least of the distances, or at each of them.
func (w *weaver) carries(in, on *ir.Inst, kind ir.EdgeKind, around []*ir.Loop, far distances, each bool) {
	if each && around[len(around)-1].Trips() > maxSpelled {
		w.short = true
		return
	}
	for ; far != 0; far &= far - 1 {
		d := w.spans.take(len(around))
		clear(d)
		d[len(d)-1] = int64(bits.TrailingZeros8(uint8(far)))
		in.LoopDeps = append(roomFor(&w.dists, in.LoopDeps), ir.LoopDep{On: on, Kind: kind, Dist: d})
		if !each {
			return
		}
	}
}

// wait adds a plain edge.
func (w *weaver) wait(in, on *ir.Inst, kind ir.EdgeKind) {
	in.Deps = ir.AddDep(roomFor(&w.deps, in.Deps), ir.Dep{On: on, Kind: kind})
}

// roomFor returns a list that one more fits into.
func roomFor[T any](s *slab[T], list []T) []T {
	if len(list) < cap(list) {
		return list
	}
	out := s.take(max(2*len(list), 2))[:len(list)]
	copy(out, list)
	return out
}

// skippable finds out what of a list may be skipped in a trip of the loop.
func (w *weaver) skippable(list []*ir.Inst, l *ir.Loop) {
	w.skip = slices.Grow(w.skip[:0], len(list))[:len(list)]
	for i, in := range list {
		w.skip[i] = skips(in, l)
	}
}

// skips tells whether something in an instruction runs in some trips of a loop around it and not in others.
func skips(in *ir.Inst, l *ir.Loop) bool {
	for i := range in.Pred {
		for axis := range in.Pred[i].Expr.Axes {
			if axis == l {
				return true
			}
		}
	}
	if in.Loop != nil {
		for _, bl := range in.Loop.Blocks {
			for _, sub := range bl.Insts {
				if skips(sub, l) {
					return true
				}
			}
		}
	}
	return false
}

// skipped tells whether each of the two that conflict may be skipped in a trip.
func (w *weaver) skipped(c *conflict) bool { return w.skip[c.from] && w.skip[c.to] }
