package ir

import "math"

// Domains of inputs that depend on settings: the values for which the result is defined and says something, neither poison nor all Inf.
// A generator draws inputs from them; an input that other instructions compute may still leave them, which is no fault of the program.

var (
	anything  = Domain{}
	zeroOnes  = Domain{Kind: ZeroOne}
	counts    = Domain{Kind: ShiftCount}
	divisors  = Domain{Kind: NonZero, Lo: 0x1p-20, Hi: 0x1p20}
	positives = Domain{Kind: InRange, Lo: 0x1p-20, Hi: 0x1p20}
	bases     = Domain{Kind: InRange, Lo: 0x1p-4, Hi: 0x1p4} // of pow
	exponents = Domain{Kind: InRange, Lo: -8, Hi: 8}
	nearOnes  = Domain{Kind: NonZero, Lo: 0.75, Hi: 1.25} // of long products
)

// operandDomain returns the values that an operator takes as its first operand (side 0) or its second (side 1).
func (o AluOp) operandDomain(side int) Domain {
	switch {
	case o.Logical():
		return zeroOnes
	case o.Shifts() && side == 1:
		return counts
	case (o == AluDivide || o == AluMod) && side == 1:
		return divisors
	case o == AluRsqrt && side == 0:
		return positives
	case o == AluPow && side == 0:
		return bases
	case o == AluPow:
		return exponents
	}
	return anything
}

// domainTensorTensor is the domain of x (0) and y (1).
func domainTensorTensor(in *Inst, arg int) Domain {
	op := in.Alu(POp)
	if arg == 1 && op.Unary() {
		return anything
	}
	return op.operandDomain(arg)
}

// domainChain is the domain of x (0), of the second operand of op0 (1) and of op1 (2).
func domainChain(in *Inst, arg int) Domain {
	op0, op1 := in.Alu(POp0), in.Alu(POp1)
	switch {
	case arg == 2:
		return second(op1, in.Flag(PReverse1))
	case arg == 1:
		return second(op0, in.Flag(PReverse0))
	case op0 == AluBypass: // x is what op1 works on
		return first(op1, in.Flag(PReverse1))
	}
	return first(op0, in.Flag(PReverse0))
}

// first is the domain of the data of an operator in a chain; reversed, it stands second. A unary operator ignores the flag.
func first(op AluOp, reversed bool) Domain {
	if reversed && !op.Unary() {
		return op.operandDomain(1)
	}
	return op.operandDomain(0)
}

func second(op AluOp, reversed bool) Domain {
	switch {
	case op.Unary():
		return anything
	case reversed:
		return op.operandDomain(0)
	}
	return op.operandDomain(1)
}

// domainScan is the domain of x (0), s0 (1) and y (2) of operators that run along a row. They take their own results, of which nothing is known
// here, so it is what logical operators ask of the rest.
func domainScan(in *Inst, arg int) Domain {
	if arg < 2 && in.Alu(POp0).Logical() || arg == 2 && in.Alu(POp1).Logical() {
		return zeroOnes
	}
	return anything
}

// domainReduce keeps products of long rows finite.
func domainReduce(in *Inst, _ int) Domain {
	switch op := in.Alu(PReduceOp); {
	case op.Logical():
		return zeroOnes
	case op == AluMult:
		return nearOnes
	}
	return anything
}

// expLimit is an argument whose exponential float32 still holds, and its reciprocal too.
const expLimit = 80

// expLike are the functions without an end of their range whose value grows like exp.
func (f ActFunc) expLike() bool { return f == FuncExp || f == FuncSoftplus || f == FuncMish }

// roundingMargin keeps drawn values off the ends of a range, as a part of the numbers that are added: scaling and adding round, and may step
// over.
const roundingMargin = 0x1p-18

// domainActivation is the domain of x (0) and bias (1) that brings x·scale + bias into the function's range. A bias in memory takes half
// of the range and x·scale the other; an immediate one is subtracted.
func domainActivation(in *Inst, arg int) Domain {
	f := ActFunc(in.Int(PFunc))
	lo, hi, nonZero := f.ValidRange()
	if f.expLike() {
		lo, hi = -expLimit, expLimit
	}
	if math.IsInf(hi, 1) {
		return anything
	}
	bias, ins := 0.0, in.Ins()
	biased := len(ins) > 1
	if biased && ins[1].Kind == ImmOperand {
		bias, biased = ins[1].Imm, false
	}
	if biased { // any two numbers of half the range add up to one of the whole
		lo, hi, nonZero = lo/2, hi/2, false
	}
	lo, hi = lo+roundingMargin*(math.Abs(lo)+math.Abs(bias)), hi-roundingMargin*(math.Abs(hi)+math.Abs(bias))
	if arg == 1 {
		return Domain{Kind: InRange, Lo: lo, Hi: hi}
	}
	return unscaled(in.Float(PScale), bias, lo, hi, nonZero)
}

// unscaled is the set of x with x·scale + bias in [lo, hi], or of magnitude in it where nonZero, as far as a Domain can say it.
func unscaled(scale, bias, lo, hi float64, nonZero bool) Domain {
	switch {
	case scale == 0 || scale != scale || math.IsInf(scale, 0):
		return anything // the argument does not depend on x, or is never finite
	case nonZero && bias == 0:
		return Domain{Kind: NonZero, Lo: lo / math.Abs(scale), Hi: min(hi/math.Abs(scale), math.MaxFloat32)}
	}
	a, b := (lo-bias)/scale, (hi-bias)/scale
	return Domain{Kind: InRange, Lo: max(min(a, b), -math.MaxFloat32), Hi: min(max(a, b), math.MaxFloat32)}
}
