package gen

import "birfuzz/ir"

// drawSwap draws a loop whose trips exchange two tiles, by way of a third: which of them holds what behind it depends on how many trips there are.
func (b *builder) drawSwap() {
	if !b.roomy(8) {
		return
	}
	k := kernel{builder: b, split: b.splitting()}
	k.split.width = step8 * b.Between(1, 8)
	var tiles [3]*slot
	for i := range tiles {
		tiles[i] = k.tile()
		if i == 2 {
			break
		}
		x := b.newInput(k.split.lanes, k.split.width/k.split.dtype.Size(), k.split.dtype)
		if x == nil || !b.put(x, tiles[i], nil) {
			return
		}
	}
	t := b.runs()
	b.within(func(loops []*ir.Loop) {
		turn := b.IntN(2)
		x, y := tiles[turn], tiles[1-turn]
		if b.put(k.tiled(x), tiles[2], nil) && b.put(k.tiled(y), x, nil) {
			b.put(k.tiled(tiles[2]), y, nil)
		}
		b.fenceWithin()
	}, t)
	for _, s := range tiles[:2] {
		s.release()
		if b.room() > 0 {
			b.moved(s, ir.InSB|ir.InDRAM, s.dtype)
		}
	}
}
