package gen

import "birfuzz/ir"

// drawLong draws two tiles in PSUM of which each goes on in the next bank, both of them alive at once: the second is filled while the first waits to be
// read. Only who looks at how long a row is knows how many banks there have to be.
func (b *builder) drawLong() {
	if b.room() < 6 || b.on(Placement) || b.parallel() {
		return
	}
	const step = ir.PSUMBankBytes / 4
	lanes := b.Between(1, 4)
	var tiles [2]*slot
	for i := range tiles {
		t := b.internal(ir.PSUM, lanes, step*b.Between(5, 9), b.common[0])
		t.fixed, t.hidden = true, true
		if b.refill(t, nil) == nil {
			return
		}
		tiles[i] = t
	}
	for _, t := range tiles {
		if b.left > 1 && !t.def.empty() {
			b.moved(t, ir.InSB, t.dtype)
		}
	}
}
