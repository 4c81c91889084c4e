package ir

import (
	"encoding/json"
	"math"
	"math/bits"
)

// Hash returns a structural hash of the program: of what its text says, so that programs with one text have one hash. Pointers, IDs and
// map order do not enter. It allocates nothing. Expressions must be in canonical form (see Affine.Add).
func (p *Program) Hash() uint64 {
	h := hasher(0x9e3779b97f4a7c15)
	h.add(uint64(p.Version), uint64(p.Arch)|uint64(p.Facts)<<8)
	h.int(int64(p.CoreID))
	h.json('a', p.Attrs)
	h.json('x', p.Extra)
	for _, f := range p.Cores {
		h.function(f)
	}
	h.consts(p.Consts)
	return uint64(h)
}

// hasher folds words by multiplying 64 by 64 bits and joining the halves: one multiplication takes in two words.
type hasher uint64

func (h *hasher) add(a, b uint64) {
	hi, lo := bits.Mul64(uint64(*h)^a^0xa0761d6478bd642f, b^0xe7037ed1a0b428db)
	*h = hasher(hi ^ lo ^ bits.RotateLeft64(uint64(*h), 23))
}

func (h *hasher) int(v int64) { h.add(uint64(v), 0x8ebc6af09c88c6e3) }

// begin enters an optional part: its kind and its length.
func (h *hasher) begin(part byte, n int) { h.add(uint64(part), uint64(n)) }

// str takes in up to 16 bytes a multiplication.
func (h *hasher) str(s string) {
	n := uint64(len(s))
	for len(s) > 16 {
		h.add(eight(s), eight(s[8:]))
		s = s[16:]
	}
	if len(s) > 8 {
		h.add(eight(s)^n, eight(s[len(s)-8:]))
		return
	}
	h.add(tail(s)^n<<56, n)
}

// eight reads eight bytes.
func eight(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// tail reads up to eight bytes.
func tail(s string) uint64 {
	if len(s) >= 4 {
		return half(s) | half(s[len(s)-4:])<<32
	}
	var v uint64
	for i := range len(s) {
		v = v<<8 | uint64(s[i])
	}
	return v
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
func (h *hasher) float(v float64) {
	b := math.Float64bits(v)
	if v != v {
		b = 0x7ff8000000000000
	}
	h.add(b, 0x589965cc75374cc3)
}

func (h *hasher) ints(vs []int64) {
	h.begin('i', len(vs))
	for _, v := range vs {
		h.int(v)
	}
}

// json takes in a value, blanks outside its strings left out.
func (h *hasher) json(part byte, v json.RawMessage) {
	if len(v) == 0 {
		return
	}
	h.begin(part, 0)
	text, escaped := false, false
	for _, c := range v {
		if !text && (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
			continue
		}
		h.add(uint64(c), 1)
		if c == '"' && !escaped {
			text = !text
		}
		escaped = c == '\\' && !escaped
	}
}

func (h *hasher) function(f *Func) {
	h.begin('f', len(f.Attrs))
	h.str(f.Name)
	for _, a := range f.Attrs {
		h.str(a)
	}
	h.json('x', f.Extra)
	for _, s := range f.Sets {
		if !s.implicit() {
			h.set(s)
		}
	}
	h.blocks(f.Blocks)
}

func (h *hasher) set(s *Set) {
	h.begin('s', len(s.Locs))
	h.str(s.Name)
	h.str(s.Class)
	h.add(uint64(s.Kind)|uint64(s.Space)<<8|uint64(s.DType)<<16, uint64(s.PartDim))
	h.ints(s.Shape)
	h.json('x', s.Extra)
	for _, l := range s.Locs {
		h.loc(l)
	}
}

func (h *hasher) loc(l *Loc) {
	h.str(l.Name)
	flags := flag(l.Allocated, 0) | flag(l.Pinned, 1) | flag(l.WrittenByAnotherCore, 2) | flag(l.UserAllocated, 3) | flag(l.RuntimeReserved, 4)
	h.add(uint64(l.Type)|flags<<8, uint64(l.Rows))
	h.add(uint64(l.RowBytes), uint64(l.Addr))
	h.add(uint64(l.Base), uint64(l.Bank))
	for i := range l.Alias {
		h.begin('a', int(l.Alias[i].Kind))
		h.str(l.Alias[i].Loc.Name)
	}
	h.json('r', l.RemoteLocalTarget)
	h.json('x', l.Extra)
}

// consts adds the entries up: a map has no order.
func (h *hasher) consts(vs Values) {
	if len(vs) == 0 {
		return
	}
	var sum uint64
	for name, t := range vs {
		e := hasher(len(t.Data))
		e.str(name)
		e.int(int64(t.DType))
		e.ints(t.Shape)
		e.bytes(t.Data)
		sum += uint64(e)
	}
	h.begin('c', len(vs))
	h.int(int64(sum))
}
