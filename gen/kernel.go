package gen

import "birfuzz/ir"

// kernel draws the bodies of loops that go over tensors of one split.
type kernel struct {
	*builder
	split split
	temp  *slot    // a tile that each trip writes before it reads it, or nil
	sinks []*field // what the loop being drawn fills
}

// run draws a nest of loops and follows what its body has filled. It reports whether the body runs.
func (k *kernel) run(body func(loops []*ir.Loop), list ...bounds) bool {
	ran := k.within(body, list...)
	for _, s := range k.sinks {
		if ran {
			s.complete()
		}
		k.release(s)
	}
	k.sinks = k.sinks[:0]
	return ran
}

// tile declares a tile of the size of a piece, which no other instruction finds.
func (k *kernel) tile() *slot {
	return k.aside(k.work(), k.split.lanes, k.split.width, k.split.dtype)
}

// tiled returns all of a tile, as if it were written.
func (k *kernel) tiled(t *slot) *slot { return k.cut(t, t.all()) }

// through returns what holds the values of a piece: the piece, or the tile that they were moved to first.
func (k *kernel) through(from *slot) *slot {
	if t := k.temp; t != nil && k.left > 2 && k.apply(nil, k.tiled(t), from) {
		return k.tiled(t)
	}
	return from
}

// command draws an instruction that does something to an accumulator beside its output.
func (k *kernel) command(to, from *slot) {
	k.commands = true
	for range 4 {
		if len(k.rows.command) > 0 && k.computed(one(&k.Rand, k.rows.command), nil, to, []*slot{from}) {
			break
		}
	}
	k.commands = false
}

// fill writes a piece with values from the host. It reports whether there was a way to.
func (k *kernel) fill(to *slot, loops []*ir.Loop) bool {
	x := k.given(k.split.margins(0))
	return x != nil && k.apply(nil, to, k.through(k.at(x, loops)))
}

// pour reads pieces into a tensor of its own, split as told.
func (k *kernel) pour(own split, loops []*ir.Loop, from ...*slot) {
	sink := k.empty(own.in(one(&k.Rand, []ir.MemType{ir.SB, ir.DRAM})))
	from[0] = k.through(from[0])
	if k.apply(nil, k.at(sink, loops), from...) {
		k.sinks = append(k.sinks, sink)
	}
}
