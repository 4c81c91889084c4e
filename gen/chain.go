package gen

import (
	"birfuzz/ir"
	"birfuzz/ir/num"
)

// chain is a sum in PSUM whose members are being drawn.
type chain struct {
	row     *ir.Spec
	op      ir.Operand // of every member
	out     touch
	m, n    int
	members int // drawn
	left    int
	ended   bool // the last one drawn says that it is the last
	cleared bool // a constant 0 stands where the sum begins: no member starts it
	stops   bool // the last member says that it is the last
	region  int  // the first member clears 2^region banks; noRegion: what it writes
}

// noRegion is the default of psum_zero_region.
const noRegion = -1

// maxChains is how many sums are in progress at once at most.
const maxChains = 3

// startChain begins a sum in a PSUM location of its own. Nothing else touches that until the sum is complete.
func (b *builder) startChain(cleared bool) *chain {
	if len(b.rows.sums) == 0 {
		return nil
	}
	c := b.sums.next()
	*c = chain{row: one(&b.Rand, b.rows.sums), left: b.Between(1, 5), stops: b.Bool(0.8), cleared: cleared, region: noRegion}
	if b.sometimes(LongChains, 0.5) {
		c.left = b.Between(8, 24)
	}
	c.m, c.n = b.sizes(0, 0)
	c.n = min(c.n, ir.PSUMBankBytes/4)
	t := num.Float32
	if !c.row.Outs[0].Types.Has(t) || c.row.Engines[b.prog.Arch] == 0 {
		return nil
	}
	var s *slot
	if cleared {
		b.zero = true
		s = b.filled(ir.InPSUM, c.m, c.n, t)
		b.zero = false
	} else {
		if b.sometimes(ZeroRegions, 0.5) {
			c.region = b.Pick([]int{6, 3, 1})
		}
		s = b.sumTile(c, c.n)
	}
	if s == nil {
		return nil
	}
	ok := false
	if c.out, ok = b.access(&c.op, s, tileOf(c.m, c.n), t, filling, true); !ok {
		return nil
	}
	if cleared && !s.def.has(c.out.rect) {
		return nil
	}
	s.busy = true
	return c
}

// sumTile declares a location of rows of so many elements for a sum that may clear the banks around.
func (b *builder) sumTile(c *chain, n int) *slot {
	b.place.banks = 0
	if c.region != noRegion {
		b.place.banks = 1 << c.region
	}
	b.place.guests = len(b.loops) == 0 && b.Bool(0.5)
	s := b.newTile(ir.PSUM, c.m, n, num.Float32)
	b.place.banks, b.place.guests = 0, false
	return s
}

// beforeSum begins, before a loop, a sum whose members are the loop's trips.
func (b *builder) beforeSum() *chain {
	if !b.sometimes(LoopChains, 0.6) || b.left < b.reserve+5 {
		return nil
	}
	c := b.startChain(true)
	if c != nil {
		c.stops = false
	}
	return c
}

// stepChain draws the next member of a sum in progress, or begins one.
func (b *builder) stepChain() bool {
	if len(b.chains) < maxChains && (len(b.chains) == 0 || b.Bool(0.3)) {
		if c := b.startChain(b.Bool(0.3)); c != nil {
			b.chains = append(b.chains, c)
		}
	}
	if len(b.chains) == 0 {
		return false
	}
	k := b.IntN(len(b.chains))
	c := b.chains[k]
	ok := b.member(c)
	if c.left <= 0 {
		b.endChain(k)
	}
	return ok
}

// member draws one member of a sum.
func (b *builder) member(c *chain) bool {
	c.left--
	if b.depth >= maxDepth {
		return false
	}
	d := b.draft(c.row)
	defer b.drafted()
	if !d.engine() {
		return false
	}
	first := c.members == 0 && !c.cleared
	if !first {
		d.setInt(ir.PStart, 0)
	} else if c.region != noRegion {
		d.setInt(ir.PZeroRegion, int64(c.region))
	}
	if c.left > 0 || !c.stops {
		d.setInt(ir.PStop, 0)
	}
	d.args[0], d.touched[0] = c.op, c.out
	s := &c.row.Outs[0]
	d.bind(s.Shape[0], c.m)
	d.bind(s.Shape[1], c.n)
	for i := range c.row.Ins {
		if !d.input(i) {
			return false
		}
	}
	if !d.apart() || !d.late() || !b.commit(d) {
		return false
	}
	c.ended = c.left <= 0 && c.stops && !c.cleared // what a constant begins is given no start
	b.unended = b.unended || c.cleared
	if c.members++; c.members == 1 && first && c.region != noRegion {
		b.clear(c, b.block.Insts[len(b.block.Insts)-1])
	}
	return true
}

// clear follows what the first member of a sum clears beside what it writes: nothing is left of what stood in the banks around.
func (b *builder) clear(c *chain, in *ir.Inst) {
	own := c.out.slot
	if b.analyst.cleared == nil {
		b.analyst.cleared = map[*ir.Inst][]int32{}
	}
	list := []int32{b.flow.root[own.loc.ID]}
	for _, s := range b.slots {
		l := s.loc
		if s == own || l.Type != ir.PSUM || !l.Allocated || !own.loc.Allocated || l.Bank>>c.region != own.loc.Bank>>c.region {
			continue
		}
		s.def = rect{}
		list = append(list, b.flow.root[l.ID])
	}
	b.analyst.cleared[in] = list
}

// endChain completes a sum. One that has no member yet leaves its location as it is.
func (b *builder) endChain(k int) {
	c := b.chains[k]
	c.out.slot.busy = false
	b.unended = b.unended || c.members > 0 && !c.ended
	b.chains = append(b.chains[:k], b.chains[k+1:]...)
}

// endChains draws the last members of all sums in progress.
func (b *builder) endChains() {
	for len(b.chains) > 0 {
		c := b.chains[0]
		c.left = 1
		b.member(c)
		b.endChain(0)
	}
}
