package gen

import (
	"birfuzz/ir"
	"birfuzz/ir/num"
)

// drawCut draws a sum whose members are cut in two: a constant is put over all of its tile, or over the tile and more, and the members behind it
// add to that. What was summed up before is read first, or lost.
func (b *builder) drawCut() {
	if b.room() < 8 || len(b.chains) > 0 || len(b.rows.sums) == 0 {
		return
	}
	c := &chain{row: one(&b.Rand, b.rows.sums), cleared: true, region: noRegion}
	if !c.row.Outs[0].Types.Has(num.Float32) || c.row.Engines[b.prog.Arch] == 0 {
		return
	}
	c.m, c.n = b.sizes(0, 0)
	c.n = min(c.n, ir.PSUMBankBytes/8)
	wide := c.n * b.Between(1, 2)
	s := b.newTile(ir.PSUM, c.m, wide, num.Float32)
	own, ok := rect{0, c.m, 0, 4 * c.n}, false
	if s == nil || !b.blank0(s) || !s.def.has(own) { // the constant may have gone to a part of the tile only
		return
	}
	c.out, ok = b.access(&c.op, b.cut(s, own), tileOf(c.m, c.n), num.Float32, updating, true)
	if !ok || c.out.rect != own {
		return
	}
	c.out.slot, s.busy = s, true
	for range 2 {
		c.left = 3
		for range b.Between(1, 2) {
			if b.left > 3 {
				b.member(c)
			}
		}
		s.busy = false
		if b.left > 3 && b.Bool(0.6) {
			b.moved(b.cut(s, own), ir.InSB, num.Float32)
		}
		if b.left < 4 || !b.blank0(s) {
			break
		}
		s.busy = true
	}
	s.busy = false
}

// blank0 puts 0 over all of a tile.
func (b *builder) blank0(s *slot) bool {
	b.zero = true
	in := b.refill(s, nil)
	b.zero = false
	return in != nil
}
