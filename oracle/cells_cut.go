package oracle

import (
	"math"
	"slices"

	"birfuzz/ir"
)

const (
	// maxCells bounds the cells of a storage: beyond it cuts are left out, and cells blend.
	maxCells = 1 << 14
	// maxOffsets bounds the offsets for which a symbolic access cuts.
	maxOffsets = 64
	// maxRowLengths bounds how many row lengths are tried for a piece of DRAM.
	maxRowLengths = 4
)

// bind cuts the storages of the program that m holds.
func (t *cellTracker) bind(m *Machine) {
	t.watcher.bind(m)
	if t.look == nil {
		t.look = t.lookAt
	}
	t.listUses()
	t.grids = resize(t.grids, len(m.storages))
	for i := range m.storages {
		s := &m.storages[i]
		g := &t.grids[i]
		g.off, g.pitch, g.rows = int32(s.off), int32(s.pitch), int32(s.rows)
		g.rowCut, g.colCut, g.latest = g.rowCut[:0], g.colCut[:0], tile{}
		if s.rows == 1 && s.kind == memoryStorage {
			t.fold(s, g)
		}
		g.rowCut.add(0)
		g.rowCut.add(g.rows)
		g.colCut.add(0)
		g.colCut.add(g.pitch)
	}
	for i := range m.locations {
		t.cutLocation(&m.locations[i])
	}
	t.plan()
	t.spreadCuts()
	for i := range t.grids {
		t.grids[i].build(t.spread[i], len(m.cores))
	}
	for i := range t.pool {
		if s := &t.pool[i]; s.inGrid && !s.moves {
			s.span = t.grids[s.grid].locate(s.tile)
		}
	}
}

// listUses strings the fixed accesses and the locations of every storage together.
func (t *cellTracker) listUses() {
	m := t.m
	t.uses, t.firstUse, t.firstLoc, t.nextLoc = t.uses[:0], resize(t.firstUse, len(m.storages)), resize(t.firstLoc, len(m.storages)), resize(t.nextLoc, len(m.locations))
	for i := range m.storages {
		t.firstUse[i], t.firstLoc[i] = -1, -1
	}
	for i := len(m.locations) - 1; i >= 0; i-- {
		st := m.locations[i].st.id
		t.nextLoc[i], t.firstLoc[st] = t.firstLoc[st], int32(i)
	}
	for i := range m.cores {
		for j := range m.cores[i].code {
			c := &m.cores[i].code[j]
			for k := range c.acc {
				if a := &c.acc[k]; a.st != nil && a.st.rows == 1 && !a.symbol && a.bad == "" {
					t.uses = append(t.uses, use{a, t.firstUse[a.st.id]})
					t.firstUse[a.st.id] = int32(len(t.uses) - 1)
				}
			}
		}
	}
}

// use is an access to a storage, and the next one in its list.
type use struct {
	access *access
	next   int32
}

// fold gives DRAM, one row to the executor, the rows that its accesses walk: the declared ones if every access is a rectangle then; else
// the row length under which most are.
func (t *cellTracker) fold(s *storage, g *grid) {
	size := g.pitch
	first := t.firstLoc[s.id]
	if first < 0 {
		return
	}
	best, misfits := size, math.MaxInt
	if p := t.m.locations[first].loc.RowBytes; p > 0 && p < int64(size) && t.rowsFit(s, int(p)) {
		best, misfits = int32(p), t.misfits(s, g, int32(p))
	}
	if misfits > 0 {
		if n := t.misfits(s, g, size); n < misfits {
			best, misfits = size, n
		}
	}
	tries := maxRowLengths
	for i := t.firstUse[s.id]; i >= 0 && misfits > 0 && tries > 0; i = t.uses[i].next {
		a := t.uses[i].access
		if a.n == 0 || int32(a.levels[0].step) == best || !t.rowsFit(s, a.levels[0].step) {
			continue
		}
		tries--
		if n := t.misfits(s, g, int32(a.levels[0].step)); n < misfits {
			best, misfits = int32(a.levels[0].step), n
		}
	}
	g.pitch, g.rows = best, (size+best-1)/best
}

// rowsFit tells whether every location of the storage is a number of whole rows of p bytes.
func (t *cellTracker) rowsFit(s *storage, p int) bool {
	if p <= 0 || p > s.pitch {
		return false
	}
	for i := t.firstLoc[s.id]; i >= 0; i = t.nextLoc[i] {
		if l := &t.m.locations[i]; (l.at-s.off)%p != 0 || l.rowBytes%p != 0 {
			return false
		}
	}
	return true
}

// misfits counts the accesses that are no rectangles under rows of p bytes.
func (t *cellTracker) misfits(s *storage, g *grid, p int32) int {
	n := 0
	h := grid{off: g.off, pitch: p}
	for i := t.firstUse[s.id]; i >= 0; i = t.uses[i].next {
		if _, exact := h.tileOf(t.uses[i].access, t.uses[i].access.base); !exact {
			n++
		}
	}
	return n
}

func (t *cellTracker) cutLocation(l *location) {
	if l.rows == 0 || l.rowBytes == 0 {
		return
	}
	g := &t.grids[l.st.id]
	g.cut(g.home(l))
}

// home returns the tile of a location.
func (g *grid) home(l *location) tile {
	at := int32(l.at) - g.off
	t := tile{at / g.pitch, at % g.pitch, int32(l.rows), int32(l.rowBytes)}
	if t.colEnd() > g.pitch { // DRAM: rows of ours
		last := (at + t.cols - 1) / g.pitch
		return tile{t.row, 0, last - t.row + 1, g.pitch}
	}
	return t
}

// cut cuts along the border of a tile. Most accesses to a location have the same tile, often one after another.
func (g *grid) cut(t tile) {
	if t == g.latest {
		return
	}
	g.latest = t
	g.rowCut.add(t.row)
	g.rowCut.add(t.rowEnd())
	g.colCut.add(t.col)
	g.colCut.add(t.colEnd())
}

// plan looks at every access once, cuts along it, and notes the copies.
func (t *cellTracker) plan() {
	m := t.m
	t.plans, t.pool, t.links = resize(t.plans, len(m.cores)), t.pool[:0], t.links[:0]
	for i := range m.cores {
		codes := m.cores[i].code
		t.plans[i] = resize(t.plans[i], len(codes))
		for j := range codes {
			c := &codes[j]
			t.plans[i][j] = plan{windows: int32(len(t.pool))}
			if c.inst == nil || c.spec == nil || len(c.acc) == 0 {
				continue
			}
			id := arithmetic(c)
			t.plans[i][j].id, t.plans[i][j].exact = id, exactly(c, id)
			t.plans[i][j].zeros = writesZeros(c)
			for k := range c.acc {
				t.pool = append(t.pool, t.windowOf(c, k))
			}
			t.cutRegion(c)
			t.link(c, t.pool[len(t.pool)-len(c.acc):])
		}
	}
}

// writesZeros tells whether the instruction clears its output: a Memset of 0.
func writesZeros(c *code) bool {
	return c.spec.HasParam(ir.PConstant) && c.inst.Int(ir.PConstant) == 0
}

// windowOf looks at access k of a code, and cuts along it.
func (t *cellTracker) windowOf(c *code, k int) window {
	a := &c.acc[k]
	if a.st == nil {
		return window{}
	}
	g := &t.grids[a.st.id]
	s := window{grid: int32(a.st.id), inGrid: true, moves: a.symbol, must: mustBeDefined(c, k)}
	switch {
	case k == c.accum:
		s.reads, s.writes = readsAcc(c), c.inst.WritesAcc()
	case k < c.nout:
		s.reads, s.writes = readsOld(c), true
	default:
		s.reads = true
	}
	if a.symbol {
		t.cutMoving(g, c, a)
		return s
	}
	s.tile, s.exact = g.tileOf(a, a.base)
	s.geo, s.covers = g.geometry(a, a.base, s.tile, s.exact), s.covered(a)
	if a.loc != nil && t.seen[a.loc.class] { // what is hidden differs from run to run
		s.key = t.touchKey(&c.at[k])
	}
	g.cut(s.tile)
	return s
}

// cutMoving cuts for every offset of a symbolic access, if they are few.
func (t *cellTracker) cutMoving(g *grid, c *code, a *access) {
	e := &t.sweep
	e.core, e.loops = c.core, e.loops[:0]
	off := &c.inst.Args[a.arg].Off
	trips := int64(1)
	for l := range off.Axes {
		if !slices.Contains(e.loops, l) {
			e.loops = append(e.loops, l)
			trips *= min(l.Trips(), maxOffsets+1)
		}
		if trips > maxOffsets || len(e.loops) > maxOffsets {
			return
		}
	}
	pitch := int64(a.loc.rowBytes / a.size)
	if pitch == 0 {
		return
	}
	e.each(0, func() {
		o := off.Eval(e)
		at := a.loc.at + int(o/pitch)*a.st.pitch + int(o%pitch)*a.size
		if o >= 0 && at+a.span <= a.st.off+a.st.size() {
			tl, _ := g.tileOf(a, at)
			g.cut(tl)
		}
	})
}

// sweep runs axes through all their values.
type sweep struct {
	core   int
	loops  []*ir.Loop
	values [maxOffsets]int64
}

// AxisValue returns the value of the axis at hand.
func (e *sweep) AxisValue(l *ir.Loop) int64 { return e.values[slices.Index(e.loops, l)] }

// ShardID returns the core's number.
func (e *sweep) ShardID() int64 { return int64(e.core) }

func (e *sweep) each(i int, f func()) {
	if i == len(e.loops) {
		f()
		return
	}
	l := e.loops[i]
	for k := range l.Trips() {
		e.values[i] = l.LB + k*l.Stride
		e.each(i+1, f)
	}
}

// link notes a copy between two rectangles of one shape and element type.
func (t *cellTracker) link(c *code, windows []window) {
	if c.spec.Flow != ir.FlowMove || c.nout != 1 || len(windows) < 2 {
		return
	}
	to := &windows[0]
	for i := range windows[1:] {
		from := &windows[1+i]
		if from.exact && to.exact && from.rows == to.rows && from.cols == to.cols && c.acc[0].dtype == c.acc[1+i].dtype {
			t.links = append(t.links, link{from: side{int(from.grid), from.tile}, to: side{int(to.grid), to.tile}})
		}
	}
}
