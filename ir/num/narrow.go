package num

import "math"

// Narrow casts every element of src as Encode does and writes the results to
// the start of dst, contiguous and little-endian. It allocates nothing. It
// panics if dst has no room for len(src) elements or d is no format.
func Narrow(dst []byte, src []float32, d DType) {
	size := d.Size()
	dst = dst[:len(src)*size]
	if size == 0 || !aliasable(dst, size) {
		narrowEach(dst, src, d)
		return
	}
	switch d {
	case Float32:
		copy(alias[float32](dst), src)
	case Float32r:
		narrowFloat32r(alias[uint32](dst), src)
	case BFloat16:
		narrowBFloat16(alias[uint16](dst), src)
	case Float16:
		narrowMinifloat(alias[uint16](dst), src, minifloats[d])
	case Float8e3, Float8e4, Float8e5, Float8e4m3fn:
		narrowMinifloat(dst, src, minifloats[d])
	case Int8:
		narrowInts(alias[int8](dst), src, math.MinInt8, math.MaxInt8)
	case Int16:
		narrowInts(alias[int16](dst), src, math.MinInt16, math.MaxInt16)
	case Int32:
		narrowInts(alias[int32](dst), src, math.MinInt32, math.MaxInt32)
	case UInt8:
		narrowInts(dst, src, 0, math.MaxUint8)
	case UInt16:
		narrowInts(alias[uint16](dst), src, 0, math.MaxUint16)
	case UInt32:
		narrowInts(alias[uint32](dst), src, 0, math.MaxUint32)
	case Int64, UInt64:
		narrowEach(dst, src, d)
	}
}

// narrowEach is Narrow for the formats too rare for a loop of their own, and
// where the bytes cannot be viewed as elements.
func narrowEach(dst []byte, src []float32, d DType) {
	size := d.Size()
	for i, f := range src {
		Store(dst[i*size:], d, Encode(d, f))
	}
}

func narrowFloat32r(dst []uint32, src []float32) {
	dst = dst[:len(src)]
	for i, f := range src {
		dst[i] = roundMantissa(math.Float32bits(f), dropFloat32r)
	}
}

func narrowBFloat16(dst []uint16, src []float32) {
	dst = dst[:len(src)]
	for i, f := range src {
		dst[i] = uint16(roundMantissa(math.Float32bits(f), dropBFloat16) >> dropBFloat16)
	}
}

func narrowMinifloat[T uint8 | uint16](dst []T, src []float32, m *minifloat) {
	dst = dst[:len(src)]
	for i, f := range src {
		dst[i] = T(m.encode(math.Float32bits(f)))
	}
}

func narrowInts[T integer](dst []T, src []float32, lo, hi float64) {
	dst = dst[:len(src)]
	for i, f := range src {
		dst[i] = T(saturate(f, lo, hi))
	}
}
