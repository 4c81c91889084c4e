package ir

// multiply adds the products of two panels to sums, four columns of a row at a time. It uses SSE2 alone, which every amd64 has, multiplies and adds
// apart, and takes k in ascending order, so each sum has the bits of the portable loop in eval_matmul_other.go.
func multiply(sums *blockSums, stationary [][blockM]float32, moving [][blockN]float32) {
	if len(stationary) == 0 || len(moving) < len(stationary) {
		return
	}
	multiplySSE(sums, &stationary[0], &moving[0], len(stationary))
}

// multiplySSE is multiply for k > 0 entries of each panel.
//
//go:noescape
func multiplySSE(sums *blockSums, stationary *[blockM]float32, moving *[blockN]float32, k int)
