package oracle

import "slices"

// bags records the accumulations (base and bag) that a run used: where an instruction computed with one, where one stood in an output or,
// at a fence, in visible memory (semantics §4, "Always").
type bags struct {
	set   wordSet
	list  []usedBag
	nodes []member32
	as    bagUse // how what is recorded now is used
}

// bagUse is how an accumulation is used.
type bagUse uint8

const (
	computedWith bagUse = iota
	shownAtFence        // it stands in visible memory at a fence
	leftInOutput        // it stands in an output at the end
)

// usedBag is one accumulation that was used.
type usedBag struct {
	base, bag uint64
	members   int32  // index of the last member in nodes
	where     string // who used it
	as        bagUse
}

// member32 is one member of a bag; bags that grow from a common part share it.
type member32 struct {
	hash uint64
	up   int32 // the members before, 0: none
}

func (b *bags) clear() {
	b.set.clear()
	b.list = b.list[:0]
	b.nodes = append(b.nodes[:0], member32{})
}

// push returns the list that holds one member more than list up.
func (b *bags) push(up int32, hash uint64) int32 {
	if len(b.nodes) >= maxMembers { // the outcome is given up, see room
		return up
	}
	b.nodes = append(b.nodes, member32{hash, up})
	return int32(len(b.nodes) - 1)
}

// use records that a bag that is not empty was used, once for each way to use it.
func (b *bags) use(base, bag uint64, members int32, where string) {
	key := mix(base, bag)
	if b.set.add(mix(key, saltShown+uint64(b.as))) {
		b.set.add(key)
		b.list = append(b.list, usedBag{base, bag, members, where, b.as})
	}
}

// size returns the number of members of a used bag.
func (b *bags) size(u *usedBag) int {
	n := 0
	for i := u.members; i > 0; i = b.nodes[i].up {
		n++
	}
	return n
}

// splitBag finds a bag that after used, all of whose members before made too without ever using them together on that base (semantics §4).
func (c *comparison) splitBag() *usedBag {
	before, after := c.before, c.after
	for i := range after.used.list {
		u := &after.used.list[i]
		if before.used.set.has(mix(u.base, u.bag)) || before.rebased(u) {
			continue
		}
		known := true
		for n := u.members; n > 0 && known; n = after.used.nodes[n].up {
			known = before.members.has(after.used.nodes[n].hash)
		}
		if known && u.members > 0 && (u.as == computedWith || c.owed(u)) {
			return u
		}
	}
	return nil
}

// owed tells whether a bag stands in a byte that was defined before: one that was undefined is free (semantics §5). Where the moments of the
// two runs cannot be paired, it counts as owed.
func (c *comparison) owed(u *usedBag) bool {
	if c.after.faulted || u.as == shownAtFence && c.fenceDeviation() != nil {
		return true
	}
	h := withBag(u.base, u.bag)
	return c.firstUnit(u.as == shownAtFence, u.as == leftInOutput, func(x *unitPair) *flaw {
		if x.b == h && x.a != poisonOrigin {
			return &flaw{}
		}
		return nil
	}) != nil
}

// rebased tells whether the whole bag was used before as well and stands on something now that nobody wrote in PSUM then: the chain is whole,
// and what was written under it, new as a new member would be, is the business of value and provenance. A chain that lost its start stands
// on poison or on something older, which was written before the pass too.
func (o *outcome) rebased(u *usedBag) bool {
	return u.base != poisonOrigin && u.base != zeroUnit && !o.bases.has(u.base) &&
		slices.ContainsFunc(o.used.list, func(v usedBag) bool { return v.bag == u.bag })
}

// usesWithin tells whether every accumulation that after used was used before as well: then there is nothing to ask the elements.
func usesWithin(before, after *outcome) bool {
	for i := range after.used.list {
		if u := &after.used.list[i]; !before.used.set.has(mix(u.base, u.bag)) {
			return false
		}
	}
	return true
}
