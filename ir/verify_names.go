package ir

import (
	"hash/maphash"
	"math/bits"
	"strconv"
)

// nameSet finds names that occur twice. It is open addressing over the names added since reset: verifying asks for every name of a
// program, and a map of strings would cost more than everything else.
type nameSet struct {
	seed  maphash.Seed
	keys  [2]uint64 // of short names; drawn from the seed
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
		s.keys = [2]uint64{maphash.String(s.seed, "first"), maphash.String(s.seed, "second")}
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
	if isShort(name) {
		a, b := words(name)
		return s.addShort(name, a, b)
	}
	return s.put(name, maphash.String(s.seed, name))
}

// addShort is add for a short name whose words are known. They are mixed with keys that nobody outside knows: no file can
// be written whose names all fall on one slot.
func (s *nameSet) addShort(name string, a, b uint64) bool {
	hi, lo := bits.Mul64(a^s.keys[0], b^s.keys[1]^uint64(len(name)))
	return s.put(name, hi^lo)
}

func (s *nameSet) put(name string, hash uint64) bool {
	for i := hash; ; i++ {
		slot := &s.slots[i&s.mask]
		if slot.epoch != s.epoch {
			slot.name, slot.epoch = name, s.epoch
			return true
		}
		if slot.name == name {
			return false
		}
	}
}

// shortName is the most bytes that words takes: nearly all names are shorter.
const shortName = 16

func isShort(name string) bool { return name != "" && len(name) <= shortName }

// words returns all bytes of a short name, some twice, and spaces. Names of one length with the same words are the same.
func words(s string) (a, b uint64) {
	const spaces = 0x2020202020202020
	switch n := len(s); {
	case n > 8:
		return eight(s), eight(s[n-8:])
	case n >= 4:
		return tail(s), spaces
	default:
		return tail(s) | spaces&^0xffffff, spaces
	}
}

// controls tells whether any of eight bytes is below a space or DEL. The subtractions borrow into the top bit of such bytes; a byte that has
// its top bit set by itself is none.
func controls(w uint64) bool {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	del := w ^ ones*0x7f
	return ((w-ones*' ')&^w|(del-ones)&^del)&tops != 0
}

// name checks one name of a kind; reset must have started the kind.
func (v *Verifier) name(kind, name string) {
	if isShort(name) {
		if a, b := words(name); !controls(a) && !controls(b) && v.names.addShort(name, a, b) {
			return
		}
	}
	v.anyName(kind, name)
}

// anyName checks a name that is not short, or not in order: a second look finds what is wrong with it.
func (v *Verifier) anyName(kind, name string) {
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
