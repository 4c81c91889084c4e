package gen

import "birfuzz/ir"

// drawStubborn draws two loops that unrolling leaves alone: an edge leads from every trip of one to every trip of the other, and those are more
// than it may make. What follows unrolling meets loops at levels that know none, for the price of a few small instructions a trip.
func (b *builder) drawStubborn() {
	if !b.roomy(10) || len(b.loops) > 0 || b.endless {
		return
	}
	b.endless = true
	t := bounds{stride: 1, trips: int64(b.Between(513, 520))}
	k := kernel{builder: b, split: b.splitting(t).in(b.work())}
	k.split.byRows, k.split.lanes, k.split.width = false, 1, step8
	c := constancy{kernel: k, list: []bounds{t}}
	x, y := c.value(), c.value()
	if x == nil || y == nil {
		return
	}
	var ends [2]*ir.Inst
	for i := range ends {
		b.within(func([]*ir.Loop) {
			b.trip(&c, x, y)
			if list := b.block.Insts; len(list) > 0 {
				ends[i] = list[b.IntN(len(list))]
			}
		}, t)
	}
	if from, to := ends[0], ends[1]; from != nil && to != nil {
		to.Deps = ir.AddDep(to.Deps, ir.Dep{On: from, Kind: ir.Ordered})
	}
	c.after(x)
	c.after(y)
}

// trip draws the body of a stubborn loop: values that go from trip to trip, or some that nobody reads.
func (b *builder) trip(c *constancy, x, y *slot) {
	switch b.Pick([]int{2, 1, 1, 1}) {
	case 0:
		dead := c.tile()
		c.same(dead, x)
		dead.def = rect{}
	case 1:
		c.same(x, y)
	case 2:
		c.same(x, y)
		c.same(y, x)
	default:
		c.same(x, x, y)
	}
}
