package num

import (
	"encoding/binary"
	"unsafe"
)

// AsFloat32 views b as the float32 values it holds, sharing its memory. It
// reports false, and the caller must copy, if b does not start on a 4-byte
// boundary, is not a whole number of elements, or the machine is big-endian.
func AsFloat32(b []byte) ([]float32, bool) { return As[float32](b) }

// AsUint16 is AsFloat32 for the raw bits of 2-byte elements.
func AsUint16(b []byte) ([]uint16, bool) { return As[uint16](b) }

// AsUint32 is AsFloat32 for the raw bits of 4-byte elements.
func AsUint32(b []byte) ([]uint32, bool) { return As[uint32](b) }

// AsUint64 is AsFloat32 for the raw bits of 8-byte elements.
func AsUint64(b []byte) ([]uint64, bool) { return As[uint64](b) }

// element lists the Go types that a view may have.
type element interface{ integer | float32 }

// As is AsFloat32 for elements of any type.
func As[T element](b []byte) ([]T, bool) {
	if !aliasable(b, int(unsafe.Sizeof(*new(T)))) {
		return nil, false
	}
	return alias[T](b), true
}

// aliasable reports whether b may be viewed as elements of size bytes, a power
// of two.
func aliasable(b []byte, size int) bool {
	start := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	return littleEndian() && (uintptr(len(b))|start)&uintptr(size-1) == 0
}

// littleEndian reports the byte order of the machine; it compiles to a constant.
func littleEndian() bool {
	return binary.NativeEndian.Uint16([]byte{1, 0}) == 1
}

// alias views b, which must be aliasable, as elements of type T.
func alias[T element](b []byte) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(*new(T))))
}

// bytesOf views elements as the bytes they are made of, in machine order.
func bytesOf[T element](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(*new(T))))
}
