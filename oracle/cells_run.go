package oracle

import (
	"math"

	"birfuzz/ir"
)

// reset begins a run.
func (t *cellTracker) reset() {
	t.watcher.reset()
	for i := range t.grids {
		t.grids[i].reset()
	}
}

// input fills the first n bytes of a location.
func (t *cellTracker) input(l *location, n int) {
	if n == 0 {
		return
	}
	g := &t.grids[l.st.id]
	a := access{run: n, span: n}
	tl, exact := g.home(l), n == l.rows*l.rowBytes
	if !exact {
		tl, exact = g.tileOf(&a, l.at)
	}
	g.fill(tl, g.locate(tl), cell{base: mixAll(saltInput, t.names[l.id], uint64(g.pitch)), class: int32(l.class), state: defined}, exact, uint64(n))
	if l.konst {
		t.carried(l)
	}
}

// environment fills a Shared location that the world outside rewrote.
func (t *cellTracker) environment(_ int, l *location, n int) {
	g := &t.grids[l.st.id]
	tl := g.home(l)
	g.fill(tl, g.locate(tl), cell{base: mixAll(saltWorld, t.names[l.id], uint64(g.pitch), uint64(n)), class: int32(l.class), state: defined}, true, 0)
	t.wrote(l.st)
}

// before resolves the accesses and describes what is read.
func (t *cellTracker) before(c *code, at []place) *Fault {
	if f := t.groups.before(c, at); f != nil {
		return f
	}
	p := &t.plans[c.core][c.pc]
	t.now, t.ins = t.pool[p.windows:int(p.windows)+len(c.acc)], resize(t.ins, len(c.acc))
	for k := range c.acc {
		t.ins[k] = reading{}
		s, pl := &t.now[k], &at[k]
		if !s.inGrid {
			continue
		}
		if s.moves {
			t.place(s, pl)
		}
		t.meet(c, s, pl)
		if s.reads {
			t.ins[k] = t.describe(c, s, pl)
		}
		if s.must && t.ins[k].state != defined {
			t.out.doubt("an index or register may be poison")
		}
	}
	return nil
}

// place resolves a symbolic access.
func (t *cellTracker) place(s *window, p *place) {
	g := &t.grids[s.grid]
	s.tile, s.exact = g.tileOf(p.acc, p.base)
	s.geo, s.covers = g.geometry(p.acc, p.base, s.tile, s.exact), s.covered(p.acc)
	s.span = g.locate(s.tile)
}

func (t *cellTracker) describe(c *code, s *window, p *place) reading {
	r := t.grids[s.grid].read(s.tile, s.span, classOf(p.acc))
	r.hash = mix(r.hash, s.geo)
	if e := t.epochOf(c.core, p.acc.loc); e > 0 {
		r.hash = mix(r.hash, saltNews+e)
	}
	return r
}

// classOf returns the alias class through which an access reads and writes; accumulators have one of their own.
func classOf(a *access) int32 {
	if a.loc == nil {
		return -1
	}
	return int32(a.loc.class)
}

// meet records the access for the outside world and looks for races between cores.
func (t *cellTracker) meet(c *code, s *window, p *place) {
	if l := p.acc.loc; t.watches(l) {
		key := s.key
		if s.moves {
			key = t.touchKey(p)
		}
		t.touch(c, l, key, s.reads, s.writes)
	}
	g := &t.grids[s.grid]
	if len(g.races) == 0 {
		return
	}
	cores := len(t.m.cores)
	for r := s.r0; r < s.r1; r++ {
		for col := s.c0; col < s.c1; col++ {
			i := int(r)*(len(g.colCut)-1) + int(col)
			if t.collides(&g.races[i], g.readers[i*cores:(i+1)*cores], c.core, s.reads, s.writes) {
				t.out.doubt("two cores may touch the same bytes")
			}
		}
	}
}

// collides records an access at (write, reads) and tells whether another core's stands unordered beside it, one of them a write.
func (w *watcher) collides(write *stamp, reads []stamp, core int, reading, writing bool) bool {
	bad := !w.orderedBefore(*write, core)
	if writing {
		for _, s := range reads {
			bad = bad || !w.orderedBefore(s, core)
		}
		*write = w.now(core)
	}
	if reading {
		reads[core] = w.now(core)
	}
	return bad
}

// after notes what the instruction did, and writes its cells.
func (t *cellTracker) after(c *code, at []place, r *ran) *Fault {
	g := gistOf(r)
	t.note(c, g)
	t.settle(c, at, g)
	return nil
}

// gist is what the cells ask of an execution.
type gist struct {
	how    wrote
	from   uint8 // wroteCopy: the input
	keeps  bool  // wrotePick: some elements of the output stayed
	spoils bool  // some are undefined now
}

func gistOf(r *ran) gist {
	return gist{how: r.how, from: uint8(r.from), keeps: keepsSome(r.pick), spoils: len(r.poisoned) > 0}
}

// settle writes the cells of the outputs and of the accumulator.
func (t *cellTracker) settle(c *code, at []place, r gist) {
	p := &t.plans[c.core][c.pc]
	from := c.nout + int(r.from)
	moved := r.how == wroteCopy && c.acc[0].dtype == c.acc[from].dtype
	if !moved && r.how != wrotePick {
		t.useInputs(c)
	}
	n := t.result(c, p, r)
	for k := range c.nout {
		s := &t.now[k]
		if !s.inGrid {
			continue
		}
		t.wrote(at[k].acc.st)
		if k == 0 && moved && t.move(c, at, from) {
			continue
		}
		t.store(c, p, k, at, n)
	}
	if c.accum != noAcc && c.inst.WritesAcc() {
		t.accumulateRow(c, at, n)
	}
}

// result describes what the instruction computes, wherever it goes: the arithmetic and everything read.
func (t *cellTracker) result(c *code, p *plan, r gist) cell {
	h, order, st, first := p.id, uint64(0), defined, true
	old := readsOld(c) && !(r.how == wrotePick && !r.keeps)
	for k := range c.acc {
		if k < c.nout && (!old || c.spec.Flow == ir.FlowMatmul) {
			continue
		}
		if !t.now[k].inGrid {
			h = mix(h, math.Float64bits(c.inst.Args[k].Imm))
			continue
		}
		if k == c.accum && !c.spec.State.Reads {
			continue
		}
		h, order = mix(h, t.ins[k].hash), together(order, t.ins[k].order)
		if s := t.ins[k].state; first {
			st, first = s, false
		} else if s != st {
			st = maybe
		}
	}
	if st == poisoned && r.how != wroteCopy || r.spoils {
		st = maybe
	}
	return cell{base: h, order: order, state: st}
}

// store writes a result into the cells of output k.
func (t *cellTracker) store(c *code, p *plan, k int, at []place, n cell) {
	s, g := &t.now[k], &t.grids[t.now[k].grid]
	n.base, n.class = mixAll(n.base, s.geo, uint64(s.rows), uint64(s.cols)), classOf(at[k].acc)
	switch {
	case p.zeros && s.covers:
		n = cell{base: zeroBase, flat: true, class: n.class, state: defined}
	case n.state == poisoned:
		n = cell{base: saltNothing, flat: true, class: n.class}
	case c.spec.Flow == ir.FlowMatmul && s.covers:
		t.matmul(g, s, n, c.writes == ir.Adds)
		return
	case c.spec.Flow == ir.FlowMatmul && c.writes == ir.Adds:
		n = n.onto(&t.ins[k])
	}
	g.fill(s.tile, s.span, n, s.covers, s.geo)
}

// onto returns what becomes of a result that is added to what was read.
func (c cell) onto(old *reading) cell {
	c.base, c.order = mix(c.base, old.hash), together(c.order, old.order)
	if old.state != c.state {
		c.state = maybe
	}
	return c
}

// matmul starts a bag in the cells of a tile, or adds to theirs. n.base is the member.
func (t *cellTracker) matmul(g *grid, s *window, n cell, adds bool) {
	g.bagged = true
	member := n.base
	bag := mix(saltBag, member)
	n.base, n.flat, n.row, n.col = zeroBase, true, s.row, s.col
	if !adds {
		n.bag, n.members = bag, t.out.used.push(0, member)
		g.fill(s.tile, s.span, n, true, 0)
		return
	}
	for r := s.r0; r < s.r1; r++ {
		for col := s.c0; col < s.c1; col++ {
			old := *g.at(r, col).seen(n.class)
			x := n
			switch {
			case old.state == poisoned:
				x = cell{base: saltNothing, flat: true, class: n.class}
			case old.anchored() && (old.row != s.row || old.col != s.col):
				x.base, x.flat = mixAll(old.describe(), uint64(uint32(old.row-s.row)), uint64(uint32(old.col-s.col))), false
				x.bag, x.members, x.order = bag, t.out.used.push(0, member), together(n.order, old.order)
			default:
				x.base, x.flat, x.bag, x.members = old.base, old.flat, old.bag+bag, t.out.used.push(old.members, member)
				x.order = old.followedBy(member, n.order)
			}
			if old.state == maybe {
				x.state = maybe
			}
			g.put(r, col, s.tile, &x)
		}
	}
}

// move carries cells from the rectangle of an access to that of the output, if it has the same shape, and tells whether it could.
func (t *cellTracker) move(c *code, at []place, source int) bool {
	from, to := &t.now[source], &t.now[0]
	if !from.inGrid || !from.exact || !to.exact || from.rows != to.rows || from.cols != to.cols {
		return false
	}
	src, dst := &t.grids[from.grid], &t.grids[to.grid]
	dst.bagged = dst.bagged || src.bagged
	in, class := at[source].acc, classOf(at[0].acc)
	news := t.epochOf(c.core, in.loc)
	dr, dc := to.row-from.row, to.col-from.col
	if x := t.ins[source].sole; x != nil {
		n := x.moved(dr, dc, class, news)
		dst.spread(to.tile, to.span, &n)
		return true
	}
	for i := to.r0; i < to.r1; i++ {
		for j := to.c0; j < to.c1; j++ {
			part := dst.cellTile(i, j).intersect(to.tile)
			part.row, part.col = part.row-dr, part.col-dc
			got := src.read(part, src.locate(part), classOf(in))
			whole := cell{base: got.hash, order: got.order, row: part.row, col: part.col, state: got.state}
			if got.sole != nil {
				whole = *got.sole
			}
			n := whole.moved(dr, dc, class, news)
			dst.put(i, j, to.tile, &n)
		}
	}
	return true
}

// moved returns the cell as it is after a copy so many rows and columns on.
func (c *cell) moved(dr, dc, class int32, news uint64) cell {
	n := *c
	n.row, n.col, n.class = n.row+dr, n.col+dc, class
	if news > 0 && n.state != poisoned {
		n.base = mix(n.base, saltNews+news)
	}
	return n
}

// accumulateRow writes the sums of a result into the accumulator of the engine.
func (t *cellTracker) accumulateRow(c *code, at []place, n cell) {
	s := &t.now[c.accum]
	g := &t.grids[s.grid]
	n.base, n.class = mix(saltAcc, n.base), classOf(at[c.accum].acc)
	switch c.inst.Acc() {
	case ir.AccZero:
		n = cell{base: zeroBase, flat: true, class: n.class, state: defined}
	case ir.AccAccumulate:
		n = n.onto(&t.ins[c.accum])
	}
	if n.state == poisoned {
		n.state = maybe
	}
	g.fill(s.tile, s.span, n, s.covers, s.geo)
	t.wrote(at[c.accum].acc.st)
}

// useInputs records the bags that the instruction computes with.
func (t *cellTracker) useInputs(c *code) {
	for k := c.nout; k < len(c.acc); k++ {
		if s := &t.now[k]; s.inGrid {
			t.useBags(&t.grids[s.grid], s.span, classOf(&c.acc[k]), c.inst.Name)
		}
	}
}

func (t *cellTracker) useBags(g *grid, s span, class int32, where string) {
	if !g.bagged {
		return
	}
	for r := s.r0; r < s.r1; r++ {
		for c := s.c0; c < s.c1; c++ {
			if x := g.at(r, c).seen(class); x.bag != 0 {
				t.out.used.use(x.base, x.bag, x.members, where)
			}
		}
	}
}

// barrier orders the cores that met.
func (t *cellTracker) barrier(members []member) { t.meetAll(members) }

// exchange follows the data of a collective: every destination depends on all sources.
func (t *cellTracker) exchange(members []member, moves []transfer) *Fault {
	if t.replay {
		return t.lose()
	}
	h, order, st := saltWorld, uint64(0), defined
	for i := range members {
		m := &members[i]
		h = mix(h, arithmetic(m.c))
		for k := m.c.nout; k < len(m.at); k++ {
			s := t.windowAt(m.c, k, &m.at[k])
			r := t.describe(m.c, &s, &m.at[k])
			h, order = mix(h, r.hash), together(order, r.order)
			if r.state != defined {
				st = maybe
			}
			t.useBags(&t.grids[s.grid], s.span, classOf(m.at[k].acc), m.c.inst.Name)
		}
	}
	for i := range members {
		m := &members[i]
		if m.c.nout == 0 {
			continue
		}
		s := t.windowAt(m.c, 0, &m.at[0])
		n := cell{base: mix(h, uint64(i)), order: order, class: classOf(m.at[0].acc), state: st}
		whole := s.covers && received(moves, i) == m.at[0].acc.count()
		t.grids[s.grid].fill(s.tile, s.span, n, whole, s.geo)
		t.wrote(m.at[0].acc.st)
	}
	t.meetAll(members)
	return nil
}

// received counts the elements that a member gets.
func received(moves []transfer, to int) int {
	n := 0
	for i := range moves {
		if moves[i].to == to {
			n += moves[i].n
		}
	}
	return n
}

func (t *cellTracker) windowAt(c *code, k int, p *place) window {
	s := t.pool[int(t.plans[c.core][c.pc].windows)+k]
	if s.moves {
		t.place(&s, p)
	}
	return s
}

// lookAt describes a visible location.
func (t *cellTracker) lookAt(l *location, s *shot) {
	g := &t.grids[l.st.id]
	if l.rows*l.rowBytes == 0 {
		return
	}
	tl := g.home(l)
	sp := g.locate(tl)
	r := g.read(tl, sp, int32(l.class))
	s.origin, s.state = r.hash, r.state
	t.useBags(g, sp, int32(l.class), l.name)
	s.value = t.valueOf(l, sp, &r)
}

// hashVisible hashes the defined bytes of a visible location, which lies in those cells, and where in it they are: whatever the cuts, and wherever
// in its storage the location lies, as a comparison may be of two programs that differ in both.
func (t *cellTracker) hashVisible(l *location, sp span, st shadowState) uint64 {
	if st == defined {
		return t.hashLocation(l)
	}
	g, h := &t.grids[l.st.id], uint64(0)
	home := g.home(l)
	for i := sp.r0; i < sp.r1; i++ {
		t.runs = t.runs[:0]
		for j := sp.c0; j < sp.c1; j++ {
			switch x := g.at(i, j).seen(int32(l.class)); x.state {
			case maybe:
				t.out.doubt("bytes of visible location " + l.name + " may be poison")
			case defined:
				t.runs.add(g.cellTile(i, j).intersect(home))
			}
		}
		h = t.hashRuns(h, g, home)
	}
	return h
}

func (t *cellTracker) hashLocation(l *location) uint64 {
	h := uint64(0)
	for r := range l.rows {
		at := l.at + r*l.st.pitch
		h = hashBytes(h, t.m.data[at:at+l.rowBytes])
	}
	return h
}

// runs are tiles of one row band, from left to right, none beside another.
type runs []tile

// add appends a tile, to the last one where it stands beside it.
func (s *runs) add(t tile) {
	if n := len(*s); n > 0 && (*s)[n-1].colEnd() == t.col {
		(*s)[n-1].cols += t.cols
		return
	}
	*s = append(*s, t)
}

// hashRuns appends the bytes of the runs of a band to a hash, row by row, and where in the home of their location they lie.
func (t *cellTracker) hashRuns(h uint64, g *grid, home tile) uint64 {
	if len(t.runs) == 0 {
		return h
	}
	for r := t.runs[0].row; r < t.runs[0].rowEnd(); r++ {
		for _, x := range t.runs {
			at := int(g.off + r*g.pitch + x.col)
			h = hashBytes(mix(h, uint64(uint32(r-home.row))<<32|uint64(uint32(x.col-home.col))), t.m.data[at:at+int(x.cols)])
		}
	}
	return h
}
