package oracle

import "birfuzz/ir"

// noRegion is code.region where nothing is cleared beside the output.
const noRegion = -1

// regionOf returns the psum_zero_region of a matmul that starts a sum: it clears 2^n banks around its output (semantics §4).
func regionOf(in *ir.Inst) int8 {
	log := in.Int(ir.PZeroRegion)
	if log < 0 || log > 3 || in.NOut == 0 || !in.Flag(ir.PStart) || in.Args[0].Loc == nil || in.Args[0].Loc.Type != ir.PSUM {
		return noRegion
	}
	return int8(log)
}

// zeroed is a rectangle of a location: rows of bytes bytes each, one pitch of the storage apart, from arena offset at on.
type zeroed struct {
	l           *location
	at          int
	rows, bytes int
}

// clearRegion clears what a matmul that starts clears: the banks around its output, in groups of 2^psum_zero_region, in the partitions of the
// output. The bytes of other locations there count as written through the output's location, so they are lost to whoever reads them by their
// own. A location without address has no neighbours; its first byte counts as that of a group of banks.
func (m *Machine) clearRegion(c *code, out *place) {
	m.zeroes = m.region(m.zeroes[:0], c, out)
	for i := range m.zeroes {
		p := &m.zeroes[i]
		for r := range p.rows {
			at := p.at + r*p.l.st.pitch
			clear(m.data[at : at+p.bytes])
		}
	}
	if m.track != nil {
		m.track.cleared(c, m.zeroes)
	}
}

// region appends the rectangles that a matmul clears.
func (m *Machine) region(list []zeroed, c *code, out *place) []zeroed {
	l := out.acc.loc
	home, rel := &m.boxes[l.id], int64(out.base-l.at)
	row, col := home.row+rel/int64(l.st.pitch), home.col+rel%int64(l.st.pitch)
	b := box{row, row + out.acc.rowSpan + 1, 0, 0}
	b.col = col / ir.PSUMBankBytes >> c.region << c.region * ir.PSUMBankBytes
	end := col + (out.acc.colSpan+1)*int64(out.acc.size)
	b.colEnd = ((end-1)/ir.PSUMBankBytes>>c.region + 1) << c.region * ir.PSUMBankBytes
	if !l.loc.Allocated {
		return m.zeroesIn(list, l, &b)
	}
	space := spaceOf(l.loc, c.core)
	for i := range m.marks {
		if k := &m.marks[i]; k.space == space && k.meets(&b) {
			list = m.zeroesIn(list, &m.locations[k.loc], &b)
		}
	}
	return list
}

// zeroesIn appends what a rectangle of memory has of a location.
func (m *Machine) zeroesIn(list []zeroed, l *location, b *box) []zeroed {
	home := &m.boxes[l.id]
	x := box{max(b.row, home.row), min(b.rowEnd, home.rowEnd), max(b.col, home.col), min(b.colEnd, home.colEnd)}
	if x.row >= x.rowEnd || x.col >= x.colEnd {
		return list
	}
	at := l.at + int(x.row-home.row)*l.st.pitch + int(x.col-home.col)
	return append(list, zeroed{l, at, int(x.rowEnd - x.row), int(x.colEnd - x.col)})
}

// cleared implements tracker.
func (t *elementTracker) cleared(c *code, list []zeroed) {
	t.groups.cleared(&c.at[0], list)
	k := key(&c.acc[0])
	for i := range list {
		p := &list[i]
		t.wrote(p.l.st)
		for r := range p.rows {
			for x := p.at + r*p.l.st.pitch; x < p.at+r*p.l.st.pitch+p.bytes; x += t.unit {
				t.shadow[x/t.unit], t.class[x/t.unit] = unitShadow{base: zeroUnit}, k
			}
		}
	}
}

// cleared implements tracker.
func (t *cellTracker) cleared(c *code, list []zeroed) {
	t.groups.cleared(&c.at[0], list)
	n := cell{base: zeroBase, flat: true, class: classOf(&c.acc[0]), state: defined}
	for i := range list {
		p := &list[i]
		g := &t.grids[p.l.st.id]
		tl := g.tileOfZeroes(p)
		g.fill(tl, g.locate(tl), n, true, 0)
		t.wrote(p.l.st)
	}
}

// tileOfZeroes returns the tile of a rectangle of PSUM, whose grid has the rows of the memory.
func (g *grid) tileOfZeroes(p *zeroed) tile {
	at := int32(p.at) - g.off
	return tile{at / g.pitch, at % g.pitch, int32(p.rows), int32(p.bytes)}
}

// cutRegion cuts along what a matmul clears, if that does not move.
func (t *cellTracker) cutRegion(c *code) {
	if c.region == noRegion || c.acc[0].symbol || c.acc[0].bad != "" {
		return
	}
	t.m.zeroes = t.m.region(t.m.zeroes[:0], c, &c.at[0])
	for i := range t.m.zeroes {
		p := &t.m.zeroes[i]
		g := &t.grids[p.l.st.id]
		g.cut(g.tileOfZeroes(p))
	}
}

// cleared implements tracker: the location's own bytes are written, those of others are nothing that they hold any more.
func (t *waterTracker) cleared(c *code, list []zeroed) {
	for i := range list {
		p := &list[i]
		born, now := t.born[p.l.id], t.now[c.core]
		if p.l != c.acc[0].loc {
			now = 0
		} else {
			t.hold(p.l.id, stretch{now, now})
		}
		for r := range p.rows {
			bytes := born[p.l.byteAt(p.at+r*p.l.st.pitch):][:p.bytes]
			for k := range bytes {
				bytes[k] = now
			}
		}
	}
}
