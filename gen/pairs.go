package gen

import "birfuzz/ir"

// role says what a loop does to a tensor: read it, write it, or both.
type role uint8

const (
	reads role = 1 << iota
	writes
)

// meeting is a tensor that two loops touch.
type meeting struct {
	*field
	filled  bool // all of it has values
	written bool // the body of the loop that is drawn, or was last, gives each piece values
	does    [2]role
	shift   int // how many pieces the second loop is ahead of the first
	behind  int // where a loop writes what it reads: how many pieces ahead it reads
}

// pair is two loops that touch the same tensors, with or without instructions between them. Whether the second may run together with the first,
// trip by trip, is what passes ask.
type pair struct {
	kernel
	loops    [2][]bounds
	meetings []meeting
	turned   bool       // the second nest goes over the dimensions in the other order
	alike    []*ir.Loop // the first nest, whose attributes the second has too; nil: it may have others
	counts   bool       // both bodies use an accumulator
	number   *slot      // the register that both bodies count with, or nil
	inPSUM   bool       // what they touch is there, as far as it has room
}

// drawPair draws a pair of loops.
func (b *builder) drawPair() {
	if !b.roomy(9) {
		return
	}
	p := &pair{kernel: kernel{builder: b}}
	p.drawBounds()
	p.inPSUM = p.sometimes(Legalised, 0.7)
	for range 1 + b.Pick([]int{3, 1}) {
		if b.room() > 6 {
			p.meet()
		}
	}
	if len(p.meetings) == 0 {
		return
	}
	if b.Bool(0.3) && !p.loops[0][0].parallel {
		p.temp = p.tile()
	}
	if !p.loops[0][0].parallel && !p.loops[1][0].parallel {
		p.counts = p.sometimes(Accumulators, 0.5)
		p.number = p.beforeCount()
	}
	p.run(0)
	p.gap()
	p.run(1)
	for i := range p.meetings {
		m := &p.meetings[i]
		if b.room() > 0 && b.Bool(0.6) && !m.slot.def.empty() {
			b.moved(m.slot, ir.InSB|ir.InDRAM, m.dtype)
		}
		b.release(m.field)
	}
}

// drawBounds draws how the two loops run: alike, or not quite.
func (p *pair) drawBounds() {
	first := p.runs()
	second := first
	if p.sometimes(OddPairs, 0.6) {
		switch p.IntN(6) {
		case 0:
			second.lb += int64(p.Between(1, 2))
		case 1:
			second.stride = 1 + first.stride%3
		case 2:
			second.trips += int64(p.Between(-1, 1))
		case 3:
			first.trips = 0
		case 4:
			second.trips *= 2
		default:
			second.trips = int64(p.IntN(2))
		}
	}
	if len(p.core.loops) == 0 && p.sometimes(Parallel, 0.5) {
		first.parallel, second.parallel = p.Bool(0.9), p.Bool(0.9)
	}
	p.loops = [2][]bounds{{first}, {second}}
	all := bounds{stride: int64(leastMultiple(int(first.stride), int(second.stride))), trips: max(first.trips, second.trips, 1)}
	if len(p.core.loops) > 0 || !p.Bool(0.3) {
		p.split = p.splitting(all)
		return
	}
	inner := bounds{stride: 1, trips: 2}
	p.loops = [2][]bounds{{first, inner}, {second, inner}}
	switch {
	case p.sometimes(OddPairs, 0.5):
		p.turn()
	case p.Bool(0.6):
		p.split = p.splitting(all, inner)
	default:
		p.split = p.splitting(inner) // all trips of the outer loops reach the same pieces
		p.loops[0][0].parallel, p.loops[1][0].parallel = false, false
	}
}

// turn draws one of the two nests the other way round, or with its inner loop alone.
func (p *pair) turn() {
	outer, inner := bounds{stride: 1, trips: int64(p.Between(2, 3))}, p.runs()
	p.loops, p.split = [2][]bounds{{outer, inner}, {inner, outer}}, p.splitting(outer, inner)
	p.turned = true
	if p.Bool(0.3) {
		p.loops[0], p.loops[1] = p.loops[1], p.loops[0]
		p.split = p.splitting(inner, outer)
	}
}

// meet adds a tensor that both loops touch.
func (p *pair) meet() {
	const both = reads | writes
	roles := [...][2]role{{writes, reads}, {writes, reads}, {writes, reads}, {reads, writes}, {writes, writes}, {reads, reads}, {both, both}, {both, reads}, {writes, both}}
	m := meeting{does: one(&p.Rand, roles[:]), shift: one(&p.Rand, []int{0, 0, 0, 0, -1, -1, 1, 1, 2, -2, 3, -3})}
	parallel := p.loops[0][0].parallel || p.loops[1][0].parallel
	switch {
	case parallel:
		m.does, m.shift = roles[0], one(&p.Rand, []int{0, 0, 0, -1, -1, 1})
	case m.does[0] != both && m.does[1] != both:
	case p.Bool(0.3):
		m.behind = one(&p.Rand, []int{-1, 1})
	}
	if p.split.n == 2 {
		m.shift = max(min(m.shift, 1), -1)
	}
	margin := max(m.shift, -m.shift) + max(m.behind, -m.behind)
	c := p.split.margins(margin)
	if in := c.in(ir.PSUM); p.inPSUM && in.bank() {
		c = in
	}
	if margin == 0 && m.does[0] == writes && p.loops[0][0] == p.loops[1][0] && p.Bool(0.6) {
		m.field = p.empty(c)
	} else {
		m.field, m.filled = p.full(c), true
	}
	if m.field != nil {
		p.meetings = append(p.meetings, m)
	}
}

// run draws one of the loops.
func (p *pair) run(k int) {
	for i := range p.meetings {
		p.meetings[i].written = false
	}
	ran := p.kernel.run(p.body(k), p.loops[k]...)
	for i := range p.meetings {
		p.meetings[i].settled(ran)
	}
}

// settled follows what a loop leaves of a tensor: all of it has values if it had before, or if the loop runs and writes each piece.
func (m *meeting) settled(ran bool) {
	if m.filled || m.written && ran {
		m.filled = true
		m.complete()
	}
}

// body returns what one of the loops does in each trip.
func (p *pair) body(k int) func(loops []*ir.Loop) {
	return func(loops []*ir.Loop) {
		p.imitate(loops)
		p.fenceWithin()
		p.halt(loops, 0.1)
		over := loops[len(loops)-p.split.n:]
		if k == 1 && p.turned {
			over = []*ir.Loop{loops[1], loops[0]}
		}
		p.countIn(k, over)
		for i := range p.meetings {
			if p.left < 3 {
				return
			}
			p.touch(&p.meetings[i], k, over)
		}
		p.fenceWithin()
	}
}

// imitate gives the second nest the attributes of the first, mostly.
func (p *pair) imitate(loops []*ir.Loop) {
	if p.alike == nil {
		p.alike = loops
		return
	}
	for i, l := range loops {
		if m := p.alike[i]; p.Bool(0.8) {
			l.NoReorder, l.Unroll = m.NoReorder, m.Unroll
		}
	}
}

// countIn draws what both loops count beside what they do to tensors: with a register, or an accumulator, which the second loop may only read.
func (p *pair) countIn(k int, loops []*ir.Loop) {
	if p.number != nil {
		p.count(p.number)
	}
	m := &p.meetings[0]
	switch {
	case !p.counts || p.left < 4:
	case k == 1 && p.Bool(0.7):
		p.readAcc()
	case m.filled:
		p.command(p.tiled(p.tile()), p.at(m.field, loops))
	}
}

// touch draws what one of the loops does to a tensor. One that nobody has written can only be written.
func (p *pair) touch(m *meeting, k int, loops []*ir.Loop) {
	var shift [2]int
	shift[p.split.n-1] = k * m.shift
	if p.split.n == 2 && p.Bool(0.5) {
		shift[0] = k * m.shift
	}
	here, does := p.at(m.field, loops, shift[:]...), m.does[k]
	if !m.filled {
		does = writes
	}
	switch does {
	case reads:
		own := p.split
		if own.n == len(p.loops[k]) && !p.turned {
			own.trips[0] = max(int(p.loops[k][0].trips), 1)
		}
		p.pour(own, loops, here)
	case writes:
		m.written = p.fill(here, loops)
	default:
		shift[p.split.n-1] += m.behind
		p.apply(nil, here, p.at(m.field, loops, shift[:]...))
	}
}

// gap draws what stands between the loops: what may go before both, behind both, or neither.
func (p *pair) gap() {
	if p.room() < 4 || !p.sometimes(LoopGaps, 0.8) {
		return
	}
	m := &p.meetings[p.IntN(len(p.meetings))]
	switch p.IntN(6) {
	case 0:
		p.draw()
	case 1:
		if p.on(Halts) {
			p.halt(nil, 1)
		} else {
			p.signal()
		}
	case 2:
		p.barrier()
	case 3:
		p.overwrite(m.slot)
	case 4:
		if m.filled {
			p.moved(m.slot, ir.InSB|ir.InDRAM, m.dtype)
		}
	default:
		p.bridge(m)
	}
}

// bridge draws an instruction between the loops that reads what the first touches and writes what the second does.
func (p *pair) bridge(m *meeting) {
	if !m.filled {
		return
	}
	u := p.empty(m.split)
	if p.apply(nil, p.cut(u.slot, u.slot.all()), m.slot) {
		u.complete()
		p.meetings = append(p.meetings, meeting{field: u, filled: true, does: [2]role{reads, reads}})
	}
}
