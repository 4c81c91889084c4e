package gen

import "birfuzz/ir"

// drawLines draws a nest of two loops over pieces that lie in one line: the outer loop's trips reach some by its number, and the inner loop's some by
// theirs. What an iteration shares with another one then depends on where both are, and not on how far they are apart. A loop behind the nest, or
// before it, has the inner one's trips, so that it matters whether the nest may be turned inside out.
func (b *builder) drawLines() {
	if !b.roomy(10) {
		return
	}
	outer, inner := bounds{stride: 1, trips: int64(b.Between(2, 3)), always: true}, bounds{stride: 1, trips: 4, always: true}
	if len(b.loops) == 0 && b.Bool(0.7) { // more than one would write out in place of the loops
		inner.trips = int64(b.Between(17, 20))
	}
	k := kernel{builder: b, split: b.splitting(inner).in(ir.SB)}
	x, y := b.full(k.split.margins(1)), b.full(k.split.margins(1))
	if x == nil || y == nil {
		return
	}
	before := b.Bool(0.3)
	if before {
		k.along(x, y, inner)
	}
	k.run(func(loops []*ir.Loop) {
		unmarked(loops)
		ahead := b.Pick([]int{3, 1})
		here, there := k.at(x, loops[:1]), k.at(x, loops[1:], ahead)
		if b.Bool(0.3) {
			here, there = k.at(x, loops[1:]), k.at(x, loops[:1], ahead)
		}
		if b.Bool(0.5) { // both read and written, in each iteration anew
			b.apply(nil, here, here, k.at(y, loops[1:]))
		} else {
			b.apply(nil, here, k.at(y, loops[1:]))
		}
		if b.left > 3 {
			k.pour(k.split, loops[1:], there)
		}
	}, outer, inner)
	if !before && b.left > 3 {
		k.along(x, y, inner)
	}
	b.release(x, y)
}

// along draws a loop that goes over the line and reads it, or writes it from another one, or both.
func (k *kernel) along(x, y *field, t bounds) {
	k.run(func(loops []*ir.Loop) {
		unmarked(loops)
		if k.Bool(0.6) {
			k.pour(k.split, loops, k.at(x, loops))
		}
		if k.left > 1 && k.Bool(0.8) {
			k.apply(nil, k.at(x, loops), k.at(y, loops))
		}
		if k.left > 1 {
			k.pour(k.split, loops, k.at(x, loops))
		}
	}, t)
}
