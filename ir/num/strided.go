package num

// chunk is how many elements the strided casts take at once: enough to hide
// the cost of a call, few enough for the buffer to stay on the stack and in
// the innermost cache.
const chunk = 64

// WidenStrided is Widen for elements whose starts lie step bytes apart, the
// first at src[0]; step 0 repeats that one and a negative step is not allowed.
// It allocates nothing. It panics if src ends before the last element or d is
// no format.
func WidenStrided(dst []float32, src []byte, step int, d DType) {
	size := d.Size()
	switch {
	case len(dst) == 0:
		return
	case step == size:
		Widen(dst, src, d)
		return
	case size == 4 && d.IsFloat() && littleEndian():
		gather(bytesOf(dst), src, step, size)
		return
	}
	var words [chunk]uint64 // words, for the alignment of the widest element
	for {
		n := min(chunk, len(dst))
		buf := bytesOf(words[:])[:n*size]
		gather(buf, src, step, size)
		Widen(dst[:n], buf, d)
		dst = dst[n:]
		if len(dst) == 0 {
			return
		}
		src = src[n*step:]
	}
}

// NarrowStrided is Narrow for elements whose starts lie step bytes apart, the
// first at dst[0]; bytes between them stay as they are. Elements are written
// in order, so with step 0 the last one stands; a negative step is not
// allowed. It allocates nothing. It panics if dst ends before the last element
// or d is no format.
func NarrowStrided(dst []byte, step int, src []float32, d DType) {
	size := d.Size()
	switch {
	case len(src) == 0:
		return
	case step == size:
		Narrow(dst, src, d)
		return
	}
	var words [chunk]uint64 // words, for the alignment of the widest element
	for {
		n := min(chunk, len(src))
		buf := bytesOf(words[:])[:n*size]
		Narrow(buf, src[:n], d)
		scatter(dst, step, buf, size)
		src = src[n:]
		if len(src) == 0 {
			return
		}
		dst = dst[n*step:]
	}
}
