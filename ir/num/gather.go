package num

import "encoding/binary"

// gather fills dst with elements of size bytes that lie step bytes apart in
// src.
func gather(dst, src []byte, step, size int) {
	at := 0
	switch size {
	case 1:
		for i := range dst {
			dst[i] = src[at]
			at += step
		}
	case 2:
		for ; len(dst) >= 2; dst = dst[2:] {
			binary.NativeEndian.PutUint16(dst, binary.NativeEndian.Uint16(src[at:]))
			at += step
		}
	case 4:
		for ; len(dst) >= 4; dst = dst[4:] {
			binary.NativeEndian.PutUint32(dst, binary.NativeEndian.Uint32(src[at:]))
			at += step
		}
	case 8:
		for ; len(dst) >= 8; dst = dst[8:] {
			binary.NativeEndian.PutUint64(dst, binary.NativeEndian.Uint64(src[at:]))
			at += step
		}
	}
}

// scatter writes the elements of size bytes in src to dst, step bytes apart.
func scatter(dst []byte, step int, src []byte, size int) {
	at := 0
	switch size {
	case 1:
		for _, b := range src {
			dst[at] = b
			at += step
		}
	case 2:
		for ; len(src) >= 2; src = src[2:] {
			binary.NativeEndian.PutUint16(dst[at:], binary.NativeEndian.Uint16(src))
			at += step
		}
	case 4:
		for ; len(src) >= 4; src = src[4:] {
			binary.NativeEndian.PutUint32(dst[at:], binary.NativeEndian.Uint32(src))
			at += step
		}
	case 8:
		for ; len(src) >= 8; src = src[8:] {
			binary.NativeEndian.PutUint64(dst[at:], binary.NativeEndian.Uint64(src))
			at += step
		}
	}
}
