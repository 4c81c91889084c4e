package ir

import (
	"testing"

	"birfuzz/ir/num"
)

func TestVerifyOperands(t *testing.T) {
	runCases(t, []verifyCase{
		{"one input too few", RuleOperands, 0, func(b *builder) { in := b.addition(1, 1); in.Args = in.Args[:2] }},
		{"one input too many", RuleOperands, 0, func(b *builder) { in := b.addition(1, 1); in.Args = append(in.Args, in.Args[2]) }},
		{"more outputs than operands", RuleOperands, 0, func(b *builder) { b.addition(1, 1).NOut = 9 }},
		{"immediate for memory", RuleOperands, 0, func(b *builder) { b.addition(1, 1).Args[1] = immOf(1) }},
		{"no form", RuleOperands, 0, func(b *builder) { b.addition(1, 1).Args[1] = Operand{Kind: 77, DType: num.Float32} }},
		{"immediate scalar", "", 0, func(b *builder) {
			x := b.loc("x", SB, num.Float32, 4, 4)
			b.add("TensorScalarPtr", DVE, whole(x), whole(x), immOf(2)).with(POp0, int64(AluMult))
		}},
		{"optional input absent, but op1 needs it", RuleOperands, 0, func(b *builder) {
			x := b.loc("x", SB, num.Float32, 4, 4)
			b.add("TensorScalarPtr", DVE, whole(x), whole(x), immOf(2)).with(POp0, int64(AluMult)).with(POp1, int64(AluAdd))
		}},
		{"no location", RuleScope, 0, func(b *builder) { b.addition(1, 1).Args[1].Loc = nil }},
		{"location of another function", RuleScope, 0, func(b *builder) {
			x := b.loc("w", SB, num.Float32, 1, 1)
			b.core("sg0001")
			b.addition(1, 1).Args[1] = whole(x)
		}},
		{"DRAM for a tile", RuleMemory, 0, func(b *builder) { b.addition(1, 1).Args[1].Loc.Type = DRAM }},
		{"register", "", 0, func(b *builder) {
			r := b.loc("r", REG, num.Int32, 1, 1)
			b.add("RegisterAlu", SP, regOf(r), regOf(r), Operand{Kind: ImmOperand, DType: num.Int32, Imm: 1})
		}},
		{"register immediate of a fraction", RuleSetting, 0, func(b *builder) {
			r := b.loc("r", REG, num.Int32, 1, 1)
			b.add("RegisterMove", SP, regOf(r), Operand{Kind: ImmOperand, DType: num.Int32, Imm: 0.5})
		}},
		{"register power", RuleSetting, 0, func(b *builder) {
			r := b.loc("r", REG, num.Int32, 1, 1)
			b.add("RegisterAlu", SP, regOf(r), regOf(r), regOf(r)).with(PRegOp, int64(AluPow))
		}},
		{"int64 arithmetic", RuleDType, 0, func(b *builder) { b.addition(1, 2).Args[1].DType = num.Int64; b.f.Sets[0].Locs[0].RowBytes = 16 }},
		{"types that must agree", RuleDType, 0, func(b *builder) {
			x, y, m := b.loc("x", SB, num.Float32, 4, 4), b.loc("y", SB, num.Int32, 4, 4), b.loc("m", SB, num.UInt8, 4, 4)
			b.add("CopyPredicated", DVE, whole(y), whole(m), whole(x))
		}},
		{"lanes differ", RuleShape, 0, func(b *builder) { in := b.addition(8, 8); in.Args[2] = tileOf(in.Args[2].Loc, 0, 0, 4, 8) }},
		{"elements differ", RuleShape, 0, func(b *builder) { in := b.addition(8, 8); in.Args[2] = tileOf(in.Args[2].Loc, 0, 0, 8, 4) }},
		{"pairs differ, elements agree", "", 0, func(b *builder) {
			in := b.addition(8, 8)
			in.Args[2] = pairsOf(in.Args[2].Loc, Pair{8, 8}, Pair{4, 2}, Pair{1, 4})
		}},
		{"a column of two", RuleShape, 0, func(b *builder) {
			x := b.loc("x", SB, num.Float32, 4, 4)
			b.add("TensorScalarPtr", DVE, whole(x), whole(x), tileOf(b.loc("s", SB, num.Float32, 4, 4), 0, 0, 4, 2)).with(POp0, int64(AluMult))
		}},
		{"copy of another count", RuleShape, 0, func(b *builder) {
			b.add("Load", SP, whole(b.loc("x", SB, num.Float32, 4, 4)), whole(b.loc("y", Input, num.Float32, 4, 5)))
		}},
		{"copy of another shape", "", 0, func(b *builder) {
			b.add("Load", SP, whole(b.loc("x", SB, num.Float32, 4, 4)), whole(b.loc("y", Input, num.Float32, 2, 8)))
		}},
	})
}

func TestVerifySettings(t *testing.T) {
	runCases(t, []verifyCase{
		{"not of the row", RuleSetting, 0, func(b *builder) { b.addition(1, 1).with(PNegate, 1) }},
		{"twice", RuleSetting, 0, func(b *builder) { in := b.addition(1, 1); in.Params = append(in.Params, in.Params[0]) }},
		{"at its default", RuleSetting, 0, func(b *builder) { b.addition(1, 1).Params[0].I = 0 }},
		{"unknown operator", RuleSetting, 0, func(b *builder) { b.addition(1, 1).Params[0].I = 99 }},
		{"negative operator", RuleSetting, 0, func(b *builder) { b.addition(1, 1).Params[0].I = -1 }},
		{"unknown setting", RuleSetting, 0, func(b *builder) { b.addition(1, 1).Params = []Param{{ID: 200, I: 1}} }},
		{"flag of 2", RuleSetting, 0, func(b *builder) {
			x := b.loc("x", SB, num.Float32, 4, 4)
			b.add("TensorReduce", DVE, tileOf(b.loc("y", SB, num.Float32, 4, 1), 0, 0, 4, 1), whole(x)).with(PNegate, 2)
		}},
		{"base beyond 32 bits", RuleSetting, 0, func(b *builder) { b.iota(16).with(PBase, 1<<40) }},
		{"pattern of triples", RuleSetting, 0, func(b *builder) { b.iota(16).SetParam(Param{ID: PPattern, LL: [][]int64{{1, 16, 3}}}) }},
		{"pattern of another size", RuleSetting, 0, func(b *builder) { b.iota(15) }},
		{"pattern of count 0", RuleSetting, 0, func(b *builder) { b.iota(0) }},
		{"pattern", "", 0, func(b *builder) { b.iota(16) }},
		{"memset of too many bits", RuleSetting, 0, func(b *builder) {
			b.add("Memset", DVE, whole(b.loc("x", SB, num.UInt8, 4, 4))).with(PConstant, 256)
		}},
		{"memset of 64 bits", "", 0, func(b *builder) {
			b.add("Memset", DVE, whole(b.loc("x", SB, num.UInt64, 4, 4))).with(PConstant, -1)
		}},
		{"shift count of the width", RuleSetting, 0, func(b *builder) { b.scalar(num.Int16, AluLogicalShiftLeft, 16) }},
		{"shift count", "", 0, func(b *builder) { b.scalar(num.Int16, AluLogicalShiftLeft, 15) }},
		{"bits with a fraction", RuleSetting, 0, func(b *builder) { b.scalar(num.Int16, AluBitAnd, 0.5) }},
		{"bits of floats", RuleDType, 0, func(b *builder) { b.scalar(num.Float32, AluBitAnd, 1) }},
		{"logic with 2", RuleSetting, 0, func(b *builder) { b.scalar(num.Float32, AluLogicalAnd, 2) }},
		{"bits and numbers", RuleSetting, 0, func(b *builder) { b.scalar(num.Int16, AluBitAnd, 1).with(POp1, int64(AluAdd)) }},
	})
}

func (b *builder) iota(n int64) *Inst {
	in := b.add("Iota", Pool, whole(b.loc("x", SB, num.Int32, 4, 16)))
	in.SetParam(Param{ID: PPattern, LL: [][]int64{{1, n}}})
	return in
}

func (b *builder) scalar(d DType, op AluOp, c float64) *Inst {
	x := b.loc("x", SB, d, 4, 4)
	in := b.add("TensorScalar", DVE, whole(x), whole(x)).with(POp0, int64(op))
	in.SetFloat(PConst0, c)
	return in
}

func TestVerifyLoops(t *testing.T) {
	runCases(t, []verifyCase{
		{"nested", "", 0, func(b *builder) { b.nested(0, 4, 1) }},
		{"no trip", "", 0, func(b *builder) { b.nested(0, 0, 1) }},
		{"stride 0", RuleLoop, 0, func(b *builder) { b.nested(0, 4, 0) }},
		{"huge bound", RuleLoop, 0, func(b *builder) { b.nested(0, 1<<62, 1) }},
		{"stride and bound that overflow", RuleLoop, 0, func(b *builder) { b.nested(-1<<63, 1<<63-1, 1<<62) }},
		{"axis without a name", RuleName, 0, func(b *builder) { b.nested(0, 4, 1).Axis = "" }},
		{"axis name of an outer loop", RuleName, 0, func(b *builder) { b.nested(0, 4, 1).Axis = "j" }},
		{"axis outside its loop", RuleScope, 0, func(b *builder) {
			l, outer := b.loop("i", 0, 4, 1)
			b.end(outer)
			b.loadAt(axisOff(l, 16, 0))
		}},
		{"one row too far", RuleBounds, 0, func(b *builder) { b.nested(1, 5, 1) }},
		{"before the first", RuleBounds, 0, func(b *builder) { b.nested(-1, 4, 1) }},
		{"unrolled", RuleFact, Unrolled, func(b *builder) { _, o := b.loop("i", 0, 4, 1); b.end(o) }},
		{"unrolled with a predicate", RuleFact, Unrolled, func(b *builder) { b.add("NoOp", SP).Pred = []Predicate{{Konst(0), IsEqual}} }},
		{"coefficient that overflows", RuleExpr, 0, func(b *builder) {
			l, _ := b.loop("i", 0, 4, 1)
			b.loadAt(axisOff(l, 1<<62, 0))
		}},
		{"division by zero", RuleExpr, 0, func(b *builder) {
			k := Konst(1)
			b.loadAt(Affine{Terms: []Term{{Coef: 1, Kind: ModTerm, Sub: &k}}})
		}},
		{"endless nesting of mod", RuleExpr, 0, func(b *builder) {
			k := Affine{Terms: []Term{{Coef: 1, Kind: ModTerm, N: 2}}}
			k.Terms[0].Sub = &k
			b.loadAt(k)
		}},
		{"wrapping modulo", "", 0, func(b *builder) {
			l, _ := b.loop("i", 0, 1000, 1)
			sub := axisOff(l, 1, 0)
			b.loadAt(Affine{Terms: []Term{{Coef: 16, Kind: ModTerm, Sub: &sub, N: 4}}})
		}},
		{"parts that cancel", "", 0, func(b *builder) { // i − (i mod 2) ≤ 4·16, though i + 1 is not
			l, _ := b.loop("i", 0, 4, 1)
			sub := axisOff(l, 1, 0)
			b.loadAt(Affine{C: 16, Terms: []Term{{Coef: 16, Kind: AxisTerm, Axis: l}, {Coef: -16, Kind: ModTerm, Sub: &sub, N: 2}}})
		}},
		{"two locations in the set", RuleSymbolic, 0, func(b *builder) {
			in := b.nested(0, 4, 1)
			s := in.Blocks[0].Insts[0].Args[1].Loc.Set
			s.Locs = append(s.Locs, &Loc{Name: "second", Set: s, Type: Input, Rows: 4, RowBytes: 64})
		}},
	})
}

// nested is a loop in a loop: Load of row i of a 4×16 tensor; it returns the inner one.
func (b *builder) nested(lb, ub, stride int64) *Loop {
	b.loop("j", 0, 3, 1)
	l, _ := b.loop("i", lb, ub, stride)
	b.loadAt(axisOff(l, 16, 0))
	return l
}

func (b *builder) loadAt(off Affine) {
	x, y := b.loc("x", Input, num.Float32, 4, 16), b.loc("y", SB, num.Float32, 1, 16)
	src := tileOf(x, 0, 0, 1, 16)
	src.Off = off
	b.add("Load", SP, whole(y), src)
}

func TestVerifyEdges(t *testing.T) {
	runCases(t, []verifyCase{
		{"legal", "", 0, func(b *builder) { a, c := b.noops(); c.Deps = []Dep{{a, Anti}} }},
		{"on itself", RuleEdge, 0, func(b *builder) { a, _ := b.noops(); a.Deps = []Dep{{a, Flow}} }},
		{"on nothing", RuleEdge, 0, func(b *builder) { a, _ := b.noops(); a.Deps = []Dep{{nil, Flow}} }},
		{"on another function", RuleEdge, 0, func(b *builder) {
			a, _ := b.noops()
			b.core("sg0001")
			b.add("NoOp", SP).Deps = []Dep{{a, Flow}}
		}},
		{"unknown kind", RuleEdge, 0, func(b *builder) { a, c := b.noops(); c.Deps = []Dep{{a, 0}} }},
		{"carried", "", 0, func(b *builder) {
			b.loop("i", 0, 4, 1)
			a, c := b.noops()
			a.LoopDeps = []LoopDep{{c, Flow, []int64{1}}}
		}},
		{"carried by nothing", RuleEdge, 0, func(b *builder) { a, c := b.noops(); a.LoopDeps = []LoopDep{{c, Flow, []int64{1}}} }},
		{"carried back", RuleEdge, 0, func(b *builder) {
			b.loop("i", 0, 4, 1)
			a, c := b.noops()
			a.LoopDeps = []LoopDep{{c, Flow, []int64{-1}}}
		}},
		{"carried over no distance", RuleEdge, 0, func(b *builder) {
			b.loop("i", 0, 4, 1)
			a, c := b.noops()
			a.LoopDeps = []LoopDep{{c, Flow, []int64{0}}}
		}},
		{"semaphore 256", RuleSync, 0, func(b *builder) { a, _ := b.noops(); a.Update = []Sem{{256, 1}} }},
		{"negative value", RuleSync, 0, func(b *builder) { a, _ := b.noops(); a.Wait = []Sem{{0, -1}} }},
		{"predicate beside sync", RulePredicate, 0, func(b *builder) {
			a, _ := b.noops()
			a.Wait, a.Pred = []Sem{{0, 1}}, []Predicate{{Konst(0), IsEqual}}
		}},
		{"unknown comparison", RulePredicate, 0, func(b *builder) { a, _ := b.noops(); a.Pred = []Predicate{{Konst(0), 9}} }},
	})
}

func (b *builder) noops() (first, second *Inst) {
	return b.add("NoOp", SP), b.add("NoOp", SP)
}
