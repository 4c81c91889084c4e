package num

import "math"

// Widen decodes len(dst) contiguous little-endian elements from the start of
// src, each as Decode does. It allocates nothing. It panics if src is shorter
// than that or d is no format.
func Widen(dst []float32, src []byte, d DType) {
	size := d.Size()
	src = src[:len(dst)*size]
	if size == 0 || !aliasable(src, size) {
		widenEach(dst, src, d)
		return
	}
	switch d {
	case Float32, Float32r:
		copy(dst, alias[float32](src))
	case BFloat16:
		widenBFloat16(dst, alias[uint16](src))
	case Float16:
		widenFloat16(dst, alias[uint16](src))
	case Float8e3, Float8e4, Float8e5, Float8e4m3fn:
		widenTable(dst, src, float8Values[d])
	case Int8:
		widenInts(dst, alias[int8](src))
	case Int16:
		widenInts(dst, alias[int16](src))
	case Int32:
		widenInts(dst, alias[int32](src))
	case Int64:
		widenInts(dst, alias[int64](src))
	case UInt8:
		widenInts(dst, src)
	case UInt16:
		widenInts(dst, alias[uint16](src))
	case UInt32:
		widenInts(dst, alias[uint32](src))
	case UInt64:
		widenInts(dst, alias[uint64](src))
	}
}

// widenEach is Widen where the bytes cannot be viewed as elements.
func widenEach(dst []float32, src []byte, d DType) {
	size := d.Size()
	for i := range dst {
		dst[i] = Decode(d, Load(src[i*size:], d))
	}
}

func widenBFloat16(dst []float32, src []uint16) {
	src = src[:len(dst)]
	for i := range dst {
		dst[i] = math.Float32frombits(uint32(src[i]) << dropBFloat16)
	}
}

func widenFloat16(dst []float32, src []uint16) {
	m := minifloats[Float16]
	src = src[:len(dst)]
	for i := range dst {
		dst[i] = math.Float32frombits(m.decode(uint32(src[i])))
	}
}

func widenTable(dst []float32, src []byte, values *[256]float32) {
	src = src[:len(dst)]
	for i := range dst {
		dst[i] = values[src[i]]
	}
}

func widenInts[T integer](dst []float32, src []T) {
	src = src[:len(dst)]
	for i := range dst {
		dst[i] = float32(src[i])
	}
}
