package ir

import (
	"testing"

	"birfuzz/ir/num"
)

// of makes an instruction of a row from tiles of the given type to such a tile, on a generation.
func of(a Arch, row string, e Engine, d DType, set ...Param) func(*builder) {
	return func(b *builder) {
		b.p.Arch = a
		spec, _ := OpNamed(row)
		var args []Operand
		for _, list := range [2][]OperandSpec{spec.Outs, spec.Ins} {
			for i := range list {
				cols := int64(4)
				if list[i].Shape[1] == byte(DimOne) || list[i].Shape[1] == 'G' {
					cols = 1
				}
				if list[i].Role != Scalar {
					args = append(args, whole(b.loc(list[i].Name, SB, d, 4, cols)))
				} else if !list[i].Opt || set != nil && set[len(set)-1].ID == POp1 {
					args = append(args, immOf(1))
				}
			}
		}
		in := b.add(row, e, args...)
		for _, p := range set {
			in.SetParam(p)
		}
	}
}

func op(o AluOp) Param  { return Param{ID: POp, I: int64(o)} }
func op0(o AluOp) Param { return Param{ID: POp0, I: int64(o)} }
func op1(o AluOp) Param { return Param{ID: POp1, I: int64(o)} }

// TestVerifyOperatorEngines: which engine has which operator (nki-isa.md §1.2, §2.1, §3.9, §3.10), both ways.
func TestVerifyOperatorEngines(t *testing.T) {
	fold := func(o AluOp) Param { return Param{ID: PReduceOp, I: int64(o)} }
	runCases(t, []verifyCase{
		{"bits on Vector", "", 0, of(Gen3, "TensorTensor", DVE, num.Int32, op(AluBitAnd))},
		{"bits on no engine yet", "", 0, of(Gen3, "TensorTensor", Unassigned, num.Int32, op(AluBitAnd))},
		{"bits on GpSimd", RuleEngine, 0, of(Gen3, "TensorTensor", Pool, num.Int32, op(AluBitAnd))},
		{"shift on GpSimd", RuleEngine, 0, of(Gen3, "TensorScalar", Pool, num.Int32, op0(AluLogicalShiftLeft))},
		{"bits after bypass on Scalar", RuleEngine, 0, of(CoreV4, "TensorScalarPtr", Activation, num.Int32, op1(AluBitOr))},
		{"fold of bits on GpSimd", RuleEngine, 0, of(Gen3, "TensorReduce", Pool, num.Int32, fold(AluBitOr))},
		{"fold of bits on Vector", "", 0, of(Gen3, "TensorReduce", DVE, num.Int32, fold(AluBitOr))},
		{"fold of numbers on GpSimd", "", 0, of(Gen3, "TensorReduce", Pool, num.Int32, fold(AluMax))},
		{"pow on GpSimd", "", 0, of(Gen3, "TensorTensor", Pool, num.Float32, op(AluPow))},
		{"pow on Vector", RuleEngine, 0, of(Gen3, "TensorTensor", DVE, num.Float32, op(AluPow))},
		{"pow with a scalar", RuleSetting, 0, of(Gen3, "TensorScalar", Pool, num.Float32, op0(AluPow))},
		{"pow in a chain with a tensor", RuleSetting, 0, of(Gen3, "ScalarTensorTensor", DVE, num.Float32, op0(AluPow))},
		{"pow in PSUM", RuleMemory, 0, func(b *builder) {
			of(Gen3, "TensorTensor", Unassigned, num.Float32, op(AluPow))(b)
			b.f.Sets[1].Locs[0].Type = PSUM
		}},
		{"divide on Vector", "", 0, of(Gen3, "TensorTensor", DVE, num.Float32, op(AluDivide))},
		{"divide on GpSimd", RuleEngine, 0, of(Gen3, "TensorTensor", Pool, num.Float32, op(AluDivide))},
		{"mod on Scalar", RuleEngine, 0, of(CoreV4, "TensorScalar", Activation, num.Float32, op0(AluMod))},
		{"rsqrt on GpSimd", "", 0, of(Gen3, "TensorScalar", Pool, num.Float32, op0(AluRsqrt))},
		{"max with a scalar on GpSimd", RuleEngine, 0, of(Gen3, "TensorScalar", Pool, num.Float32, op0(AluMax))},
		{"mult, add on Scalar", "", 0, of(Gen3, "TensorScalarPtr", Activation, num.Float32, op0(AluMult), op1(AluAdd))},
		{"add on Scalar", "", 0, of(Gen3, "TensorScalar", Activation, num.Float32, op0(AluAdd))},
		{"add, mult on Scalar", RuleEngine, 0, of(Gen3, "TensorScalar", Activation, num.Float32, op0(AluAdd), op1(AluMult))},
		{"subtract on Scalar of core_v4", "", 0, of(CoreV4, "TensorScalar", Activation, num.Float32, op0(AluSubtract))},
		{"mult on Scalar of sunda", RuleEngine, 0, of(Sunda, "TensorScalar", Activation, num.Float32, op0(AluMult))},
		{"abs_max before core_v4", RuleArch, 0, of(Gen3, "TensorTensor", DVE, num.Float32, op(AluAbsMax))},
		{"abs_min in a scan before core_v4", RuleArch, 0, of(Gen3, "TensorTensorScan", DVE, num.Float32, op1(AluAbsMin))},
		{"abs_max on core_v4", "", 0, of(CoreV4, "TensorTensor", DVE, num.Float32, op(AluAbsMax))},
	})
}

// TestVerifyTypesOfRows: types that single instructions leave out.
func TestVerifyTypesOfRows(t *testing.T) {
	running := []Param{op0(AluAdd), op1(AluMax)}
	compare := func(c Cmp) Param { return Param{ID: PCompareOp1, I: int64(c)} }
	typed := func(a Arch, row string, arg int, d DType) func(*builder) {
		return func(b *builder) {
			of(a, row, DVE, num.Float32)(b)
			b.f.Sets[arg].DType, b.b.Insts[0].Args[arg].DType = d, d
		}
	}
	runCases(t, []verifyCase{
		{"signed predicate", RuleDType, 0, typed(Gen3, "CopyPredicated", 1, num.Int32)},
		{"unsigned predicate", "", 0, typed(Gen3, "CopyPredicated", 1, num.UInt32)},
		{"signed mask of Select", "", 0, typed(Gen3, "Select", 1, num.Int32)},
		{"range of integers", RuleDType, 0, typed(Gen3, "RangeSelect", 1, num.Int32)},
		{"range into integers", RuleDType, 0, typed(Gen3, "RangeSelect", 0, num.UInt32)},
		{"range other than a bound", RuleSetting, 0, of(Gen3, "RangeSelect", DVE, num.Float32, compare(NotEqual))},
		{"range up to a bound", "", 0, of(Gen3, "RangeSelect", DVE, num.Float32, compare(IsLE))},
		{"Exponential into uint32", RuleDType, 0, typed(CoreV4, "Exponential", 0, num.UInt32)},
		{"Exponential into int32", "", 0, typed(CoreV4, "Exponential", 0, num.Int32)},
		{"Exponential of uint32", "", 0, typed(CoreV4, "Exponential", 1, num.UInt32)},
		{"running int32", RuleDType, 0, func(b *builder) {
			of(Gen3, "TensorScalarCacheCumulative", DVE, num.Float32, running...)(b)
			b.f.Sets[1].DType, b.b.Insts[0].Args[1].DType = num.Int32, num.Int32
		}},
		{"running int16", "", 0, of(Gen3, "TensorScalarCacheCumulative", DVE, num.Int16, running...)},
		{"running fold into uint32", RuleDType, 0, func(b *builder) {
			of(Gen3, "TensorScalarCacheReduce", DVE, num.Float32, running...)(b)
			b.f.Sets[0].DType, b.b.Insts[0].Args[0].DType = num.UInt32, num.UInt32
		}},
		{"both forms of float8e4 in one module", RuleDType, 0, func(b *builder) {
			of(CoreV4, "TensorCopy", DVE, num.Float8e4)(b)
			x := b.loc("x", SB, num.Float8e4m3fn, 4, 4)
			b.add("TensorCopy", DVE, whole(x), whole(x))
			b.add("TensorCopy", DVE, whole(x), whole(x))
		}},
		{"float8e5 beside the OCP form", "", 0, func(b *builder) {
			of(CoreV4, "TensorCopy", DVE, num.Float8e5)(b)
			x := b.loc("x", SB, num.Float8e4m3fn, 4, 4)
			b.add("TensorCopy", DVE, whole(x), whole(x))
		}},
	})
}

// TestVerifySunda: what came after Trn1.
func TestVerifySunda(t *testing.T) {
	biased := func(a Arch, f ActFunc, bias Operand) func(*builder) {
		return func(b *builder) {
			b.p.Arch = a
			x := b.loc("x", SB, num.Float32, 4, 4)
			if bias.Kind == APOperand {
				bias = whole(b.loc("bias", SB, bias.DType, 4, 1))
			}
			b.add("Activation", Activation, whole(x), whole(x), bias).with(PFunc, int64(f))
		}
	}
	column := Operand{Kind: APOperand, DType: num.Float32}
	rounded := Operand{Kind: APOperand, DType: num.Float32r}
	barrier := func(a Arch) func(*builder) {
		return func(b *builder) {
			b.p.Arch = a
			b.add("CoreBarrier", SP).SetParam(Param{ID: PCores, L: []int64{0}})
		}
	}
	collective := func(a Arch) func(*builder) {
		return func(b *builder) {
			b.p.Arch = a
			x, y := b.loc("x", DRAM, num.Float32, 4, 4), b.loc("y", DRAM, num.Float32, 4, 4)
			b.add("CollectiveCompute", SP, whole(x), whole(y)).with(PCollectiveOp, int64(AluAdd))
		}
	}
	runCases(t, []verifyCase{
		{"number as bias", "", 0, biased(Gen3, FuncExp, immOf(1))},
		{"number as bias on sunda", RuleArch, 0, biased(Sunda, FuncExp, immOf(1))},
		{"column as bias on sunda", "", 0, biased(Sunda, FuncExp, column)},
		{"bias of float32r", RuleDType, 0, biased(Gen3, FuncExp, rounded)},
		{"reciprocal with a bias on sunda", RuleArch, 0, biased(Sunda, FuncReciprocal, column)},
		{"reciprocal with a bias", "", 0, biased(Gen3, FuncReciprocal, column)},
		{"barrier of cores", "", 0, barrier(Gen3)},
		{"barrier of cores on sunda", RuleArch, 0, barrier(Sunda)},
		{"collective", "", 0, collective(Gen3)},
		{"collective on sunda", RuleArch, 0, collective(Sunda)},
	})
}
