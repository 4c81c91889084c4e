package passes

import "birfuzz/ir"

// depScan finds the edges that one storage asks for. It meets the touches in program order and keeps those in an index that nobody has
// covered since; a touch has an edge to those of them that it conflicts with.
type depScan struct {
	deps  *dependences
	list  []*touch
	live  []bool // by touch: met, and not covered since
	open  []openLoop
	index spanIndex
	later spanIndex // of what a loop carries
	found []int32   // scratch
}

// openLoop is a loop whose body the scan is in, and the first touch in it.
type openLoop struct {
	loop  *ir.Inst
	first int
}

func (s *depScan) run(list []*touch) {
	s.list, s.open = list, s.open[:0]
	s.live = append(s.live[:0], make([]bool, len(list))...)
	s.index.reset(list)
	for i := range list {
		if s.deps.cut {
			return
		}
		s.enter(i, s.deps.nodes[list[i].inst].loops)
		s.meet(i)
	}
	s.enter(len(list), nil)
}

// enter closes the loops that touch i does not stand in, and opens those that it does. What a loop carries is looked for when its end is
// reached: then the live touches in it are those that the next trip meets.
func (s *depScan) enter(i int, loops []*ir.Inst) {
	keep := 0
	for keep < len(s.open) && keep < len(loops) && s.open[keep].loop == loops[keep] {
		keep++
	}
	for n := len(s.open) - 1; n >= keep; n-- {
		if s.open[n].loop.Loop.Trips() > 1 {
			s.carried(n, s.open[n].first, i)
		}
	}
	s.open = s.open[:keep]
	for _, l := range loops[keep:] {
		s.open = append(s.open, openLoop{l, i})
	}
}

// meet gives touch i its edges to the live ones, ends those that it covers, and makes it live.
func (s *depScan) meet(i int) {
	t := s.list[i]
	for _, k := range s.reached(&s.index, t) {
		e := s.list[k]
		common := s.deps.common(e.inst, t.inst)
		if e.inst != t.inst && conflictHere(e, t, common, s.deps.nodes) {
			s.deps.add(depEdge{of: t.inst, on: e.inst, kind: kindOf(e, t), hidden: t.hidden})
		}
		if s.covered(e, t, common) {
			s.live[k] = false
			s.index.set(treeOf(e), k, nothing)
		}
	}
	s.live[i] = true
	s.index.set(treeOf(t), int32(i), t.box.ColEnd)
}

// reached returns the touches of an index whose rectangles meet that of t, writers alone if t only reads.
func (s *depScan) reached(x *spanIndex, t *touch) []int32 {
	out := x.find(writers, t.box.Col, t.box.ColEnd, s.found[:0])
	if t.writes {
		out = x.find(readers, t.box.Col, t.box.ColEnd, out)
	}
	s.found = out
	kept := out[:0]
	for _, k := range out {
		if b := s.list[k].box; b.Row < t.box.RowEnd && t.box.Row < b.RowEnd {
			kept = append(kept, k)
		}
	}
	return kept
}

// treeOf returns the tree in which a touch stands: one that reads and writes is met by everybody.
func treeOf(t *touch) int {
	if t.writes {
		return writers
	}
	return readers
}

// kindOf returns the kind of an edge from t to the earlier e: the strongest of those that hold (walrus.md §1.3).
func kindOf(e, t *touch) ir.EdgeKind {
	switch {
	case e.writes && t.reads:
		return ir.Flow
	case e.writes:
		return ir.OutputDep
	}
	return ir.Anti
}

// covered tells whether nobody who comes after t need look at e: t surely runs wherever e did, e's bytes are t's, and whoever meets those
// meets t, which waits for e. Bytes of an alias that may lie elsewhere are left alone, lest a flow edge miss the value's origin.
func (s *depScan) covered(e, t *touch, common int) bool {
	return t.ends && int(s.deps.nodes[t.inst].maybe) < common && sureBytes(e, t) &&
		t.form.covers(&e.form, common, s.deps.nodes[e.inst].loops)
}

func sureBytes(e, t *touch) bool {
	return e.loc == t.loc || e.loc != nil && t.loc != nil && e.loc.Allocated && t.loc.Allocated
}

// conflictHere tells whether the two touches share a byte in some equal iteration of the common loops around both.
func conflictHere(s, t *touch, common int, nodes []depNode) bool {
	l := gap(&s.form, &t.form, common)
	for i := range common {
		l.add(t.form.along(i)-s.form.along(i), 0, nodes[t.inst].loops[i].Loop.Trips()-1)
	}
	free(&l, s, t, common, nodes)
	return l.solvable()
}

// free puts the loops from the first-th on into a lattice, as if each of the two had its own.
func free(l *lattice, s, t *touch, first int, nodes []depNode) {
	for i := first; i < len(t.form.coef); i++ {
		l.add(t.form.coef[i], 0, nodes[t.inst].loops[i].Loop.Trips()-1)
	}
	for i := first; i < len(s.form.coef); i++ {
		l.add(-s.form.coef[i], 0, nodes[s.inst].loops[i].Loop.Trips()-1)
	}
}
