package gen

import (
	"birfuzz/ir"
	"birfuzz/ir/num"
)

// sharedTensor is a tensor in Shared memory as each core sees it. Between two meetings at most one core writes it, and if one does, no other
// touches it.
type sharedTensor struct {
	slots []*slot // by core drawn
	def   rect    // written before the last meeting
}

// together draws the functions of several cores, or of one core of several, in phases that end where the cores meet.
func (b *builder) together(cores int) {
	states := make([]core, cores)
	for i := range states {
		b.begin(i)
		states[i] = b.core
	}
	b.shareTensors(states)
	phases := b.Between(2, 4)
	total := b.left - (phases-1)*cores
	part := max(total/(phases*cores), 1)
	for k := range phases {
		b.assign()
		x := b.planExchange(cores)
		for i := range states {
			b.core = states[i]
			b.phase(part, k == phases-1)
			switch {
			case k == phases-1:
			case x != nil:
				b.join(x)
			default:
				b.meetAt(k)
			}
			states[i] = b.core
		}
		b.publish()
	}
}

// phase draws what one core does between two meetings.
func (b *builder) phase(n int, last bool) {
	b.share(n)
	if !last {
		b.reserve = n / 8
	}
	b.body()
	if last {
		b.end()
	} else {
		b.store()
	}
	b.left = 1 // for the meeting
}

// meetAt draws the meeting number k.
func (b *builder) meetAt(k int) {
	if len(rows.meet) == 0 {
		return
	}
	in := b.bare(rows.meet[0])
	in.SetInt(ir.PBarrierID, int64(k))
	in.SetParam(ir.Param{ID: ir.PCores, L: []int64{0, 1}})
	b.emit(in)
}

var sharedKinds = []num.DType{num.Float32, num.Float32, num.BFloat16, num.Int32}

// shareTensors declares tensors in Shared memory in every function.
func (b *builder) shareTensors(states []core) {
	for k := range b.Between(1, 3) {
		t := one(&b.Rand, sharedKinds)
		lanes, free := one(&b.Rand, b.lanes), one(&b.Rand, b.frees)
		g := &sharedTensor{}
		for i := range states {
			b.core = states[i]
			s := b.newSlot(ir.DRAM, ir.Internal, lanes, free*t.Size(), t, shareNames.at(k), shareSets.at(k))
			s.loc.Set.Space, s.fixed = ir.Shared, true
			g.slots = append(g.slots, s)
			b.flow.root[s.loc.ID] = b.flow.root[g.slots[0].loc.ID]
			states[i] = b.core
		}
		b.shared = append(b.shared, g)
	}
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
