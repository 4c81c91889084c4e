package num

import (
	"encoding/binary"
	"math"
	"strconv"
)

// Decode gives the number that the low Size bytes of bits stand for; higher
// bits are ignored. Floats are exact, NaN payloads included; an integer too
// long for float32 rounds to nearest, ties to even. A Float32r is read as the
// float32 it is, low bits and all. It panics if d is no format.
func Decode(d DType, bits uint64) float32 {
	switch d {
	case Float32, Float32r:
		return math.Float32frombits(uint32(bits))
	case BFloat16:
		return math.Float32frombits(uint32(bits) << dropBFloat16)
	case Float16:
		return math.Float32frombits(minifloats[d].decode(uint32(uint16(bits))))
	case Float8e3, Float8e4, Float8e5, Float8e4m3fn:
		return float8Values[d][uint8(bits)]
	case Int8:
		return float32(int8(bits))
	case Int16:
		return float32(int16(bits))
	case Int32:
		return float32(int32(bits))
	case Int64:
		return float32(int64(bits))
	case UInt8:
		return float32(uint8(bits))
	case UInt16:
		return float32(uint16(bits))
	case UInt32:
		return float32(uint32(bits))
	case UInt64:
		return float32(bits)
	}
	panic("num: Decode of dtype " + d.String())
}

// Encode casts f to d and gives the bits, zero above Size bytes.
//
// All formats round to nearest, ties to even, with gradual underflow. A float
// overflows to Inf after rounding, in Float8e4m3fn to NaN. An integer
// saturates, Inf included; NaN gives 0 (our choice, the documents are
// silent). A NaN keeps its sign and the high bits of its payload. It panics
// if d is no format.
//
// Sources: rounding and float overflow, the Neuron pages on rounding modes
// and nki.isa.range_select; integers, the NKI release notes of Neuron 2.32.
func Encode(d DType, f float32) uint64 {
	switch d {
	case Float32:
		return uint64(math.Float32bits(f))
	case Float32r:
		return uint64(roundMantissa(math.Float32bits(f), dropFloat32r))
	case BFloat16:
		return uint64(roundMantissa(math.Float32bits(f), dropBFloat16) >> dropBFloat16)
	case Float16, Float8e3, Float8e4, Float8e5, Float8e4m3fn:
		return uint64(minifloats[d].encode(math.Float32bits(f)))
	case Int8:
		return uint64(uint8(saturate(f, math.MinInt8, math.MaxInt8)))
	case Int16:
		return uint64(uint16(saturate(f, math.MinInt16, math.MaxInt16)))
	case Int32:
		return uint64(uint32(saturate(f, math.MinInt32, math.MaxInt32)))
	case Int64:
		return uint64(saturateInt64(f))
	case UInt8:
		return uint64(saturate(f, 0, math.MaxUint8))
	case UInt16:
		return uint64(saturate(f, 0, math.MaxUint16))
	case UInt32:
		return uint64(saturate(f, 0, math.MaxUint32))
	case UInt64:
		return saturateUInt64(f)
	}
	panic("num: Encode to dtype " + d.String())
}

// Load reads the little-endian bits of one element from the start of b,
// zero-extended. It panics if b is shorter than d.Size() or d is no format.
func Load(b []byte, d DType) uint64 { return LoadWord(b, d.Size()) }

// LoadWord is Load for an element of 1, 2, 4 or 8 bytes.
func LoadWord(b []byte, size int) uint64 {
	switch size {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(binary.LittleEndian.Uint16(b))
	case 4:
		return uint64(binary.LittleEndian.Uint32(b))
	case 8:
		return binary.LittleEndian.Uint64(b)
	}
	panic("num: no element has " + strconv.Itoa(size) + " bytes")
}

// Store writes the low d.Size() bytes of bits, little-endian, to the start of
// b. It panics if b is shorter than that or d is no format.
func Store(b []byte, d DType, bits uint64) { StoreWord(b, d.Size(), bits) }

// StoreWord is Store for an element of 1, 2, 4 or 8 bytes.
func StoreWord(b []byte, size int, bits uint64) {
	switch size {
	case 1:
		b[0] = byte(bits)
	case 2:
		binary.LittleEndian.PutUint16(b, uint16(bits))
	case 4:
		binary.LittleEndian.PutUint32(b, uint32(bits))
	case 8:
		binary.LittleEndian.PutUint64(b, bits)
	default:
		panic("num: no element has " + strconv.Itoa(size) + " bytes")
	}
}
