package ir

import (
	"math"
	"testing"
	"testing/quick"

	"birfuzz/ir/num"
)

var (
	inf = math.Inf(1)
	nan = math.NaN()
)

// TestAluOperators checks every float32 operator on hand-computed values; rows are x, y, x op y.
func TestAluOperators(t *testing.T) {
	third := float64(float32(1) / 3)
	for op, rows := range map[AluOp][][3]float64{
		AluBypass:     {{5, 7, 5}},
		AluAdd:        {{1, 2, 3}, {16777216, 1, 16777216}, {3e38, 3e38, inf}},
		AluSubtract:   {{1, 2, -1}, {inf, inf, nan}},
		AluMult:       {{3, -2, -6}, {0, inf, nan}},
		AluDivide:     {{1, 3, third}, {1, 0, inf}, {-1, 0, -inf}, {0, 0, nan}},
		AluMax:        {{1, 2, 2}, {-1, -2, -1}, {nan, 1, nan}, {1, nan, nan}},
		AluMin:        {{1, 2, 1}, {-1, -2, -2}, {nan, 1, nan}, {1, nan, nan}},
		AluAverage:    {{1, 4, 2.5}, {3e38, 3e38, inf}},
		AluPow:        {{2, 10, 1024}, {-8, 3, -512}, {4, 0.5, 2}, {-1, 0.5, nan}},
		AluMod:        {{7, 3, 1}, {-7, 3, 2}, {7, -3, -2}, {-7, -3, -1}, {5.5, 2, 1.5}, {1, 0, nan}, {-1, inf, inf}, {3e38, 7, 3}},
		AluRsqrt:      {{4, 0, 0.5}, {0, 0, inf}, {-1, 0, nan}},
		AluAbs:        {{-3, 9, 3}, {3, 9, 3}},
		AluAbsMax:     {{-5, 3, -5}, {1, -1, -1}, {-1, 1, 1}, {2, -7, -7}},
		AluAbsMin:     {{-5, 3, 3}, {1, -1, -1}, {2, -7, 2}},
		AluLogicalAnd: {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 1}},
		AluLogicalOr:  {{0, 0, 0}, {0, 1, 1}, {1, 0, 1}, {1, 1, 1}},
		AluLogicalXor: {{0, 0, 0}, {0, 1, 1}, {1, 0, 1}, {1, 1, 0}},
		AluIsEqual:    {{1, 1, 1}, {1, 2, 0}, {nan, nan, 0}},
		AluNotEqual:   {{1, 1, 0}, {1, 2, 1}, {nan, nan, 1}},
		AluIsGT:       {{2, 1, 1}, {1, 1, 0}, {nan, 1, 0}},
		AluIsGE:       {{2, 1, 1}, {1, 1, 1}, {0, 1, 0}},
		AluIsLT:       {{2, 1, 0}, {1, 1, 0}, {0, 1, 1}},
		AluIsLE:       {{2, 1, 0}, {1, 1, 1}, {1, nan, 0}},
	} {
		for _, r := range rows {
			if op == AluMod && r[0] == 3e38 {
				r[2] = math.Mod(float64(float32(3e38)), 7)
			}
			call{op: "TensorTensor", params: settings(alu(POp, op)), out: zeros(num.Float32, 1, 1), ins: ins(f32s(1, r[0]), f32s(1, r[1]))}.want(t, r[2])
			call{op: "TensorScalar", params: settings(alu(POp0, op), number(PConst0, r[1])), out: zeros(num.Float32, 1, 1), ins: ins(f32s(1, r[0]))}.want(t, r[2])
			if !op.Unary() {
				call{op: "TensorScalar", params: settings(alu(POp0, op), number(PConst0, r[0]), set(PReverse0, 1)), out: zeros(num.Float32, 1, 1),
					ins: ins(f32s(1, r[1]))}.want(t, r[2])
			}
		}
	}
}

// TestEveryOperatorHasOneMeaning: a row kernel gives what the operator's function gives, bit for bit, and an operator is either float32 or bitwise.
func TestEveryOperatorHasOneMeaning(t *testing.T) {
	for op := AluBypass; op < NumAluOps; op++ {
		if (aluFuncs[op] == nil) != op.Bitwise() || (rowFuncs[op] == nil) != op.Bitwise() || op.Bitwise() && bitFuncs[op] == nil {
			t.Errorf("%v: wrong tables", op)
			continue
		}
		if op.Bitwise() {
			continue
		}
		same := func(xs, ys []uint32) bool {
			n := min(len(xs), len(ys))
			x, y, dst := make([]float32, n), make([]float32, n), make([]float32, n)
			for i := range n {
				x[i], y[i] = math.Float32frombits(xs[i]), math.Float32frombits(ys[i])
			}
			rowFuncs[op](dst, x, y)
			for i := range dst {
				if w := aluFuncs[op](x[i], y[i]); !sameBits(dst[i], w) {
					t.Logf("%v(%v, %v) = %v in a row, %v alone", op, x[i], y[i], dst[i], w)
					return false
				}
			}
			return true
		}
		if err := quick.Check(same, nil); err != nil {
			t.Errorf("%v: %v", op, err)
		}
	}
}

func sameBits(a, b float32) bool {
	return math.Float32bits(a) == math.Float32bits(b) || a != a && b != b
}

// TestModIsFloored compares the fast path with the definition.
func TestModIsFloored(t *testing.T) {
	property := func(a, b int32, scale uint8) bool {
		x, y := float32(a)/float32(int(1)<<(scale%20)), float32(b)
		want := math.Mod(float64(x), float64(y))
		if want != 0 && (want < 0) != (y < 0) {
			want += float64(y)
		}
		got := [5]float32{}
		modRow(got[:], []float32{x, x, x, x, x}, []float32{y, y, y, y, y})
		return got[0] == got[4] && (sameBits(got[0], float32(want)) || got[0] == 0 && want == 0) || y == 0
	}
	if err := quick.Check(property, &quick.Config{MaxCount: 5000}); err != nil {
		t.Error(err)
	}
}

func TestChains(t *testing.T) {
	out := func() *tensor { return zeros(num.Float32, 2, 2) }
	x := f32s(2, 1, 2, 3, 4)
	chain := func(rev0, rev1 int64, op1 AluOp) []Param {
		return settings(alu(POp0, AluSubtract), number(PConst0, 10), set(PReverse0, rev0), alu(POp1, op1), number(PConst1, 5), set(PReverse1, rev1))
	}
	// nki-isa.md §9.7.
	call{op: "TensorScalar", params: chain(1, 0, AluBypass), out: out(), ins: ins(x)}.want(t, 9, 8, 7, 6)
	call{op: "TensorScalar", params: chain(1, 0, AluSubtract), out: out(), ins: ins(x)}.want(t, 4, 3, 2, 1)
	call{op: "TensorScalar", params: chain(0, 1, AluSubtract), out: out(), ins: ins(x)}.want(t, 14, 13, 12, 11)
	call{op: "TensorScalar", params: chain(1, 1, AluSubtract), out: out(), ins: ins(x)}.want(t, -4, -3, -2, -1)
	// §9.5: nothing is rounded to bfloat16 between the operators.
	call{op: "TensorScalar", params: settings(alu(POp0, AluAdd), number(PConst0, 1), alu(POp1, AluSubtract), number(PConst1, 256)),
		out: zeros(num.BFloat16, 1, 1), ins: ins(vals(num.BFloat16, 1, 256))}.want(t, 1)
	// No fused multiply-add: the product rounds before the sum.
	a := float64(float32(1.1))
	p := float64(float32(a * a))
	call{op: "TensorScalar", params: settings(alu(POp0, AluMult), number(PConst0, a), alu(POp1, AluSubtract), number(PConst1, p)),
		out: zeros(num.Float32, 1, 1), ins: ins(f32s(1, a))}.want(t, 0)
	call{op: "TensorScalarPtr", params: settings(alu(POp0, AluMult), alu(POp1, AluAdd)), out: out(),
		ins: ins(x, f32s(2, 10, 100), f32s(2, 1, 2))}.want(t, 11, 21, 302, 402)
	call{op: "TensorScalarPtr", params: settings(alu(POp0, AluMult), alu(POp1, AluSubtract), set(PReverse1, 1)), out: out(),
		ins: ins(x, imm(2), f32s(2, 1, 2))}.want(t, -1, -3, -4, -6)
	call{op: "TensorScalarPtr", params: settings(alu(POp0, AluAbs)), out: out(), ins: ins(f32s(2, -1, 2, -3, 4), imm(0))}.want(t, 1, 2, 3, 4)
	call{op: "ScalarTensorTensor", params: settings(alu(POp0, AluMult), alu(POp1, AluSubtract)), out: out(),
		ins: ins(x, f32s(2, 2, 3), f32s(2, 1, 1, 2, 2))}.want(t, 1, 3, 7, 10)
	call{op: "ScalarTensorTensor", params: settings(alu(POp0, AluMult), alu(POp1, AluSubtract), set(PReverse1, 1)), out: out(),
		ins: ins(x, f32s(2, 2, 3), f32s(2, 1, 1, 2, 2))}.want(t, -1, -3, -7, -10)
	call{op: "Reciprocal", out: zeros(num.Float32, 1, 3), ins: ins(f32s(1, 4, 0, -inf))}.want(t, 0.25, inf, 0)
	call{op: "TensorScalar", params: settings(alu(POp0, AluAdd), alu(POp1, AluBitAnd)), out: out(), ins: ins(x)}.faults(t)
}

// TestChainLongRows: blocks, merged lanes and scalars a lane give what element after element gives.
func TestChainLongRows(t *testing.T) {
	const rows, cols = 3, 2*block + 5
	x, y, s := zeros(num.Float32, rows, cols), zeros(num.Float32, rows, cols), f32s(rows, 2, 3, 5)
	for i := range x.bits {
		x.bits[i], y.bits[i] = num.Encode(num.Float32, float32(i%97)), num.Encode(num.Float32, float32(i%31)+0.5)
	}
	m := call{op: "ScalarTensorTensor", params: settings(alu(POp0, AluSubtract), set(PReverse0, 1), alu(POp1, AluMult)), out: zeros(num.Float32, rows, cols),
		ins: ins(x, s, y)}.run(t)
	n := call{op: "TensorTensor", params: settings(alu(POp, AluMult)), out: zeros(num.Float32, rows, cols), ins: ins(x, y)}.run(t)
	for i := range x.bits {
		xv, yv, sv := x.view().F[i], y.view().F[i], s.view().F[i/cols]
		if i%613 == 0 && (m.out.view().F[i] != (sv-xv)*yv || n.out.view().F[i] != xv*yv) {
			t.Fatalf("element %d: %v and %v", i, m.out.view().F[i], n.out.view().F[i])
		}
	}
}

func TestIntegers(t *testing.T) {
	i32 := func(v ...uint64) *tensor { return raw(num.Int32, 1, v...) }
	add := settings(alu(POp, AluAdd))
	big, one := i32(16777216), i32(1)
	call{op: "TensorTensor", engine: DVE, params: add, out: zeros(num.Int32, 1, 1), ins: ins(big, one)}.want(t, 16777216)
	bits := func(op AluOp, e Engine, d DType, x, y, want uint64) {
		t.Helper()
		m := call{op: "TensorTensor", engine: e, params: settings(alu(POp, op)), out: zeros(d, 1, 1), ins: ins(raw(d, 1, x), raw(d, 1, y))}.run(t)
		if got := m.out.bits[0]; got != want || len(m.poison) != 0 {
			t.Errorf("%v %v: %#x, want %#x; poison %v", d, op, got, want, m.poison)
		}
	}
	bits(AluAdd, Pool, num.Int32, 16777216, 1, 16777217)
	bits(AluAdd, Pool, num.Int32, 0x7fffffff, 1, 0x80000000)
	bits(AluSubtract, Pool, num.UInt32, 0, 1, 0xffffffff)
	bits(AluMult, Pool, num.Int32, 0x10001, 0x10001, 0x20001)
	bits(AluAdd, DVE, num.Int16, 32767, 1, 32767)
	bits(AluSubtract, DVE, num.UInt8, 3, 5, 0)
	bits(AluBitNot, DVE, num.UInt8, 0x0f, 0, 0xf0)
	bits(AluBitAnd, DVE, num.Int16, 0xff00, 0x0ff0, 0x0f00)
	bits(AluBitOr, DVE, num.Int16, 0xff00, 0x0ff0, 0xfff0)
	bits(AluBitXor, DVE, num.UInt32, 0xff00ff00, 0xffff0000, 0x00ffff00)
	bits(AluLogicalShiftLeft, DVE, num.UInt8, 0x81, 1, 0x02)
	bits(AluArithShiftLeft, DVE, num.Int8, 0x81, 1, 0x02)
	bits(AluLogicalShiftRight, DVE, num.Int32, 0x80000000, 31, 1)
	bits(AluArithShiftRight, DVE, num.Int32, 0x80000000, 31, 0xffffffff)
	bits(AluArithShiftRight, DVE, num.Int8, 0x80, 3, 0xf0)
	scalar := call{op: "TensorScalar", params: settings(alu(POp0, AluBitAnd), number(PConst0, -1), alu(POp1, AluBitXor), number(PConst1, 256+15)),
		out: zeros(num.UInt8, 1, 1), ins: ins(raw(num.UInt8, 1, 0xa5))}
	scalar.want(t, 0xaa)
	reversed := call{op: "TensorScalar", params: settings(alu(POp0, AluLogicalShiftLeft), number(PConst0, 1), set(PReverse0, 1)),
		out: zeros(num.UInt8, 1, 1), ins: ins(raw(num.UInt8, 1, 5))}
	reversed.want(t, 32)
	call{op: "TensorScalarPtr", params: settings(alu(POp0, AluBitXor)), out: zeros(num.UInt16, 2, 2),
		ins: ins(raw(num.UInt16, 2, 1, 2, 3, 4), raw(num.UInt16, 2, 1, 4))}.want(t, 0, 3, 7, 0)
	call{op: "ScalarTensorTensor", params: settings(alu(POp0, AluBitXor), alu(POp1, AluBitOr)), out: zeros(num.UInt16, 2, 1),
		ins: ins(raw(num.UInt16, 2, 1, 2), raw(num.UInt16, 2, 1, 4), raw(num.UInt16, 2, 8, 1))}.want(t, 8, 7)
}

func TestIntegerBits(t *testing.T) {
	for _, c := range []struct {
		f    float64
		w    int
		want uint64
	}{{-1, 8, 0xff}, {256, 8, 0}, {2.9, 32, 2}, {0xffffffff, 32, 0xffffffff}, {-0x80000000, 32, 0x80000000}, {1 << 63, 64, 1 << 63},
		{0x1p64, 64, 0}, {-0x1p63, 64, 1 << 63}, {nan, 32, 0}, {inf, 32, 0}, {0x1.8p64, 64, 1 << 63}, {-0x1.8p64, 64, 1 << 63}} {
		if got := integerBits(c.f, c.w); got != c.want {
			t.Errorf("integerBits(%v, %d) = %#x, want %#x", c.f, c.w, got, c.want)
		}
	}
}

func TestPoison(t *testing.T) {
	poisons := func(c call, want ...[2]int) {
		t.Helper()
		m := c.run(t)
		if len(m.poison) != len(want) {
			t.Errorf("%s: poison %v, want %v", c.op, m.poison, want)
		}
		for _, w := range want {
			if !m.poison[w] {
				t.Errorf("%s: poison %v, want %v", c.op, m.poison, want)
			}
		}
	}
	f := func(r, c int) *tensor { return zeros(num.Float32, r, c) }
	poisons(call{op: "TensorTensor", params: settings(alu(POp, AluLogicalShiftLeft)), out: zeros(num.UInt8, 2, 2),
		ins: ins(raw(num.UInt8, 2, 1, 1, 1, 1), raw(num.UInt8, 2, 7, 8, 0xff, 0))}, [2]int{0, 1}, [2]int{1, 0})
	poisons(call{op: "TensorTensor", params: settings(alu(POp, AluArithShiftRight)), out: zeros(num.UInt16, 1, 2),
		ins: ins(raw(num.UInt16, 1, 1, 1), raw(num.UInt16, 1, 16, 0))}, [2]int{0, 0})
	poisons(call{op: "TensorTensor", params: settings(alu(POp, AluArithShiftRight)), out: zeros(num.UInt16, 1, 2),
		ins: ins(raw(num.UInt16, 1, 1, 1), raw(num.UInt16, 1, 15, 8))}) // the OR of both counts is below the width
	poisons(call{op: "TensorTensor", params: settings(alu(POp, AluLogicalOr)), out: f(2, 2),
		ins: ins(f32s(2, 0, 1, 2, 1), f32s(2, 0, 1, 1, -1))}, [2]int{1, 0}, [2]int{1, 1})
	poisons(call{op: "TensorReduce", params: settings(alu(PReduceOp, AluLogicalAnd)), out: f(1, 2), ins: ins(f32s(1, 0, 1, 1, 3))}, [2]int{0, 1})
	poisons(call{op: "TensorTensorScan", params: settings(alu(POp0, AluLogicalOr), alu(POp1, AluLogicalAnd)), out: f(1, 3),
		ins: ins(f32s(1, 0, 2, 0), imm(0), f32s(1, 1, 1, 1))}, [2]int{0, 1}, [2]int{0, 2})
	poisons(call{op: "TensorScalarCacheCumulative", params: settings(alu(POp0, AluLogicalOr), alu(POp1, AluAdd)), out: f(1, 3),
		ins: ins(f32s(1, 0, 2, 0), imm(0))}, [2]int{0, 1}, [2]int{0, 2})
	poisons(call{op: "Activation", params: settings(set(PFunc, int64(FuncSqrt))), out: f(1, 4), ins: ins(f32s(1, 0, 1, -1, nan))},
		[2]int{0, 0}, [2]int{0, 2}, [2]int{0, 3})
	poisons(call{op: "Activation", params: settings(set(PFunc, int64(FuncReciprocal))), out: f(1, 3), ins: ins(f32s(1, 0, -1, 1))}, [2]int{0, 0})
	poisons(call{op: "Activation", params: settings(set(PFunc, int64(FuncSin)), number(PScale, 4)), out: f(2, 1), ins: ins(f32s(2, 0.5, 1))}, [2]int{1, 0})
	poisons(call{op: "Select", out: f(1, 3), ins: ins(f32s(1, 0, 2, 1), f32s(1, 1, 2, 3), f32s(1, 4, 5, 6))}, [2]int{0, 1})
}

// TestResultsInPlace: an instruction whose output is the memory of one of its inputs gives what it gives elsewhere.
func TestResultsInPlace(t *testing.T) {
	ops := settings(alu(POp0, AluSubtract), alu(POp1, AluMult))
	x, y, s, s1 := f32s(2, 1, 2, 3, 4), f32s(2, 5, 6, 7, 8), f32s(2, 9, 10), f32s(2, 11, 12)
	vals8 := f32s(1, 8, 7, 6, 5, 4, 3, 9, 2)
	for _, c := range []call{
		{op: "TensorTensor", params: settings(alu(POp, AluSubtract)), ins: ins(x, y)},
		{op: "ScalarTensorTensor", params: ops, ins: ins(x, s, y)},
		{op: "TensorScalarPtr", params: ops, ins: ins(f32s(2, 1, 2), s, s1)},
		{op: "TensorTensorScan", params: ops, ins: ins(x, s, y)},
		{op: "TensorTensorScan", params: settings(alu(POp0, AluMult), alu(POp1, AluAdd)), ins: ins(x, s, y)},
		{op: "TensorTensorScan", params: ops, ins: ins(f32s(2, 1, 2), s, s1)},
		{op: "TensorScalarCacheReduce", params: settings(alu(POp1, AluAdd)), ins: ins(f32s(2, 1, 2), s)},
		{op: "Activation", params: settings(number(PScale, 3)), ins: ins(f32s(2, 1, 2), s)},
		{op: "TensorReduce", params: settings(set(PNegate, 1)), ins: ins(x)},
		{op: "BNStats", ins: ins(f32s(1, 1, 2, 3, 4, 5, 6))},
		{op: "Max", ins: ins(f32s(1, 3, 1, 4, 1, 5, 9, 2, 6))},
		{op: "MatchReplace", params: settings(number(PImmValue, -1)), ins: ins(f32s(1, 1, 2, 3, 4, 5, 6, 7, 8), vals8)},
	} {
		c.out = zeros(num.Float32, c.ins[0].rows, c.ins[0].cols)
		apart := c.run(t).result.F
		for i, x := range c.ins {
			if x.rows != c.out.rows || x.cols != c.out.cols {
				continue
			}
			e, m := c.still()
			m.views[0] = m.views[i+1]
			e.Spec().Eval(e)
			for k, got := range m.views[0].F {
				if !sameBits(got, apart[k]) {
					t.Errorf("%s into its input %d: %v, elsewhere %v", c.op, i, m.views[0].F, apart)
					break
				}
			}
		}
	}
}
