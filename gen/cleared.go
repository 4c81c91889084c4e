package gen

import (
	"birfuzz/ir"
	"birfuzz/ir/num"
)

// drawCleared draws a sum that clears more than it writes (semantics §4): nobody reads the sum, but what it cleared beside itself in its location is
// read.
func (b *builder) drawCleared() {
	if b.room() < 4 || len(b.chains) > 0 || len(b.rows.sums) == 0 {
		return
	}
	c := &chain{row: one(&b.Rand, b.rows.sums), left: 1, stops: true, region: b.Pick([]int{6, 3, 1})}
	if !c.row.Outs[0].Types.Has(num.Float32) || c.row.Engines[b.prog.Arch] == 0 {
		return
	}
	c.m, c.n = b.sizes(0, 0)
	c.n = min(c.n, ir.PSUMBankBytes/8)
	s := b.sumTile(c, 2*c.n)
	if s == nil {
		return
	}
	own, ok := rect{0, c.m, 0, 4 * c.n}, false
	c.out, ok = b.access(&c.op, b.cut(s, own), tileOf(c.m, c.n), num.Float32, updating, true)
	if !ok || c.out.rect != own {
		return
	}
	c.out.slot, s.busy = s, true
	ok = b.member(c)
	s.busy, s.hidden, s.fixed = false, true, true
	if ok && b.left > 0 {
		b.moved(b.cut(s, rect{0, c.m, own.c1, 2 * own.c1}), ir.InSB, num.Float32)
	}
}
