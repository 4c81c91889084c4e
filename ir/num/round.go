package num

import "math"

// The fields of an IEEE binary32.
const (
	f32Sign     = 1 << 31
	f32Inf      = 0xff << f32Mantissa // exponent field all ones, mantissa zero
	f32Payload  = 1<<f32Mantissa - 1  // the mantissa field
	f32Quiet    = 1 << (f32Mantissa - 1)
	f32Mantissa = 23 // explicit mantissa bits
	f32Bias     = 127
)

// Mantissa bits float32 has and the formats with its exponent range lack.
const (
	dropBFloat16 = 16
	dropFloat32r = 13
)

// roundMantissa rounds the float32 of bits u to the nearest one, ties to
// even, whose low drop bits are zero. One integer addition does it for
// normals, subnormals and overflow alike, because a carry out of the mantissa
// steps to the next exponent, and from the last exponent to Inf.
func roundMantissa(u uint32, drop uint) uint32 {
	if u&^f32Sign > f32Inf {
		return truncateNaN(u, drop)
	}
	return (u + (1<<(drop-1) - 1) + u>>drop&1) >> drop << drop
}

// truncateNaN drops the low bits of a NaN. Where nothing is left of the
// payload the quiet bit keeps it from turning into Inf.
func truncateNaN(u uint32, drop uint) uint32 {
	u = u >> drop << drop
	if u&f32Payload == 0 {
		u |= f32Quiet
	}
	return u
}

// RoundFloat32r rounds f to the 10 explicit mantissa bits of Float32r, to
// nearest and ties to even; the result's low 13 bits are zero. The exponent
// range is float32's: subnormals stay, and only values past the largest
// Float32r become Inf.
func RoundFloat32r(f float32) float32 {
	return math.Float32frombits(roundMantissa(math.Float32bits(f), dropFloat32r))
}
