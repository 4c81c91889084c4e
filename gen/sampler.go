package gen

import (
	"encoding/binary"
	"math"

	"birfuzz/ir/num"
)

// sampler draws elements of one type from one set of values.
type sampler struct {
	r     *Rand
	dtype num.DType
	may   values
	kind  InputKind
	most  float64    // bounds ordinary numbers
	sure  bool       // what is drawn is of the set, whatever it is rounded to
	pos   [2]float64 // the positive and negative numbers of the set; an empty range has lo > hi
	neg   [2]float64
	grids [2]grid // small numbers of the set that are exact: whole ones, and quarters where the type has them
	n     int     // of grids
	table []float64
}

// grid is the numbers k·unit, lo ≤ k ≤ hi.
type grid struct {
	unit   float64
	lo, hi int
}

func (s *sampler) prepare() {
	s.pos, s.neg = s.may.arms(s.dtype)
	s.most = min(64, largest(s.dtype))
	s.sure = s.may.any() && s.kind != Edge
	lo, hi := max(s.may.lo, -8), min(s.may.hi, 8)
	for _, unit := range [...]float64{1, 0.25} {
		if unit < 1 && (s.may.whole || !s.dtype.IsFloat()) {
			break
		}
		if g := (grid{unit, int(math.Ceil(lo / unit)), int(math.Floor(hi / unit))}); g.lo <= g.hi {
			s.grids[s.n] = g
			s.n++
		}
	}
	if s.kind != Edge {
		return
	}
	s.table = []float64{0, math.Copysign(0, -1), 1, -1, largest(s.dtype), -largest(s.dtype), math.Inf(1), math.Inf(-1), 0x1p-126, 0x1p-6,
		s.pos[0], s.pos[1], s.neg[0], s.neg[1]}
}

// variety is how many draws the elements of one tensor come from, a power of two up to 256: drawing each element of a large tensor costs
// more than running the program, and finds no more.
const variety = 64

// fill draws the elements that data holds.
func (s *sampler) fill(data []byte) {
	size := s.dtype.Size()
	n := len(data) / size
	if n <= variety {
		for i := range n {
			num.StoreWord(data[i*size:], size, s.bits())
		}
		return
	}
	var drawn [variety]uint64
	for i := range drawn {
		drawn[i] = s.bits()
	}
	for left := data[:n*size]; len(left) > 0; {
		some := left[:min(8*size, len(left))]
		left = left[len(some):]
		spread(some, size, &drawn, s.r.Uint64())
	}
}

// spread stores up to eight elements of so many bytes, each that of the numbers drawn which a byte of picks says.
func spread(data []byte, size int, drawn *[variety]uint64, picks uint64) {
	switch size {
	case 1:
		for i := range data {
			data[i] = byte(drawn[picks%variety])
			picks >>= 8
		}
	case 2:
		for ; len(data) >= 2; data, picks = data[2:], picks>>8 {
			binary.LittleEndian.PutUint16(data, uint16(drawn[picks%variety]))
		}
	case 4:
		for ; len(data) >= 4; data, picks = data[4:], picks>>8 {
			binary.LittleEndian.PutUint32(data, uint32(drawn[picks%variety]))
		}
	default:
		for ; len(data) >= 8; data, picks = data[8:], picks>>8 {
			binary.LittleEndian.PutUint64(data, drawn[picks%variety])
		}
	}
}

// largest returns the largest finite number of the type, or for integers a number that saturates.
func largest(d num.DType) float64 {
	for _, x := range [...]float64{math.MaxFloat32, 0x1.fep127, 65504, 57344, 448, 240, 15.5} {
		if v := round(d, x); !math.IsInf(v, 0) && v == v {
			return v
		}
	}
	return 1
}

// bits draws one element.
func (s *sampler) bits() uint64 {
	for range 16 {
		bits := num.Encode(s.dtype, float32(s.number()))
		if s.sure {
			return bits
		}
		if v := float64(num.Decode(s.dtype, bits)); v == v && s.may.holds(v) && s.wanted(v) {
			return bits
		}
	}
	return num.Encode(s.dtype, float32(s.safe()))
}

// wanted leaves numbers out that the kind has no use for: infinities come only from the table of edges.
func (s *sampler) wanted(v float64) bool { return s.kind == Edge || !math.IsInf(v, 0) }

// safe returns some number of the set; of an impossible set, the one nearest to zero of its range.
func (s *sampler) safe() float64 {
	for _, a := range [...][2]float64{s.pos, s.neg} {
		for _, x := range [...]float64{0, 1, a[0], a[1], 2, (a[0] + a[1]) / 2} {
			if x >= a[0] && x <= a[1] && s.may.holds(round(s.dtype, x)) {
				return x
			}
		}
	}
	return max(min(0, s.may.hi), s.may.lo)
}

// number draws a number of the kind, in the set or near it.
func (s *sampler) number() float64 {
	switch {
	case s.kind == Edge && s.r.Bool(0.4):
		return one(s.r, s.table)
	case s.n > 0 && (s.kind == Exact || s.kind == Edge && s.r.Bool(0.5)):
		return s.exact()
	default:
		return s.ordinary()
	}
}

// exact draws a small integer or dyadic fraction of the set.
func (s *sampler) exact() float64 {
	g := &s.grids[0]
	if s.n > 1 && s.r.Bool(0.4) {
		g = &s.grids[1]
	}
	return float64(s.r.Between(g.lo, g.hi)) * g.unit
}

// ordinary draws a number of moderate size. Wide ranges are drawn by magnitude. One random number serves for all that is drawn.
func (s *sampler) ordinary() float64 {
	u := s.r.Uint64()
	arm := s.pos
	if s.pos[0] > s.pos[1] || s.neg[0] <= s.neg[1] && u&1 != 0 {
		arm = s.neg
	}
	lo, hi := max(arm[0], -s.most), min(arm[1], s.most)
	if lo > hi {
		lo, hi = arm[0], arm[1]
	}
	part := float64(u>>33) * 0x1p-31
	if u&2 != 0 {
		part *= float64(u>>2&0x7fffffff) * 0x1p-31
	}
	x := lo + part*(hi-lo)
	if s.may.whole || s.dtype.IsInt() {
		x = math.Floor(x + 0.5)
	}
	return x
}
