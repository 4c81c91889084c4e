//go:build !amd64

package ir

func multiply(sums *blockSums, stationary [][blockM]float32, moving [][blockN]float32) {
	multiplyPortable(sums, stationary, moving)
}
