package ir

import (
	"fmt"
	"testing"

	"birfuzz/ir/num"
)

// still is a Machine that hands out the same memory at every call, as an executor does with aliased float32 operands.
type still struct {
	fake
	views []View
	bits  []Bits
	picks []int32
}

func (m *still) In(i int) View     { return m.views[i+1] }
func (m *still) Out(int) View      { return m.views[0] }
func (m *still) Old(int) View      { return m.views[0] }
func (m *still) InBits(i int) Bits { return m.bits[i+1] }
func (m *still) OutBits(int) Bits  { return m.bits[0] }
func (m *still) Pick() []int32     { return m.picks }

// still readies c to be executed over and over.
func (c call) still() (*Eval, *still) {
	spec, _ := OpNamed(c.op)
	in := &Inst{Op: spec.Op, Engine: c.engine, NOut: 1}
	m := &still{fake: fake{out: c.out, ins: c.ins, poison: map[[2]int]bool{}}, picks: make([]int32, len(c.out.bits))}
	for _, x := range append(ins(c.out), c.ins...) {
		in.Args = append(in.Args, x.operand())
		m.views = append(m.views, x.view())
		m.bits = append(m.bits, x.elements())
	}
	for _, p := range c.params {
		in.SetParam(p)
	}
	return &Eval{Inst: in, Machine: m}, m
}

// bench executes c over and over and reports M elements of work a second.
func (c call) bench(b *testing.B, elements int) {
	e, _ := c.still()
	b.ReportAllocs()
	for b.Loop() {
		e.Spec().Eval(e)
	}
	b.ReportMetric(float64(elements)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Melem/s")
}

// benchTile has numbers of both signs in no order, so that no branch is predictable.
func benchTile(d DType, rows, cols int) *tensor {
	t := zeros(d, rows, cols)
	state := uint32(rows*cols) | 1
	for i := range t.bits {
		state = state*1664525 + 1013904223
		t.bits[i] = num.Encode(d, float32(int32(state)>>8)/(1<<20))
	}
	return t
}

const benchRows, benchCols = 64, 64

// BenchmarkTensorTensor has every operator on tiles that the second cache holds.
func BenchmarkTensorTensor(b *testing.B) {
	for op := AluBypass; op < NumAluOps; op++ {
		if op.Bitwise() {
			continue
		}
		b.Run(op.String(), func(b *testing.B) {
			x, y := benchTile(num.Float32, benchRows, benchCols), benchTile(num.Float32, benchRows, benchCols)
			if op.Logical() {
				x, y = zeros(num.Float32, benchRows, benchCols), zeros(num.Float32, benchRows, benchCols)
			}
			call{op: "TensorTensor", params: settings(alu(POp, op)), out: zeros(num.Float32, benchRows, benchCols), ins: ins(x, y)}.bench(b, len(x.bits))
		})
	}
}

func BenchmarkElementwise(b *testing.B) {
	x, y, s := benchTile(num.Float32, benchRows, benchCols), benchTile(num.Float32, benchRows, benchCols), benchTile(num.Float32, benchRows, 1)
	u := benchTile(num.UInt8, benchRows, benchCols)
	out := zeros(num.Float32, benchRows, benchCols)
	ops := settings(alu(POp0, AluMult), alu(POp1, AluAdd), number(PConst0, 2), number(PConst1, 3))
	act := func(f ActFunc) []Param { return settings(set(PFunc, int64(f))) }
	for _, c := range []struct {
		name string
		call call
	}{
		{"const", call{op: "TensorScalar", params: ops[:1], out: out, ins: ins(x)}},
		{"const2", call{op: "TensorScalar", params: ops, out: out, ins: ins(x)}},
		{"column", call{op: "TensorScalarPtr", params: ops[:1], out: out, ins: ins(x, s)}},
		{"scalar-tensor-tensor", call{op: "ScalarTensorTensor", params: ops[:2], out: out, ins: ins(x, s, y)}},
		{"scan", call{op: "TensorTensorScan", params: ops[:2], out: out, ins: ins(x, s, y)}},
		{"cumulative", call{op: "TensorScalarCacheCumulative", params: ops[:2], out: out, ins: ins(x, s)}},
		{"xor-uint8", call{op: "TensorTensor", params: settings(alu(POp, AluBitXor)), out: u, ins: ins(u, u)}},
		{"reduce-add", call{op: "TensorReduce", params: settings(alu(PReduceOp, AluAdd)), out: zeros(num.Float32, benchRows, 1), ins: ins(x)}},
		{"reduce-max", call{op: "TensorReduce", params: settings(alu(PReduceOp, AluMax)), out: zeros(num.Float32, benchRows, 1), ins: ins(x)}},
		{"reduce-abs_max", call{op: "TensorReduce", params: settings(alu(PReduceOp, AluAbsMax)), out: zeros(num.Float32, benchRows, 1), ins: ins(x)}},
		{"pool-avg", call{op: "Pool", params: settings(set(PPoolFunc, 1)), out: zeros(num.Float32, benchRows, benchCols/4), ins: ins(x)}},
		{"bn-stats", call{op: "BNStats", out: zeros(num.Float32, benchRows, 6), ins: ins(x)}},
		{"max8", call{op: "Max", out: zeros(num.Float32, benchRows, 8), ins: ins(x)}},
		{"select", call{op: "Select", out: out, ins: ins(zeros(num.Float32, benchRows, benchCols), x, y)}},
		{"copy-predicated", call{op: "CopyPredicated", out: out, ins: ins(zeros(num.UInt8, benchRows, benchCols), x)}},
		{"reciprocal", call{op: "Reciprocal", out: out, ins: ins(x)}},
		{"relu", call{op: "Activation", params: act(FuncRelu), out: out, ins: ins(x)}},
		{"exp", call{op: "Activation", params: act(FuncExp), out: out, ins: ins(x)}},
		{"tanh", call{op: "Activation", params: act(FuncTanh), out: out, ins: ins(x)}},
		{"gelu", call{op: "Activation", params: act(FuncGelu), out: out, ins: ins(x)}},
		{"stream-transpose", call{op: "StreamTranspose", out: out, ins: ins(x)}},
	} {
		b.Run(c.name, func(b *testing.B) { c.call.bench(b, benchRows*benchCols) })
	}
}

// BenchmarkMatmul reports M products a second; twice that is the FLOP rate.
func BenchmarkMatmul(b *testing.B) {
	for _, s := range [][3]int{{128, 128, 512}, {128, 128, 32}, {128, 128, 8}, {64, 64, 64}, {64, 64, 1}, {32, 32, 8}, {16, 16, 16}, {8, 8, 8}, {8, 6, 5}} {
		k, m, n := s[0], s[1], s[2]
		b.Run(fmt.Sprintf("%dx%dx%d", k, m, n), func(b *testing.B) {
			call{op: "Matmult", out: zeros(num.Float32, m, n), ins: ins(benchTile(num.Float32, k, n), benchTile(num.Float32, k, m))}.bench(b, m*n*k)
			b.ReportMetric(2*float64(m*n*k)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
		})
	}
}
