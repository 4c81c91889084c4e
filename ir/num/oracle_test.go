package num

import (
	"math"
	"math/big"
	"math/rand/v2"
	"sort"
)

// layout is a float format as the reference table states it. The tests derive
// every expectation from it by exact arithmetic on values, never on bits.
type layout struct {
	d        DType
	exp, man int
	bias     int
	max      float64 // largest finite value
	ieee     bool    // top exponent reserved for Inf and NaN
	shift    int     // unused low bits of the container
}

var layouts = []layout{
	{d: Float32r, exp: 8, man: 10, bias: 127, max: 0x1p127 * (2 - 0x1p-10), ieee: true, shift: 13},
	{d: BFloat16, exp: 8, man: 7, bias: 127, max: 0x1.fep127, ieee: true},
	{d: Float16, exp: 5, man: 10, bias: 15, max: 65504, ieee: true},
	{d: Float8e5, exp: 5, man: 2, bias: 15, max: 57344, ieee: true},
	{d: Float8e4, exp: 4, man: 3, bias: 7, max: 240, ieee: true},
	{d: Float8e4m3fn, exp: 4, man: 3, bias: 7, max: 448},
	{d: Float8e3, exp: 3, man: 4, bias: 3, max: 15.5, ieee: true},
}

// value is what a magnitude code stands for, as if no code were special.
func (l layout) value(code int) float64 {
	exponent, fraction := code>>l.man, code&(1<<l.man-1)
	if exponent == 0 {
		return math.Ldexp(float64(fraction), 1-l.bias-l.man)
	}
	return math.Ldexp(float64(1<<l.man+fraction), exponent-l.bias-l.man)
}

// finite counts the finite magnitude codes, which are 0 to finite()-1.
func (l layout) finite() int {
	if l.ieee {
		return (1<<l.exp - 1) << l.man
	}
	return 1<<(l.exp+l.man) - 1
}

// bits is the encoding of a magnitude code with a sign.
func (l layout) bits(code int, negative bool) uint64 {
	if negative {
		code |= 1 << (l.exp + l.man)
	}
	return uint64(code) << l.shift
}

// nearest is the magnitude code closest to the rational x >= 0, ties to the
// even code, found by comparing distances to the neighbours.
func (l layout) nearest(x *big.Rat) int {
	rat := func(code int) *big.Rat { return new(big.Rat).SetFloat64(l.value(code)) }
	above := sort.Search(l.finite(), func(code int) bool { return rat(code).Cmp(x) > 0 })
	below := above - 1
	down := new(big.Rat).Sub(x, rat(below))
	up := new(big.Rat).Sub(rat(above), x)
	switch c := down.Cmp(up); {
	case c < 0 || c == 0 && below%2 == 0:
		return below
	default:
		return min(above, l.finite())
	}
}

// intRange is the range of an integer format.
type intRange struct {
	d      DType
	lo, hi *big.Int
}

func intRanges() []intRange {
	var all []intRange
	for _, d := range DTypes() {
		if !d.IsInt() {
			continue
		}
		one, width := big.NewInt(1), uint(8*d.Size())
		r := intRange{d, big.NewInt(0), new(big.Int).Lsh(one, width)}
		if d.IsSigned() {
			r.hi.Rsh(r.hi, 1)
			r.lo.Neg(r.hi)
		}
		r.hi.Sub(r.hi, one)
		all = append(all, r)
	}
	return all
}

// cast rounds x to the nearest integer, ties to even, and saturates.
func (r intRange) cast(x *big.Rat) *big.Int {
	half := big.NewRat(1, 2)
	moved := new(big.Rat).Add(x, half)
	n := new(big.Int).Div(moved.Num(), moved.Denom()) // floor: Denom is positive
	if moved.IsInt() && n.Bit(0) == 1 {
		n.Sub(n, big.NewInt(1)) // a tie, and rounding up made it odd
	}
	switch {
	case n.Cmp(r.lo) < 0:
		return r.lo
	case n.Cmp(r.hi) > 0:
		return r.hi
	}
	return n
}

// bits is n in two's complement, zero above the width of the format.
func (r intRange) bits(n *big.Int) uint64 {
	modulus := new(big.Int).Lsh(big.NewInt(1), uint(8*r.d.Size()))
	return new(big.Int).Mod(n, modulus).Uint64()
}

// number is what bits stand for.
func (r intRange) number(bits uint64) *big.Int {
	n := new(big.Int).SetUint64(bits)
	if n.Cmp(r.hi) > 0 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*r.d.Size())))
	}
	return n
}

// around gives x and its two float32 neighbours.
func around(x float32) [3]float32 {
	inf := float32(math.Inf(1))
	return [3]float32{math.Nextafter32(x, -inf), x, math.Nextafter32(x, inf)}
}

// sampleFloats is every kind of float32: specials, all powers of two with
// their neighbours and halves, and random bits.
func sampleFloats(random int) []float32 {
	inf := float32(math.Inf(1))
	xs := []float32{0, inf, math.MaxFloat32,
		math.Float32frombits(0x7f800001), math.Float32frombits(0x7fc00000), math.Float32frombits(0x7fffffff)}
	for e := -149; e < 128; e++ {
		p := float32(math.Ldexp(1, e))
		for _, x := range []float32{p, p * 1.5, p + 0.5, p - 0.5} {
			near := around(x)
			xs = append(xs, near[:]...)
		}
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for range random {
		xs = append(xs, math.Float32frombits(rng.Uint32()))
	}
	for _, x := range xs[:len(xs):len(xs)] {
		xs = append(xs, math.Float32frombits(math.Float32bits(x)^f32Sign))
	}
	return xs
}

func isNaN(f float32) bool { return f != f }

// isFinite reports whether f is a number.
func isFinite(f float32) bool { return f-f == 0 }
