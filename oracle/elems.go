package oracle

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"birfuzz/ir"
)

// elementTracker keeps origin and definedness a unit: the bytes of the smallest element that either of two programs knows. It is exact
// where cells guess, and slower.
type elementTracker struct {
	watcher
	unit    int
	shift   int          // unit is 1 << shift
	whole   bool         // the origins of what is only moved are wanted too
	shadow  []unitShadow // parallel to the arena
	class   []int32      // through which alias class the unit was written last; 0: poison; negative: poison that matmuls added to
	recipes [][]recipe   // by core and pc
	raceAt  []int32      // by storage: first unit in races; −1: no race can be
	races   []stamp      // latest write
	readers []stamp      // latest read, by unit and core

	in   [][]uint64     // origins of the elements of each operand of the instruction at hand
	from [][]unitShadow // and of their units, where bits move
	pre  []uint64       // results before the cast
	put  []unitShadow   // what goes into the units of the output
	cols []uint64       // matmul: hashes of the columns of both operands
}

// unitShadow is what is known of the history of a unit: its origin, and in PSUM what matmuls added to it.
type unitShadow struct {
	base    uint64
	bag     uint64
	members int32
}

// keepUnit, as a base in a list of units to be stored, leaves the unit as it is. Its kind bits are those of no origin.
const keepUnit uint64 = 4

// bind prepares for the program that m holds.
func (t *elementTracker) bind(m *Machine) {
	t.watcher.bind(m)
	if t.look == nil {
		t.look = t.lookAt
	}
	t.recipes = resize(t.recipes, len(m.cores))
	for i := range m.cores {
		t.recipes[i] = resize(t.recipes[i], len(m.cores[i].code))
	}
	t.forget()
}

// forget makes every recipe be built anew, in the memory that it has.
func (t *elementTracker) forget() {
	for i := range t.recipes {
		for j := range t.recipes[i] {
			t.recipes[i][j].built = false
		}
	}
}

// reset begins a run.
func (t *elementTracker) reset() {
	t.watcher.reset()
	if t.unit != t.lens.unit {
		t.unit, t.shift = t.lens.unit, bits.TrailingZeros(uint(t.lens.unit))
		t.forget()
	}
	n := len(t.m.data)/t.unit + 1
	t.shadow, t.class = resize(t.shadow, n), resize(t.class, n)
	clear(t.class)
	t.raceAt = resize(t.raceAt, len(t.m.storages))
	total := 0
	for i := range t.m.storages {
		t.raceAt[i] = -1
		if t.spread[i] {
			t.raceAt[i] = int32(total)
			total += t.m.storages[i].size()/t.unit + 1
		}
	}
	t.races, t.readers = resize(t.races, total), resize(t.readers, total*len(t.m.cores))
	clear(t.races)
	clear(t.readers)
}

// key is the alias class as kept a unit: 0 is free for poison.
func key(a *access) int32 { return classOf(a) + 2 }

// input defines the first n bytes of a location.
func (t *elementTracker) input(l *location, n int) {
	for i := 0; i < n; i += t.unit {
		at := l.at + i/l.rowBytes*l.st.pitch + i%l.rowBytes
		u := unitShadow{base: inputUnit(t.names[l.id], i)}
		if l.konst {
			u.base = constUnit(t.load(at))
		}
		t.shadow[at/t.unit], t.class[at/t.unit] = u, int32(l.class)+2
	}
}

// environment defines a Shared location that the world outside rewrote.
func (t *elementTracker) environment(_ int, l *location, n int) {
	name := mix(t.names[l.id], saltWorld+uint64(n))
	for i := 0; i < l.rows*l.rowBytes; i += t.unit {
		at := l.at + i/l.rowBytes*l.st.pitch + i%l.rowBytes
		t.shadow[at/t.unit], t.class[at/t.unit] = unitShadow{base: inputUnit(name, i)}, int32(l.class)+2
	}
	t.wrote(l.st)
}

// load returns the value of the unit at an arena offset.
func (t *elementTracker) load(at int) uint64 {
	b := t.m.data[at:]
	switch t.unit {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(binary.LittleEndian.Uint16(b))
	case 4:
		return uint64(binary.LittleEndian.Uint32(b))
	default:
		return binary.LittleEndian.Uint64(b)
	}
}

// runs calls f with the arena offset of every contiguous run of an access, in walk order.
func (p *place) runs(f func(at int)) { p.acc.runsFrom(0, p.base, f) }

func (a *access) runsFrom(i, at int, f func(int)) {
	if i == a.n {
		f(at)
		return
	}
	l := a.levels[i]
	for k := range l.num {
		a.runsFrom(i+1, at+k*l.step, f)
	}
}

// gather returns the origins of the elements that a read finds, in walk order. Where user names an instruction, bags that it meets are used.
func (t *elementTracker) gather(dst []uint64, core int, p *place, user string) []uint64 {
	dst = t.standing(dst, p, user)
	if news := t.epochOf(core, p.acc.loc); news > 0 {
		for e, h := range dst {
			if h != poisonOrigin {
				dst[e] = newsUnit(h, news)
			}
		}
	}
	return dst
}

// standing is gather by somebody for whom fences do not count.
func (t *elementTracker) standing(dst []uint64, p *place, user string) []uint64 {
	a, k := p.acc, key(p.acc)
	dst = resize(dst, a.count())
	left, n, parts := dst, a.run/a.size, a.size>>t.shift
	p.runs(func(at int) {
		if parts == 1 {
			t.readUnits(left[:n], at>>t.shift, k)
		} else {
			t.readElements(left[:n], at>>t.shift, parts, k)
		}
		if user != "" {
			t.useAll(at>>t.shift, n, parts, k, user)
		}
		left = left[n:]
	})
	return dst
}

// readUnits reads elements of one unit each, from unit i on, through class k.
func (t *elementTracker) readUnits(dst []uint64, i int, k int32) {
	shadow, class := t.shadow[i:i+len(dst)], t.class[i:i+len(dst)]
	for e := range dst {
		dst[e] = poisonOrigin
		if class[e] == k {
			dst[e] = withBag(shadow[e].base, shadow[e].bag)
		}
	}
}

// readElements reads elements of several units each, from unit i on, through class k.
func (t *elementTracker) readElements(dst []uint64, i, parts int, k int32) {
	for e := range dst {
		t.readUnits(dst[e:e+1], i, k)
		h := dst[e]
		for j := i + 1; j < i+parts; j++ {
			if t.class[j] != k {
				h = poisonOrigin
				break
			}
			h = joinParts(h, withBag(t.shadow[j].base, t.shadow[j].bag))
		}
		dst[e] = h
		i += parts
	}
}

// useAll records the bags under the first unit of each of n elements.
func (t *elementTracker) useAll(i, n, parts int, k int32, user string) {
	for range n {
		if t.shadow[i].bag != 0 {
			t.use(i, k, user)
		}
		i += parts
	}
}

// use records that what matmuls added up in a unit was used. A chain that began on poison is poison, and a chain all the same.
func (t *elementTracker) use(i int, k int32, user string) {
	if u := &t.shadow[i]; (t.class[i] == k || t.class[i] == -k) && u.bag != 0 {
		t.out.used.use(u.base, u.bag, u.members, user)
	}
}

// newsUnit marks an origin with the number of fences that were passed when it was read. A constant is one no more: what others wrote is
// no constant of this program.
func newsUnit(h, epoch uint64) uint64 {
	kind := h & kindMask
	if kind == kindConst {
		kind = kindMoved
	}
	return asKind(mix(h, saltNews+epoch), kind)
}

// gatherUnits returns the units that a read finds, in walk order; poison has base 0.
func (t *elementTracker) gatherUnits(dst []unitShadow, core int, p *place) []unitShadow {
	a, k := p.acc, key(p.acc)
	n := a.run >> t.shift
	dst = resize(dst, a.count()*a.size>>t.shift)
	left := dst
	p.runs(func(at int) {
		i := at >> t.shift
		copy(left[:n], t.shadow[i:i+n])
		for j, c := range t.class[i : i+n] {
			if c != k && c != -k { // -k: poison, but the bag that was begun on it goes along
				left[j] = unitShadow{}
			}
		}
		left = left[n:]
	})
	if news := t.epochOf(core, a.loc); news > 0 {
		for j := range dst {
			if dst[j].base != poisonOrigin {
				dst[j].base = newsUnit(dst[j].base, news)
			}
		}
	}
	return dst
}

// scatter stores units into an access, in walk order. Constants get their value for an origin.
func (t *elementTracker) scatter(p *place, units []unitShadow) {
	k, n := key(p.acc), p.acc.run>>t.shift
	psum := p.acc.loc != nil && p.acc.loc.loc.Type == ir.PSUM
	t.wrote(p.acc.st)
	p.runs(func(at int) {
		t.store(units[:n], at, k)
		if psum {
			t.underlie(at>>t.shift, n, k)
		}
		units = units[n:]
	})
}

// store stores units from an arena offset on, written through class k.
func (t *elementTracker) store(units []unitShadow, at int, k int32) {
	i := at >> t.shift
	shadow, class := t.shadow[i:i+len(units)], t.class[i:i+len(units)]
	for j, u := range units {
		switch kind := u.base & kindMask; {
		case kind == kindConst && u.bag == 0: // what stands under a bag is not the value here
			u.base = constUnit(t.load(at + j<<t.shift))
		case kind != 0:
		case u.base == keepUnit:
			continue
		case u.bag == 0:
			class[j] = 0
			continue
		default:
			shadow[j], class[j] = u, -k
			continue
		}
		shadow[j], class[j] = u, k
	}
}

// underlie records that n units of PSUM from i on may come to stand under members of a group.
func (t *elementTracker) underlie(i, n int, k int32) {
	last := poisonOrigin
	for j := i; j < i+n; j++ {
		if b := t.shadow[j].base; b != last && t.class[j] == k {
			t.out.bases.add(b)
			last = b
		}
	}
}

// expand turns origins of elements into those of their units.
func (t *elementTracker) expand(elems []uint64, size int) []unitShadow {
	parts := size >> t.shift
	t.put = resize(t.put, len(elems)*parts)
	for e, h := range elems {
		split(t.put[e*parts:(e+1)*parts], h)
	}
	return t.put
}

// lookAt keeps the bytes and origins of a visible location; bytes that are poison to a read, or open, are kept as 0.
func (t *elementTracker) lookAt(l *location, s *shot) {
	s.at, s.orgAt = len(t.out.bytes), len(t.out.origins)
	t.out.bytes = t.m.read(t.out.bytes, l)
	t.out.origins = slices.Grow(t.out.origins, l.rows*l.rowBytes/t.unit)
	k, some, none := int32(l.class)+2, false, true
	for r := range l.rows {
		first := (l.at + r*l.st.pitch) / t.unit
		for i := range l.rowBytes / t.unit {
			h, u := openOrigin, &t.shadow[first+i]
			if !t.openUnit(l.st, first+i) {
				h = poisonOrigin
				t.use(first+i, k, l.name)
			}
			if h == poisonOrigin && t.class[first+i] == k {
				h, none = withBag(u.base, u.bag), false
			} else {
				some = true
				at := s.at + r*l.rowBytes + i*t.unit
				clear(t.out.bytes[at : at+t.unit])
			}
			s.origin = mix(s.origin, h)
			t.out.origins = append(t.out.origins, h)
		}
	}
	s.value = hashBytes(0, t.out.bytes[s.at:])
	switch {
	case !some:
		s.state = defined
	case none:
		s.state = poisoned
	default:
		s.state = maybe
	}
}

// openUnit tells whether the latest write of a unit is open, see watcher.open.
func (t *elementTracker) openUnit(st *storage, unit int) bool {
	first := t.raceAt[st.id]
	return first >= 0 && t.open(t.races[int(first)+unit-st.off>>t.shift])
}

// barrier orders the cores that met.
func (t *elementTracker) barrier(members []member) { t.meetAll(members) }

// unitOf returns the bytes of a unit: the smallest element of any access, or less where addresses or rows are odd, so that an element
// always is a number of whole units.
func unitOf(p *ir.Program) int {
	all := int64(4) // accumulators and registers
	for in := range p.Insts {
		for i := range in.Args {
			if a := &in.Args[i]; a.Kind != ir.ImmOperand && a.Kind != ir.NoOperand {
				all |= int64(a.DType.Size())
			}
		}
	}
	for _, f := range p.Cores {
		for l := range f.Locs {
			all |= l.RowBytes
			if l.Allocated {
				all |= l.Addr
			}
		}
	}
	return int(all & -all)
}

var _ tracker = (*elementTracker)(nil)
