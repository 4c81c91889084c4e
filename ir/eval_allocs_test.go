package ir

import (
	"testing"

	"birfuzz/ir/num"
)

// TestEvalAllocatesNothing: an executor that runs an instruction again pays for no memory.
func TestEvalAllocatesNothing(t *testing.T) {
	x, y, column := benchTile(num.Float32, 8, 12), benchTile(num.Float32, 8, 12), benchTile(num.Float32, 8, 1)
	bytes, words := benchTile(num.UInt8, 8, 12), benchTile(num.Int32, 8, 12)
	register := zeros(num.Int32, 1, 1)
	bits := settings(alu(POp0, AluBitXor), number(PConst0, 5), alu(POp1, AluBitAnd), number(PConst1, 9))
	reversed := settings(alu(POp0, AluSubtract), set(PReverse0, 1), alu(POp1, AluDivide), set(PReverse1, 1))
	pairs := pattern([]int64{5, 3}, []int64{1, 4})
	for _, c := range []call{
		{op: "TensorScalar", params: bits, out: bytes, ins: ins(bytes)},
		{op: "TensorScalar", params: reversed, out: x, ins: ins(y)},
		{op: "TensorScalarPtr", params: bits, out: bytes, ins: ins(bytes, imm(3), imm(4))},
		{op: "ScalarTensorTensor", params: bits, out: bytes, ins: ins(bytes, imm(3), bytes)},
		{op: "RegisterAlu", params: settings(alu(PRegOp, AluMax)), out: register, ins: ins(register, imm(7))},
		{op: "Iota", params: settings(pairs), out: words},
		{op: "Iota", params: settings(pairs), out: x},
		{op: "TensorScalarAffineSelect", params: settings(pairs, set(PCompareOp, int64(IsGT))), out: x, ins: ins(y)},
		{op: "TensorTensorScan", params: reversed, out: x, ins: ins(y, column, y)},
		{op: "TensorScalarCacheReduce", params: settings(alu(POp0, AluSubtract), set(PReverse0, 1), alu(POp1, AluMax)), out: column, ins: ins(y, column)},
		{op: "TensorReduce", params: settings(alu(PReduceOp, AluSubtract)), out: column, ins: ins(y)},
		{op: "Matmult", out: zeros(num.Float32, 12, 12), ins: ins(x, y)},
		{op: "Matmult", out: zeros(num.Float32, 1, 12), ins: ins(x, column)},
		{op: "Activation", params: settings(set(PFunc, int64(FuncTanh))), out: x, ins: ins(y, column)},
	} {
		e, m := c.still()
		run := func() { e.Spec().Eval(e) }
		if n := testing.AllocsPerRun(5, run); n != 0 || m.fault != "" {
			t.Errorf("%s: %v allocations a run; fault %q", c.op, n, m.fault)
		}
	}
}
