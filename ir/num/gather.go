package num

import "unsafe"

// gather fills dst with elements of size bytes that lie step bytes apart in
// src.
func gather(dst, src []byte, step, size int) {
	switch size {
	case 1:
		gatherElems(dst, src, step)
	case 2:
		gatherWords[uint16](dst, src, step)
	case 4:
		gatherWords[uint32](dst, src, step)
	case 8:
		gatherWords[uint64](dst, src, step)
	}
}

// word lists the types that stand for elements of more than one byte.
type word interface{ uint16 | uint32 | uint64 }

func gatherWords[T word](dst, src []byte, step int) {
	size := int(unsafe.Sizeof(*new(T)))
	if d, s, ok := words[T](dst, src, step); ok {
		gatherElems(d, s, step/size)
		return
	}
	for at := 0; len(dst) > 0; dst, at = dst[size:], at+step {
		copy(dst[:size], src[at:])
	}
}

func gatherElems[T word | uint8](dst, src []T, step int) {
	at := 0
	for i := range dst {
		dst[i] = src[at]
		at += step
	}
}

// scatter writes the elements of size bytes in src to dst, step bytes apart.
func scatter(dst []byte, step int, src []byte, size int) {
	switch size {
	case 1:
		scatterElems(dst, step, src)
	case 2:
		scatterWords[uint16](dst, step, src)
	case 4:
		scatterWords[uint32](dst, step, src)
	case 8:
		scatterWords[uint64](dst, step, src)
	}
}

func scatterWords[T word](dst []byte, step int, src []byte) {
	size := int(unsafe.Sizeof(*new(T)))
	if s, d, ok := words[T](src, dst, step); ok {
		scatterElems(d, step/size, s)
		return
	}
	for at := 0; len(src) > 0; src, at = src[size:], at+step {
		copy(dst[at:], src[:size])
	}
}

func scatterElems[T word | uint8](dst []T, step int, src []T) {
	at := 0
	for _, v := range src {
		dst[at] = v
		at += step
	}
}

// words views dense elements, and those among which they lie step bytes apart,
// as words, if both and the step are aligned.
func words[T word](dense, among []byte, step int) (d, a []T, ok bool) {
	size := int(unsafe.Sizeof(*new(T)))
	among = among[:len(among)&^(size-1)]
	if step%size != 0 || !aliasable(dense, size) || !aliasable(among, size) {
		return nil, nil, false
	}
	return alias[T](dense), alias[T](among), true
}
