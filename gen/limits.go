package gen

import "birfuzz/ir"

// farBounds gives a loop bounds that few loops have: it begins below 0 or far above, or its stride is wide.
func (b *builder) farBounds(t bounds) bounds {
	if !b.sometimes(Limits, 0.4) {
		return t
	}
	t.lb = one(&b.Rand, []int64{-1, -3, -8, 100, 1 << 20})
	if b.Bool(0.5) {
		t.stride = one(&b.Rand, []int64{4, 5, 7, 16})
	}
	return t
}

// farSemaphore makes the last of the core's semaphores the last that there is.
func (b *builder) farSemaphore() {
	if ids := b.sems.ids; b.sometimes(Limits, 0.6) {
		ids[len(ids)-1] = ir.NumSemaphores - 1
	}
}

// farUpdate returns by how much an update raises a semaphore that holds so much: v, or far more as long as 32 bits hold it.
func (b *builder) farUpdate(held, v int64) int64 {
	if len(b.loops) == 0 && held < 1<<30 && b.sometimes(Limits, 0.3) {
		return 1 << b.Between(8, 28)
	}
	return v
}

// farSizes adds sizes to the palette that fill what they are in: a row of a bank of PSUM, and all partitions.
func (b *builder) farSizes(r *Rand) {
	if !b.on(Limits) {
		return
	}
	own := r.fork("far sizes")
	b.lanes = append(b.lanes, one(&own, []int{1, 2, ir.Partitions}))
	b.frees = append(b.frees, one(&own, []int{ir.PSUMBankBytes / 4, ir.PSUMBankBytes / 2}))
}
