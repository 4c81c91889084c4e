package ir

// multiply sets sums to the products of k rows of two panels, added up. It uses SSE2 alone, which every amd64 has, multiplies and adds apart,
// and takes k in ascending order, so each sum has the bits of the portable loop in eval_matmul_other.go.
func multiply(sums *blockSums, stationary, moving panel, k int) {
	last := k - 1
	_, _ = stationary.f[last*stationary.step:][blockM-1], moving.f[last*moving.step:][blockN-1]
	multiplySSE(sums, &stationary.f[0], stationary.step, &moving.f[0], moving.step, k)
}

// multiplySSE is multiply for k > 0 rows of panels that hold as many.
//
//go:noescape
func multiplySSE(sums *blockSums, stationary *float32, stationaryStep int, moving *float32, movingStep int, k int)
