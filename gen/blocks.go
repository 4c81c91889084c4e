package gen

import "birfuzz/ir"

// blocks are loops of which each trip has a block of its own in one tile, or nearly. Nothing else names the tile. Whether one block would do for all
// trips is what passes ask.
type blocks struct {
	kernel
	around bounds // of an outer loop
	trips  bounds
	tile   *field
}

// drawBlocks draws such a loop. Where there is little room the tile takes most of it, or more.
func (b *builder) drawBlocks() {
	if !b.roomy(9) {
		return
	}
	k := blocks{kernel: kernel{builder: b}, around: bounds{stride: 1, trips: 2}, trips: b.runs()}
	k.split = b.splitting(k.trips).in(ir.SB)
	k.split.lanes, k.split.byRows = min(k.split.lanes, 8), false
	if b.space > 0 {
		share := b.space * b.Between(2, 6) / 4 / int(k.trips.trips)
		k.split.width += share - share%k.split.width // a multiple of what every stride divides
	}
	k.tile = b.empty(k.split.margins(1))
	one(&b.Rand, []func(*blocks){(*blocks).own, (*blocks).own, (*blocks).before, (*blocks).once, (*blocks).readFirst, (*blocks).unlike})(&k)
}

// own writes a block in each trip, all of it, and reads it.
func (k *blocks) own() {
	k.run(func(loops []*ir.Loop) {
		here := k.at(k.tile, loops)
		if !k.fill(here, loops) {
			return
		}
		if k.left > 3 && k.Bool(0.5) {
			k.apply(nil, here, here)
		}
		k.pour(k.split, loops, here)
	}, k.trips)
}

// before reads the block of the trip before.
func (k *blocks) before() {
	out := k.full(k.split)
	if out == nil {
		return
	}
	k.run(func(loops []*ir.Loop) {
		if k.fill(k.at(k.tile, loops), loops) && k.left > 1 {
			k.apply(when(loops[0], ir.IsGT), k.at(out, loops), k.at(k.tile, loops, -1))
		}
	}, k.trips)
	k.release(out)
}

// always returns the bounds of a loop that runs in each trip of the one around it: the first writes what the others read.
func (k *blocks) always() bounds {
	t := k.trips
	t.always = true
	return t
}

// once writes the blocks in the first trip of an outer loop, and reads them in all.
func (k *blocks) once() {
	x := k.given(k.split)
	if x == nil {
		return
	}
	k.run(func(loops []*ir.Loop) {
		inner := loops[1:]
		here := k.at(k.tile, inner)
		if k.apply(when(loops[0], ir.IsEqual), here, k.at(x, inner)) {
			k.pour(k.split, inner, here)
		}
	}, k.around, k.always())
}

// readFirst moves on what the trip of an outer loop before left in a block, and then writes it. In the first one that is nothing, and goes no further.
func (k *blocks) readFirst() {
	out := k.full(k.split)
	if out == nil {
		return
	}
	old := k.aside(ir.DRAM, k.split.lanes, k.split.width, k.split.dtype)
	k.run(func(loops []*ir.Loop) {
		inner := loops[1:]
		here := k.at(k.tile, inner)
		if k.lay(here, old, old.all(), nil) && k.fill(here, inner) && k.left > 1 {
			k.apply(when(loops[0], ir.IsGT), k.at(out, inner), k.tiled(old))
		}
	}, k.around, k.always())
	k.release(out)
}

// unlike writes blocks of three pieces, each a piece behind the one before, and reads another one of the three in each trip.
func (k *blocks) unlike() {
	const trips = 3
	three := k.split
	three.trips[0], three.width = trips, 3*k.split.width
	x := k.given(three)
	if x == nil {
		return
	}
	c := k.split
	c.trips[0] = 2 * trips
	tile := k.empty(c)
	k.split.trips[0] = trips
	k.run(func(loops []*ir.Loop) {
		to, from := k.at(tile, loops), k.at(tile, loops)
		to.width = three.width
		to.def = to.all()
		from.terms[0].Coef *= 2
		if k.apply(nil, to, k.at(x, loops)) {
			k.pour(k.split, loops, from)
		}
	}, bounds{stride: 1, trips: trips})
}
