package oracle

// cellTracker keeps origin and definedness a cell: one of the rectangles into which all accesses together cut a storage, if each cuts along
// its bounding box. A cell knows which write filled it and where that write began, so the description of any rectangle (see read) does not
// depend on how finely the storage is cut. What cells cannot tell, they doubt (outcome.unsure), and the elements decide.
type cellTracker struct {
	watcher
	known  *ledger   // of the input set at hand; nil: nobody keeps one
	replay bool      // no numbers are computed, see ledger
	lost   bool      // and that did not do
	stray  Fault     // what ended such a run
	grids  []grid    // by storage
	plans  [][]plan  // by core and pc
	pool   []window  // of the accesses of all codes
	now    []window  // the accesses of the instruction at hand, a piece of the pool
	ins    []reading // and what it reads through them
	links  []link    // copies between rectangles of one shape
	sweep  sweep     // of the symbolic access at hand
	runs   runs      // of the row band at hand, see hashVisible

	uses              []use   // fixed accesses to DRAM and registers, a list a storage
	firstUse          []int32 // by storage
	firstLoc, nextLoc []int32 // locations, a list a storage
}

// cell is the smallest piece of storage with a shadow.
type cell struct {
	base    uint64 // hash of the write that filled it; saltNothing stands for poison
	bag     uint64 // sum of what matmuls added
	order   uint64 // in which order they did, here and in all that went into the cell; 0 where there was only one. No part of the origin
	row     int32  // where the write began: the same hash at another distance is another value
	col     int32
	class   int32 // alias class of the location through which it was written
	members int32
	state   shadowState
	flat    bool // every byte is zero: where the write began does not matter
}

// zeroBase is the base of cells that hold zero bits.
var zeroBase = mix(saltConst, 0)

// describe hashes the cell's contents but for the distance to where its write began.
func (c *cell) describe() uint64 {
	if c.bag == 0 {
		return c.base
	}
	return mix(mix(saltBag, c.base), c.bag)
}

// anchored tells whether the contents depend on the position.
func (c *cell) anchored() bool { return !c.flat || c.bag != 0 }

// tile is a rectangle of a grid: rows and byte columns.
type tile struct{ row, col, rows, cols int32 }

func (t tile) rowEnd() int32 { return t.row + t.rows }
func (t tile) colEnd() int32 { return t.col + t.cols }

func (t tile) contains(u tile) bool {
	return t.row <= u.row && t.col <= u.col && u.rowEnd() <= t.rowEnd() && u.colEnd() <= t.colEnd()
}

func (t tile) intersect(u tile) tile {
	r, c := max(t.row, u.row), max(t.col, u.col)
	return tile{r, c, min(t.rowEnd(), u.rowEnd()) - r, min(t.colEnd(), u.colEnd()) - c}
}

// grid is a storage cut into cells. rowCut and colCut hold the first row and column of every band, then the end.
type grid struct {
	off, pitch int32 // arena offset, bytes a row: of DRAM too, where the storage itself has one row
	rows       int32
	rowCut     cuts
	colCut     cuts
	latest     tile  // the latest one cut along
	cutting    int32 // how often copies brought cuts, see spreadCuts
	cells      []cell
	bagged     bool    // some cell may have a bag
	ordered    bool    // some cell may have an order
	races      []stamp // latest write, by cell; only where several cores can touch the storage
	readers    []stamp // latest read, by cell and core
}

// span is a range of bands.
type span struct{ r0, r1, c0, c1 int32 }

// window is what an access looks like in its grid.
type window struct {
	tile          // where it lies, if it does not move
	span          // the cells that it touches, if it does not move
	grid   int32  // the storage's
	exact  bool   // it is its bounding box, row by row
	covers bool   // it is its bounding box, in any order
	moves  bool   // its offset is symbolic
	geo    uint64 // see geometry
	key    uint64 // see touchKey; of accesses to visible memory that do not move
	inGrid bool   // it has a storage
	reads  bool
	writes bool
	must   bool // poison in it is a fault
}

// plan is what the tracker knows of a code before it runs.
type plan struct {
	id      uint64 // arithmetic identity, types of the outputs included
	windows int32  // first window in the pool
	zeros   bool   // it writes zero bits
	exact   uint64 // all that decides what is computed, see exactly
}

// locate returns the bands that a tile touches.
func (g *grid) locate(t tile) span {
	s := span{r0: bandOf(g.rowCut, t.row), c0: bandOf(g.colCut, t.col)}
	s.r1, s.c1 = bandsTo(g.rowCut, s.r0, t.rowEnd()), bandsTo(g.colCut, s.c0, t.colEnd())
	return s
}

// bandsTo returns the end of the bands that begin with band i and reach to x.
func bandsTo(cuts []int32, i, x int32) int32 {
	for i++; int(i) < len(cuts)-1 && cuts[i] < x; i++ {
	}
	return i
}

// bandOf returns the band that holds x, by bisection.
func bandOf(cuts []int32, x int32) int32 {
	lo, hi := 0, len(cuts)-1
	for hi-lo > 1 {
		if mid := int(uint(lo+hi) >> 1); cuts[mid] <= x {
			lo = mid
		} else {
			hi = mid
		}
	}
	return int32(lo)
}

// cellTile returns the rectangle of a cell.
func (g *grid) cellTile(r, c int32) tile {
	return tile{g.rowCut[r], g.colCut[c], g.rowCut[r+1] - g.rowCut[r], g.colCut[c+1] - g.colCut[c]}
}

func (g *grid) at(r, c int32) *cell { return &g.cells[int(r)*(len(g.colCut)-1)+int(c)] }

// reset makes every cell poison.
func (g *grid) reset() {
	g.bagged, g.ordered = false, false
	for i := range g.cells {
		g.cells[i] = cell{base: saltNothing, flat: true}
	}
	clear(g.races)
	clear(g.readers)
}

// reading is the description of a rectangle that was read.
type reading struct {
	hash  uint64
	order uint64 // see cell
	state shadowState
	sole  *cell // all of it has this description, if one has
}

// nothing describes bytes that a read finds undefined: nobody wrote them, or somebody did through another location (semantics §1).
var nothing = cell{base: saltNothing, flat: true}

// seen returns the cell as a read through a location of that class finds it.
func (c *cell) seen(class int32) *cell {
	if c.state != poisoned && c.class != class {
		return &nothing
	}
	return c
}

// read describes a tile: each row band as the run-length code of (cell, distance to its write), equal bands merged. That is a function of
// what every byte holds, whatever the cuts are.
func (g *grid) read(t tile, s span, class int32) reading {
	if first := g.at(s.r0, s.c0).seen(class); g.uniform(s, class, first) {
		return reading{mixAll(first.band(t, t.cols, 0), uint64(t.rows)), first.order, first.state, first}
	}
	h, last, height := uint64(0), uint64(0), int32(0)
	state := g.at(s.r0, s.c0).seen(class).state
	for r := s.r0; r < s.r1; r++ {
		n := min(g.rowCut[r+1], t.rowEnd()) - max(g.rowCut[r], t.row)
		band, st := g.band(r, t, s, class)
		if st != state {
			state = maybe
		}
		if r > s.r0 && band != last {
			h = mix(mix(h, last), uint64(height))
			height = 0
		}
		last, height = band, height+n
	}
	order := g.order(t, s, class)
	if h == 0 {
		return reading{mix(last, uint64(height)), order, state, nil}
	}
	return reading{mix(mix(h, last), uint64(height)), order, state, nil}
}

// uniform tells whether all cells of the span are like the first.
func (g *grid) uniform(s span, class int32, first *cell) bool {
	if s.r1-s.r0 == 1 && s.c1-s.c0 == 1 {
		return true
	}
	for r := s.r0; r < s.r1; r++ {
		for c := s.c0; c < s.c1; c++ {
			if x := g.at(r, c).seen(class); x != first && (!x.like(first) || x.order != first.order) {
				return false
			}
		}
	}
	return true
}

// like tells whether two cells hold parts of the same contents, each at its place.
func (c *cell) like(d *cell) bool {
	return c.base == d.base && c.bag == d.bag && c.state == d.state && c.flat == d.flat &&
		(c.row == d.row && c.col == d.col || !c.anchored())
}

// band appends a piece of a row band, width columns of this cell, to the hash of the band.
func (c *cell) band(t tile, width int32, h uint64) uint64 {
	h = mix(h, c.describe())
	if c.anchored() {
		h = mix(h, uint64(uint32(c.row-t.row))<<32|uint64(uint32(c.col-t.col)))
	}
	return mix(h, uint64(uint32(width)))
}

// band hashes the part of row band r that lies in t.
func (g *grid) band(r int32, t tile, s span, class int32) (h uint64, state shadowState) {
	var run *cell
	width := int32(0)
	for c := s.c0; c < s.c1; c++ {
		x := g.at(r, c).seen(class)
		n := min(g.colCut[c+1], t.colEnd()) - max(g.colCut[c], t.col)
		switch {
		case run == nil:
			run, state = x, x.state
		case x.like(run):
		default:
			h, width = run.band(t, width, h), 0
			if x.state != state {
				state = maybe
			}
			run = x
		}
		width += n
	}
	return run.band(t, width, h), state
}

// fill writes a tile: cells that it covers take the new contents, others blend. An access that leaves out bytes of the tile blends all of it.
func (g *grid) fill(t tile, s span, n cell, covers bool, geo uint64) {
	if !covers {
		old := g.read(t, s, n.class)
		n.base, n.flat = mixAll(saltBlend, old.hash, n.describe(), geo), false
		n.bag, n.members, n.order = 0, 0, together(n.order, old.order)
		if old.state != n.state {
			n.state = maybe
		}
	}
	n.row, n.col = t.row, t.col
	g.spread(t, s, &n)
}

// spread gives every cell of a tile the same contents, each its part.
func (g *grid) spread(t tile, s span, n *cell) {
	g.ordered = g.ordered || n.order != 0
	whole := g.rowCut[s.r0] == t.row && g.rowCut[s.r1] == t.rowEnd() && g.colCut[s.c0] == t.col && g.colCut[s.c1] == t.colEnd()
	width := len(g.colCut) - 1
	for r := s.r0; r < s.r1; r++ {
		if !whole {
			for c := s.c0; c < s.c1; c++ {
				g.put(r, c, t, n)
			}
			continue
		}
		row := g.cells[int(r)*width+int(s.c0) : int(r)*width+int(s.c1)]
		for i := range row {
			row[i] = *n
		}
	}
}

// put writes the part of t that lies in one cell.
func (g *grid) put(r, c int32, t tile, n *cell) {
	x, own := g.at(r, c), g.cellTile(r, c)
	g.ordered = g.ordered || n.order != 0
	if t.contains(own) {
		*x = *n
		return
	}
	part := own.intersect(t)
	part.row, part.col = part.row-own.row, part.col-own.col
	b := cell{base: mixAll(saltBlend, x.band(own, own.cols, 0), n.band(own, part.cols, 0), uint64(part.row)<<32|uint64(part.col), uint64(part.rows)),
		order: together(x.order, n.order), row: own.row, col: own.col, class: n.class, state: maybe}
	if x.state == n.state && x.class == n.class {
		b.state = n.state
	}
	*x = b
}

// tileOf returns the tile of an access that starts at base, and whether the access is its bounding box, row by row.
func (g *grid) tileOf(a *access, base int) (tile, bool) {
	at, p := int32(base)-g.off, g.pitch
	t := tile{at / p, at % p, 1, int32(a.run)}
	end := t.col + t.cols
	if a.n == 0 && t.col == 0 && t.cols%p == 0 && t.cols > 0 {
		return tile{t.row, 0, t.cols / p, p}, true
	}
	exact := end <= p && (a.n == 0 || a.n == 1 && a.levels[0].step == int(p))
	for _, v := range a.levels[:a.n] {
		t.rows += int32(v.step) / p * int32(v.num-1)
		end += int32(v.step) % p * int32(v.num-1)
	}
	if end > p { // wraps: whole rows
		last := (at + int32(a.span) - 1) / p
		return tile{t.row, 0, last - t.row + 1, p}, false
	}
	t.cols = end - t.col
	return t, exact
}

// covered tells whether an access touches every byte of its tile. A write does so once if it does it at all.
func (t tile) covered(a *access) bool {
	for _, v := range a.levels[:a.n] {
		if v.step == 0 {
			return false
		}
	}
	return a.count()*a.size == int(t.rows)*int(t.cols)
}

// geometry hashes what an access that starts at base is within its tile t: element type, shape and, unless it is the tile itself, its walk.
func (g *grid) geometry(a *access, base int, t tile, exact bool) uint64 {
	h := mixAll(saltLeaf, uint64(a.dtype), uint64(a.lanes), uint64(a.free))
	if exact {
		return h
	}
	for _, v := range a.levels[:a.n] {
		h = mixAll(h, uint64(int32(v.step)/g.pitch), uint64(int32(v.step)%g.pitch), uint64(v.num))
	}
	return mixAll(h, uint64(a.run), uint64(int32(base)-g.off-t.row*g.pitch-t.col))
}

var _ tracker = (*cellTracker)(nil)
