package gen

import "birfuzz/ir"

// drawRow draws three or more loops in a row. Each writes a tensor that later ones read, and these tensors are of several sizes, so that it
// matters in which order loops are put together; and with each pair that is, others come to nothing.
func (b *builder) drawRow() {
	if !b.roomy(12) {
		return
	}
	k := kernel{builder: b}
	t, plain := b.runs(), b.Bool(0.7)
	count, ready := b.Between(3, 4), []*field(nil)
	for i := range count {
		if b.room() < 4 && i > 1 {
			break
		}
		k.split = b.splitting(t)
		k.split.width *= []int{1, 2, 4, 3}[i]
		made := b.empty(k.split)
		k.run(func(loops []*ir.Loop) {
			if plain {
				loops[0].NoReorder, loops[0].Unroll = false, false
			}
			b.fenceWithin()
			for _, f := range ready {
				if b.left > 2 && f.trips[0] >= int(t.trips) && (f == ready[len(ready)-1] || b.Bool(0.3)) {
					k.split = f.split
					k.split.trips[0] = int(t.trips)
					k.pour(k.split, loops, b.at(f, loops))
				}
			}
			k.split = made.split
			if k.fill(b.at(made, loops), loops) {
				k.sinks = append(k.sinks, made)
			}
		}, t)
		made.slot.hidden = true
		if !made.slot.def.empty() {
			ready = append(ready, made)
		}
		if b.sometimes(OddPairs, 0.2) {
			t.trips = int64(b.Between(2, 4))
		}
	}
	b.release(ready...)
}

// drawStrands draws a loop whose body is two or three computations, interleaved, that share nothing, or in which one reads what another wrote in
// this trip or in the one before.
func (b *builder) drawStrands() {
	if !b.roomy(9) {
		return
	}
	t := b.runs()
	k := kernel{builder: b, split: b.splitting(t).margins(1)}
	var strands []*field
	for range 2 + b.Pick([]int{3, 1}) {
		if f := b.full(k.split); f != nil && b.room() > 4 {
			strands = append(strands, f)
		}
	}
	if len(strands) < 2 {
		return
	}
	k.run(func(loops []*ir.Loop) {
		for range 2 {
			for i, f := range strands {
				if b.left < 2 {
					return
				}
				other := f
				if b.Bool(0.3) {
					other = strands[(i+1)%len(strands)]
				}
				b.apply(nil, b.at(f, loops), b.at(other, loops, -b.IntN(2)), b.at(f, loops))
			}
			b.fenceWithin()
		}
		k.pour(k.split.margins(0), loops, b.at(strands[0], loops))
	}, t)
	b.release(strands...)
}

// drawPerfect draws two or three loops with nothing but a loop in each but the innermost. The body makes each piece of a tensor from one that
// other trips reach: before or behind, in one loop or in both.
func (b *builder) drawPerfect() {
	if !b.roomy(8) {
		return
	}
	list := []bounds{b.brief(), b.runs()}
	k := kernel{builder: b, split: b.splitting(list...)}
	f := b.full(k.split.margins(1))
	if f == nil {
		return
	}
	first := 0
	switch again := (bounds{stride: 1, trips: 2}); b.Pick([]int{6, 1, 1}) { // trips of a third loop do all of it again
	case 1:
		list, first = append([]bounds{again}, list...), 1
	case 2:
		list = append(list, again)
	}
	k.run(func(loops []*ir.Loop) {
		loops = loops[first : first+2]
		to, from := b.at(f, loops), b.at(f, loops, b.Between(-1, 1), b.Between(-1, 1))
		b.fenceWithin()
		b.halt(loops, 0.1)
		switch b.IntN(3) {
		case 0:
			k.fill(to, loops)
			b.fenceWithin()
			k.pour(k.split, loops, from, to)
		case 1:
			k.pour(k.split, loops, from, to)
			b.apply(nil, to, to, from)
		default:
			b.apply(nil, to, from, to)
		}
	}, list...)
	if b.room() > 4 && b.Bool(0.6) {
		k.follow(f, list[first+1])
	}
	b.release(f)
}

// follow draws a loop that reads the first pieces of a tensor of two dimensions. It has the trips of the inner loop of a nest before it.
func (k *kernel) follow(f *field, t bounds) {
	line := *f
	line.n, line.trips = 1, [2]int{f.trips[1]}
	k.run(func(loops []*ir.Loop) {
		loops[0].NoReorder, loops[0].Unroll = false, false
		for range 1 + k.Pick([]int{1, 1}) {
			k.pour(line.margins(0), loops, k.at(&line, loops))
		}
	}, t)
}

// drawDeep draws loops in loops to a depth of 3 or 4, with instructions before the inner loop, or behind it, or both.
func (b *builder) drawDeep() {
	if !b.roomy(12) || len(b.loops) > 0 {
		return
	}
	t := bounds{stride: 1, trips: 2}
	k := kernel{builder: b, split: b.splitting(t, t)}
	f, g := b.full(k.split.margins(1)), b.full(b.alike(k.split, t))
	if f == nil || g == nil {
		return
	}
	n := nestDrawer{kernel: &k, levels: b.Between(3, 4), flat: f, line: g}
	n.level(nil)
	b.release(f, g)
}

// alike returns the split of one loop with pieces of the same shape.
func (b *builder) alike(s split, t bounds) split {
	s.n, s.trips, s.margin = 1, [2]int{int(t.trips)}, 1
	return s
}

// nestDrawer draws deep nests over a tensor with a piece for each trip of two loops, and one with a piece for each of one.
type nestDrawer struct {
	*kernel
	levels     int
	flat, line *field
}

// level draws a loop of the nest, and those in it.
func (n *nestDrawer) level(around []*ir.Loop) {
	t := bounds{stride: 1, trips: int64(1 + n.Pick([]int{1, 5}))}
	n.within(func(loops []*ir.Loop) {
		all := append(around[:len(around):len(around)], loops...)
		if n.Bool(0.6) {
			n.statement(all)
		}
		if len(all) < n.levels && n.left > 3 {
			n.level(all)
			if n.left > 6 && n.Bool(0.2) && len(all) > 1 {
				n.level(all)
			}
		}
		if len(all) == n.levels || n.Bool(0.4) {
			n.statement(all)
		}
		n.fenceWithin()
	}, t)
}

// statement draws an instruction at the depth of the loops.
func (n *nestDrawer) statement(loops []*ir.Loop) {
	if n.left > 2 {
		n.apply(nil, n.piece(loops), n.piece(loops), n.piece(loops))
	}
}

// piece returns a window over one of the tensors that moves with some of the loops.
func (n *nestDrawer) piece(loops []*ir.Loop) *slot {
	if len(loops) > 1 && n.Bool(0.5) {
		i := n.IntN(len(loops) - 1)
		return n.at(n.flat, []*ir.Loop{loops[i], loops[n.Between(i+1, len(loops)-1)]}, n.Between(-1, 1), n.IntN(2))
	}
	return n.at(n.line, []*ir.Loop{one(&n.Rand, loops)}, n.Between(-1, 1))
}

// drawWide draws a loop whose body keeps tiles of much of a partition, of which it touches a small part: one such loop a program. Where there is
// little room it draws one whose trips share a tile instead.
func (b *builder) drawWide() {
	if !b.roomy(9) || b.wide {
		return
	}
	if b.space > 0 {
		b.drawBlocks()
		return
	}
	b.wide = true
	t := b.runs()
	k := kernel{builder: b, split: b.splitting(t).in(ir.SB)}
	k.split.byRows, k.split.lanes = false, b.Between(1, 2)
	tiles := make([]*slot, b.Between(2, 3))
	for i := range tiles {
		// Together a fifth of SBUF at most: placed, all of SBUF up to there is looked at, byte by byte where an element type has one.
		width := int(b.prog.Arch.SBUFBytes()) / (len(tiles) * b.Between(5, 9)) &^ (step8 - 1)
		tiles[i] = b.aside(ir.SB, k.split.lanes, width, k.split.dtype)
	}
	part := rect{0, k.split.lanes, 0, k.split.width}
	x := b.given(k.split)
	if x == nil {
		return
	}
	k.run(func(loops []*ir.Loop) {
		if !b.lay(b.at(x, loops), b.cut(tiles[0], part), part, nil) {
			return
		}
		last := b.cut(tiles[0], part)
		for _, t := range tiles[1:] {
			if next := b.cut(t, part); b.left > 2 && b.lay(last, next, part, nil) {
				last = next
			}
		}
		k.pour(k.split, loops, last, b.cut(tiles[0], part))
	}, t)
}

// drawSums draws a sum in PSUM whose members are the trips of two loops.
func (b *builder) drawSums() {
	if !b.roomy(9) || len(b.chains) > 0 {
		return
	}
	c := b.startChain(true)
	if c == nil {
		return
	}
	c.stops, c.left = false, 8
	t := b.runs()
	for range 2 {
		b.within(func([]*ir.Loop) {
			b.fenceWithin()
			if b.left > 3 {
				b.member(c)
			}
		}, t)
		if b.sometimes(OddPairs, 0.3) {
			t.trips = int64(b.IntN(4))
		}
	}
	c.out.slot.busy = false
}
