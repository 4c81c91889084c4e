package gen

import "birfuzz/ir"

// drawLate draws a tile that is written, read, and written again, and then, in another block, a last reader, of which only a pass that knows all
// cores can tell that nobody needs it: it writes Shared memory that no other core touches.
func (b *builder) drawLate() {
	if b.room() < 7 || len(b.loops) > 0 || len(b.chains) > 0 {
		return
	}
	lanes, free := b.sizes(0, 0)
	d := one(&b.Rand, b.common)
	s := b.aside(ir.SB, min(lanes, ir.Partitions), free*d.Size(), d)
	for range b.Between(1, 2) {
		x := b.newInput(s.rows, free, d)
		if x == nil || !b.put(x, s, nil) {
			break
		}
		b.moved(s, ir.InSB|ir.InDRAM, d)
	}
	if s.def.empty() {
		return
	}
	b.block = b.newBlock(chunk)
	b.fn.Blocks = append(b.fn.Blocks, b.block)
	g := b.ownShared(s.rows, free, d, lateNames.at(b.late), lateSets.at(b.late))
	b.late++
	g.hidden = true
	if t := b.moved(s, ir.InSB, d); t != nil && b.Bool(0.5) && t.rows == s.rows { // a larger one may hold it further down
		t.used, t.hidden = true, true
		s = t
	}
	b.put(s, g, nil)
}

// far is a tile that waits for a use far behind the one before.
type far struct {
	tile, source *slot
	block        *ir.Block
	since        int // instructions named before it was loaded
}

// mostSetAside is the most bytes a partition that there are where tiles are set aside, so that three of them fill all of it and are still cheap.
const mostSetAside = 768

// farUse is how many instructions behind the one before a use is far.
const farUse = 10

// drawFar loads tiles that take most of the room that there is, or uses those that have waited long enough.
func (b *builder) drawFar() {
	if len(b.loops) > 0 || len(b.chains) > 0 {
		return
	}
	if len(b.far) == 0 {
		for b.room() > farUse+8 && len(b.far) < 3 {
			if !b.setAside() {
				return
			}
		}
		return
	}
	for _, f := range b.far {
		if b.block == f.block && b.names < f.since+farUse {
			return
		}
	}
	for _, f := range b.far {
		b.takeUp(f)
	}
	b.far = b.far[:0]
}

// setAside loads a tile, mostly from the host, uses it, and hides it. It reports false if that fails.
func (b *builder) setAside() bool {
	d := one(&b.Rand, b.common)
	lanes, width := b.Between(ir.Partitions/2+1, ir.Partitions), b.space/3&^(step8-1) // fewer lanes leave room beside them
	x := b.newInput(lanes, width/d.Size(), d)
	if x == nil {
		return false
	}
	if b.Bool(0.3) {
		u := b.like(x)
		u.fixed, u.hidden = true, true
		if !b.put(x, u, nil) {
			return false
		}
		x = u
	}
	s := b.aside(ir.SB, lanes, width, d)
	if !b.put(x, s, nil) {
		return false
	}
	b.moved(s, ir.InDRAM, d)
	b.far = append(b.far, far{s, x, b.block, b.names})
	return true
}

// takeUp uses a tile again. Its source, or the tile, may have other values by then.
func (b *builder) takeUp(f far) {
	switch {
	case b.left < 4:
	case !f.source.given() && b.Bool(0.6):
		b.overwrite(f.source)
	case b.Bool(0.25):
		b.overwrite(f.tile)
	}
	if b.left > 0 {
		b.moved(f.tile, ir.InDRAM, f.tile.dtype)
	}
	f.tile.release()
}
