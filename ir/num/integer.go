package num

import "math"

// integer lists the element types of the integer formats.
type integer interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

// unitAlign is a float64 whose ulp is 1 and stays 1 when any integer of up to
// 51 bits is added, so that adding it rounds to nearest integer, ties to even.
const unitAlign = 1.5 * (1 << 52)

// roundToInt rounds |x| < 2^51 to the nearest integer, ties to even.
func roundToInt(x float64) int64 {
	return int64(math.Float64bits(x+unitAlign)) - int64(math.Float64bits(unitAlign))
}

// saturate rounds f to the nearest integer, ties to even, and clamps it to
// lo..hi, both below 2^51. NaN gives 0, Inf the bound on its side.
func saturate(f float32, lo, hi float64) int64 {
	x := float64(f)
	switch {
	case x < lo:
		x = lo
	case x > hi:
		x = hi
	case x != x:
		x = 0
	}
	return roundToInt(x)
}

// f32Integral is the magnitude from which every float32 is an integer.
const f32Integral = 1 << (f32Mantissa + 1)

// saturateInt64 is saturate for Int64, whose bounds float64 cannot hold.
func saturateInt64(f float32) int64 {
	switch {
	case f != f:
		return 0
	case f >= 1<<63:
		return math.MaxInt64
	case f <= -1<<63:
		return math.MinInt64
	case f >= f32Integral || f <= -f32Integral:
		return int64(f)
	}
	return roundToInt(float64(f))
}

// saturateUInt64 is saturate for UInt64, whose bounds float64 cannot hold.
func saturateUInt64(f float32) uint64 {
	switch {
	case f >= 1<<64:
		return math.MaxUint64
	case f >= f32Integral:
		return uint64(f)
	case f > 0:
		return uint64(roundToInt(float64(f)))
	}
	return 0 // negative or NaN
}
