// Package num holds the number formats of Trainium programs and the casts
// between them.
//
// Arithmetic on the machine is float32: operands widen, the instruction
// computes, and the result is cast once when it is written. So every format
// needs two maps only, Decode (bits to float32) and Encode (float32 to bits),
// and their bulk forms Widen and Narrow.
//
// Where the public documents are silent the package chooses, and says so:
// subnormals are kept everywhere, NaN becomes 0 in an integer format, and a
// NaN keeps its sign and as much of its payload as the format has room for.
package num

// DType names the format of one element. The zero value is Invalid.
type DType uint8

// The formats, in the order bir.json lists them.
const (
	Invalid      DType = iota
	Float32            // IEEE binary32
	Float32r           // 4-byte container of a float with 10 mantissa bits (tfloat32)
	BFloat16           // 1-8-7
	Float16            // IEEE binary16, 1-5-10
	Float8e3           // 1-3-4, bias 3, largest 15.5, Inf and NaN as in IEEE
	Float8e4           // 1-4-3, bias 7, largest 240, Inf and NaN as in IEEE
	Float8e5           // 1-5-2, bias 15, largest 57344, Inf and NaN as in IEEE
	Float8e4m3fn       // 1-4-3, bias 7, largest 448, no Inf, one NaN a sign
	Int8
	Int16
	Int32
	Int64
	UInt8
	UInt16
	UInt32
	UInt64
	NumDTypes // one past the last format, for tables indexed by DType
)

type class uint8

const (
	classNone class = iota
	classFloat
	classSigned
	classUnsigned
)

// dtypes describes every format; nothing writes to it.
var dtypes = [NumDTypes]struct {
	name  string
	size  int
	class class
}{
	Invalid:      {"invalid", 0, classNone},
	Float32:      {"float32", 4, classFloat},
	Float32r:     {"float32r", 4, classFloat},
	BFloat16:     {"bfloat16", 2, classFloat},
	Float16:      {"float16", 2, classFloat},
	Float8e3:     {"float8e3", 1, classFloat},
	Float8e4:     {"float8e4", 1, classFloat},
	Float8e5:     {"float8e5", 1, classFloat},
	Float8e4m3fn: {"float8_e4m3fn", 1, classFloat},
	Int8:         {"int8", 1, classSigned},
	Int16:        {"int16", 2, classSigned},
	Int32:        {"int32", 4, classSigned},
	Int64:        {"int64", 8, classSigned},
	UInt8:        {"uint8", 1, classUnsigned},
	UInt16:       {"uint16", 2, classUnsigned},
	UInt32:       {"uint32", 4, classUnsigned},
	UInt64:       {"uint64", 8, classUnsigned},
}

// known maps a value outside the list to Invalid, so that the methods below
// answer for it instead of indexing past the table.
func (d DType) known() DType {
	if d < NumDTypes {
		return d
	}
	return Invalid
}

// Size is the width of one element in bytes: 1, 2, 4 or 8, and 0 for Invalid.
func (d DType) Size() int { return dtypes[d.known()].size }

// String is the name bir.json uses, or "invalid".
func (d DType) String() string { return dtypes[d.known()].name }

// IsFloat reports whether d is one of the floating-point formats.
func (d DType) IsFloat() bool { return dtypes[d.known()].class == classFloat }

// IsInt reports whether d is one of the integer formats.
func (d DType) IsInt() bool { return dtypes[d.known()].class >= classSigned }

// IsSigned reports whether d holds negative numbers: every float does, and so
// do the two's-complement integers.
func (d DType) IsSigned() bool {
	c := dtypes[d.known()].class
	return c == classFloat || c == classSigned
}

// ParseDType finds a format by its bir.json name. It reports false for any
// other text, "invalid" included.
func ParseDType(name string) (DType, bool) {
	for d := Invalid + 1; d < NumDTypes; d++ {
		if dtypes[d].name == name {
			return d, true
		}
	}
	return Invalid, false
}

// DTypes lists all formats but Invalid in constant order; the slice is the
// caller's own.
func DTypes() []DType {
	all := make([]DType, 0, NumDTypes-1)
	for d := Invalid + 1; d < NumDTypes; d++ {
		all = append(all, d)
	}
	return all
}
