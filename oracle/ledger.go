package oracle

import (
	"math"

	"birfuzz/ir"
)

// A ledger knows what was computed on one input set: the steps that ran, by all that decides what a step does (see cellTracker.stepKey), and
// what visible locations held, by their origin. A run whose every step is in it needs no numbers: it is replayed, only its cells are
// followed, and what visible memory holds is looked up. Most steps of a chain are such runs, for a pass that moves, renames, places or
// deletes makes no instruction compute what none computed before. A run that meets one step, input or content that the ledger does not know
// is given up and made in full, so nothing that is new is ever taken for granted.
//
// Why equal keys mean equal bytes, whichever programs the steps are from: call a cell's content its base, bag, order and distance to where its
// write began. By induction over the steps of a run, equal contents are equal bytes as long as they are defined.
//
//   - Inputs are the same, for a ledger is of one set; so are constants, which come with the program (cellTracker.carried).
//   - A step's bytes are a function of its row, all its settings, engine, immediates, element types, the shapes and walks of its accesses, and
//     of the bytes that it reads: inputs, the old output where the row keeps or adds to it, the accumulator where it uses that. All of these
//     are in the key. Rows keep nothing else from one instruction to the next, and in place means the same as apart.
//   - What is read counts as it stands in walk order: the description of the tile (grid.read) and the walk in it (grid.geometry).
//   - Origins alone would not do for sums in PSUM: they are bags, in which the order of members does not count, and it counts for rounding. So cells
//     carry the order beside the origin, and every key and every value takes it in.
//   - Poison has any bytes: a step that reads some, and does more than leave it where it is, is not entered (cellTracker.decided).
//   - What a matmul that starts clears follows from its settings and place; it is cleared in the cells by a replay too.
//   - Collectives depend on who else takes part: a replay ends at one.
//
// All of this is as right as the cells are. So that numbers are no formality, one chain in auditEvery is run in full throughout.
type ledger struct {
	steps  wordMap[gist]
	values wordMap[uint64]
}

// maxKnown bounds what a ledger holds of either kind. More is run in full.
const maxKnown = 1 << 16

// clear makes the ledger ready for another chain.
func (k *ledger) clear() {
	k.steps.clear()
	k.values.clear()
}

// enter adds a step.
func (k *ledger) enter(key uint64, g gist) {
	if k.steps.n < maxKnown {
		k.steps.put(key, g)
	}
}

// hold adds what a visible location of that origin holds.
func (k *ledger) hold(key, value uint64) {
	if k.values.n < maxKnown {
		k.values.put(key, value)
	}
}

// replayer is a tracker that can follow a run of which no numbers are computed.
type replayer interface {
	// again stands for the execution and tracker.after of an instruction: tracker.before was called. It ends the run with a fault where it does
	// not know what the instruction does.
	again(c *code, at []place) *Fault
}

// again follows a step as it went before.
func (t *cellTracker) again(c *code, at []place) *Fault {
	g, ok := t.known.steps.get(t.stepKey(c))
	if !ok {
		return t.lose()
	}
	t.settle(c, at, g)
	return nil
}

// lose gives a replay up.
func (t *cellTracker) lose() *Fault {
	t.lost, t.stray = true, Fault{Detail: "a step that the ledger does not know"}
	return &t.stray
}

// note enters a step that was executed.
func (t *cellTracker) note(c *code, g gist) {
	if t.known != nil && t.decided(c, g) {
		t.known.enter(t.stepKey(c), g)
	}
}

// decided tells whether what the step did is decided by its key: everything that it read was defined. What an output held does not matter
// where a Pick keeps nothing of it, and a Copy does the same to whatever it reads: what was undefined is so afterwards, by its cells.
func (t *cellTracker) decided(c *code, g gist) bool {
	if g.how == wroteCopy {
		return true
	}
	for k := range c.acc {
		if t.now[k].reads && t.ins[k].state != defined && (k >= c.nout || g.how != wrotePick || g.keeps) {
			return false
		}
	}
	return true
}

// stepKey hashes all that decides what the step at hand does.
func (t *cellTracker) stepKey(c *code) uint64 {
	h := t.plans[c.core][c.pc].exact
	for k := range c.acc {
		s := &t.now[k]
		if !s.inGrid {
			continue
		}
		if s.reads {
			h = t.ins[k].strict(h)
		}
		if s.writes {
			h = mixAll(h, s.geo, uint64(uint32(s.rows))<<32|uint64(uint32(s.cols)))
		}
	}
	return h
}

// strict appends to a hash what decides the bytes that were read, and whether they are defined.
func (r *reading) strict(h uint64) uint64 {
	h = mix(h, r.hash)
	if r.order != 0 || r.state != defined {
		h = mixAll(h, r.order, uint64(r.state))
	}
	return h
}

// carried looks at the bytes of a constant, which the program brings along. Origins do not tell them, so a ledger is of one content of each
// constant, the first that it saw: a run with another one is neither replayed nor entered.
func (t *cellTracker) carried(l *location) {
	if t.known == nil {
		return
	}
	key, bytes := mix(saltInput, t.names[l.id]), t.hashLocation(l)
	switch old, ok := t.known.values.get(key); {
	case ok && old == bytes:
	case t.replay:
		t.lose()
	case ok:
		t.known = nil
	default:
		t.known.hold(key, bytes)
	}
}

// valueOf hashes the defined bytes of a visible location, which lies in those cells and is described by r, or knows them from an earlier look.
func (t *cellTracker) valueOf(l *location, sp span, r *reading) uint64 {
	if r.state == poisoned {
		return 0
	}
	if t.known == nil {
		return t.hashVisible(l, sp, r.state)
	}
	key := r.strict(mixAll(t.names[l.id], uint64(l.rows), uint64(l.rowBytes)))
	if t.replay {
		v, ok := t.known.values.get(key)
		if !ok {
			t.lose()
		}
		return v
	}
	v := t.hashVisible(l, sp, r.state)
	if t.out.unsure == "" {
		t.known.hold(key, v)
	}
	return v
}

// exactly completes what arithmetic says of an instruction, which leaves out where results go and how the same is written in another way.
func exactly(c *code, arithmetic uint64) uint64 {
	in := c.inst
	h := mixAll(arithmetic, uint64(in.Engine), uint64(in.NOut), uint64(len(c.acc)))
	for i := range in.Params {
		if steers(in.Params[i].ID) {
			h = hashParam(h, &in.Params[i])
		}
	}
	for i := range in.Args {
		if in.Args[i].Kind == ir.ImmOperand {
			h = mixAll(h, uint64(i), math.Float64bits(in.Args[i].Imm))
		}
	}
	return h
}

// together joins the orders of two contents that went into one; 0 where neither has any.
func together(a, b uint64) uint64 {
	if a|b == 0 {
		return 0
	}
	return mix(a, b)
}

// followedBy returns the order of a content to which a matmul adds a member.
func (c *cell) followedBy(member, order uint64) uint64 {
	if c.bag == 0 {
		return together(c.order, order)
	}
	return mixAll(c.order, member, order)
}

// order joins the orders of the cells of a tile, where they are not all alike.
func (g *grid) order(t tile, s span, class int32) uint64 {
	h := uint64(0)
	if !g.ordered {
		return h
	}
	for r := s.r0; r < s.r1; r++ {
		for c := s.c0; c < s.c1; c++ {
			if o := g.at(r, c).seen(class).order; o != 0 {
				h = mixAll(h, o, uint64(uint32(g.rowCut[r]-t.row))<<32|uint64(uint32(g.colCut[c]-t.col)))
			}
		}
	}
	return h
}
