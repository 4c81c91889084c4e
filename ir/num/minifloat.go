package num

import "math"

// minifloat is a sign-exponent-mantissa format with fewer exponent bits than
// float32. "Magnitude code" below is a code without its sign bit.
type minifloat struct {
	drop      uint    // mantissa bits float32 has and the format lacks
	sign      uint    // position of the sign bit
	special   uint32  // first magnitude code that is not finite; overflow gives it
	normal    uint32  // first magnitude code with an implicit leading one
	hasInf    bool    // whether special is Inf (else it is the only NaN)
	rebias    uint32  // float32 bits = magnitude code << drop + rebias, for normals
	minNormal uint32  // float32 bits of the smallest normal
	limit     uint32  // float32 bits of the value special would have as a number
	tiny      float32 // the smallest subnormal
	align     float32 // the power of two whose float32 ulp is tiny
}

// newMinifloat lays out a format of 1+exp+man bits. With hasInf the top
// exponent holds Inf and NaN as in IEEE; without, it holds numbers, except
// that its last code is NaN.
func newMinifloat(exp, man uint, bias int, hasInf bool) *minifloat {
	m := &minifloat{
		drop:   f32Mantissa - man,
		sign:   exp + man,
		normal: 1 << man,
		hasInf: hasInf,
		rebias: uint32(f32Bias-bias) << f32Mantissa,
		tiny:   float32(math.Ldexp(1, 1-bias-int(man))),
	}
	m.special = 1<<m.sign - 1
	if hasInf {
		m.special = (1<<exp - 1) << man
	}
	m.minNormal = m.rebias + 1<<f32Mantissa
	m.limit = m.special<<m.drop + m.rebias
	m.align = float32(math.Ldexp(float64(m.tiny), f32Mantissa))
	return m
}

// minifloats holds the layouts, nil for every other format; nothing writes to it.
var minifloats = [NumDTypes]*minifloat{
	Float16:      newMinifloat(5, 10, 15, true),
	Float8e3:     newMinifloat(3, 4, 3, true),
	Float8e4:     newMinifloat(4, 3, 7, true),
	Float8e5:     newMinifloat(5, 2, 15, true),
	Float8e4m3fn: newMinifloat(4, 3, 7, false),
}

// encode rounds the float32 of bits u to the nearest code, ties to even. What
// lies below limit but rounds past the largest number carries into special.
func (m *minifloat) encode(u uint32) uint32 {
	sign := u >> 31 << (m.sign & 31)
	u &^= f32Sign
	switch {
	case u >= m.limit:
		return sign | m.notFinite(u)
	case u >= m.minNormal:
		drop := m.drop & 31
		u -= m.rebias
		return sign | (u+(1<<(drop-1)-1)+u>>drop&1)>>drop
	default:
		// The addition rounds at the ulp of align, which is one code.
		return sign | (math.Float32bits(math.Float32frombits(u)+m.align) - math.Float32bits(m.align))
	}
}

// notFinite is the magnitude code for a float32 magnitude of bits u that is
// NaN, Inf or too large. Without Inf, special has all bits set and takes up
// any payload.
func (m *minifloat) notFinite(u uint32) uint32 {
	if u <= f32Inf {
		return m.special
	}
	return m.special | truncateNaN(u, m.drop)&f32Payload>>m.drop
}

// decode gives the float32 bits of a code; every code is exact in float32.
func (m *minifloat) decode(code uint32) uint32 {
	sign := code >> (m.sign & 31) << 31
	code &= 1<<(m.sign&31) - 1
	switch {
	case code < m.normal:
		return sign | math.Float32bits(float32(int32(code))*m.tiny)
	case code < m.special:
		return sign | (code<<(m.drop&31) + m.rebias)
	case m.hasInf:
		return sign | f32Inf | (code-m.special)<<(m.drop&31)
	default:
		return sign | f32Inf | f32Quiet
	}
}

// float8Values holds the value of every code of the 8-bit floats, nil for
// every other format; nothing writes to it.
var float8Values = [NumDTypes]*[256]float32{
	Float8e3:     minifloats[Float8e3].values(),
	Float8e4:     minifloats[Float8e4].values(),
	Float8e5:     minifloats[Float8e5].values(),
	Float8e4m3fn: minifloats[Float8e4m3fn].values(),
}

// values decodes all codes of an 8-bit format.
func (m *minifloat) values() *[256]float32 {
	t := new([256]float32)
	for code := range t {
		t[code] = math.Float32frombits(m.decode(uint32(code)))
	}
	return t
}
