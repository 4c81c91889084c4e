package ir

// group is the number of elements that the kernels of this file take at a time. They use SSE2 alone, which every amd64 has, and do what the
// operators' functions do, operation by operation; so they give the same bits.
const group = 4

func rsqrtRow(dst, x, _ []float32) {
	x = x[:len(dst)]
	whole := len(dst) &^ (group - 1)
	if whole > 0 {
		rsqrtSSE(&dst[0], &x[0], whole)
	}
	rsqrtEach(dst[whole:], x[whole:])
}

// rsqrtSSE is rsqrt32 of n elements, a positive multiple of group.
//
//go:noescape
func rsqrtSSE(dst, x *float32, n int)

func modRow(dst, x, y []float32) {
	x, y = x[:len(dst)], y[:len(dst)]
	for len(dst) >= group {
		done := modSSE(&dst[0], &x[0], &y[0], len(dst)&^(group-1))
		dst, x, y = dst[done:], x[done:], y[done:]
		n := min(group, len(dst)) // those of which one has no exact quotient, or the rest
		modEach(dst[:n], x, y)
		dst, x, y = dst[n:], x[n:], y[n:]
	}
	modEach(dst, x, y)
}

// modSSE is mod32 of n elements, a positive multiple of group, up to the first group in which exactQuotient does not hold of all. It returns
// how many it did.
//
//go:noescape
func modSSE(dst, x, y *float32, n int) int

// allZeroOne tells whether all numbers of a row are 0 or 1.
func allZeroOne(row []float32) bool {
	whole := len(row) &^ (group - 1)
	return (whole == 0 || zeroOneSSE(&row[0], whole)) && eachZeroOne(row[whole:])
}

// zeroOneSSE is allZeroOne of n elements, a positive multiple of group.
//
//go:noescape
func zeroOneSSE(x *float32, n int) bool
