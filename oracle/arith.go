package oracle

import (
	"math"

	"birfuzz/ir"
	"birfuzz/ir/num"
)

// arithmetic hashes what an instruction computes: its row and the settings that shape the numbers, the element types, and the engine where
// the result depends on it (semantics §4). Names, schedules, flags of accumulation groups and accumulator commands are no part of it.
func arithmetic(c *code) uint64 {
	in := c.inst
	h := mix(saltCast, uint64(in.Op))
	for i := range in.Params {
		if !steers(in.Params[i].ID) {
			h = hashParam(h, &in.Params[i])
		}
	}
	for i := range in.Args {
		h = mix(h, uint64(in.Args[i].DType))
	}
	if exactIntegers(in) {
		h = mix(h, uint64(ir.Pool))
	}
	return h
}

// steers tells whether a setting says where results go rather than what they are.
func steers(id ir.ParamID) bool {
	switch id {
	case ir.PStart, ir.PStop, ir.PZeroRegion, ir.PCanReadUninit, ir.PAcc, ir.PReduceCmd:
		return true
	}
	return false
}

func hashParam(h uint64, p *ir.Param) uint64 {
	h = mixAll(h, uint64(p.ID), uint64(p.I), math.Float64bits(p.F), uint64(len(p.L)))
	for _, v := range p.L {
		h = mix(h, uint64(v))
	}
	for _, l := range p.LL {
		h = mix(h, uint64(len(l)))
		for _, v := range l {
			h = mix(h, uint64(v))
		}
	}
	return h
}

// exactIntegers tells whether the instruction is 32-bit integer arithmetic on Pool: the one case where the engine decides the result
// (bir-json.md, "Arithmetic").
func exactIntegers(in *ir.Inst) bool {
	if in.Engine != ir.Pool || !in.Spec().HasParam(ir.POp) || len(in.Args) < 3 {
		return false
	}
	if op := in.Alu(ir.POp); op != ir.AluAdd && op != ir.AluSubtract && op != ir.AluMult {
		return false
	}
	for i := range in.Args {
		if d := in.Args[i].DType; d != num.Int32 && d != num.UInt32 {
			return false
		}
	}
	return true
}

// inputSpec describes operand k of the code, nil for outputs and accumulators.
func inputSpec(c *code, k int) *ir.OperandSpec {
	if k < c.nout || k >= len(c.inst.Args) || k-c.nout >= len(c.spec.Ins) {
		return nil
	}
	return &c.spec.Ins[k-c.nout]
}

// mustBeDefined tells whether poison in operand k is a fault: indices and registers (semantics §5).
func mustBeDefined(c *code, k int) bool {
	s := inputSpec(c, k)
	if s == nil {
		return false
	}
	return s.Role == ir.Index || c.inst.Args[k].Kind == ir.RegOperand
}

// readsAcc tells whether the accumulator is an input: it is read, or added to.
func readsAcc(c *code) bool { return c.adds || c.inst.Acc() == ir.AccAccumulate }

// readsOld tells whether what stands in the outputs is an input.
func readsOld(c *code) bool { return c.writes != ir.Overwrites }

// keeps tells whether a Pick left an element of the output as it was.
func keepsSome(pick []int32) bool {
	for _, e := range pick {
		if e == ir.Keep {
			return true
		}
	}
	return false
}
