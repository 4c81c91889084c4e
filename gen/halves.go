package gen

import "birfuzz/ir"

// halves is two loops of equal trips of which one does two things: one that may as well be done in the same trip of the other loop, and one that
// may not. Whether the loop can be made two, so that a part of it runs with the other, is what passes ask.
type halves struct {
	kernel
	trips        bounds
	shared, lent *field // what one loop writes and the other reads, and what the one half leaves to the other
	way          tie
	ahead        bool // the first of the loops is the one of two halves
}

// tie is how the half that comes second depends on the one that comes first.
type tie uint8

const (
	untied  tie = iota
	ordered     // an edge says that the first half waits for the second of a trip before
	earlier     // the second reads what the first has written in this trip or in the one before
	later       // the second reads what the first will overwrite in the next trip
	numTies
)

// drawHalves draws such loops.
func (b *builder) drawHalves() {
	if !b.roomy(10) {
		return
	}
	h := halves{kernel: kernel{builder: b}, trips: b.runs(), way: tie(b.IntN(int(numTies))), ahead: b.Bool(0.3)}
	h.trips.always = true
	h.split = b.splitting(h.trips).in(ir.SB)
	h.shared, h.lent = b.full(h.split.margins(1)), b.full(h.split.margins(1))
	if h.shared == nil || h.lent == nil {
		return
	}
	one, two := h.whole, h.both
	if h.ahead {
		one, two = h.both, h.whole
	}
	h.run(func(loops []*ir.Loop) { unmarked(loops); one(loops) }, h.trips)
	h.run(func(loops []*ir.Loop) { unmarked(loops); two(loops) }, h.trips)
	b.release(h.shared, h.lent)
}

// unmarked makes loops ones that nothing but what they do keeps apart.
func unmarked(loops []*ir.Loop) {
	for _, l := range loops {
		l.NoReorder, l.Unroll = false, false
	}
}

// whole draws the body of the loop that does one thing.
func (h *halves) whole(loops []*ir.Loop) {
	if h.ahead { // reads what the halves have written, and what one of them is yet to write if both ran together
		h.pour(h.split, loops, h.at(h.shared, loops), h.at(h.lent, loops, 1))
		return
	}
	h.fill(h.at(h.shared, loops), loops)
}

// both draws the body of the loop of two halves. One reads, or writes, the piece of the trip; the other one that lies ahead.
func (h *halves) both(loops []*ir.Loop) {
	if h.left < 4 {
		return
	}
	if h.ahead {
		h.fill(h.at(h.lent, loops), loops)
		h.fill(h.at(h.shared, loops), loops)
		return
	}
	had := len(h.block.Insts)
	from := []*slot{h.at(h.shared, loops, 1)}
	switch h.way {
	case earlier:
		from = append(from, h.at(h.lent, loops, -h.IntN(2)))
	case later:
		from = append(from, h.at(h.lent, loops, 1))
	}
	if !h.apply(nil, h.at(h.lent, loops), h.at(h.shared, loops)) {
		return
	}
	first := h.block.Insts[had]
	h.pour(h.split, loops, from...)
	if last := h.block.Insts[len(h.block.Insts)-1]; h.way == ordered && last != first {
		next := make([]int64, len(h.loops))
		next[len(next)-1] = 1
		first.LoopDeps = append(first.LoopDeps, ir.LoopDep{On: last, Kind: ir.Ordered, Dist: next})
	}
}
