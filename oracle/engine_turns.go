package oracle

import "slices"

// saltLane keeps draws of this file apart from other hashes.
const saltLane uint64 = 0xd807aa98a3030242

// inOrder keeps to program order as far as the lanes can, and to the order of cores of a run in order: each goes as far as it comes without
// the others. What need not wait for somebody who stands behind it runs as it would in order; so the run of a program that is right in order
// shows the same fences at the same moments. Where somebody has to wait, the others go on. Of lanes with different levels the lowest goes
// first.
type inOrder struct {
	level func(p *play, l int32) int // nil: all the same
}

// turn says how soon a lane comes.
type turn struct {
	level int
	met   int32 // meetings of its core
	core  int32
	at    int32
}

func (t *turn) before(u *turn) bool {
	switch {
	case t.level != u.level:
		return t.level < u.level
	case t.met != u.met:
		return t.met < u.met
	case t.core != u.core:
		return t.core < u.core
	}
	return t.at < u.at
}

// pick implements turns.
func (o *inOrder) pick(p *play) int32 {
	best, lane := turn{}, none
	for l := range p.list {
		j := p.next(int32(l))
		if j == none {
			continue
		}
		x := &p.jobs[j]
		t := turn{met: p.met[x.core], core: x.core, at: x.at}
		if o.level != nil {
			t.level = o.level(p, int32(l))
		}
		if (lane == none || t.before(&best)) && p.ready(int32(l)) {
			best, lane = t, int32(l)
		}
	}
	return lane
}

// transfersLast is the level that puts transfers off.
func transfersLast(p *play, l int32) int {
	if p.list[l].issuer != none {
		return 1
	}
	return 0
}

// transfersFirst is the level that has transfers done as early as possible, and issued as early as possible by those who issue some.
func transfersFirst(p *play, l int32) int {
	switch {
	case p.list[l].issuer != none:
		return 0
	case p.jobs[p.next(l)].kind == issues:
		return 1
	}
	for i := range p.list {
		if p.list[i].issuer == l {
			return 2
		}
	}
	return 3
}

// starve lets one lane go on only when nobody else can; the lane that issues its jobs comes last but for it, so that nothing stands in the
// queue before others do.
type starve struct{ lane int32 }

// pick implements turns.
func (s *starve) pick(p *play) int32 {
	issuer, found, level := p.list[s.lane].issuer, none, 3
	for l := range p.list {
		if !p.ready(int32(l)) {
			continue
		}
		n := 0
		switch {
		case p.moves(s.lane):
			n = 2
		case issuer != none && p.moves(issuer):
			n = 1
		}
		if n < level {
			found, level = int32(l), n
		}
	}
	return found
}

// moves tells whether the members of the meeting, or the one job, stand in a lane.
func (p *play) moves(l int32) bool {
	return slices.ContainsFunc(p.members, func(j int32) bool {
		x := &p.jobs[j]
		return x.lane == l || x.wide && p.list[l].issuer == none && p.list[l].core == int(x.core)
	})
}

// without lets anybody go on but one job.
type without struct {
	job  int32
	last int32 // the lane that went on last: it goes on as long as it can
}

// pick implements turns.
func (w *without) pick(p *play) int32 {
	for i := range p.list {
		l := (w.last + int32(i)) % int32(len(p.list))
		if p.ready(l) && !slices.Contains(p.members, w.job) {
			w.last = l
			return l
		}
	}
	return none
}

// byPriority lets the lane of the highest priority go on that can, and takes its priority away at a few moments: probabilistic concurrency
// testing (Burckhardt et al., ASPLOS 2010), which finds a bug that needs d of its orderings with a chance of at least 1/(n·k^(d−1)) for n
// lanes and k jobs.
type byPriority struct {
	rank    []uint64 // by lane
	changes []int    // the steps at which the lane that would go on falls behind all others
	steps   int
	fallen  uint64
}

// newByPriority draws priorities of lanes and depth−1 moments. What is drawn for a lane depends on its name, so it stays when others go.
func newByPriority(s *lanes, seed uint64, depth int) *byPriority {
	b := &byPriority{rank: make([]uint64, len(s.list)), fallen: 1 << 20}
	for l := range s.list {
		b.rank[l] = mix(mix(saltLane, seed), hashString(s.list[l].name)) | 1<<32
	}
	for i := range depth - 1 {
		b.changes = append(b.changes, int(mixAll(saltLane, seed, uint64(i))%uint64(max(len(s.jobs), 1))))
	}
	return b
}

// pick implements turns.
func (b *byPriority) pick(p *play) int32 {
	l := b.highest(p)
	for _, at := range b.changes {
		if at == b.steps && l != none {
			b.fallen--
			b.rank[l] = b.fallen
			l = b.highest(p)
		}
	}
	b.steps++
	return l
}

func (b *byPriority) highest(p *play) int32 {
	best := none
	for l := range p.list {
		if (best == none || b.rank[l] > b.rank[best]) && p.ready(int32(l)) {
			best = int32(l)
		}
	}
	return best
}

// byPath follows choices: wherever several lanes can go on, the next number says which of them. Behind its end the first does.
type byPath struct {
	path  []int
	taken int
	width []int // how many there were to choose from, at each choice
	ready []int32
}

// pick implements turns.
func (b *byPath) pick(p *play) int32 {
	b.ready = b.ready[:0]
	for l := range p.list {
		if p.ready(int32(l)) && p.jobs[p.members[0]].lane == int32(l) { // one of those lanes that would go on together
			b.ready = append(b.ready, int32(l))
		}
	}
	n, at := len(b.ready), 0
	if n == 0 {
		return none
	}
	if n > 1 {
		if b.taken < len(b.path) {
			at = b.path[b.taken] % n
		}
		b.taken++
		b.width = append(b.width, n)
	}
	return b.ready[at]
}

// atRandom lets any lane go on of the first core that can: of one core after another, as in order, so that what cores show of themselves
// stays in its order.
type atRandom struct{ seed, drawn uint64 }

// pick implements turns.
func (r *atRandom) pick(p *play) int32 {
	found, n := none, uint64(0)
	for l := range p.list {
		if found != none && p.list[l].core != p.list[found].core {
			break
		}
		if !p.ready(int32(l)) {
			continue
		}
		n++
		if r.drawn++; mixAll(saltLane, r.seed, r.drawn)%n == 0 {
			found = int32(l)
		}
	}
	return found
}
