package gen

import (
	"birfuzz/ir"
	"birfuzz/ir/num"
)

// drawRepaint fills a tile with constants two or three times, in the same way but for the constants, and reads it after each. In the end it may hold
// what it held first.
func (b *builder) drawRepaint() {
	if b.room() < 7 || b.parallel() {
		return
	}
	lanes, free := b.sizes(0, 0)
	d := one(&b.Rand, b.common)
	s := b.aside(ir.SB, min(lanes, ir.Partitions), free*d.Size(), d)
	first := b.refill(s, nil)
	if first == nil || s.def.empty() {
		return
	}
	read := func() bool { return b.left > 1 && b.moved(s, ir.InSB|ir.InDRAM, d) != nil }
	if !read() || !b.repaint(first) {
		return
	}
	if read() && b.Bool(0.5) {
		b.emitAgain(first)
		read()
	}
	s.release()
}

// repaint draws a fill again with another constant; false if none of its settings is one.
func (b *builder) repaint(in *ir.Inst) bool {
	c := b.copyOf(in)
	switch s, t := c.Spec(), c.Args[0].DType; {
	case s.HasParam(ir.PConstant):
		c.SetInt(ir.PConstant, int64(num.Encode(t, float32(1+b.IntN(3)))))
	case s.HasParam(ir.PBase):
		c.SetInt(ir.PBase, c.Int(ir.PBase)+int64(b.Between(1, 3)))
	default:
		return false
	}
	b.emit(c)
	return true
}
