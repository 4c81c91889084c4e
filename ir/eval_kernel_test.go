package ir

import (
	"math"
	"slices"
	"testing"
	"testing/quick"
	"unsafe"

	"birfuzz/ir/num"
)

// edges are the float32 numbers at which kernels go wrong.
func edges() []float32 {
	list := []float32{0, 1, 2, 3, 0.5, 7, 1 << 24, 1 << 25, 1 + 1.0/(1<<23), math.MaxFloat32, math.SmallestNonzeroFloat32, 0x1p-126, float32(inf), float32(nan)}
	for _, v := range slices.Clone(list) {
		list = append(list, -v)
	}
	return list
}

// TestKernelsAtEdges: every float32 row kernel gives what the operator's function gives on each pair of edges, wherever the pair stands in the row.
func TestKernelsAtEdges(t *testing.T) {
	for op, f := range rowFuncs {
		if f == nil {
			continue
		}
		for shift := range 4 {
			x, y := make([]float32, shift), make([]float32, shift)
			for _, a := range edges() {
				for _, b := range edges() {
					x, y = append(x, a), append(y, b)
				}
			}
			dst := make([]float32, len(x))
			f(dst, x, y)
			for i, got := range dst {
				if want := aluFuncs[op](x[i], y[i]); !sameBits(got, want) {
					t.Errorf("%v(%v, %v) = %v in a row, %v alone", AluOp(op), x[i], y[i], got, want)
				}
			}
		}
	}
}

// TestModOfZeros: a zero result has the sign of the divisor, whatever the sign of the zero that is divided.
func TestModOfZeros(t *testing.T) {
	zero := float32(math.Copysign(0, -1))
	for _, x := range []float32{0, zero, 6, -6} {
		for _, y := range []float32{3, -3} {
			if got := mod32(x, y); got != 0 || math.Signbit(float64(got)) != (y < 0) {
				t.Errorf("mod(%v, %v) = %v", x, y, got)
			}
		}
	}
}

// TestAllZeroOne: a number that is neither is found wherever it stands, and both zeros are zero.
func TestAllZeroOne(t *testing.T) {
	for n := range 12 {
		row := make([]float32, n)
		for i := range row {
			row[i] = float32(i%3) * float32(1-i%3) / -2 // 0, 0 or −0, 1
		}
		if !allZeroOne(row) {
			t.Errorf("%v refused", row)
		}
		for i := range row {
			for _, v := range edges() {
				changed := slices.Clone(row)
				changed[i] = v
				if got := allZeroOne(changed); got != zeroOne(v) {
					t.Errorf("%v: %v", changed, got)
				}
			}
		}
	}
}

// TestBitKernelsHaveOneMeaning: for every width, a row kernel gives what the operator's function gives; counts go past the width.
func TestBitKernelsHaveOneMeaning(t *testing.T) {
	kernelsAgree(t, &bitRows.k8)
	kernelsAgree(t, &bitRows.k16)
	kernelsAgree(t, &bitRows.k32)
	kernelsAgree(t, &bitRows.k64)
}

func kernelsAgree[T element](t *testing.T, kernels *[NumAluOps]wordRow[T]) {
	t.Helper()
	width := 8 * int(unsafe.Sizeof(T(0)))
	for op, f := range kernels {
		if (f == nil) != (bitFuncs[op] == nil) {
			t.Errorf("%v: kernels of %d bits and functions differ", AluOp(op), width)
			continue
		}
		if f == nil {
			continue
		}
		same := func(x, y uint64, small bool) bool {
			if small {
				y %= 2 * uint64(width)
			}
			dst := []T{0}
			f(dst, []T{T(x)}, []T{T(y)})
			return uint64(dst[0]) == bitFuncs[op](uint64(T(x)), uint64(T(y)), width)&lowBits(width)
		}
		if err := quick.Check(same, nil); err != nil {
			t.Errorf("%v of %d bits: %v", AluOp(op), width, err)
		}
	}
}

// TestBitChainLongRows: blocks, merged lanes, scalars a lane and memory of any alignment give what element after element gives.
func TestBitChainLongRows(t *testing.T) {
	const rows, cols = 3, block + 5
	for _, d := range []DType{num.UInt8, num.Int16, num.UInt32, num.Int64} {
		x, y, s := zeros(d, rows, cols), zeros(d, rows, cols), raw(d, rows, 0x13, 0x55, 0x71)
		for i := range x.bits {
			x.bits[i], y.bits[i] = uint64(i*37)&lowBits(8), uint64(i*11)&lowBits(8)
		}
		for _, c := range []call{
			{op: "TensorTensor", params: settings(alu(POp, AluBitXor)), ins: ins(x, y)},
			{op: "TensorScalar", params: settings(alu(POp0, AluBitXor), number(PConst0, 0x13), alu(POp1, AluBitAnd), number(PConst1, 0x7e)), ins: ins(x)},
			{op: "ScalarTensorTensor", params: settings(alu(POp0, AluBitXor), alu(POp1, AluBitOr)), ins: ins(x, s, y)},
		} {
			c.out = zeros(d, rows, cols)
			for _, off := range []int{0, 1} {
				e, m := c.still()
				for i := range m.bits {
					m.bits[i].B = slices.Concat(make([]byte, off), m.bits[i].B)[off:]
				}
				e.Spec().Eval(e)
				for i, v := range x.bits {
					want := map[string]uint64{"TensorTensor": v ^ y.bits[i], "TensorScalar": (v ^ 0x13) & 0x7e, "ScalarTensorTensor": v ^ s.bits[i/cols] | y.bits[i]}[c.op]
					if got := m.bits[0].At(i/cols, i%cols); got != want {
						t.Fatalf("%s of %s, %d bytes off: element %d is %#x, want %#x", c.op, d, off, i, got, want)
					}
				}
			}
		}
	}
}
