package gen

import "birfuzz/ir"

// room returns how many instructions may be drawn that are not kept for storing results.
func (b *builder) room() int { return b.left - b.reserve }

// roomy tells whether loops with so many instructions fit here.
func (b *builder) roomy(insts int) bool {
	return b.room() >= insts && b.mayLoop() && !b.parallel() && !b.long()
}

// within draws a nest of loops with nothing but a loop in each but the innermost, whose body is the caller's. It reports whether the body runs.
func (b *builder) within(body func(loops []*ir.Loop), list ...bounds) bool {
	outer, runs := b.block, true
	nests, loops := make([]*nest, len(list)), make([]*ir.Loop, len(list))
	for i, t := range list {
		loops[i] = b.loopOver(t)
		var guard []ir.Predicate
		if !t.always {
			guard = b.loopGuard()
		}
		nests[i] = b.open(loops[i], guard)
		runs = runs && !nests[i].maybe
	}
	body(loops)
	for i := len(nests) - 1; i >= 0; i-- {
		b.leave(nests[i])
	}
	b.block = outer
	return runs
}

// brief draws the bounds of a loop that surely runs, of a few trips.
func (b *builder) brief() bounds {
	t := bounds{stride: 1, trips: int64(b.Between(2, 4))}
	if b.Bool(0.2) {
		t.lb, t.stride = int64(b.IntN(3)), int64(b.Between(1, 2))
	}
	return t
}

// runs draws the bounds of a loop that surely runs: of a few trips, or of more than one would write out in place of the loop.
func (b *builder) runs() bounds {
	t := b.brief()
	if len(b.loops) == 0 && b.Bool(0.35) {
		t.trips = one(&b.Rand, []int64{9, 10, 12, 17, 18})
	}
	return t
}

// halt draws, in programs that have such, a Halt that is never reached: for that an axis would have to be below its first value, or a number below
// itself.
func (b *builder) halt(loops []*ir.Loop, p float64) {
	if b.left < 2 || len(b.rows.end) == 0 || b.parallel() || !b.sometimes(Halts, p) {
		return
	}
	in := b.bare(one(&b.Rand, b.rows.end))
	in.Pred = []ir.Predicate{{Cmp: ir.IsLT}}
	if len(loops) > 0 {
		in.Pred = when(one(&b.Rand, loops), ir.IsLT)
	}
	b.emit(in)
}

// fenceWithin draws a fence in the body of a loop, in programs that have such.
func (b *builder) fenceWithin() {
	switch {
	case b.parallel() || !b.sometimes(FencedLoops, 0.4) || b.left < 2:
	case !b.long() && b.Bool(0.5):
		b.signal()
	default:
		b.barrier()
	}
}
