package oracle

import (
	"fmt"
	"math"

	"birfuzz/ir"
	"birfuzz/ir/num"
)

// Tolerance says how far an output may be from what a case expects (bir-json.md, "Input and expected-output files").
type Tolerance struct {
	RTol, ATol float64 // |got − want| ≤ ATol + RTol·|want|
	Bits       bool    // without tolerance: the same bits, not only the same number
}

// FirstDifference returns an error that names the first element of got that is not as expected or not defined, nil if there is none.
// undefined has an entry a byte, or is nil.
func FirstDifference(got, want ir.Tensor, undefined []bool, tol Tolerance) error {
	if got.DType != want.DType || len(got.Data) != len(want.Data) {
		return fmt.Errorf("got %d bytes of %v, want %d of %v", len(got.Data), got.DType, len(want.Data), want.DType)
	}
	size := got.DType.Size()
	for i := range len(got.Data) / size {
		for b := i * size; b < (i+1)*size && b < len(undefined); b++ {
			if undefined[b] {
				return fmt.Errorf("element %d%s is undefined", i, indexOf(i, want.Shape))
			}
		}
		a, b := num.Load(got.Data[i*size:], got.DType), num.Load(want.Data[i*size:], got.DType)
		if a != b && !tol.near(got.DType, a, b) {
			return fmt.Errorf("element %d%s: got %v (%#x), want %v (%#x)", i, indexOf(i, want.Shape), num.Decode(got.DType, a), a, num.Decode(got.DType, b), b)
		}
	}
	return nil
}

// near compares two different bit patterns: one number (−0 equals +0, NaN equals NaN), or close enough.
func (t Tolerance) near(d ir.DType, a, b uint64) bool {
	x, y := float64(num.Decode(d, a)), float64(num.Decode(d, b))
	switch {
	case t.ATol+t.RTol > 0 && math.Abs(x-y) <= t.ATol+t.RTol*math.Abs(y):
		return true
	case t.Bits && t.ATol+t.RTol == 0:
		return false
	}
	return d.IsFloat() && (x == y || x != x && y != y)
}

// indexOf returns the index of element i in a tensor of that shape, as "[2 5]".
func indexOf(i int, shape []int64) string {
	if len(shape) < 2 {
		return ""
	}
	index := make([]int64, len(shape))
	for k := len(shape) - 1; k >= 0; k-- {
		if shape[k] <= 0 {
			return ""
		}
		index[k] = int64(i) % shape[k]
		i /= int(shape[k])
	}
	return fmt.Sprintf(" %v", index)
}
