package gen

import "birfuzz/ir"

// nest is a loop whose body is being drawn.
type nest struct {
	loop   *ir.Loop
	since  int     // instructions named before it
	frozen []*slot // outermost loop only: locations whose values instructions of the loop rely on
	tiled  []tiling
	slots  []saved // what was readable before, where the body may not run
	acc    [ir.NumEngines]int
	maybe  bool
}

// saved is what was readable of a slot.
type saved struct {
	slot *slot
	def  rect
}

// tiling is a window that writes a location piece by piece, one trip after the other.
type tiling struct {
	window *slot
	whole  bool // the trips leave no gap
}

var loopNames = numbered("L", "")

// loopDepth is how deep loops nest at most.
const loopDepth = 2

// mayLoop tells whether a loop fits here.
func (b *builder) mayLoop() bool {
	depth := len(b.loops)
	return b.on(Loops) && len(b.chains) == 0 && b.left > 4 && (depth == 0 || depth < loopDepth && b.on(Nested) && !b.long())
}

// manyTrips are the trips of long loops: primes, and numbers with small and with large divisors only.
var manyTrips = []int64{6, 7, 8, 9, 10, 12, 13, 15, 17, 18, 20, 24, 31, 34, 36, 40}

// long tells whether the outermost loop around is a long one.
func (b *builder) long() bool { return len(b.loops) > 0 && b.loops[0].loop.Trips() >= manyTrips[0] }

// drawLoop draws a loop and its body.
func (b *builder) drawLoop() {
	var sum *chain // its members are the trips: none of them is the last
	carried := b.beforeCount()
	l := b.axis()
	size := b.Between(2, 10)
	if len(b.loops) == 0 && b.sometimes(LongLoops, 0.5) {
		l.UB, size = l.LB+l.Stride*int64(one(&b.Rand, manyTrips)), b.Between(1, 3)
	}
	if len(b.loops) == 0 && carried == nil && b.sometimes(Parallel, 0.4) {
		l.Parallel = true
	} else {
		sum = b.beforeSum()
	}
	outer := b.block
	n := b.open(l, b.loopGuard())
	b.windows(n)
	stop := max(b.left-size, b.reserve)
	for b.left > stop && b.step(stop) {
		if sum != nil && b.Bool(0.5) {
			b.member(sum)
		}
	}
	b.endChains()
	if sum != nil {
		b.member(sum)
		sum.out.slot.busy = false
	}
	if carried != nil {
		b.count(carried)
	}
	b.leave(n)
	b.block = outer
}

// loopGuard draws predicates for a whole loop, mostly none.
func (b *builder) loopGuard() []ir.Predicate {
	if len(b.loops) > 0 && b.sometimes(Predicates, 0.2) || b.sometimes(ShardCode, 0.3) {
		return b.predicates()
	}
	return nil
}

// open emits a Loop instruction; what is drawn next stands in its body.
func (b *builder) open(l *ir.Loop, guard []ir.Predicate) *nest {
	in := b.insts.one()
	*in = ir.Inst{Op: b.rows.loop.Op, Name: loopNames.at(b.blocks), Loop: l, Pred: guard}
	b.block.Insts = append(b.block.Insts, in)
	b.left--
	body := b.blockNamed(bodyNames.at(b.blocks), chunk)
	b.blocks++
	l.Blocks = b.parts.list(body)
	b.block = body
	return b.enter(l, len(in.Pred) > 0)
}

// idleLoop draws a loop that holds nothing, another such loop, fences, or instructions whose results nobody can read.
func (b *builder) idleLoop() {
	outer := b.block
	n := b.open(b.axis(), b.loopGuard())
	switch b.IntN(4) {
	case 2:
		b.onlyFences()
	case 0:
		if b.left > 1 && b.mayLoop() {
			b.idleLoop()
		}
	case 1:
		lanes, free := b.sizes(0, 0)
		if s := b.filled(ir.InSB, lanes, free, b.common[0]); s != nil {
			s.def = rect{}
		}
	}
	b.leave(n)
	b.block = outer
}

// onlyFences draws one or two instructions that nothing but others' order depends on.
func (b *builder) onlyFences() {
	for range b.Between(1, 2) {
		switch {
		case b.left < 2 || b.parallel():
		case b.sometimes(Semaphores, 0.5):
			b.signal()
		case b.on(Barriers):
			b.barrier()
		}
	}
}

// bounds is how a loop runs.
type bounds struct {
	lb, stride, trips int64
	parallel          bool
	always            bool // the loop has no predicates of its own
}

// bounds draws how a loop runs: 0 to 4 trips, now and then a stride other than 1.
func (b *builder) bounds() bounds {
	s := int64(1 + b.Pick([]int{6, 2, 1}))
	return b.farBounds(bounds{stride: s, lb: int64(b.Pick([]int{6, 1, 1, 1})), trips: int64(b.Pick([]int{1, 2, 4, 3, 3}))})
}

// axis draws a loop.
func (b *builder) axis() *ir.Loop { return b.loopOver(b.bounds()) }

// loopOver makes a loop of such bounds, now and then with an end between two trips.
func (b *builder) loopOver(t bounds) *ir.Loop {
	l := b.cycles.one()
	*l = ir.Loop{Axis: axisNames.at(b.blocks), LB: t.lb, UB: t.lb, Stride: t.stride, Parallel: t.parallel}
	if t.trips > 0 {
		l.UB += (t.trips-1)*t.stride + 1 + int64(b.IntN(int(t.stride)))
	}
	l.NoReorder, l.Unroll = b.Bool(0.1), b.Bool(0.3)
	return l
}

// enter opens a loop.
func (b *builder) enter(l *ir.Loop, guarded bool) *nest {
	n := b.nests.next()
	*n = nest{loop: l, since: b.names, maybe: guarded || l.Trips() == 0, acc: b.acc, frozen: n.frozen[:0], tiled: n.tiled[:0], slots: n.slots[:0]}
	if n.maybe {
		for _, list := range [...][]*slot{b.slots, b.regs} {
			for _, s := range list {
				n.slots = append(n.slots, saved{s, s.def})
			}
		}
	}
	b.loops = append(b.loops, n)
	b.flow.deep++
	if l.Parallel {
		b.freeze(n)
	}
	return n
}

// leave closes a loop: windows go, and what a body that may not run has written counts for nothing.
func (b *builder) leave(n *nest) {
	b.loops = b.loops[:len(b.loops)-1]
	b.flow.deep--
	if n.maybe {
		b.forget(n)
	}
	if n.loop.Parallel {
		b.scatter(n)
	}
	for _, t := range n.tiled {
		root := t.window.root
		root.busy = false
		if !n.maybe && t.whole && t.window.def == t.window.all() {
			root.def = root.all()
			root.used, root.scattered = false, false
		}
	}
	kept := b.slots[:0]
	for _, s := range b.slots {
		if !s.follows(n.loop) {
			kept = append(kept, s)
		}
		if s.root.stamp > n.since {
			b.flow.of(s.loc).pure = false // the next trip may have found other values
		}
	}
	b.slots = kept
	for _, s := range n.frozen {
		s.frozen = false
	}
}

// forget restores what was readable before the loop.
func (b *builder) forget(n *nest) {
	for _, list := range [...][]*slot{b.slots, b.regs} {
		for _, s := range list {
			if !s.given() || s != s.root {
				s.def = rect{}
			}
		}
	}
	for _, s := range n.slots {
		s.slot.def = s.def
	}
	b.acc = n.acc
}

// given tells whether the host gives the slot's values.
func (s *slot) given() bool {
	k := s.loc.Set.Kind
	return k == ir.ExternalInput || k == ir.Const
}

// follows tells whether the slot is a window that moves with the loop.
func (s *slot) follows(l *ir.Loop) bool {
	for i := range s.terms {
		t := &s.terms[i]
		if t.Axis == l || t.Sub != nil && len(t.Sub.Terms) > 0 && t.Sub.Terms[0].Axis == l {
			return true
		}
	}
	return false
}

// freeze keeps the trips of a parallel loop apart: they write only what is declared inside it, so that none finds what another left.
func (b *builder) freeze(n *nest) {
	for _, list := range [...][]*slot{b.slots, b.regs} {
		for _, s := range list {
			if !s.root.frozen {
				s.root.frozen = true
				n.frozen = append(n.frozen, s.root)
			}
		}
	}
}

// scatter forgets what a parallel loop has written: which trip was the last is open. What the trips fill piece by piece, by a window that moves with
// the loop, is not concerned.
func (b *builder) scatter(n *nest) {
	for _, list := range [...][]*slot{b.slots, b.regs} {
		for _, s := range list {
			if s.root.stamp > n.since && !s.follows(n.loop) {
				s.def, s.root.scattered = rect{}, true
			}
		}
	}
}

// parallel tells whether trips may run in any order here: no instruction may leave anything for the next trip, or let others see how far
// the loop is.
func (b *builder) parallel() bool { return len(b.loops) > 0 && b.loops[0].loop.Parallel }

// willGuard draws whether an instruction of the row will be guarded by predicates.
func (b *builder) willGuard(row *ir.Spec) bool {
	often := 0.25
	if len(b.loops) == 0 {
		often = 0.03 // of a condition that is decided already
		if b.on(Orders) {
			often = 0.08
		}
	}
	return row.State.State == ir.NoHidden && (b.sometimes(Predicates, often) || b.sometimes(ShardCode, 0.1))
}

// guard gives the instruction its predicates.
func (b *builder) guard(d *draft, in *ir.Inst) {
	if d.guarded {
		in.Pred = b.predicates()
	}
}

// predicates draws one or two conditions on the axes around, and on the core where there are several; without either, constant ones.
func (b *builder) predicates() []ir.Predicate {
	p := b.conds.take(1 + b.Pick([]int{4, 1}))
	for i := range p {
		if b.sometimes(ShardCode, 0.5) {
			p[i] = b.onShard()
			continue
		}
		if len(b.loops) == 0 {
			p[i] = ir.Predicate{Expr: ir.Konst(int64(b.Between(-1, 1))), Cmp: ir.Cmp(b.IntN(int(ir.NumCmps)))}
			continue
		}
		l := one(&b.Rand, b.loops).loop
		e := ir.Affine{C: -l.LB - l.Stride*int64(b.IntN(3)), Terms: b.terms.list(ir.Term{Coef: 1, Kind: ir.AxisTerm, Axis: l})}
		if b.Bool(0.2) {
			sub := ir.Affine{Terms: []ir.Term{{Coef: 1, Kind: ir.AxisTerm, Axis: l}}}
			e = ir.Affine{Terms: []ir.Term{{Coef: 1, Kind: ir.ModTerm, Sub: &sub, N: int64(b.Between(2, 3))}}}
		}
		p[i] = ir.Predicate{Expr: e, Cmp: ir.Cmp(b.IntN(int(ir.NumCmps)))}
	}
	return p
}
