package gen

import "birfuzz/ir"

// dependences gives the program edges and order vectors, if it is to have them.
func (b *builder) dependences() {
	edges := b.on(Edges) && (b.on(RolledEdges) || b.straight())
	if !edges && !b.on(Orders) && !b.on(CarriedEdges) && !b.on(LoopEdges) {
		return
	}
	w := &b.weaver
	*w = weaver{builder: b, rand: b.fork("order"), carried: b.fork("carried"), axes: b.fork("axes"), shards: b.fork("shards")}
	w.analyst.prepare(&b.flow)
	w.analyst.queues = false
	if edges {
		w.ready()
	}
	if b.on(Orders) {
		w.keys.first = 3 * b.names
	}
	for _, f := range b.prog.Cores {
		w.blocks(f.Blocks, nil, w.shardPrefix())
	}
	if edges && !w.short {
		b.prog.Facts |= ir.Deps
	}
}

// weaver gives blocks edges and order vectors.
type weaver struct {
	*builder
	rand, carried, axes, shards Rand
	ordering
}

// blocks gives edges and order vectors to blocks inside loops. Vectors begin with the prefix. It returns the strongest kind of a conflict in the
// blocks that queues alone do not order, if they are to have all their edges.
func (w *weaver) blocks(bs []*ir.Block, around []*ir.Loop, prefix []ir.Affine) (open ir.EdgeKind) {
	if w.all && len(bs) > 1 {
		list := w.joined(bs)
		open = w.suffice(list, w.analyst.conflicts(list), around)
	}
	for _, bl := range bs {
		pairs := w.analyst.conflicts(bl.Insts)
		switch {
		case w.all && len(bs) == 1:
			open = w.suffice(bl.Insts, pairs, around)
			pairs = w.spare(&w.rand, bl.Insts, pairs)
		case w.all:
		case w.on(CarriedEdges) && len(around) > 0:
			w.carry(bl, pairs, len(around))
		}
		if w.on(LoopEdges) {
			w.around(bl, pairs)
		}
		if w.on(Orders) {
			w.order(bl, pairs, prefix)
		}
		for _, in := range bl.Insts {
			if in.Loop == nil {
				continue
			}
			kind := w.blocks(in.Loop.Blocks, append(around[:len(around):len(around)], in.Loop), w.axisPrefix(in.Loop, len(around), prefix))
			if kind != 0 {
				w.again(in, kind, around)
			}
			open = max(open, kind)
		}
	}
	return open
}

// axisPrefix returns the prefix for the body of a loop: that of the loops around and its axis, so that unrolled code keeps its order.
func (w *weaver) axisPrefix(l *ir.Loop, depth int, prefix []ir.Affine) []ir.Affine {
	if !w.on(AxisOrders) || len(prefix) < depth || w.axes.Bool(0.3) {
		return nil
	}
	axis := ir.Affine{Terms: []ir.Term{{Coef: int64(w.axes.Between(1, 2)), Kind: ir.AxisTerm, Axis: l}}}
	return append(prefix[:len(prefix):len(prefix)], axis)
}

// carry gives a block in a loop of that depth some of the edges that its conflicts call for: inside one iteration, and from one iteration to a
// later one. In program order all of them hold.
func (w *weaver) carry(bl *ir.Block, pairs []conflict, depth int) {
	r := &w.carried
	for _, c := range pairs {
		from, to := bl.Insts[c.from], bl.Insts[c.to]
		if from.Loop != nil || to.Loop != nil {
			continue
		}
		if r.Bool(0.4) {
			to.Deps = ir.AddDep(to.Deps, ir.Dep{On: from, Kind: c.kind})
		}
		if r.Bool(0.3) {
			to.LoopDeps = append(to.LoopDeps, ir.LoopDep{On: from, Kind: c.kind, Dist: distance(r, depth)})
		}
		if r.Bool(0.4) {
			from.LoopDeps = append(from.LoopDeps, ir.LoopDep{On: to, Kind: turned(c.kind), Dist: distance(r, depth)})
		}
	}
}

// around gives a block some of the edges that its conflicts with loops call for: to or from the loop, or an instruction anywhere in it.
func (w *weaver) around(bl *ir.Block, pairs []conflict) {
	r := &w.carried
	for _, c := range pairs {
		from, to := bl.Insts[c.from], bl.Insts[c.to]
		if from.Loop == nil && to.Loop == nil || r.Bool(0.4) {
			continue
		}
		to = inside(r, to)
		to.Deps = ir.AddDep(to.Deps, ir.Dep{On: inside(r, from), Kind: c.kind})
	}
}

// inside returns the instruction, or one of the loop that it is.
func inside(r *Rand, in *ir.Inst) *ir.Inst {
	for in.Loop != nil && r.Bool(0.6) {
		bl := one(r, in.Loop.Blocks)
		if len(bl.Insts) == 0 {
			break
		}
		in = one(r, bl.Insts)
	}
	return in
}

// turned returns the kind of a conflict whose later instruction comes first.
func turned(k ir.EdgeKind) ir.EdgeKind {
	switch k {
	case ir.Flow:
		return ir.Anti
	case ir.Anti:
		return ir.Flow
	default:
		return k
	}
}

// distance draws how many iterations of each loop an edge spans: mostly one of the innermost.
func distance(r *Rand, depth int) []int64 {
	d := make([]int64, depth)
	d[depth-1-r.Pick([]int{4, 1}[:min(depth, 2)])] = int64(1 + r.Pick([]int{4, 1}))
	return d
}

// straight tells whether all edges of the program stand inside one block: every function has one, and no loop.
func (b *builder) straight() bool {
	for _, f := range b.prog.Cores {
		if len(f.Blocks) != 1 {
			return false
		}
	}
	for in := range b.prog.Insts {
		if in.Loop != nil {
			return false
		}
	}
	return true
}
