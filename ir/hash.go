package ir

import (
	"encoding/json"
	"math"
	"math/bits"
)

// Hash returns a structural hash of the program: of what its text says, so that programs with one text have one hash. Pointers, IDs and
// map order do not enter. It allocates nothing. Expressions must be in canonical form (see Affine.Add).
func (p *Program) Hash() uint64 {
	h := seed.add(uint64(p.Version), uint64(p.Arch)|uint64(p.Facts)<<8)
	h = h.int(int64(p.CoreID))
	h = h.json('a', p.Attrs)
	h = h.json('x', p.Extra)
	for _, f := range p.Cores {
		h = h.function(f)
	}
	h = h.consts(p.Consts)
	return uint64(h)
}

// hasher folds words by multiplying 64 by 64 bits and joining the halves: one multiplication takes in two words.
type hasher uint64

func (h hasher) add(a, b uint64) hasher {
	hi, lo := bits.Mul64(uint64(h)^a^0xa0761d6478bd642f, b^0xe7037ed1a0b428db)
	return hasher(hi ^ lo ^ bits.RotateLeft64(uint64(h), 23))
}

// seed is where a hash starts.
const seed = hasher(0x9e3779b97f4a7c15)

// join takes in a part that was hashed on its own, from seed. Multiplications of one hash wait for each other, those of several do not: so
// instructions, operands and locations are hashed on their own.
func (h hasher) join(part hasher) hasher { return h.add(uint64(part), 0x1d8e4e27c47d124f) }

func (h hasher) int(v int64) hasher { return h.add(uint64(v), 0x8ebc6af09c88c6e3) }

// begin enters an optional part: its kind and its length.
func (h hasher) begin(part byte, n int) hasher { return h.add(uint64(part), uint64(n)) }

// str takes in up to 16 bytes a multiplication.
func (h hasher) str(s string) hasher { return h.tagged(0, s) }

// tagged takes in an optional part that is a string: its kind and more in the low 48 bits of tag.
func (h hasher) tagged(tag uint64, s string) hasher {
	n := uint64(len(s)) ^ tag<<16
	for len(s) > 16 {
		h = h.add(eight(s), eight(s[8:]))
		s = s[16:]
	}
	if len(s) > 8 {
		return h.add(eight(s)^n, eight(s[len(s)-8:]))
	}
	return h.add(tail(s), n)
}

// eight reads eight bytes.
func eight(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// tail reads up to eight bytes.
func tail(s string) uint64 {
	switch n := len(s); {
	case n >= 4:
		return half(s) | half(s[n-4:])<<32
	case n > 0:
		return uint64(s[0]) | uint64(s[n/2])<<8 | uint64(s[n-1])<<16
	default:
		return 0
	}
}

func half(s string) uint64 {
	_ = s[3]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24
}

func flag(b bool, bit uint) uint64 {
	if b {
		return 1 << bit
	}
	return 0
}

// float takes in a number as the text tells numbers apart: all NaNs are one.
func (h hasher) float(v float64) hasher {
	b := math.Float64bits(v)
	if v != v {
		b = 0x7ff8000000000000
	}
	return h.add(b, 0x589965cc75374cc3)
}

// ints takes in two numbers a multiplication.
func (h hasher) ints(vs []int64) hasher {
	h = h.begin('i', len(vs))
	for ; len(vs) > 1; vs = vs[2:] {
		h = h.add(uint64(vs[0]), uint64(vs[1]))
	}
	if len(vs) > 0 {
		h = h.int(vs[0])
	}
	return h
}

// json takes in a value, blanks outside its strings left out.
func (h hasher) json(part byte, v json.RawMessage) hasher {
	if len(v) == 0 {
		return h
	}
	h = h.begin(part, 0)
	text, escaped := false, false
	for _, c := range v {
		if !text && (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
			continue
		}
		h = h.add(uint64(c), 1)
		if c == '"' && !escaped {
			text = !text
		}
		escaped = c == '\\' && !escaped
	}
	return h
}

func (h hasher) function(f *Func) hasher {
	h = h.begin('f', len(f.Attrs))
	h = h.str(f.Name)
	for _, a := range f.Attrs {
		h = h.str(a)
	}
	h = h.json('x', f.Extra)
	for _, s := range f.Sets {
		if !s.implicit() {
			h = h.join(hashSet(s))
		}
	}
	return h.blocks(f.Blocks)
}

func hashSet(s *Set) hasher {
	h := seed.add(uint64(s.Kind)|uint64(s.Space)<<8|uint64(s.DType)<<16|uint64(len(s.Locs))<<24, uint64(s.PartDim))
	h = h.str(s.Name)
	h = h.str(s.Class)
	h = h.ints(s.Shape)
	h = h.json('x', s.Extra)
	for _, l := range s.Locs {
		h = h.join(hashLoc(l))
	}
	return h
}

func hashLoc(l *Loc) hasher {
	h := seed.str(l.Name)
	flags := flag(l.Allocated, 0) | flag(l.Pinned, 1) | flag(l.WrittenByAnotherCore, 2) | flag(l.UserAllocated, 3) | flag(l.RuntimeReserved, 4)
	h = h.add(uint64(l.Type)|flags<<8, uint64(l.Rows))
	h = h.add(uint64(l.RowBytes), uint64(l.Addr))
	h = h.add(uint64(l.Base), uint64(l.Bank))
	for i := range l.Alias {
		h = h.tagged('a'|uint64(l.Alias[i].Kind)<<8, l.Alias[i].Loc.Name)
	}
	h = h.json('r', l.RemoteLocalTarget)
	return h.json('x', l.Extra)
}

// consts adds the entries up: a map has no order.
func (h hasher) consts(vs Values) hasher {
	if len(vs) == 0 {
		return h
	}
	var sum uint64
	for name, t := range vs {
		e := hasher(len(t.Data))
		e = e.str(name)
		e = e.int(int64(t.DType))
		e = e.ints(t.Shape)
		e = e.bytes(t.Data)
		sum += uint64(e)
	}
	h = h.begin('c', len(vs))
	return h.int(int64(sum))
}
