package ir

import (
	"math"
	"testing"
	"testing/quick"

	"birfuzz/ir/num"
)

func TestReduce(t *testing.T) {
	f := func(r, c int) *tensor { return zeros(num.Float32, r, c) }
	x := f32s(2, 8, 2, 3, 1, 16777216, 1, -1, 5)
	for op, want := range map[AluOp][]float64{
		AluAdd: {10, 4, 16777216, 4}, AluSubtract: {6, 2, 16777215, -6}, AluMult: {16, 3, 16777216, -5}, AluMax: {8, 3, 16777216, 5}, AluMin: {2, 1, 1, -1},
		AluAverage: {5, 2, 8388608, 2}, AluAbsMax: {8, 3, 16777216, 5}, AluAbsMin: {2, 1, 1, -1},
	} {
		call{op: "TensorReduce", params: settings(alu(PReduceOp, op)), out: f(2, 2), ins: ins(x)}.want(t, want...)
	}
	call{op: "TensorReduce", params: settings(set(PNegate, 1)), out: f(2, 1), ins: ins(x)}.want(t, -14, -16777220)
	call{op: "TensorReduce", params: settings(alu(PReduceOp, AluLogicalXor)), out: f(1, 2), ins: ins(f32s(1, 1, 0, 1, 1, 1, 1))}.want(t, 0, 1)
	call{op: "TensorReduce", params: settings(alu(PReduceOp, AluBitAnd)), out: zeros(num.UInt8, 2, 1), ins: ins(raw(num.UInt8, 2, 0xff, 0x3c, 0xf0, 0x0f))}.want(t, 0x3c, 0)
	call{op: "TensorReduce", out: f(1, 2), ins: ins(f32s(1, 1, 2, 3))}.faults(t)
	call{op: "TensorReduce", params: settings(alu(PReduceOp, AluBitAnd)), out: zeros(num.UInt8, 1, 2), ins: ins(zeros(num.UInt8, 1, 3))}.faults(t)
	call{op: "Pool", out: f(2, 2), ins: ins(x)}.want(t, 8, 3, 16777216, 5)
	call{op: "Pool", params: settings(set(PPoolFunc, 1)), out: f(2, 2), ins: ins(x)}.want(t, 5, 2, 8388608, 2)
}

// TestReduceIsLeftToRight compares every foldable operator with the definition, bit for bit.
func TestReduceIsLeftToRight(t *testing.T) {
	for _, op := range []AluOp{AluAdd, AluSubtract, AluMult, AluMax, AluMin, AluAbsMax, AluAbsMin} {
		property := func(numbers []float32, lanes, runs uint8) bool {
			rows, cols := int(lanes%7)+1, int(runs%3)+1
			k := len(numbers) / (rows * cols)
			if k == 0 {
				return true
			}
			x := zeros(num.Float32, rows, cols*k)
			for i := range x.bits {
				x.bits[i] = uint64(math.Float32bits(numbers[i]))
			}
			m := call{op: "TensorReduce", params: settings(alu(PReduceOp, op)), out: zeros(num.Float32, rows, cols), ins: ins(x)}.run(t)
			for i, got := range m.out.view().F {
				want := numbers[i*k]
				for _, v := range numbers[i*k+1 : (i+1)*k] {
					want = aluFuncs[op](want, v)
				}
				if !sameBits(got, want) {
					return false
				}
			}
			return true
		}
		if err := quick.Check(property, nil); err != nil {
			t.Errorf("%v: %v", op, err)
		}
	}
}

func TestScans(t *testing.T) {
	f := func(r, c int) *tensor { return zeros(num.Float32, r, c) }
	scan := func(op0, op1 AluOp, rev0, rev1 int64) []Param {
		return settings(alu(POp0, op0), alu(POp1, op1), set(PReverse0, rev0), set(PReverse1, rev1))
	}
	x, s, y := f32s(2, 1, 2, 3, 4), f32s(2, 10, 20), f32s(2, 1, 1, 2, 2)
	call{op: "TensorTensorScan", params: scan(AluMult, AluAdd, 0, 0), out: f(2, 2), ins: ins(x, s, y)}.want(t, 11, 23, 62, 250)
	call{op: "TensorTensorScan", params: scan(AluSubtract, AluSubtract, 0, 0), out: f(2, 2), ins: ins(x, s, y)}.want(t, -10, 11, -19, 21)
	call{op: "TensorTensorScan", params: scan(AluSubtract, AluSubtract, 1, 1), out: f(2, 2), ins: ins(x, s, y)}.want(t, -8, 11, -15, 21)
	// nki-isa.md §9.6: the carry is not rounded to bfloat16.
	ones := zeros(num.BFloat16, 1, 300)
	for i := range ones.bits {
		ones.bits[i] = 0x3f80
	}
	m := call{op: "TensorTensorScan", params: scan(AluMult, AluAdd, 0, 0), out: zeros(num.BFloat16, 1, 300), ins: ins(ones, imm(0), ones)}.run(t)
	if got := m.out.view().F[299]; got != 300 {
		t.Errorf("the sum of 300 ones in a bfloat16 scan is %v", got)
	}
	for op, want := range map[AluOp][]float64{AluAdd: {2, 6}, AluSubtract: {-2, -6}, AluMult: {2, 8}, AluMax: {2, 4}, AluMin: {2, 2}} {
		c := call{op: "TensorScalarCacheCumulative", params: scan(AluMult, op, 0, 0), out: f(1, 2), ins: ins(f32s(1, 1, 2), imm(2))}
		c.want(t, want...)
		c.op, c.out = "TensorScalarCacheReduce", f(1, 1)
		c.want(t, want[1])
	}
	call{op: "TensorScalarCacheCumulative", params: scan(AluSubtract, AluSubtract, 1, 1), out: f(1, 2), ins: ins(f32s(1, 1, 2), imm(10))}.want(t, 9, -1)
	call{op: "TensorScalarCacheReduce", params: scan(AluAdd, AluDivide, 0, 0), out: f(2, 1), ins: ins(x, imm(2))}.faults(t)
}

func TestStatistics(t *testing.T) {
	f := func(r, c int) *tensor { return zeros(num.Float32, r, c) }
	call{op: "BNStats", out: f(1, 6), ins: ins(f32s(1, 1, 2, 3, 4, 5))}.want(t, 3, 3, 8, 2, 3, 2)
	call{op: "BNStats", out: f(1, 6), ins: ins(f32s(1, 7))}.want(t, 1, 7, 0, 0, 0, 0)
	call{op: "BNStats", out: f(1, 6), ins: ins(f32s(1, 1e6+1, 5, 1e6+3, 5))}.want(t, 2, 1e6+2, 2, 2, 5, 0)
	call{op: "BNStatsAggregate", out: f(1, 2), ins: ins(f32s(1, 3, 3, 8, 2, 3, 2))}.want(t, 3, 2)
	call{op: "BNStatsAggregate", out: f(1, 2), ins: ins(f32s(1, 1, 2, 0, 1, 4, 0))}.want(t, 3, 1)
	call{op: "BNStatsAggregate", out: f(1, 2), ins: ins(f32s(1, 0, 0, 0))}.want(t, 0, 0)
}

func TestAccumulate(t *testing.T) {
	rows := View{F: []float32{1, 2, 99, 3, 4, 99, 5, 6, 99, 7, 8, 99, 16777216, 1}, Rows: 5, Cols: 2, Stride: 3}
	for mode, want := range map[AccMode][]float32{
		AccIdle:           {1, 2, 3, 4, 5, 6},
		AccZero:           {0, 0, 0, 0, 0, 6},
		AccAccumulate:     {4, 9, 14, 19, 16777220, 6}, // 16777216+1 rounds before 5 is added
		AccZeroAccumulate: {3, 7, 11, 15, 16777216, 6},
	} {
		acc := []float32{1, 2, 3, 4, 5, 6}
		Accumulate(acc, mode, rows)
		for i := range acc {
			if acc[i] != want[i] {
				t.Errorf("mode %d gives %v, want %v", mode, acc, want)
				break
			}
		}
	}
	call{op: "ReadActivationAccumulator", out: zeros(num.BFloat16, 2, 1), acc: []float32{257, -3, 4}}.want(t, 256, -3)
}

func TestActivation(t *testing.T) {
	f := func(c int) *tensor { return zeros(num.Float32, 1, c) }
	act := func(fn ActFunc, more ...Param) []Param { return append(more, set(PFunc, int64(fn))) }
	for fn, want := range map[ActFunc][]float64{ // of −1, 0, 2
		FuncIdentity: {-1, 0, 2}, FuncCopy: {-1, 0, 2}, FuncRelu: {0, 0, 2}, FuncSquare: {1, 0, 4}, FuncAbs: {1, 0, 2}, FuncSign: {-1, 0, 1},
		FuncExp: {0.36787944, 1, 7.389056}, FuncSigmoid: {0.26894143, 0.5, 0.8807971}, FuncTanh: {-0.7615942, 0, 0.9640276},
		FuncGelu: {-0.15865526, 0, 1.9544997}, FuncGeluApprxTanh: {-0.15880801, 0, 1.9545977}, FuncSilu: {-0.26894143, 0, 1.7615942},
		FuncErf: {-0.8427008, 0, 0.9953223}, FuncSoftplus: {0.3132617, 0.6931472, 2.126928}, FuncMish: {-0.30340147, 0, 1.9439590},
		FuncSin: {-0.84147096, 0, 0.9092974}, FuncGeluApprxSigmoid: {-0.15420423, 0, 1.9356586}, FuncArctan: {-0.7853982, 0, 1.1071488},
	} {
		checkNear(t, fn, call{op: "Activation", params: act(fn), out: f(3), ins: ins(f32s(1, -1, 0, 2))}.run(t), want)
	}
	for fn, want := range map[ActFunc][]float64{ // of 4, 0.25
		FuncLn: {1.3862944, -1.3862944}, FuncSqrt: {2, 0.5}, FuncRsqrt: {0.5, 2}, FuncReciprocal: {0.25, 4},
	} {
		checkNear(t, fn, call{op: "Activation", params: act(fn), out: f(2), ins: ins(f32s(1, 4, 0.25))}.run(t), want)
	}
	call{op: "Activation", params: act(FuncSquare, number(PScale, 3)), out: f(2), ins: ins(f32s(1, 1, 2), imm(1))}.want(t, 16, 49)
	call{op: "Activation", params: act(FuncCopy, number(PScale, 2)), out: zeros(num.Float32, 2, 1), ins: ins(f32s(2, 1, 2), f32s(2, 10, 20))}.want(t, 12, 24)
	call{op: "Activation", params: act(FuncRelu), out: f(2), ins: ins(f32s(1, nan, inf))}.want(t, nan, inf)
	call{op: "Activation", params: act(FuncExp), out: f(3), ins: ins(f32s(1, -inf, 0, 100))}.want(t, 0, 1, inf)
	call{op: "Exponential", out: f(2), ins: ins(f32s(1, 3, -inf), imm(-3))}.want(t, 1, 0)
	m := call{op: "Activation", params: act(FuncCopy), out: f(1), ins: ins(raw(num.Float32, 1, signBit))}.run(t)
	if m.out.bits[0] != signBit {
		t.Errorf("copy of -0 without bias gives %#x", m.out.bits[0])
	}
}

// checkNear compares to the precision of the decimal constants.
func checkNear(t *testing.T, fn ActFunc, m *fake, want []float64) {
	t.Helper()
	for i, w := range want {
		if got := float64(m.out.view().F[i]); math.Abs(got-w) > 2e-7*math.Max(1, math.Abs(w)) {
			t.Errorf("%v: element %d is %v, want %v", fn, i, got, w)
		}
	}
}
