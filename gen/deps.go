package gen

import (
	"slices"

	"birfuzz/ir"
)

// conflict is a pair of instructions of one block, from before to, of which one writes what the other touches.
type conflict struct {
	from, to int32 // positions in the block
	kind     ir.EdgeKind
}

// record is one access of an instruction of the block.
type record struct {
	at    int32
	arg   *ir.Operand // nil: all of the storage, or hidden state
	reads bool
	write bool
	next  int32   // index of the previous record of the storage, -1 if none
	hull  bool    // walk is known
	walk  ir.Walk // of arg, if that is in memory: its hull, once it was compared
}

// analyst finds the conflicts inside blocks. It keeps its scratch memory between them.
type analyst struct {
	flow    *flow
	cleared map[*ir.Inst][]int32 // storage that the start of a sum clears, what it writes included
	last    []int32              // by storage: its latest record, -1 if none
	records []record
	pairs   []conflict
}

// prepare makes the analyst ready for the storage of a program.
func (a *analyst) prepare(f *flow) {
	n := len(f.at) + int(ir.NumEngines)
	a.flow, a.last = f, slices.Grow(a.last[:0], n)[:n]
}

// conflicts returns the conflicting pairs of a block, ordered by their later instruction. A loop counts as all that its body touches.
func (a *analyst) conflicts(bl *ir.Block) []conflict {
	for i := range a.last {
		a.last[i] = -1
	}
	a.records, a.pairs = a.records[:0], a.pairs[:0]
	for i, in := range bl.Insts {
		a.inst(int32(i), in)
		if in.Loop != nil {
			for sub := range in.Loop.Insts {
				a.inst(int32(i), sub)
			}
		}
	}
	return a.pairs
}

func (a *analyst) inst(at int32, in *ir.Inst) {
	keeps := in.Spec().WriteMode(in) != ir.Overwrites
	for i := range in.Args {
		o := &in.Args[i]
		if o.Loc == nil {
			continue
		}
		out := i < int(in.NOut)
		a.touch(a.flow.root[o.Loc.ID], at, o, !out || keeps, out)
	}
	for _, storage := range a.cleared[in] {
		a.touch(storage, at, nil, false, true)
	}
	if r, w := in.ReadsAcc(), in.WritesAcc(); r || w {
		a.touch(int32(len(a.flow.at))+int32(in.Engine), at, nil, r, w)
	}
}

// apart tells whether two records of one storage have no byte in common.
func (r *record) apart(e *record) bool {
	switch {
	case r.arg == nil || e.arg == nil:
		return false
	case r.arg.Loc == e.arg.Loc && r.arg.Kind == ir.APOperand:
		return !r.reach().Overlaps(e.reach())
	}
	return !overlap(e.arg, r.arg)
}

// reach returns the hull of the record's operand. Most are never asked for it: what is only read conflicts with nothing.
func (r *record) reach() *ir.Walk {
	if !r.hull {
		r.walk, r.hull = r.arg.Hull(), true
	}
	return &r.walk
}

// record adds a record of the storage to those there are, and returns it.
func (a *analyst) record(storage, at int32, o *ir.Operand, reads, writes bool) *record {
	n := len(a.records)
	if n == cap(a.records) {
		a.records = slices.Grow(a.records, 1+n)
	}
	a.records = a.records[:n+1]
	r := &a.records[n] // its walk is an old one's
	r.at, r.arg, r.reads, r.write, r.hull, r.next = at, o, reads, writes, false, a.last[storage]
	a.last[storage] = int32(n)
	return r
}

// touch records an access and compares it with the earlier ones of its storage.
func (a *analyst) touch(storage, at int32, o *ir.Operand, reads, writes bool) {
	r := a.record(storage, at, o, reads, writes)
	for k := r.next; k >= 0; k = a.records[k].next {
		e := &a.records[k]
		if e.at == r.at || !e.write && !r.write || r.apart(e) {
			continue
		}
		if e.write && r.reads {
			a.pair(e.at, r.at, ir.Flow)
		}
		if e.write && r.write {
			a.pair(e.at, r.at, ir.OutputDep)
		}
		if e.reads && r.write {
			a.pair(e.at, r.at, ir.Anti)
		}
	}
}

// overlap tells whether two accesses of one storage can touch a common byte. Aliases are of one size: those that a third location makes one
// are compared as if the names were.
func overlap(o, p *ir.Operand) bool {
	if o.Kind == ir.APOperand && p.Kind == ir.APOperand && !ir.SameStorage(o.Loc, p.Loc) {
		q := *p
		q.Loc = o.Loc
		return ir.Overlap(o, &q)
	}
	return ir.Overlap(o, p)
}

// pair adds a conflict; of two kinds for one pair the stronger stands.
func (a *analyst) pair(from, to int32, kind ir.EdgeKind) {
	for i := len(a.pairs) - 1; i >= 0 && a.pairs[i].to == to; i-- {
		if a.pairs[i].from == from {
			a.pairs[i].kind = max(a.pairs[i].kind, kind)
			return
		}
	}
	a.pairs = append(a.pairs, conflict{from, to, kind})
}

// dependences gives the program edges and order vectors, if it is to have them.
func (b *builder) dependences() {
	edges := b.on(Edges) && b.straight()
	if !edges && !b.on(Orders) && !b.on(CarriedEdges) && !b.on(LoopEdges) {
		return
	}
	w := &weaver{builder: b, rand: b.fork("order"), carried: b.fork("carried"), axes: b.fork("axes"), shards: b.fork("shards"), all: edges}
	w.analyst.prepare(&b.flow)
	if b.on(Orders) {
		w.keys.first = 3 * b.names
	}
	for _, f := range b.prog.Cores {
		w.blocks(f.Blocks, nil, w.shardPrefix())
	}
	if edges {
		b.prog.Facts |= ir.Deps
	}
}

// weaver gives blocks edges and order vectors.
type weaver struct {
	*builder
	rand, carried, axes, shards Rand
	all                         bool // an edge for each conflict
}

// blocks gives edges and order vectors to blocks inside loops. Vectors begin with the prefix.
func (w *weaver) blocks(bs []*ir.Block, around []*ir.Loop, prefix []ir.Affine) {
	for _, bl := range bs {
		pairs := w.analyst.conflicts(bl)
		switch {
		case w.all:
			pairs = w.edges(&w.rand, bl, pairs)
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
			if in.Loop != nil {
				w.blocks(in.Loop.Blocks, append(around[:len(around):len(around)], in.Loop), w.axisPrefix(in.Loop, len(around), prefix))
			}
		}
	}
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

// makeRoom gives the instructions of a block room for an edge for each of the pairs, in one piece of memory.
func (b *builder) makeRoom(bl *ir.Block, pairs []conflict) {
	count := slices.Grow(b.counts[:0], len(bl.Insts))[:len(bl.Insts)]
	clear(count)
	b.counts = count
	for _, c := range pairs {
		count[c.to]++
	}
	for i, in := range bl.Insts {
		if n := int(count[i]); n > 0 && in.Deps == nil {
			in.Deps = b.deps.take(n)[:0]
		}
	}
}

// edges adds an edge for each conflict, and a few that only order. It returns all pairs that are ordered.
func (b *builder) edges(r *Rand, bl *ir.Block, pairs []conflict) []conflict {
	for n := len(bl.Insts); n > 1 && r.Bool(0.2); {
		to := r.Between(1, n-1)
		pairs = append(pairs, conflict{int32(r.IntN(to)), int32(to), ir.Ordered})
	}
	b.makeRoom(bl, pairs)
	for _, c := range pairs {
		in := bl.Insts[c.to]
		in.Deps = ir.AddDep(in.Deps, ir.Dep{On: bl.Insts[c.from], Kind: c.kind})
	}
	return pairs
}
