package ir

import (
	"testing"

	"birfuzz/ir/num"
)

// unary adds an instruction from one tile to another.
func (b *builder) unary(row string, e Engine, outLanes, outCols, inLanes, inCols int64) *Inst {
	out, x := b.loc("out", SB, num.Float32, outLanes, outCols), b.loc("x", SB, num.Float32, inLanes, inCols)
	return b.add(row, e, whole(out), whole(x))
}

// square is a matmul of K×M by K×N into a PSUM tile of cols columns.
func (b *builder) matmul(k, m, n int64, d DType) *Inst {
	out := b.loc("out", PSUM, num.Float32, m, n)
	moving, stationary := b.loc("moving", SB, d, k, n), b.loc("stationary", SB, num.Float32, k, m)
	return b.add("Matmult", PE, whole(out), whole(moving), whole(stationary))
}

func TestVerifyMatmulLegality(t *testing.T) {
	runCases(t, []verifyCase{
		{"the largest", "", 0, func(b *builder) { b.matmul(128, 128, 512, num.Float32) }},
		{"two banks", RuleBank, 0, func(b *builder) {
			in := b.matmul(128, 128, 256, num.Float32)
			in.Args[0] = tileOf(b.loc("wide", PSUM, num.Float32, 128, 1024), 0, 384, 128, 256)
		}},
		{"over a bank's end where placed", RuleBank, 0, func(b *builder) {
			in := b.matmul(128, 128, 256, num.Float32)
			in.Args[0].Loc.at(0, 1028).Bank = 3
		}},
		{"several banks on core_v4", "", 0, func(b *builder) { b.p.Arch = CoreV4; b.matmul(128, 128, 4096, num.Float32) }},
		{"8192 columns of bfloat16 on core_v4", "", 0, func(b *builder) {
			b.p.Arch = CoreV4
			in := b.matmul(16, 16, 16, num.Float32)
			in.Args[0] = whole(b.loc("wide", PSUM, num.BFloat16, 16, 8192))
			in.Args[1] = pairsOf(in.Args[1].Loc, Pair{16, 16}, Pair{0, 8192}, Pair{1, 1})
		}},
		{"bfloat16 sums before core_v4", RuleArch, 0, func(b *builder) {
			in := b.matmul(16, 16, 512, num.Float32)
			in.Args[0].Loc.Set.DType, in.Args[0].DType = num.BFloat16, num.BFloat16
			in.Args[0].AP[0].Step = 1024
		}},
		{"129 stationary columns", RuleShape, 0, func(b *builder) {
			in := b.matmul(16, 128, 16, num.Float32)
			in.Args[2] = pairsOf(in.Args[2].Loc, Pair{128, 16}, Pair{0, 2}, Pair{1, 128})
		}},
		{"into SB", RuleMemory, 0, func(b *builder) { b.matmul(16, 16, 16, num.Float32).Args[0].Loc.Type = SB }},
		{"float32 with bfloat16", RuleDType, 0, func(b *builder) { b.matmul(16, 16, 16, num.BFloat16) }},
		{"integers", RuleDType, 0, func(b *builder) { b.matmul(16, 16, 16, num.Int32) }},
		{"K differs", RuleShape, 0, func(b *builder) {
			in := b.matmul(32, 16, 16, num.Float32)
			in.Args[1] = tileOf(in.Args[1].Loc, 0, 0, 16, 16)
		}},
	})
}

func TestVerifyRowLegality(t *testing.T) {
	reduce := func(axis int64, outCols int64) func(b *builder) {
		return func(b *builder) {
			out, x := b.loc("out", SB, num.Float32, 4, outCols), b.loc("x", SB, num.Float32, 4, 24)
			b.add("TensorReduce", DVE, whole(out), pairsOf(x, Pair{24, 4}, Pair{6, 4}, Pair{1, 6})).with(PAxis, axis)
		}
	}
	shuffle := func(lanes, from int64, mask ...int64) func(b *builder) {
		return func(b *builder) {
			in := b.unary("StreamShuffle", DVE, lanes, 4, from, 4)
			in.SetParam(Param{ID: PMask, L: append(mask, make([]int64, 32-len(mask))...)})
		}
	}
	runCases(t, []verifyCase{
		{"fold of X", "", 0, reduce(0, 4)},
		{"fold of XY", "", 0, reduce(1, 1)},
		{"fold of X into too few", RuleShape, 0, reduce(0, 3)},
		{"fold of XYZ of two pairs", RuleShape, 0, reduce(2, 1)},
		{"fold by pow", RuleSetting, 0, func(b *builder) { b.unary("TensorReduce", DVE, 4, 1, 4, 8).with(PReduceOp, int64(AluPow)) }},
		{"fold of float bits", RuleDType, 0, func(b *builder) { b.unary("TensorReduce", DVE, 4, 1, 4, 8).with(PReduceOp, int64(AluBitAnd)) }},
		{"negated bits", RuleSetting, 0, func(b *builder) {
			out, x := b.loc("out", SB, num.Int32, 4, 1), b.loc("x", SB, num.Int32, 4, 8)
			b.add("TensorReduce", DVE, whole(out), whole(x)).with(PReduceOp, int64(AluBitAnd)).with(PNegate, 1)
		}},
		{"pattern of five pairs", RuleSetting, 0, func(b *builder) {
			b.iota(16).Params[0].LL = [][]int64{{1, 16}, {1, 1}, {1, 1}, {1, 1}, {1, 1}}
		}},
		{"second scalar that shifts too far", RuleSetting, 0, func(b *builder) {
			x := b.loc("x", SB, num.UInt8, 4, 4)
			b.add("TensorScalarPtr", DVE, whole(x), whole(x), immOf(1), immOf(8)).with(POp0, int64(AluBitAnd)).with(POp1, int64(AluLogicalShiftRight))
		}},
		{"register shifted too far", RuleSetting, 0, func(b *builder) {
			r := b.loc("r", REG, num.Int32, 1, 1)
			b.add("RegisterAlu", SP, regOf(r), regOf(r), Operand{Kind: ImmOperand, DType: num.Int32, Imm: 32}).with(PRegOp, int64(AluLogicalShiftLeft))
		}},
		{"pool of one pair", RuleShape, 0, func(b *builder) { b.unary("Pool", DVE, 4, 1, 4, 8) }},
		{"Max of 7", RuleShape, 0, func(b *builder) { b.unary("Max", DVE, 4, 8, 4, 7) }},
		{"Max of 8", "", 0, func(b *builder) { b.unary("Max", DVE, 4, 8, 4, 8) }},
		{"Max of 16384", "", 0, func(b *builder) { b.unary("Max", DVE, 4, 8, 4, 16384) }},
		{"Max of 16385", RuleShape, 0, func(b *builder) { b.unary("Max", DVE, 4, 8, 4, 16385) }},
		{"Max into 7", RuleShape, 0, func(b *builder) { b.unary("Max", DVE, 4, 7, 4, 9) }},
		{"BNStats of 513", RuleShape, 0, func(b *builder) { b.unary("BNStats", DVE, 4, 6, 4, 513) }},
		{"BNStats of 512", "", 0, func(b *builder) { b.unary("BNStats", DVE, 4, 6, 4, 512) }},
		{"aggregate of 7", RuleShape, 0, func(b *builder) { b.unary("BNStatsAggregate", DVE, 4, 2, 4, 7) }},
		{"blocks of 32", "", 0, func(b *builder) { b.unary("StreamTranspose", DVE, 64, 32, 64, 32) }},
		{"blocks of 16", RuleShape, 0, func(b *builder) { b.unary("StreamTranspose", DVE, 16, 32, 16, 32) }},
		{"shuffle", "", 0, shuffle(32, 32, 31, 255, 0)},
		{"shuffle of one lane", "", 0, shuffle(32, 1)},
		{"shuffle from beyond", RuleShape, 0, shuffle(32, 1, 1)},
		{"shuffle entry 32", RuleSetting, 0, shuffle(32, 32, 32)},
		{"shuffle entry 256", RuleSetting, 0, shuffle(32, 32, 256)},
		{"shuffle without a mask", RuleSetting, 0, func(b *builder) { b.unary("StreamShuffle", DVE, 32, 4, 32, 4) }},
		{"both inputs in PSUM", RuleMemory, 0, func(b *builder) {
			in := b.addition(4, 4)
			in.Args[1].Loc.Type, in.Args[2].Loc.Type = PSUM, PSUM
		}},
		{"one input in PSUM", "", 0, func(b *builder) { b.addition(4, 4).Args[2].Loc.Type = PSUM }},
		{"scan on bits", RuleSetting, 0, func(b *builder) {
			x := b.loc("x", SB, num.Int32, 4, 4)
			b.add("TensorTensorScan", DVE, whole(x), whole(x), immOf(0), whole(x)).with(POp0, int64(AluBitOr))
		}},
		{"cache without a start", RuleSetting, 0, func(b *builder) {
			x := b.loc("x", SB, num.Float32, 4, 4)
			b.add("TensorScalarCacheCumulative", DVE, whole(x), whole(x), immOf(0)).with(POp0, int64(AluAdd))
		}},
	})
}

func TestVerifyDMALegality(t *testing.T) {
	runCases(t, []verifyCase{
		{"scatter that adds", RuleSetting, 0, func(b *builder) {
			x, y, i := b.loc("x", SB, num.Float32, 4, 4), b.loc("y", Output, num.Float32, 9, 4), b.loc("i", SB, num.Int32, 4, 1)
			b.add("IndirectSave", Pool, whole(y), whole(x), whole(i)).with(POp, int64(AluAdd))
		}},
		{"gather by floats", RuleDType, 0, func(b *builder) {
			x, y, i := b.loc("x", SB, num.Float32, 4, 4), b.loc("y", Input, num.Float32, 9, 4), b.loc("i", SB, num.Float32, 4, 1)
			b.add("IndirectLoad", Pool, whole(x), whole(y), whole(i))
		}},
		{"transpose by DMA of three sizes", RuleSetting, 0, func(b *builder) { b.unary("DMATranspose", SP, 8, 4, 4, 8).with(PTransposeOp, 2) }},
		{"transpose by DMA", "", 0, func(b *builder) { b.unary("DMATranspose", SP, 8, 4, 4, 8) }},
		{"transpose by DMA into the same shape", RuleShape, 0, func(b *builder) {
			in := b.unary("DMATranspose", SP, 4, 8, 4, 8)
			in.Args[0] = pairsOf(in.Args[0].Loc, Pair{8, 4}, Pair{1, 4})
			in.Args[1] = pairsOf(in.Args[1].Loc, Pair{8, 4}, Pair{1, 5})
		}},
	})
}

func TestVerifyFacts(t *testing.T) {
	runCases(t, []verifyCase{
		{"placed", "", Placed, func(b *builder) {
			x := b.loc("x", SB, num.Float32, 4, 4).at(0, 0)
			b.loc("unused", SB, num.Float32, 4, 4)
			b.reads(whole(x))
			b.f.Sets[2].Locs[0].at(0, 64)
		}},
		{"not placed, once a location", RuleFact, Placed, func(b *builder) {
			x := b.loc("x", SB, num.Float32, 4, 4)
			b.writes(whole(x))
			b.writes(whole(x))
		}},
		{"not split", RuleFact, Split, func(b *builder) { b.loadAt(Affine{Terms: []Term{{Coef: 16, Kind: ShardTerm, N: 2}}}) }},
		{"unrolled, not split", "", Unrolled, func(b *builder) { b.loadAt(Affine{Terms: []Term{{Coef: 16, Kind: ShardTerm, N: 2}}}) }},
	})
}
