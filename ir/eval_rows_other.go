//go:build !amd64

package ir

func rsqrtRow(dst, x, _ []float32) { rsqrtEach(dst, x) }

func modRow(dst, x, y []float32) { modEach(dst, x, y) }

// allZeroOne tells whether all numbers of a row are 0 or 1.
func allZeroOne(row []float32) bool { return eachZeroOne(row) }
