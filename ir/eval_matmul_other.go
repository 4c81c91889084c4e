//go:build !amd64

package ir

// multiply sets sums to the products of k rows of two panels, added up one k after another.
func multiply(sums *blockSums, stationary, moving panel, k int) {
	*sums = blockSums{}
	for i := range k {
		left, right := stationary.f[i*stationary.step:][:blockM], moving.f[i*moving.step:][:blockN]
		for m, s := range left {
			row := &sums[m]
			for n, v := range right {
				row[n] += float32(s * v)
			}
		}
	}
}
