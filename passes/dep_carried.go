package passes

import (
	"slices"

	"birfuzz/ir"
)

// anyDistance stands for a distance that is not one number: the two meet in iterations any number of trips apart.
const anyDistance = int64(-1) << 62

const (
	// maxDistances bounds the distances between two touches that are told apart, and maxTrips those of one loop that are tried. Beyond them
	// the conflict counts as one at any distance, which orders more.
	maxDistances = 8
	maxTrips     = 64
	// maxSpelled bounds the edges, one a distance, that stand in for a chain where both ends of a conflict may be skipped.
	maxSpelled = 1024
)

// carried finds the edges that the depth-th loop around the touches first ≤ i < end carries: the body is met a second time, one trip later,
// by those that are live at its end. What this trip has covered the next one does not look at, if it stands still.
func (s *depScan) carried(depth, first, end int) {
	c := carrier{depScan: s, depth: depth}
	x := &s.later
	x.reset(s.list[first:end])
	for i := first; i < end; i++ {
		if s.live[i] {
			x.set(treeOf(s.list[i]), int32(i-first), s.list[i].box.ColEnd)
		}
	}
	whole := s.list
	s.list = whole[first:end]
	for i := 0; i < len(s.list) && !s.deps.cut; i++ {
		t := s.list[i]
		for _, k := range s.reached(x, t) {
			e := s.list[k]
			c.join(e, t)
			if s.coveredLater(e, t, depth) {
				x.set(treeOf(e), k, nothing)
			}
		}
	}
	s.list = whole
}

// coveredLater tells whether t, in each trip of the depth-th loop, covers what e touched in any trip before.
func (s *depScan) coveredLater(e, t *touch, depth int) bool {
	return t.ends && int(s.deps.nodes[t.inst].maybe) <= depth && sureBytes(e, t) && e.form.still(depth) &&
		t.form.covers(&e.form, depth, s.deps.nodes[e.inst].loops)
}

// carrier writes the edges that one loop carries.
type carrier struct {
	*depScan
	depth int // index of the loop among those around
}

// join gives t its edges to e, which it meets in a later trip.
func (c *carrier) join(e, t *touch) {
	common := c.deps.common(e.inst, t.inst)
	m := meeting{e: e, t: t, depth: c.depth, loops: c.deps.nodes[t.inst].loops[:common], nodes: c.deps.nodes}
	m.distances()
	for _, d := range m.found {
		c.edge(e, t, d)
	}
}

// edge writes down that t waits for e at distance d, which has one entry a loop from the depth-th on.
func (c *carrier) edge(e, t *touch, d []int64) {
	kind, trips := kindOf(e, t), c.trips(t)
	plain := !slices.ContainsFunc(d[1:], func(n int64) bool { return n < 0 }) // anyDistance is one
	far := d[0]
	if far == anyDistance {
		far = 1
		if trips > 2 && !c.chained(e, t, plain) {
			c.spell(e, t, kind, d, plain)
			return
		}
	}
	c.put(e, t, kind, far, d[1:], plain)
}

func (c *carrier) trips(t *touch) int64 { return c.deps.nodes[t.inst].loops[c.depth].Loop.Trips() }

// put adds one edge. Where the inner distances cannot be written it waits for the whole run of the loop inside, far trips ago.
func (c *carrier) put(e, t *touch, kind ir.EdgeKind, far int64, inner []int64, plain bool) {
	dist := append(make([]int64, c.depth, c.depth+1+len(inner)), far)
	on := e.inst
	if plain {
		dist = append(dist, inner...)
	} else {
		on = c.deps.nodes[t.inst].loops[c.depth+1].ID
	}
	c.deps.add(depEdge{of: t.inst, on: on, kind: kind, hidden: t.hidden, dist: dist})
}

// chained tells whether an edge at distance 1 orders all distances, and sees to it if it can: one of the two, never skipped, must wait one trip
// for what the edge waits for. A write that stands still waits for itself anyway. For whole runs, the later one is in them itself.
func (c *carrier) chained(e, t *touch, plain bool) bool {
	sure := func(x *touch) bool { return int(c.deps.nodes[x.inst].maybe) <= c.depth }
	if !plain {
		if !sure(t) && sure(e) {
			c.put(e, e, ir.Ordered, 1, nil, false)
		}
		return sure(t) || sure(e)
	}
	for _, x := range [...]*touch{e, t} {
		if sure(x) && x.writes && x.form.along(c.depth) == 0 {
			return true
		}
	}
	for _, x := range [...]*touch{e, t} {
		if sure(x) {
			c.put(x, x, ir.Ordered, 1, make([]int64, len(c.deps.nodes[x.inst].loops)-c.depth-1), true)
			return true
		}
	}
	return false
}

// spell writes down every distance.
func (c *carrier) spell(e, t *touch, kind ir.EdgeKind, d []int64, plain bool) {
	last := c.trips(t) - 1
	if last > maxSpelled {
		if !c.deps.cut {
			c.deps.incomplete = "conditions in a long loop"
		}
		last = maxSpelled
	}
	for far := int64(1); far <= last; far++ {
		c.put(e, t, kind, far, d[1:], plain)
	}
}

// meeting finds how many trips apart two touches share a byte.
type meeting struct {
	e, t  *touch
	depth int
	loops []*ir.Inst // the common ones
	nodes []depNode
	found [][]int64 // one entry a loop from depth on
}

// distances fills in found: t stands one or more trips of the depth-th loop after e, in equal iterations of those around it.
//
// Where both move alike along a loop, what they have between them depends on the distance alone, and each distance is asked for. Where
// neither moves, or they move otherwise, any distance will do.
func (m *meeting) distances() {
	l := gap(&m.e.form, &m.t.form, m.depth)
	for i := range m.depth {
		l.add(m.t.form.along(i)-m.e.form.along(i), 0, m.loops[i].Loop.Trips()-1)
	}
	for i := m.depth; i < len(m.loops); i++ {
		if a, b := m.e.form.along(i), m.t.form.along(i); a != b {
			n := m.loops[i].Loop.Trips() - 1
			l.add(b, 0, n)
			l.add(-a, 0, n)
		}
	}
	free(&l, m.e, m.t, len(m.loops), m.nodes)
	dist := make([]int64, len(m.loops)-m.depth)
	if !m.try(l, dist, 0) {
		dist = slices.Repeat([]int64{anyDistance}, len(dist))
		m.found = [][]int64{dist}
	}
}

// try finds the distances along the loops from the i-th of dist on, those before it being given, and tells whether there are few enough.
func (m *meeting) try(l lattice, dist []int64, i int) bool {
	if i == len(dist) {
		if l.solvable() {
			m.found = append(m.found, slices.Clone(dist))
		}
		return len(m.found) <= maxDistances
	}
	step, even := m.alike(i)
	from, to := m.bounds(i)
	if !even || step == 0 {
		if dist[i] = anyDistance; from == to {
			dist[i] = from
		}
		return m.try(l, dist, i+1)
	}
	lo, hi := m.window(l, step, i)
	from, to = max(from, lo), min(to, hi)
	if to-from > maxTrips {
		return !m.rest(l, i).solvable()
	}
	for d := from; d <= to; d++ {
		next := l
		next.add(step, d, d)
		if dist[i] = d; m.rest(next, i+1).solvable() && !m.try(next, dist, i+1) {
			return false
		}
	}
	return true
}

// alike returns what a trip of the i-th loop from depth on adds to both touches, and whether it is the same.
func (m *meeting) alike(i int) (step int64, even bool) {
	a, b := m.e.form.along(m.depth+i), m.t.form.along(m.depth+i)
	return b, a == b
}

// bounds returns the distances that the i-th loop from depth on allows: at least one trip in the loop that carries, else any.
func (m *meeting) bounds(i int) (from, to int64) {
	n := m.loops[m.depth+i].Loop.Trips() - 1
	if i == 0 {
		return 1, n
	}
	return -n, n
}

// rest puts the distances along the loops from the i-th on into the lattice as numbers to be chosen.
func (m *meeting) rest(l lattice, i int) *lattice {
	for ; m.depth+i < len(m.loops); i++ {
		if step, even := m.alike(i); even {
			from, to := m.bounds(i)
			l.add(step, from, to)
		}
	}
	return &l
}

// window returns bounds of the i-th distance outside of which the sum misses its range whatever the rest is.
func (m *meeting) window(l lattice, step int64, i int) (lo, hi int64) {
	r := m.rest(l, i+1)
	reach := int64(0)
	for _, t := range r.terms[:r.n] {
		reach += t.Step * t.Num
	}
	lo, hi = r.lo-reach, r.hi // of step·d
	if step < 0 {
		step, lo, hi = -step, -hi, -lo
	}
	return -ir.FloorDiv(-lo, step), ir.FloorDiv(hi, step)
}
