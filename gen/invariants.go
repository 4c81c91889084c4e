package gen

import "birfuzz/ir"

// constancy is a loop with an instruction that does the same in every trip, or would but for one thing. Whether it may as well run once, before
// the loop, is what passes ask.
type constancy struct {
	kernel
	list  []bounds
	x, t  *slot // what the instruction reads and writes
	loops []*ir.Loop
	inner []*ir.Loop // of loops, those that windows move with
}

// drawInvariant draws a loop with an instruction that may be hoisted, or with two of which one reads what the other writes.
func (b *builder) drawInvariant() {
	c := b.constancy(8)
	if c == nil {
		return
	}
	u, counts := c.t, b.sometimes(Accumulators, 0.4)
	if b.Bool(0.3) {
		u = c.tile()
	}
	if counts {
		c.command(c.tiled(c.tile()), c.tiled(c.x))
	}
	c.run(func(loops []*ir.Loop) {
		c.in(loops)
		if b.Bool(0.3) {
			c.vary()
		}
		if counts && b.left > 3 {
			c.command(c.tiled(c.tile()), c.tiled(c.x))
		}
		c.same(c.t, c.x)
		if u != c.t && b.left > 2 {
			c.same(u, c.t)
		}
		c.use(u)
	}, c.list...)
	if counts && b.room() > 1 {
		b.readAcc()
	}
	c.after(u)
}

// constancy draws what stands before the loop: a tile with values. Nil if there is no room for so many instructions.
func (b *builder) constancy(insts int) *constancy {
	if !b.roomy(insts) {
		return nil
	}
	c := &constancy{list: []bounds{b.runs()}, kernel: kernel{builder: b}}
	if b.sometimes(Nested, 0.4) && len(b.loops) == 0 {
		c.list = append(c.list, bounds{stride: 1, trips: 2})
	}
	c.split = b.splitting(c.list[len(c.list)-1]).in(ir.SB)
	c.split.byRows = false
	if c.x = c.value(); c.x == nil {
		return nil
	}
	c.t = c.tile()
	return c
}

// value returns a tile with values from the host, nil if there is none.
func (c *constancy) value() *slot {
	s := c.tile()
	x := c.newInput(s.rows, s.width/s.dtype.Size(), s.dtype)
	if x == nil || !c.put(x, s, nil) {
		return nil
	}
	return s
}

// in takes note of the loops around what is drawn next.
func (c *constancy) in(loops []*ir.Loop) { c.loops, c.inner = loops, loops[len(loops)-1:] }

// same draws the instruction that does the same in every trip.
func (c *constancy) same(to *slot, from ...*slot) {
	for i := range from {
		if from[i].def.empty() {
			return
		}
		from[i] = c.tiled(from[i])
	}
	if c.left > 1 && c.apply(nil, c.tiled(to), from...) {
		to.def = to.all() // leaving the loop takes it back where the loop may not run
	}
}

// vary draws one that does not: it brings another piece in each trip.
func (c *constancy) vary() {
	if x := c.given(c.split); x != nil && c.left > 1 {
		sink := c.empty(c.split)
		if c.apply(nil, c.at(sink, c.inner), c.at(x, c.inner)) {
			c.sinks = append(c.sinks, sink)
		}
	}
}

// bring gives a tile another piece in each trip. It reports false if that fails.
func (c *constancy) bring(to *slot) bool {
	x := c.given(c.split)
	return x != nil && c.left > 1 && c.apply(nil, c.tiled(to), c.at(x, c.inner))
}

// use reads a tile, if it has values, in every trip.
func (c *constancy) use(s *slot) {
	if c.left > 1 && !s.def.empty() {
		c.pour(c.split, c.inner, c.tiled(s))
	}
}

// after reads what the loop leaves in a tile, if it surely leaves anything.
func (c *constancy) after(s *slot) {
	if !s.def.empty() {
		s.release()
		if c.room() > 0 && c.Bool(0.5) {
			c.moved(s, ir.InSB|ir.InDRAM, s.dtype)
		}
	}
}

// drawNearInvariant draws a loop with an instruction that may not be hoisted, for one reason.
func (b *builder) drawNearInvariant() {
	c := b.constancy(9)
	if c == nil {
		return
	}
	list := []func(*constancy){(*constancy).moves, (*constancy).readFirst, (*constancy).rewritten, (*constancy).guarded, (*constancy).idle,
		(*constancy).accumulates, (*constancy).visible, (*constancy).changesLater, (*constancy).changesFirst, (*constancy).fenced, (*constancy).halves, (*constancy).handedOn}
	one(&b.Rand, list)(c)
}

// moves writes another piece in each trip.
func (c *constancy) moves() {
	c.run(func(loops []*ir.Loop) {
		c.in(loops)
		c.use(c.x)
	}, c.list...)
}

// readFirst reads the tile before it writes it: in the first trip it finds what stood there.
func (c *constancy) readFirst() {
	if c.t = c.value(); c.t == nil {
		return
	}
	c.run(func(loops []*ir.Loop) {
		c.in(loops)
		c.use(c.t)
		c.same(c.t, c.x)
	}, c.list...)
	c.after(c.t)
}

// rewritten gives the tile another value later in the trip.
func (c *constancy) rewritten() {
	y := c.value()
	if y == nil {
		return
	}
	c.run(func(loops []*ir.Loop) {
		c.in(loops)
		c.same(c.t, c.x)
		c.use(c.t)
		c.same(c.t, y)
	}, c.list...)
	c.after(c.t)
}

// guarded writes the tile in some trips only.
func (c *constancy) guarded() {
	if c.t = c.value(); c.t == nil {
		return
	}
	c.run(func(loops []*ir.Loop) {
		c.in(loops)
		if l := loops[len(loops)-1]; c.left > 2 {
			p := when(l, one(&c.Rand, []ir.Cmp{ir.IsGT, ir.IsEqual, ir.NotEqual, ir.NotEqual}))
			p[0].Expr.C -= l.Stride * int64(c.IntN(2))
			c.apply(p, c.tiled(c.t), c.tiled(c.x))
		}
		c.use(c.t)
	}, c.list...)
	c.after(c.t)
}

// idle writes the tile in a loop without trips.
func (c *constancy) idle() {
	if c.t = c.value(); c.t == nil {
		return
	}
	c.list[c.IntN(len(c.list))].trips = 0
	c.run(func(loops []*ir.Loop) {
		c.in(loops)
		c.same(c.t, c.x)
		c.vary()
	}, c.list...)
	c.after(c.t)
}

// accumulates adds to the tile in each trip.
func (c *constancy) accumulates() {
	if c.t = c.value(); c.t == nil {
		return
	}
	c.run(func(loops []*ir.Loop) {
		c.in(loops)
		c.same(c.t, c.t, c.x)
		if c.Bool(0.5) {
			c.use(c.t)
		}
	}, c.list...)
	c.after(c.t)
}

// visible writes a result, which others may see before a fence.
func (c *constancy) visible() {
	y := c.empty(c.split.in(ir.DRAM))
	c.run(func(loops []*ir.Loop) {
		c.in(loops)
		if c.left > 2 {
			c.lay(c.tiled(c.x), y.slot, rect{0, c.x.rows, 0, c.x.width}, nil)
		}
		c.vary()
	}, c.list...)
}

// changesLater gives what is read another value later in the trip.
func (c *constancy) changesLater() {
	c.run(func(loops []*ir.Loop) {
		c.in(loops)
		c.same(c.t, c.x)
		c.use(c.t)
		c.bring(c.x)
	}, c.list...)
	c.after(c.t)
}

// changesFirst gives what is read another value earlier in the trip.
func (c *constancy) changesFirst() {
	c.run(func(loops []*ir.Loop) {
		c.in(loops)
		c.bring(c.x)
		c.same(c.t, c.x)
	}, c.list...)
	c.after(c.t)
}

// fenced has a fence before the instruction.
func (c *constancy) fenced() {
	c.run(func(loops []*ir.Loop) {
		c.in(loops)
		if c.left > 3 {
			c.barrier()
		}
		c.same(c.t, c.x)
		c.use(c.t)
	}, c.list...)
	c.after(c.t)
}

// halves has two instructions that write parts of the tile.
func (c *constancy) halves() {
	y := c.value()
	if y == nil || c.t.width < 2*step8 {
		return
	}
	left, right := c.t.all(), c.t.all()
	left.c1 = c.t.width / 2 &^ (step8 - 1)
	right.c0 = left.c1
	if c.Bool(0.4) {
		right.c0 = 0
	}
	c.run(func(loops []*ir.Loop) {
		c.in(loops)
		if c.left > 4 && c.apply(nil, c.cut(c.t, left), c.cut(c.x, left)) && c.apply(nil, c.cut(c.t, right), c.cut(y, right)) {
			c.t.def = c.t.all()
			c.use(c.t)
		}
	}, c.list...)
	c.after(c.t)
}

// handedOn reads in each trip what the one before left; nothing outside the loop names the tile.
func (c *constancy) handedOn() {
	y := c.full(c.split)
	if y == nil {
		return
	}
	begins, left := c.Bool(0.5), true
	c.run(func(loops []*ir.Loop) {
		c.in(loops)
		here, tile := c.at(y, c.inner), c.tiled(c.t)
		if c.left > 6 && c.Bool(0.6) { // lives where this one does not, if each had a trip to itself
			c.passing()
		}
		switch {
		case c.left < 4:
		case !begins:
			if c.apply(when(c.inner[0], ir.IsGT), here, tile) {
				left = c.bring(c.t)
			}
		case c.apply(when(c.inner[0], ir.IsEqual), tile, c.tiled(c.x)):
			c.apply(nil, here, tile)
			c.bring(c.t)
		}
	}, c.list...)
	if left { // otherwise it got what nobody wrote
		c.release(y)
	}
}

// passing uses a tile for as long as it takes to move the trip's piece on.
func (c *constancy) passing() {
	if x := c.given(c.split); x != nil {
		t := c.tiled(c.tile())
		if c.apply(nil, t, c.at(x, c.inner)) && c.left > 1 {
			c.pour(c.split, c.inner, t)
		}
	}
}
