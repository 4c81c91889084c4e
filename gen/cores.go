package gen

import "birfuzz/ir"

// sharedTensor is a tensor in Shared memory as each core sees it. Between two meetings at most one core writes it, and if one does, no other
// touches it.
type sharedTensor struct {
	slots []*slot // by core drawn
	def   rect    // written before the last meeting
}

// together draws the functions of several cores, or of one core of several, in phases that end where the cores meet.
func (b *builder) together(cores int) {
	states := b.states[:cores]
	for i := range states {
		b.begin(i)
		states[i] = b.core
	}
	b.shareTensors(states)
	if cores > 1 && b.on(OneCore) {
		b.keepToOne(states)
	}
	if b.on(Pieces) {
		b.dealPieces(states)
	}
	phases := b.Between(2, 4)
	var around [3]*ir.Loop                                               // of the meetings that stand in a loop
	total := min(b.left, b.cfg.MaxInsts-phases*cores) - (phases-1)*cores // the last result of a phase may take one instruction more
	if b.on(Collectives) {
		total -= (phases - 1) * cores // each brings what it gives first
	}
	for k := range phases - 1 {
		if b.sometimes(Loops, 0.2) {
			around[k] = b.axis()
			around[k].UB = max(around[k].UB, around[k].LB+1) // they do meet
			total -= cores
		}
	}
	part := max(total/(phases*cores), 1)
	apart := false // not all cores have met since the last phase
	for k := range phases {
		if !apart {
			b.assign()
		}
		x := b.planExchange(cores)
		for i := range states {
			b.core = states[i]
			b.phase(part, k == phases-1)
			switch {
			case k == phases-1:
			case x != nil:
				b.join(x)
			default:
				b.meetAt(k, around[k])
			}
			states[i] = b.core
		}
		if apart = x != nil && len(x.groups) > 0; !apart {
			b.publish()
		}
	}
}

// coreNumbers are the numbers of the cores. Programs share them: nobody writes into the lists of settings.
var coreNumbers = [maxCores]int64{0, 1, 2, 3}

// phase draws what one core does between two meetings.
func (b *builder) phase(n int, last bool) {
	b.share(n)
	if !last {
		b.reserve = n / 8
	}
	b.visit()
	b.body()
	if last {
		b.end()
	} else {
		b.store()
	}
	b.left = 1 // for the meeting
}

// meetAt draws the meeting number k, in a loop like the given one if there is any. All cores come to it: though the dialect lists the cores of a
// barrier, no document says that some of them may meet without the others. NKI's are of cores 0 and 1, all that there are, which execute them the
// same number of times (nki-isa.md §3.32), and functions of one module have the same barriers on all cores (walrus.md §8.6).
func (b *builder) meetAt(k int, around *ir.Loop) {
	if len(b.rows.meet) == 0 {
		return
	}
	if around != nil {
		l, outer := *around, b.block
		l.Axis = axisNames.at(b.blocks)
		n := b.open(&l, nil)
		defer func() {
			b.leave(n)
			b.block = outer
		}()
	}
	in, cores := b.bare(b.rows.meet[0]), max(len(b.prog.Cores), 2)
	in.SetInt(ir.PBarrierID, int64(k))
	in.SetParam(ir.Param{ID: ir.PCores, L: coreNumbers[:cores:cores]})
	b.emit(in)
}

// assign draws who may touch each shared tensor until the next meeting: one core to read and write it, or all to read it.
func (b *builder) assign() {
	for _, g := range b.shared {
		owner := b.IntN(len(g.slots) + 1)
		for i, s := range g.slots {
			s.readOnly = owner == len(g.slots)
			s.hidden = owner != i && !s.readOnly
			s.def = g.def
		}
	}
}

// publish makes what was written known to all cores. The cores that a module does not show have written everything.
func (b *builder) publish() {
	for _, g := range b.shared {
		for _, s := range g.slots {
			if s.def.area() > g.def.area() {
				g.def = s.def
			}
		}
		if b.prog.CoreID != ir.NoCore {
			g.def = g.slots[0].all()
		}
	}
}
