package ir

import (
	"math/rand"
	"testing"

	"birfuzz/ir/num"
)

// TestScanIsLeftToRight compares scans of every two operators whose results are never poison with the definition, bit for bit, for groups of
// lanes of every size.
func TestScanIsLeftToRight(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	const cols = 9
	for op0 := range NumAluOps {
		for i := range 4 * NumAluOps {
			op1, rev0, rev1 := i/4, int64(i&1), int64(i>>1&1)
			if aluFuncs[op0] == nil || aluFuncs[op1] == nil || op0.Logical() || op1.Logical() {
				continue
			}
			rows := 1 + rng.Intn(6)
			tensor := func(n int) *tensor {
				t := zeros(num.Float32, rows, n)
				for i := range t.bits {
					t.bits[i] = num.Encode(num.Float32, float32(rng.Intn(9)-4)/2)
				}
				return t
			}
			x, s, y := tensor(cols), tensor(1), tensor(cols)
			m := call{op: "TensorTensorScan", params: settings(alu(POp0, op0), alu(POp1, op1), set(PReverse0, rev0), set(PReverse1, rev1)),
				out: zeros(num.Float32, rows, cols), ins: ins(x, s, y)}.run(t)
			e := &Eval{Machine: m}
			f, g := e.flip(op0, rev0 != 0), e.flip(op1, rev1 != 0)
			for r := range rows {
				carry := s.view().F[r]
				for c := range cols {
					carry = g(f(x.view().Row(r)[c], carry), y.view().Row(r)[c])
					if got := m.result.Row(r)[c]; !sameBits(got, carry) {
						t.Errorf("%v %v, reversed %d %d: lane %d, element %d is %v, want %v", op0, op1, rev0, rev1, r, c, got, carry)
					}
				}
			}
		}
	}
}
