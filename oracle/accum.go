package oracle

import "slices"

// wordSet is a set of 64-bit hashes. Clearing it costs nothing and keeps its memory.
type wordSet struct {
	keys  []uint64
	marks []uint32 // keys[i] is a member if marks[i] == mark
	mark  uint32
	n     int
}

func (s *wordSet) clear() {
	s.n = 0
	s.mark++
	if s.mark == 0 { // the marks of four thousand million clearings ago would count again
		clear(s.marks)
		s.mark = 1
	}
}

// slot returns where k is, or would go.
func (s *wordSet) slot(k uint64) int {
	i := int(k*salt1>>32) & (len(s.keys) - 1)
	for s.marks[i] == s.mark && s.keys[i] != k {
		i = (i + 1) & (len(s.keys) - 1)
	}
	return i
}

// has tells whether k is a member.
func (s *wordSet) has(k uint64) bool {
	return s.n > 0 && s.marks[s.slot(k)] == s.mark
}

// add makes k a member, and tells whether it was none before.
func (s *wordSet) add(k uint64) bool {
	if 2*s.n >= len(s.keys) {
		s.grow()
	}
	i := s.slot(k)
	if s.marks[i] == s.mark {
		return false
	}
	s.keys[i], s.marks[i] = k, s.mark
	s.n++
	return true
}

func (s *wordSet) grow() {
	old := *s
	n := max(64, 2*len(old.keys))
	*s = wordSet{keys: make([]uint64, n), marks: make([]uint32, n), mark: 1}
	for i, k := range old.keys {
		if old.marks[i] == old.mark && old.mark != 0 {
			s.add(k)
		}
	}
}

// bags records the accumulations (base and bag) that a run used: where an instruction computed with one, where one stood in an output or,
// at a fence, in visible memory (semantics §4, "Always").
type bags struct {
	set   wordSet
	list  []usedBag
	nodes []member32
}

// usedBag is one accumulation that was used.
type usedBag struct {
	base, bag uint64
	members   int32  // index of the last member in nodes
	where     string // who used it
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

// use records that a bag that is not empty was used.
func (b *bags) use(base, bag uint64, members int32, where string) {
	if b.set.add(mix(base, bag)) {
		b.list = append(b.list, usedBag{base, bag, members, where})
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
func splitBag(before, after *outcome) *usedBag {
	for i := range after.used.list {
		u := &after.used.list[i]
		if before.used.set.has(mix(u.base, u.bag)) || before.rebased(u) {
			continue
		}
		known := true
		for n := u.members; n > 0 && known; n = after.used.nodes[n].up {
			known = before.members.has(after.used.nodes[n].hash)
		}
		if known && u.members > 0 {
			return u
		}
	}
	return nil
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
