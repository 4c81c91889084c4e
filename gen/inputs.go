package gen

import (
	"math"

	"birfuzz/ir"
	"birfuzz/ir/num"
)

// InputKind says what numbers inputs hold (semantics §7).
type InputKind uint8

// The kinds.
const (
	Exact    InputKind = iota // small integers and dyadic fractions: short sums and products are exact
	Ordinary                  // any numbers of moderate size
	Edge                      // ±0, the largest and smallest numbers, infinities, where every value is allowed; else ends of the allowed range
	NumInputKinds
)

// Inputs draws data for every ExternalInput and Const location that carries none, in values for which every instruction that reads them, or
// reads what was only moved from them, is defined (Domains). What is drawn for a location depends on r's seed, the location's name and p alone.
func Inputs(r *Rand, p *ir.Program, k InputKind) ir.Values {
	base := fromSeed(r.Uint64())
	out := ir.Values{}
	for _, in := range needs(p) {
		f := base.fork(in.loc.Name)
		out[in.loc.Name] = tensor(&f, in.loc, in.may, k)
	}
	return out
}

// tensor draws the data of one location.
func tensor(r *Rand, l *ir.Loc, may values, k InputKind) ir.Tensor {
	t := l.Set.DType
	size := int64(t.Size())
	n := l.Bytes() / size
	out := ir.Tensor{DType: t, Shape: l.Set.Shape, Data: make([]byte, l.Bytes())}
	if elements(l.Set.Shape) != n {
		out.Shape = []int64{n}
	}
	pick := sampler{r: r, dtype: t, may: may, kind: k}
	pick.prepare()
	for i := range n {
		num.Store(out.Data[i*size:], t, pick.bits())
	}
	return out
}

func elements(shape []int64) int64 {
	n := int64(1)
	for _, d := range shape {
		n *= d
	}
	return n
}

// sampler draws elements of one type from one set of values.
type sampler struct {
	r     *Rand
	dtype num.DType
	may   values
	kind  InputKind
	pos   [2]float64
	neg   [2]float64
	table []float64 // edge values
}

func (s *sampler) prepare() {
	s.pos, s.neg = s.may.arms(s.dtype)
	if s.kind != Edge {
		return
	}
	s.table = []float64{0, math.Copysign(0, -1), 1, -1, largest(s.dtype), -largest(s.dtype), math.Inf(1), math.Inf(-1), 0x1p-126, 0x1p-6,
		s.pos[0], s.pos[1], s.neg[0], s.neg[1]}
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
	case s.kind == Exact || s.kind == Edge && s.r.Bool(0.5):
		return s.exact()
	default:
		return s.ordinary()
	}
}

// exact draws a small integer or dyadic fraction: of the set if there are any.
func (s *sampler) exact() float64 {
	lo, hi := max(s.may.lo, -8), min(s.may.hi, 8)
	if lo > hi {
		return s.ordinary()
	}
	unit := 1.0
	if !s.may.whole && s.dtype.IsFloat() && s.r.Bool(0.4) {
		unit = 0.25
	}
	a, b := int(math.Ceil(lo/unit)), int(math.Floor(hi/unit))
	if a > b {
		return s.ordinary()
	}
	return float64(s.r.Between(a, b)) * unit
}

// ordinary draws a number of moderate size. Wide ranges are drawn by magnitude.
func (s *sampler) ordinary() float64 {
	arm := s.pos
	if s.pos[0] > s.pos[1] || s.neg[0] <= s.neg[1] && s.r.Bool(0.5) {
		arm = s.neg
	}
	lo, hi := max(arm[0], -64), min(arm[1], 64)
	if lo > hi {
		lo, hi = arm[0], arm[1]
	}
	x := lo + s.r.Float64()*(hi-lo)
	if s.r.Bool(0.5) {
		x = lo + (x-lo)*s.r.Float64()*s.r.Float64()
	}
	if s.may.whole || s.dtype.IsInt() {
		x = math.Floor(x + 0.5)
	}
	return x
}
