package oracle

// maxRounds bounds how far a cut travels along copies.
const maxRounds = 4

// link is a copy between two rectangles of one shape: what cuts one cuts the other.
type link struct {
	from, to side
	seen     [2]int32 // how often the grids of from and to had been cut when the link was last followed
}

// side is one end of a link.
type side struct {
	grid int
	tile
}

// spreadCuts carries cuts along copies, so that what is cut on one side is cut on the other.
func (t *cellTracker) spreadCuts() {
	for i := range t.grids {
		g := &t.grids[i]
		g.rowCut.settle()
		g.colCut.settle()
		g.cutting = 1
	}
	for range maxRounds {
		more := false
		for i := range t.links {
			more = t.follow(&t.links[i]) || more
		}
		if !more {
			return
		}
	}
}

// follow carries cuts along one copy, unless it did and nothing happened since, and tells whether there were any to carry.
func (t *cellTracker) follow(l *link) bool {
	a, b := &t.grids[l.from.grid], &t.grids[l.to.grid]
	if a == b || l.seen == [2]int32{a.cutting, b.cutting} {
		return false
	}
	rows := carry(&a.rowCut, &b.rowCut, l.from.row, l.to.row, l.to.rows)
	cols := carry(&a.colCut, &b.colCut, l.from.col, l.to.col, l.to.cols)
	if rows || cols {
		a.cutting++
		b.cutting++
	}
	l.seen = [2]int32{a.cutting, b.cutting}
	return rows || cols
}

// build makes the cells between the cuts, fewer where they would be too many.
func (g *grid) build(spread bool, cores int) {
	for (len(g.rowCut)-1)*(len(g.colCut)-1) > maxCells {
		if len(g.rowCut) > len(g.colCut) {
			g.rowCut = g.rowCut.thin()
		} else {
			g.colCut = g.colCut.thin()
		}
	}
	n := max(len(g.rowCut)-1, 0) * max(len(g.colCut)-1, 0)
	g.cells = resize(g.cells, n)
	g.races, g.readers = g.races[:0], g.readers[:0]
	if spread {
		g.races, g.readers = resize(g.races, n), resize(g.readers, n*cores)
	}
}
