package ir

import "strings"

// aluSet is a set of ALU operators, one bit each.
type aluSet uint32

func aluOps(list ...AluOp) aluSet {
	var s aluSet
	for _, op := range list {
		s |= 1 << op
	}
	return s
}

func (s aluSet) has(op AluOp) bool { return s>>op&1 != 0 }

// String lists the operators by name.
func (s aluSet) String() string {
	var out []string
	for op := AluOp(0); op < NumAluOps; op++ {
		if s.has(op) {
			out = append(out, op.String())
		}
	}
	return strings.Join(out, " ")
}

var (
	// foldOps may fold rows: those marked so in nki-isa.md §2.1, and average (walrus.md §7).
	foldOps = aluOps(AluAdd, AluSubtract, AluMult, AluMax, AluMin, AluAverage, AluLogicalAnd, AluLogicalOr, AluLogicalXor, AluBitAnd, AluBitOr, AluBitXor)
	// runningOps have a number to start a running fold from (nki-isa.md §3.13).
	runningOps = aluOps(AluAdd, AluSubtract, AluMult, AluMax, AluMin)
)

// integersOfOneWidth checks the memory and register operands of an instruction on raw bits (nki-isa.md §1.2).
func integersOfOneWidth(in *Inst, c *Complain, op AluOp) {
	width := in.Args[0].DType.Size()
	for i := range in.Args {
		o := &in.Args[i]
		if o.Kind != ImmOperand && (!o.DType.IsInt() || o.DType.Size() != width) {
			c.Addf(RuleDType, "integers of one width for "+op.String(), "%s in %s", o.DType, in.argPosition(i))
			return
		}
	}
}

// notBothPSUM checks two inputs of which one at most may come from PSUM (nki-isa.md §12).
func notBothPSUM(in *Inst, c *Complain, i, j int) {
	a, b := &in.Ins()[i], &in.Ins()[j]
	if a.IsAP() && b.IsAP() && a.Loc.Type == PSUM && b.Loc.Type == PSUM {
		n := int(in.NOut)
		c.Addf(RuleMemory, "one of the two at most", "%s and %s in PSUM", in.argPosition(n+i), in.argPosition(n+j))
	}
}

// constant checks a number that an operator takes as its second operand: an integer where it works on bits, a count below the width where
// it shifts, 0 or 1 where it is logical. Width is that of the data, in bits; reversed, a shift shifts the number.
func constant(c *Complain, op AluOp, f float64, width int, reversed bool) {
	switch {
	case op.Unary():
	case op.Shifts() && !reversed && !(f >= 0 && f < float64(width) && isInteger(f)):
		c.Addf(RuleSetting, "a shift count below the width", "%s by %v", op, f)
	case op.Bitwise() && !isInteger(f):
		c.Addf(RuleSetting, "an integer", "%s with %v", op, f)
	case op.Logical() && f != 0 && f != 1:
		c.Addf(RuleSetting, "0 or 1", "%s with %v", op, f)
	}
}

// isInteger tells whether f is an integer that a float64 holds exactly.
func isInteger(f float64) bool { return f >= -1<<53 && f <= 1<<53 && f == float64(int64(f)) }

// oneClass checks that a chain of two operators does not mix bits and numbers (nki-isa.md §3.10), where bypass is of either class, that
// one on bits has integers of one width, and that chains and the generation have the operators.
func oneClass(in *Inst, c *Complain) bool {
	noPower(in, c)
	hasOps(in, c, POp0, POp1)
	a, b := in.Alu(POp0), in.Alu(POp1)
	switch {
	case a != AluBypass && b != AluBypass && a.Bitwise() != b.Bitwise():
		c.Addf(RuleSetting, "two operators on bits or two on numbers", "%s and %s", a, b)
		return false
	case a.Bitwise() || b.Bitwise():
		integersOfOneWidth(in, c, max(a, b)) // those on bits are the last ones
	}
	return true
}

// numbersOnly checks that neither operator of a chain works on bits, and that chains and the generation have them.
func numbersOnly(in *Inst, c *Complain) {
	noPower(in, c)
	hasOps(in, c, POp0, POp1)
	for _, id := range [2]ParamID{POp0, POp1} {
		if op := in.Alu(id); op.Bitwise() {
			c.Addf(RuleSetting, "an operator on numbers", "%s", op)
		}
	}
}

// legalTensorTensor: nki-isa.md §3.9.
func legalTensorTensor(in *Inst, c *Complain) {
	notBothPSUM(in, c, 0, 1)
	hasOps(in, c, POp)
	switch op := in.Alu(POp); {
	case op.Bitwise():
		integersOfOneWidth(in, c, op)
	case op == AluPow:
		powerInSB(in, c)
	}
}

// legalTensorScalar is for op1(op0(x, const0), const1): nki-isa.md §3.10.
func legalTensorScalar(in *Inst, c *Complain) {
	if !oneClass(in, c) {
		return
	}
	width := 8 * in.Args[0].DType.Size()
	constant(c, in.Alu(POp0), in.Float(PConst0), width, in.Flag(PReverse0))
	constant(c, in.Alu(POp1), in.Float(PConst1), width, in.Flag(PReverse1))
}

// legalChain is for op1(op0(x, s0), s1) with scalar inputs, of which the second may be absent: nki-isa.md §3.10.
func legalChain(in *Inst, c *Complain) {
	if !oneClass(in, c) {
		return
	}
	width := 8 * in.Args[0].DType.Size()
	ins := in.Ins()
	immediate(c, in.Alu(POp0), &ins[1], width, in.Flag(PReverse0))
	switch op := in.Alu(POp1); {
	case len(ins) > 2:
		immediate(c, op, &ins[2], width, in.Flag(PReverse1))
	case !op.Unary():
		c.Addf(RuleOperands, "a second operand for op1 "+op.String(), "none")
	}
}

// immediate checks a scalar input as constant does, where it is an immediate.
func immediate(c *Complain, op AluOp, o *Operand, width int, reversed bool) {
	if o.Kind == ImmOperand {
		constant(c, op, o.Imm, width, reversed)
	}
}

// legalScalarTensorTensor: nki-isa.md §3.11.
func legalScalarTensorTensor(in *Inst, c *Complain) {
	notBothPSUM(in, c, 0, 2)
	numbersOnly(in, c)
	immediate(c, in.Alu(POp0), &in.Ins()[1], 0, false)
}

// legalScan: nki-isa.md §3.14.
func legalScan(in *Inst, c *Complain) {
	notBothPSUM(in, c, 0, 2)
	numbersOnly(in, c)
}

// legalCache: nki-isa.md §3.12 and §3.13.
func legalCache(in *Inst, c *Complain) {
	numbersOnly(in, c)
	if op := in.Alu(POp1); !runningOps.has(op) && !op.Bitwise() {
		c.Addf(RuleSetting, runningOps.String(), "op1 %s", op)
	}
	immediate(c, in.Alu(POp0), &in.Ins()[1], 0, false)
}

// legalRegisterMove: registers hold 32-bit integers.
func legalRegisterMove(in *Inst, c *Complain) { wordImmediates(in, c) }

// legalRegisterAlu: the operators that have a meaning on 32-bit integers.
func legalRegisterAlu(in *Inst, c *Complain) {
	op := in.Alu(PRegOp)
	if wordFuncs[op] == nil && !op.Bitwise() {
		c.Addf(RuleSetting, "an operator on integers", "%s", op)
	}
	wordImmediates(in, c)
	if op.Shifts() {
		immediate(c, op, &in.Ins()[1], 32, false)
	}
}

func wordImmediates(in *Inst, c *Complain) {
	for i := range in.Args {
		if o := &in.Args[i]; o.Kind == ImmOperand && !(isInteger(o.Imm) && o.Imm >= -1<<31 && o.Imm < 1<<32) {
			c.Addf(RuleSetting, "a 32-bit integer", "%v in %s", o.Imm, in.argPosition(i))
		}
	}
}
