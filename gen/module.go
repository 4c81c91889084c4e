package gen

import (
	"math/bits"

	"birfuzz/ir"
)

// cores returns the number of cores of a module that has several, in functions of their own or as one with ShardIDs.
func (b *builder) cores() int {
	if b.on(FourCores) {
		return 4
	}
	return 2
}

// module draws the functions.
func (b *builder) module() {
	if b.on(TwoCores) && b.left < 24 { // too few for four
		b.traits.drop(FourCores)
	}
	switch {
	case b.on(TwoCores) && b.left >= 8:
		b.together(b.cores())
	case b.on(CoreModule) && b.left >= 4:
		b.prog.CoreID = b.IntN(2)
		b.together(1)
	default:
		b.traits.drop(TwoCores, CoreModule)
		b.begin(0)
		if b.on(Shards) {
			b.anchor()
		} else {
			b.traits.drop(ShardCode, OneCore) // a ShardID would make it several cores
		}
		b.share(b.left)
		b.body()
		b.end()
		if len(b.fn.Blocks) == 1 && len(b.block.Insts) == 0 && len(b.rows.idle) > 0 { // nothing fitted into the one or two that the program was to have
			b.emit(b.bare(b.rows.idle[0]))
		}
	}
}

// share sets how many instructions the part drawn next may have, and how many of them store results.
func (b *builder) share(n int) {
	b.left = n
	b.reserve = min(n, 1+n/6)
}

var funcNames = [maxCores]string{"sg0000", "sg0001", "sg0002", "sg0003"}

// begin starts the function of a core.
func (b *builder) begin(number int) {
	b.core = core{number: number, fn: b.funcs.one()}
	*b.fn = ir.Func{Name: funcNames[number], Sets: b.owned.take(b.left + chunk)[:0]}
	b.place.on = b.on(Placement)
	b.slots = b.known[number][:0]
	b.block = b.newBlock(b.left)
	b.fn.Blocks = append(b.parts.take(2)[:0], b.block)
	b.prog.Cores = append(b.prog.Cores, b.fn)
	switch {
	case b.on(Pressure) && !b.on(Placement):
		b.crowd()
	case b.on(NearFull):
		b.fill()
	}
}

// body draws instructions until what is left is for storing results.
func (b *builder) body() {
	for b.left > b.reserve && b.step(b.reserve) {
		if len(b.loops) == 0 && len(b.chains) == 0 && b.Bool(0.02) {
			b.block = b.newBlock(chunk)
			b.fn.Blocks = append(b.fn.Blocks, b.block)
		}
	}
	b.endChains()
}

// step draws the next few instructions; false when nothing more can be drawn.
func (b *builder) step(stop int) bool {
	had := b.left
	switch {
	case b.sometimes(Loops, 0.1) && b.mayLoop():
		b.drawLoop()
	case b.sometimes(EmptyLoops, 0.04) && b.mayLoop():
		b.idleLoop()
	case len(b.chains) > 0 && b.Bool(0.5), b.sometimes(Chains, 0.1):
		b.stepChain()
	case b.sometimes(Semaphores, 0.08) && !b.parallel() && !b.long():
		b.signal()
	case b.sometimes(Barriers, 0.04) && !b.parallel():
		b.barrier()
	case b.sometimes(Accumulators, 0.06):
		b.readAcc()
	case b.sometimes(Copies, 0.05):
		b.copyWithin()
	case b.sometimes(Spills, 0.05), b.sometimes(Overlays, 0.05):
		b.spill()
	case b.sometimes(Relays, 0.08):
		b.drawRelay()
	case b.sometimes(ShardCode, 0.08):
		b.byShard()
	default:
		if !b.drawShape() {
			return b.draw()
		}
	}
	if b.left == had { // it did not fit here
		return b.draw()
	}
	return true
}

// drawShape draws one of the shapes that passes over loops ask about, if the program is to have them. It reports whether one was chosen; for one
// that did not fit nothing is drawn.
func (b *builder) drawShape() bool {
	for i, left := range b.traits {
		for left &= shaped[i]; left != 0; left &= left - 1 {
			if b.Bool(0.12) {
				shapes[64*i+bits.TrailingZeros64(left)](b)
				return true
			}
		}
	}
	return false
}

// shapes draw what whole loops are made for, by the feature that asks for it.
var shapes = [NumFeatures]func(*builder){
	LoopPairs:      (*builder).drawPair,
	LoopRuns:       (*builder).drawRow,
	Strands:        (*builder).drawStrands,
	PerfectNests:   (*builder).drawPerfect,
	DeepNests:      (*builder).drawDeep,
	WideBodies:     (*builder).drawWide,
	SumLoops:       (*builder).drawSums,
	Invariants:     (*builder).drawInvariant,
	NearInvariants: (*builder).drawNearInvariant,
	StubbornLoops:  (*builder).drawStubborn,
	FarUses:        (*builder).drawFar,
	LateDead:       (*builder).drawLate,
	Refills:        (*builder).drawRefill,
	Wrapped:        (*builder).drawWrapped,
	Cleared:        (*builder).drawCleared,
	Blocks:         (*builder).drawBlocks,
	CutChains:      (*builder).drawCut,
	Swaps:          (*builder).drawSwap,
	Halves:         (*builder).drawHalves,
	Lines:          (*builder).drawLines,
	Repaints:       (*builder).drawRepaint,
	LongTiles:      (*builder).drawLong,
}

// shaped are the features that shapes are made for.
var shaped = func() (t traits) {
	for f, draw := range shapes {
		if draw != nil {
			t.add(Feature(f))
		}
	}
	return t
}()

// end stores results, and now and then ends the function with a fence.
func (b *builder) end() {
	b.store()
	if b.sometimes(Unused, 0.7) {
		b.declareUnused()
	}
	if b.left > 0 && len(b.rows.end) > 0 && b.sometimes(Barriers, 0.3) {
		b.emit(b.bare(one(&b.Rand, b.rows.end)))
	}
}

// store moves results to tensors that the host takes: first those that nobody has read, then others, as many as there is room for.
func (b *builder) store() {
	b.storing = true
	defer func() { b.storing = false }()
	stored := 0
	for pass := range 2 {
		for i := len(b.slots) - 1; i >= 0 && b.left > 0; i-- {
			s := b.slots[i]
			fresh := !s.used || pass == 1 && stored == 0
			if !fresh || !s.readable() || s.loc.Set.Kind == ir.ExternalOutput || pass == 0 && s.given() || b.sometimes(Dead, 0.3) {
				continue
			}
			if b.result(s) {
				stored++
			}
		}
	}
}

// result moves the readable part of a slot to a new result, over SB where need be.
func (b *builder) result(s *slot) bool {
	t := s.dtype
	if s.def.c0%t.Size() != 0 || s.def.width()%t.Size() != 0 {
		return false
	}
	if b.moved(s, ir.InDRAM, t) != nil {
		return true
	}
	if b.left < 2 || s.loc.Type != ir.PSUM {
		return false
	}
	if s = b.moved(s, ir.InSB, t); s == nil {
		return false
	}
	return b.moved(s, ir.InDRAM, t) != nil
}
