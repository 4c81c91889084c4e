//go:build !amd64

package ir

// multiply adds the products of two panels to sums, one k after another.
func multiply(sums *blockSums, stationary [][blockM]float32, moving [][blockN]float32) {
	for k := range stationary {
		v := &moving[k]
		for m, s := range &stationary[k] {
			row := &sums[m]
			for n := range row {
				row[n] += float32(s * v[n])
			}
		}
	}
}
