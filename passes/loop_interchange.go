package passes

import (
	"slices"

	"birfuzz/ir"
)

var ruleInterchange = &Rule{
	Name: "loop-opt.interchange",
	Doc: "Turns a perfect nest inside out where that gives a pair of loops equal trips. Not if two accesses that share bytes lie one or more trips of the outer loop, and in the other " +
		"direction of the inner one, apart; tiles that every iteration begins by overwriting are its own.",
}

// Why a nest is not turned inside out. The second is the vendor's.
const (
	swapNest      = "no perfect nest"
	swapPartition = "interchange invalid b/c not on partition dim"
	swapPredicate = "predicate on the outer axis"
	swapNamed     = "order vector or iter on the outer axis"
	swapFlags     = "unlike loop attributes"
	swapPinned    = "no_reorder"
	swapEdge      = "edge of the inner loop"
	swapLarge     = "too many accesses"
	swapDistance  = "dependence from the outer loop's earlier to the inner loop's earlier trip"
)

// nest is a loop and the one that is all of its body (check_loop_interchange; walrus.md §4.6, "Interchange").
//
// The documents ask that both loops access the partition dimension, and that "the dependence sign is OK". Ours: a nest accesses it if something in
// it touches memory that has partitions; and the sign is wrong where instance (o, i) and instance (o′, i′) conflict with o < o′ and i > i′, for those
// two alone change places. That is asked of every two accesses, all kinds of dependence alike, fences and accumulators among them.
//
// What every iteration begins by overwriting, all that it uses of it, is not asked about: the values do not leave the iteration, and the last
// iteration, which leaves its own behind, stays the last. A fence is no such write: the order in which fences publish stores is not undone by the
// next one.
//
// Who wants a nest turned has asked the battery for attributes of the outer loop, sync_info and Halts, and found that both loops run (reshape).
type nest struct {
	touches      *loopTouches
	core         int
	outer, inner *ir.Inst
	around       []*ir.Inst // the Loop instructions around it
}

// nestOf returns the loop's nest; false if it is no perfect one.
func nestOf(t *loopTouches, core int, loop *ir.Inst, around []*ir.Inst) (nest, bool) {
	n := nest{touches: t, core: core, outer: loop, around: around}
	for _, b := range loop.Loop.Blocks {
		for _, in := range b.Insts {
			if n.inner != nil || in.Loop == nil {
				return n, false
			}
			n.inner = in
		}
	}
	return n, n.inner != nil
}

// why tells what forbids to turn the nest inside out; "" if nothing does.
func (n *nest) why() string {
	a, b := n.outer.Loop, n.inner.Loop
	switch {
	case b.NoReorder:
		return swapPinned
	case a.Parallel != b.Parallel: // it would be said of the other one
		return swapFlags
	case slices.ContainsFunc(n.inner.Pred, func(p ir.Predicate) bool { return uses(&p.Expr, a) }):
		return swapPredicate
	case slices.ContainsFunc(slices.Concat(n.inner.Order, n.inner.Iter), func(e ir.Affine) bool { return uses(&e, a) }): // it will be its own
		return swapNamed
	}
	for in := range a.Insts {
		if n.edge(in) {
			return swapEdge
		}
	}
	return n.dependence()
}

// uses tells whether an expression depends on the axis of a loop.
func uses(a *ir.Affine, l *ir.Loop) bool {
	for axis := range a.Axes {
		if axis == l {
			return true
		}
	}
	return false
}

// edge tells whether an edge joins an instruction of the nest to the inner loop as a whole, or to the outer one: their runs become others.
func (n *nest) edge(in *ir.Inst) bool {
	whole := func(on *ir.Inst) bool { return on == n.inner || on == n.outer }
	return slices.ContainsFunc(in.Deps, func(d ir.Dep) bool { return whole(d.On) }) ||
		slices.ContainsFunc(in.LoopDeps, func(d ir.LoopDep) bool { return whole(d.On) || in == n.inner })
}

// dependence asks every two accesses of the nest.
func (n *nest) dependence() string {
	list := n.touches.of(n.inner, n.core, append(slices.Clip(n.around), n.outer))
	if !slices.ContainsFunc(list, func(x touch) bool { return x.arg != nil && x.loc.Type.OnChip() }) {
		return swapPartition
	}
	if len(list)*len(list) > maxTouchPairs {
		return swapLarge
	}
	own := n.scratch(list)
	for i := range list {
		for j := range list {
			s, t := &list[i], &list[j]
			if s.store == t.store && !own[s.store] && (s.writes || t.writes) && n.turns(s, t) {
				return swapDistance
			}
		}
	}
	return ""
}

// turns tells whether the two share a byte with t one or more trips of the outer loop later and one or more of the inner one earlier than s.
func (n *nest) turns(s, t *touch) bool {
	depth := len(n.around)
	lastOuter, lastInner := n.outer.Loop.Trips()-1, n.inner.Loop.Trips()-1
	if lastOuter < 1 || lastInner < 1 {
		return false
	}
	l := gap(&s.form, &t.form, depth)
	for i := range depth {
		l.add(t.form.along(i)-s.form.along(i), 0, n.around[i].Loop.Trips()-1)
	}
	free(&l, s, t, depth+2, n.touches.nodes)
	apart := func(k int, from, to, last int64) {
		if a, b := s.form.along(k), t.form.along(k); a == b {
			l.add(b, from, to)
		} else { // what they have between them depends on where they are: as if they were anywhere
			l.add(-a, 0, last)
			l.add(b, 0, last)
		}
	}
	apart(depth, 1, lastOuter, lastOuter)
	apart(depth+1, -lastInner, -1, lastInner)
	return l.solvable()
}

// scratch finds the storages that every iteration of the nest begins by overwriting, as far as it uses them.
func (n *nest) scratch(list []touch) map[int32]bool {
	own, first := map[int32]bool{}, map[int32]*touch{}
	depth := len(n.around)
	for i := range list {
		t := &list[i]
		f := first[t.store]
		if f == nil {
			first[t.store], f = t, t
			node := &n.touches.nodes[t.inst]
			state := t.loc != nil || t.hidden // and not the order of fences
			own[t.store] = state && t.writes && !t.reads && t.ends && t.exact() && len(node.loops) == depth+2 && int(node.maybe) < depth+2
		}
		own[t.store] = own[t.store] && f.form.covers(&t.form, depth, n.touches.nodes[t.inst].loops)
	}
	return own
}
