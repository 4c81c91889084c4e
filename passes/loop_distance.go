package passes

import "birfuzz/ir"

// loopDistances answers in which trips of two loops that stand side by side the same bytes are touched: the polyhedral distance on which
// fusion rests (loop-optimization.txt, "Dependence Legality"; walrus.md §4.6, bir::getDefUseDistance). A distance is the trip of what stands in
// the second loop less that of what stands in the first, in equal iterations of the loops around both.
//
// The documents describe a search for uses in the first loop of what the second one defines, give up at any distance ≤ 0, and contradict
// themselves about the sign (walrus.md §9). Ours asks for all three kinds of dependence, instance by instance, and calls a distance negative
// where fused loops would turn the two round.
type loopDistances struct {
	*loopTouches
	depth int // loops around both
}

// meets tells whether an access of the first loop and one of the second share a byte, and one of them writes, at a distance of the given sign:
// −1 or 1. It says yes where it cannot tell.
func (d *loopDistances) meets(s, t *touch, sign int64) bool {
	if s.store != t.store || !s.writes && !t.writes || !s.box.Meets(&t.box) || !d.mayMeet(s, t, sign) {
		return false
	}
	meet, known := d.search(s, t, sign)
	return meet || !known
}

// mayMeet asks the lattice, which takes parts of offsets that are no plain multiples of an axis for any numbers of their range, and predicates
// for true.
func (d *loopDistances) mayMeet(s, t *touch, sign int64) bool {
	last := d.nodes[s.inst].loops[d.depth].Loop.Trips() - 1
	if last < 1 {
		return false
	}
	l := gap(&s.form, &t.form, d.depth)
	for i := range d.depth {
		l.add(t.form.along(i)-s.form.along(i), 0, d.nodes[s.inst].loops[i].Loop.Trips()-1)
	}
	free(&l, s, t, d.depth+1, d.nodes)
	a, b := s.form.along(d.depth), t.form.along(d.depth)
	switch {
	case a == b: // what they have between them depends on the distance alone
		l.add(b*sign, 1, last)
		return l.solvable()
	case last > maxTrips:
		l.add(-a, 0, last)
		l.add(b, 0, last)
		return l.solvable()
	}
	for trip := range last + 1 { // of the first loop
		from, to := trip+1, last
		if sign < 0 {
			from, to = 0, trip-1
		}
		next := l
		next.add(-a, trip, trip)
		next.add(b, from, to)
		if from <= to && next.solvable() {
			return true
		}
	}
	return false
}

// maxWalks bounds the instances of one access, and maxWalkPairs the pairs of instances, that search looks at.
const (
	maxWalks     = 1 << 11
	maxWalkPairs = 1 << 15
)

// search looks at every pair of instances. It does not know where there are too many or their numbers depend on the core.
func (d *loopDistances) search(s, t *touch, sign int64) (meet, known bool) {
	xs, ok := d.walks(s)
	if !ok {
		return false, false
	}
	ys, ok := d.walks(t)
	if !ok {
		return false, false
	}
	pairs := 0
	for i := range xs {
		for j := range ys {
			x, y := &xs[i], &ys[j]
			if x.outer != y.outer || (y.trip-x.trip)*sign <= 0 {
				continue
			}
			if pairs++; pairs > maxWalkPairs {
				return false, false
			}
			if x.walk.Overlaps(&y.walk) {
				return true, true
			}
		}
	}
	return false, true
}

// tripWalk is one instance of an access: the iteration of the loops around both, as a number, the trip of the loop, and the bytes.
type tripWalk struct {
	outer, trip int64
	walk        ir.Walk
}

// walks lists the instances of an access.
func (d *loopDistances) walks(t *touch) ([]tripWalk, bool) {
	if t.arg == nil || !t.arg.IsAP() {
		return nil, false
	}
	h := d.atlas.homes[t.arg.Loc.ID]
	w := walkLister{depth: d.depth, arg: t.arg, shift: h.shift, node: d.nodes[t.inst], axes: axisValues{}}
	ok := !h.wild && t.arg.Off.ShardBound() == 0 && w.list(0, tripWalk{})
	return w.found, ok
}

// axisValues is an iteration: the environment of expressions that do not depend on the core.
type axisValues map[*ir.Loop]int64

// AxisValue implements ir.Env.
func (a axisValues) AxisValue(l *ir.Loop) int64 { return a[l] }

// ShardID implements ir.Env.
func (axisValues) ShardID() int64 { return 0 }

// walkLister lists the instances of one operand.
type walkLister struct {
	depth int
	arg   *ir.Operand
	shift int64
	node  depNode
	axes  axisValues
	found []tripWalk
}

// list goes through the loops around from the i-th on. It returns false where it cannot list all.
func (w *walkLister) list(i int, at tripWalk) bool {
	in := w.node.inst
	if i < len(w.node.loops) {
		in = w.node.loops[i]
	}
	for _, p := range in.Pred {
		if p.Expr.ShardBound() > 0 {
			return false
		}
		if !p.Cmp.Holds(p.Expr.Eval(w.axes)) {
			return true
		}
	}
	if i == len(w.node.loops) {
		at.walk = w.arg.WalkAt(w.arg.Off.Eval(w.axes))
		at.walk.Space = ir.Space{} // the storages are one already
		at.walk.Base += w.shift
		w.found = append(w.found, at)
		return len(w.found) <= maxWalks
	}
	l := in.Loop
	if l.Trips() > maxWalks {
		return false
	}
	for k := range l.Trips() {
		w.axes[l] = l.LB + k*l.Stride
		next := at
		switch {
		case i < w.depth:
			next.outer = at.outer*l.Trips() + k
		case i == w.depth:
			next.trip = k
		}
		if !w.list(i+1, next) {
			return false
		}
	}
	return true
}

// loopTouches knows what instructions of a numbered program touch, memory, hidden state and the order of fences alike.
type loopTouches struct {
	atlas  *atlas
	fenced []bool    // fencedFamilies, and memory that others may touch
	nodes  []depNode // by ID, of what has been looked at
	known  map[*ir.Inst][]touch
}

func newLoopTouches(p *ir.Program) *loopTouches {
	aliases := ir.NewFamilies(p)
	t := &loopTouches{atlas: newAtlas(p, aliases), fenced: fencedFamilies(p, aliases), nodes: make([]depNode, p.NumInsts()), known: map[*ir.Inst][]touch{}}
	for _, f := range p.Cores {
		for l := range f.Locs {
			if foreignLoc(l) {
				t.fenced[aliases.Of(l)] = true
			}
		}
	}
	return t
}

// of returns what an instruction touches, with its whole body where it is a loop. loops are those around it.
func (t *loopTouches) of(in *ir.Inst, core int, loops []*ir.Inst) []touch {
	if list, ok := t.known[in]; ok {
		return list
	}
	one := []*ir.Block{{Insts: []*ir.Inst{in}}}
	var list []touch
	for _, scope := range []depScope{byStorage, byFences} {
		g := touchList{nodes: t.nodes, atlas: t.atlas, scope: scope, fenced: t.fenced, core: core, list: list}
		g.blocks(one, loops, -1)
		list = g.list
	}
	t.known[in] = list
	return list
}

// forget drops what is known of instructions that have changed.
func (t *loopTouches) forget(insts ...*ir.Inst) {
	for _, in := range insts {
		delete(t.known, in)
	}
}

// maxTouchPairs bounds the pairs of accesses that are compared for one question.
const maxTouchPairs = 1 << 18

// meet tells whether two instructions that stand in one block, a before b, may not change places. depth is the number of loops around them.
func (t *loopTouches) meet(a, b []touch, depth int) bool {
	if len(a)*len(b) > maxTouchPairs {
		return true
	}
	for i := range a {
		for j := range b {
			x, y := &a[i], &b[j]
			if x.store == y.store && (x.writes || y.writes) && x.box.Meets(&y.box) && conflictHere(x, y, depth, t.nodes) {
				return true
			}
		}
	}
	return false
}
