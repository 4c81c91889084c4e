package oracle

import (
	"birfuzz/ir"
	"birfuzz/ir/num"
)

// recipe is the arithmetic of an instruction in a form in which instructions that compute the same have the same: a chain of operators on
// the first input, each with one more operand. `x + 2` is one recipe whether the 2 stands in the settings, in an immediate or in memory.
type recipe struct {
	built bool
	id    uint64 // for rows that are no chains: what they compute
	chain bool
	steps []step
}

// step is one operator of a chain.
type step struct {
	id      uint64
	operand int    // index in code.acc of the other operand; −1: konst
	konst   uint64 // its leaf
	alone   bool   // unary
	reverse bool   // the other operand stands first
}

// chains of ALU operators, by their settings.
var chainParams = [2]struct{ op, konst, reverse ir.ParamID }{
	{ir.POp0, ir.PConst0, ir.PReverse0},
	{ir.POp1, ir.PConst1, ir.PReverse1},
}

// saltAlu and saltFunc keep operators and functions apart.
const (
	saltAlu  = saltCast + 1<<20
	saltFunc = saltCast + 2<<20
)

// recipe returns the recipe of a code, built on first use.
func (t *elementTracker) recipe(c *code) *recipe {
	r := &t.recipes[c.core][c.pc]
	if r.built {
		return r
	}
	*r = recipe{built: true, id: arithmetic(c), steps: r.steps[:0]}
	s := c.spec
	switch {
	case s.Flow != ir.FlowElem:
	case s.HasParam(ir.POp0):
		t.aluChain(c, r)
	case s.HasParam(ir.POp):
		op := c.inst.Alu(ir.POp)
		id := saltAlu + uint64(op)
		if exactIntegers(c.inst) {
			id = mix(id, uint64(ir.Pool))
		}
		r.chain = true
		r.add(step{id: id, operand: c.nout + 1, alone: op.Unary()}, op)
	case s.HasParam(ir.PFunc):
		t.activation(c, r)
	}
	return r
}

// add appends an operator, but for bypass, which does nothing.
func (r *recipe) add(s step, op ir.AluOp) {
	if op != ir.AluBypass {
		r.steps = append(r.steps, s)
	}
}

func (t *elementTracker) aluChain(c *code, r *recipe) {
	in := c.inst
	r.chain = true
	for i, p := range chainParams {
		op := in.Alu(p.op)
		s := step{id: saltAlu + uint64(op), operand: c.nout + 1 + i, alone: op.Unary(), reverse: in.Flag(p.reverse)}
		if c.spec.HasParam(p.konst) {
			s.operand, s.konst = -1, constNumber(in.Float(p.konst), t.unit)
		} else if s.operand >= len(in.Args) {
			s.alone = true
		}
		r.add(s, op)
	}
}

// activation is func(x·scale + bias), each step rounded; ×1 rounds nothing away and counts as nothing.
func (t *elementTracker) activation(c *code, r *recipe) {
	in := c.inst
	r.chain = true
	if scale := in.Float(ir.PScale); scale != 1 {
		r.steps = append(r.steps, step{id: saltAlu + uint64(ir.AluMult), operand: -1, konst: constNumber(scale, t.unit)})
	}
	if len(in.Args) > c.nout+1 {
		r.steps = append(r.steps, step{id: saltAlu + uint64(ir.AluAdd), operand: c.nout + 1})
	}
	if f := ir.ActFunc(in.Int(ir.PFunc)); f != ir.FuncIdentity && f != ir.FuncCopy {
		r.steps = append(r.steps, step{id: saltFunc + uint64(f), alone: true})
	}
}

// castTo is the step that rounds a float32 result to an element type.
func castTo(d ir.DType) uint64 { return mix(saltCast, uint64(d)) }

// operandType is the element type as which operand k is read: immediates are float32 numbers, but for register instructions.
func operandType(c *code, k int) ir.DType {
	if c.acc[k].st == nil && !registers(c) {
		return num.Float32
	}
	return c.acc[k].dtype
}

// registers tells whether the row computes on registers, where immediates are integers.
func registers(c *code) bool { return len(c.spec.Outs) > 0 && c.spec.Outs[0].Role == ir.Register }
