package ir

// link gives every instance its edges. Copies are numbered through all origins, so that a set of targets is an array.
func (u *unrolling) link() {
	var n int32
	for i := range u.origins {
		u.origins[i].at = n
		n += int32(len(u.origins[i].insts))
	}
	w := linker{u: u, stamp: make([]int32, n), place: make([]int32, n)}
	for i := range u.made {
		w.inst(&u.made[i], int32(i+1))
	}
}

// linker finds the edges of one instance after the other.
type linker struct {
	u     *unrolling
	c     *Inst
	deps  []Dep
	carry []LoopDep
	turn  int32   // of the instance, from 1
	stamp []int32 // by number of a copy: the turn in which it became a target
	place []int32 // and where in deps it then stands
}

// inst finds the edges of an instance: its own, and those of the loops that stood around it and of which nothing is left.
func (w *linker) inst(x *instance, turn int32) {
	w.c, w.turn, w.deps, w.carry = x.of.insts[x.index], turn, nil, nil
	w.edges(x.of, x.index, x.of)
	index, nest := x.index, x.of.nest
	for i := len(nest) - 1; i >= 0 && nest[i].whole; i-- {
		index /= nest[i].copies
		w.edges(w.u.origin(nest[i].holder), index, x.of)
	}
	w.selfOrder(x)
	w.c.Deps, w.c.LoopDeps = w.deps, w.carry
}

// edges adds the edges that stood on holder, a copy of which has the index, for an instance of origin o.
func (w *linker) edges(holder *origin, index int64, o *origin) {
	for _, d := range holder.inst.Deps {
		if !around(d.On, o.nest) {
			w.targets(edge{from: holder, index: index, kind: d.Kind}, w.u.origin(d.On))
		}
	}
	for i := range holder.inst.LoopDeps {
		d := &holder.inst.LoopDeps[i]
		w.targets(edge{from: holder, index: index, kind: d.Kind, dist: d.Dist, carried: true}, w.u.origin(d.On))
	}
}

// around tells whether the instruction is one of the loops: who stands in a loop has nothing to wait for in having come there.
func around(in *Inst, nest []*level) bool {
	for _, l := range nest {
		if l.holder == in {
			return true
		}
	}
	return false
}

// edge is one edge as it stood.
type edge struct {
	from    *origin
	index   int64 // which copy of it
	kind    EdgeKind
	dist    []int64
	carried bool
}

// targets adds an edge to origin t, or to what stood in it if t is a loop of which nothing is left.
func (w *linker) targets(e edge, t *origin) {
	common := 0
	for common < len(e.from.nest) && common < len(t.nest) && e.from.nest[common] == t.nest[common] {
		common++
	}
	first, dist, ok := e.prefix(common)
	if ok {
		w.spread(e, t, common, first, dist)
	}
}

// prefix returns the common loops' part of the index of the copies that an edge leads to, and the distances that are left of it over the
// loops around both that stay. It is not ok where the edge leads to a trip that is not there.
//
// Where the edge leads to another copy of a loop's body, the loops in there are others: no distance over them can be said, and the edge leads
// to all their iterations. That is more than was asked, and as sound, for they all come earlier.
func (e *edge) prefix(common int) (first int64, dist []int64, ok bool) {
	index := e.index / spread(e.from.nest[common:])
	if !e.carried {
		return index, nil, true
	}
	parted := false
	for i, l := range e.from.nest[:common] {
		phase := index / spread(e.from.nest[i+1:common]) % l.copies
		to := phase - e.dist[i]
		if l.whole && to < 0 {
			return 0, nil, false
		}
		if !l.whole {
			back := -FloorDiv(to, l.copies)
			to += back * l.copies
			if !parted {
				dist = append(dist, back)
			}
		}
		parted = parted || to != phase
		first = first*l.copies + to
	}
	return first, dist, true
}

// spread adds an edge to every copy of t whose index over the common loops is first.
func (w *linker) spread(e edge, t *origin, common int, first int64, dist []int64) {
	if t.self != nil && t.self.whole {
		for _, b := range t.self.loop.Blocks {
			for _, sub := range b.Insts {
				w.spread(e, w.u.origin(sub), common, first, dist)
			}
		}
		return
	}
	if t.insts == nil { // in a loop without trips
		return
	}
	n := spread(t.nest[common:])
	for i := first * n; i < (first+1)*n; i++ {
		if on := t.insts[i]; on != nil {
			w.add(t.at+int32(i), on, e.kind, dist)
		}
	}
}

// add adds one edge. With a distance over a loop that stays it is loop-carried, else plain; of plain ones to one target the stronger stands,
// and an instance does not wait for itself, as it would by an edge between a loop and something in it.
func (w *linker) add(number int32, on *Inst, kind EdgeKind, dist []int64) {
	for _, d := range dist {
		if d > 0 {
			w.carry = append(w.carry, LoopDep{On: on, Kind: kind, Dist: dist})
			return
		}
	}
	if on == w.c {
		return
	}
	if w.stamp[number] == w.turn {
		d := &w.deps[w.place[number]]
		d.Kind = max(d.Kind, kind)
		return
	}
	w.stamp[number], w.place[number] = w.turn, int32(len(w.deps))
	w.deps = append(w.deps, Dep{On: on, Kind: kind})
}

// selfOrder keeps the trips of an instruction without engine in their order where edges order the program. Such an instruction has a queue of
// its own (bir-json.md, "Small things settled"), its copies have one each, unless they are transfers in a queue that they name.
func (w *linker) selfOrder(x *instance) {
	in := x.of.inst
	if !w.u.chain || in.Engine != Unassigned || in.Queue != "" && in.Transfers(w.u.arch) || in.Loop != nil {
		return
	}
	for i := x.index - 1; i >= 0; i-- {
		if on := x.of.insts[i]; on != nil {
			if w.stamp[x.of.at+int32(i)] != w.turn {
				w.add(x.of.at+int32(i), on, Ordered, nil)
			}
			return
		}
	}
}
