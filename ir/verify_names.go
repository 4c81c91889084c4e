package ir

import (
	"hash/maphash"
	"strconv"
)

// nameSet finds names that occur twice. It is open addressing over the names added since reset: verifying asks for every name of a
// program, and a map of strings would cost more than everything else.
type nameSet struct {
	seed  maphash.Seed
	slots []nameSlot
	mask  uint64
	epoch uint32
}

// nameSlot is free unless its epoch is the set's.
type nameSlot struct {
	name  string
	epoch uint32
}

// reset empties the set and makes room for n names.
func (s *nameSet) reset(n int) {
	if s.slots == nil {
		s.seed = maphash.MakeSeed()
	}
	if size := 2 * n; size >= len(s.slots) {
		k := 64
		for k <= size {
			k *= 2
		}
		s.slots = make([]nameSlot, k)
		s.mask = uint64(k - 1)
		s.epoch = 0
	}
	s.epoch++
	if s.epoch == 0 { // it wrapped: old slots would look alive
		clear(s.slots)
		s.epoch = 1
	}
}

// add puts a name in and tells whether it was new. No more names may be added than reset made room for.
func (s *nameSet) add(name string) bool {
	for i := maphash.String(s.seed, name); ; i++ {
		slot := &s.slots[i&s.mask]
		if slot.epoch != s.epoch {
			*slot = nameSlot{name, s.epoch}
			return true
		}
		if slot.name == name {
			return false
		}
	}
}

// name checks one name of a kind; reset must have started the kind.
func (v *Verifier) name(kind, name string) {
	v.text(kind, name)
	if name == "" {
		v.Add(RuleName, kind+" without a name", "a name")
	} else if !v.names.add(name) {
		v.Addf(RuleName, kind+" names used once", "a second %s %s", kind, printable(name))
	}
}

// text checks that a name can be printed on one line.
func (v *Verifier) text(kind, s string) {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] == 0x7f {
			v.Addf(RuleName, "no control characters", "%s %s", kind, strconv.Quote(s))
			return
		}
	}
}
