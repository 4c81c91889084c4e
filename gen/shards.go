package gen

import "birfuzz/ir"

// shardID is the number of the core that runs the instruction, times coef.
func (b *builder) shardID(coef int64) ir.Term {
	return ir.Term{Coef: coef, Kind: ir.ShardTerm, N: int64(b.cores())}
}

// onShard draws a condition on the number of the core: one that holds on one of the cores, mostly.
func (b *builder) onShard() ir.Predicate {
	t := b.shardID(1)
	if b.Bool(0.3) {
		t = b.shardLeaf().term
		t.Coef = 1
	}
	return ir.Predicate{Expr: ir.Affine{C: -int64(b.IntN(b.cores())), Terms: []ir.Term{t}}, Cmp: ir.Cmp(b.IntN(int(ir.NumCmps)))}
}

// shardLeaf draws a remainder or quotient of an expression of the core's number.
func (b *builder) shardLeaf() leaf {
	c, k := int64(b.IntN(3)), int64(b.Between(2, 3))
	sub := &ir.Affine{C: c, Terms: []ir.Term{b.shardID(int64(b.Between(1, 2)))}}
	if b.Bool(0.5) {
		return leaf{ir.Term{Kind: ir.ModTerm, Sub: sub, N: k}, 0, k - 1}
	}
	last := c + sub.Terms[0].Coef*(int64(b.cores()-1))
	return leaf{ir.Term{Kind: ir.FloorDivTerm, Sub: sub, N: k}, c / k, last/k - c/k}
}

// shardPrefix returns a prefix for the order vectors of a function: one number on each core, so that their order is the same on all. Mostly nil.
func (w *weaver) shardPrefix() []ir.Affine {
	if !w.on(ShardCode) || w.shards.Bool(0.5) {
		return nil
	}
	a := ir.Affine{Terms: []ir.Term{w.shardID(int64(w.shards.Between(1, 2)))}}
	if w.shards.Bool(0.3) {
		a.Terms = []ir.Term{{Coef: 1, Kind: ir.FloorDivTerm, Sub: &ir.Affine{C: 1, Terms: a.Terms}, N: 2}}
	}
	return []ir.Affine{a}
}

// byShard draws code that each core runs in its own way.
func (b *builder) byShard() {
	switch b.IntN(3) {
	case 0:
		b.shardWindow()
	case 1:
		b.either()
	default:
		b.ownShare()
	}
}

// shardWindow opens a window over a tensor of the host of which each core reads another part.
func (b *builder) shardWindow() {
	s := b.pick(func(s *slot) bool { return s.given() && s.readable() && len(s.terms) == 0 })
	if s == nil {
		return
	}
	f := leaf{b.shardID(0), 0, int64(b.cores() - 1)}
	if b.Bool(0.4) {
		f = b.shardLeaf()
	}
	if !b.Bool(0.5) || !b.rowWindow(s, f) {
		b.columnWindow(s, f)
	}
}

// either gives a tile a value on every core by instructions of which each runs on some.
func (b *builder) either() {
	if b.left < 4 {
		return
	}
	lanes, free := b.sizes(0, 0)
	x := b.source(lanes, free, one(&b.Rand, b.common))
	if x == nil {
		return
	}
	y := b.newInput(x.rows, x.width/x.dtype.Size(), x.dtype)
	if y == nil {
		return
	}
	t := b.internal(ir.SB, x.rows, x.width, x.dtype)
	t.fixed = true // not all cores find the same there
	b.place.locate(b, t.loc)
	if p, q := b.halves(); b.put(x, t, p) && b.put(y, t, q) {
		t.def = t.all()
	}
}

// fromCore returns how far the core's number is above one that is drawn.
func (b *builder) fromCore() ir.Affine {
	return ir.Affine{C: -int64(b.IntN(b.cores())), Terms: []ir.Term{b.shardID(1)}}
}

// halves draws a condition that holds on some cores, and the one that holds on the others.
func (b *builder) halves() (yes, no []ir.Predicate) {
	e := b.fromCore()
	pairs := [...][2]ir.Cmp{{ir.IsEqual, ir.NotEqual}, {ir.IsGE, ir.IsLT}, {ir.IsGT, ir.IsLE}}
	c := pairs[b.IntN(len(pairs))]
	k := b.IntN(2)
	return []ir.Predicate{{Expr: e, Cmp: c[k]}}, []ir.Predicate{{Expr: e, Cmp: c[1-k]}}
}

// ownShare has one core alone pass a value through Shared memory.
func (b *builder) ownShare() {
	if b.left < 5 || b.parallel() || !b.on(OneCore) || !b.on(Shards) { // of a parallel loop's trips, who was last would be seen
		return
	}
	s := b.pick(func(s *slot) bool { return s.loc.Type == ir.SB && s.steady() && s.writable() && s.def == s.all() })
	if s == nil {
		return
	}
	g := b.like(s)
	g.loc.Set.Space, g.fixed, g.hidden = ir.Shared, true, true // nobody else finds it, whether it comes to anything or not
	own := []ir.Predicate{{Expr: b.fromCore(), Cmp: ir.IsEqual}}
	if !b.put(s, g, own) {
		return
	}
	g.def = s.def // on that core, which alone goes on with it
	b.put(g, s, own)
	g.def = rect{}
}

// anchor stores a part of a result on each core. Without a ShardID in what nobody may delete, a module that several cores run could become
// one that one core runs.
func (b *builder) anchor() {
	lanes, free := b.sizes(0, 0)
	x := b.newInput(lanes, free, one(&b.Rand, b.common))
	b.storing = true
	b.moved(x, ir.InDRAM, x.dtype)
	b.storing = false
}
