package gen

import "birfuzz/ir"

// trip gives the axis of a loop its value.
type trip struct{ value int64 }

// AxisValue is the value, whichever loop is asked for: there is one alone.
func (t *trip) AxisValue(*ir.Loop) int64 { return t.value }

// ShardID is asked by nobody: see follows.
func (t *trip) ShardID() int64 { return 0 }

// inTrips returns the distances between trips of a loop. Of a long one, they are all.
func inTrips(l *ir.Loop) distances {
	if n := l.Trips(); n < maxSpelled {
		return sameTrip<<max(n, 1) - 1
	}
	return ^distances(0)
}

// meet finds out how many trips of the innermost loop around the two of a conflict meet apart.
func (w *weaver) meet(list []*ir.Inst, c *conflict, around []*ir.Loop) {
	if len(around) == 0 {
		c.meets = sameTrip
		return
	}
	l := around[len(around)-1]
	from, to := list[c.from], list[c.to]
	if from.Loop != nil || to.Loop != nil || l.Trips() > maxSpelled || !w.gaps(from, to, l, c) {
		c.meets = inTrips(l)
		c.again = c.meets &^ sameTrip
	}
}

// gaps is meet for two instructions of which every access in common moves with that loop alone. It reports false where some does not.
func (w *weaver) gaps(from, to *ir.Inst, l *ir.Loop, c *conflict) bool {
	hidden := func(in *ir.Inst) bool { return in.ReadsAcc() || in.WritesAcc() }
	if hidden(from) && hidden(to) || len(w.analyst.cleared[from])+len(w.analyst.cleared[to]) > 0 {
		return false
	}
	c.meets, c.again = 0, 0
	for i := range from.Args {
		for k := range to.Args {
			o, p := &from.Args[i], &to.Args[k]
			if o.Loc == nil || p.Loc == nil || i >= int(from.NOut) && k >= int(to.NOut) || w.flow.root[o.Loc.ID] != w.flow.root[p.Loc.ID] {
				continue
			}
			if o.Loc != p.Loc || o.Kind != ir.APOperand || p.Kind != ir.APOperand || !follows(&o.Off, l) || !follows(&p.Off, l) {
				return false
			}
			if w.apart(o, p, l, c); c.meets == inTrips(l) && c.again == c.meets&^sameTrip {
				return true
			}
		}
	}
	return true
}

// follows tells whether an expression has no leaf but the axis of that loop.
func follows(a *ir.Affine, l *ir.Loop) bool {
	for i := range a.Terms {
		t := &a.Terms[i]
		if t.Kind == ir.ShardTerm || t.Kind == ir.AxisTerm && t.Axis != l || t.Sub != nil && !follows(t.Sub, l) {
			return false
		}
	}
	return true
}

// apart adds how many trips apart two accesses of one location share a byte: o of the earlier instruction, p of the later one.
func (w *weaver) apart(o, p *ir.Operand, l *ir.Loop, c *conflict) {
	if !o.Symbolic() && !p.Symbolic() {
		if ir.Overlap(o, p) {
			c.meets = inTrips(l)
			c.again = c.meets &^ sameTrip
		}
		return
	}
	var os, ps [maxSpelled]ir.Walk
	n := int(l.Trips())
	for i := range n {
		w.turn.value = l.LB + int64(i)*l.Stride
		os[i], ps[i] = o.WalkAt(o.Off.Eval(&w.turn)), p.WalkAt(p.Off.Eval(&w.turn))
	}
	for i := range n {
		for k := i; k < n; k++ {
			d := sameTrip << (k - i)
			if c.meets&d == 0 && os[i].Overlaps(&ps[k]) {
				c.meets |= d
			}
			if k > i && c.again&d == 0 && ps[i].Overlaps(&os[k]) {
				c.again |= d
			}
		}
	}
}
