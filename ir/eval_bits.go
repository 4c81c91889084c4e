package ir

import (
	"math"

	"birfuzz/ir/num"
)

// bitFunc is an operator on raw elements of w bits, zero-extended; bits of the result above w are cut off by the caller. Row kernels (see
// wordRow) give the same; a test says so.
type bitFunc func(x, y uint64, w int) uint64

// bitFuncs has the operators on raw bits. Shifts are logical; arith_shift_right copies the sign bit down (the docs do not offer it, KLR does).
// A shift count of the width or more is poison, marked by the caller; the value is then 0 or all signs.
var bitFuncs = [NumAluOps]bitFunc{
	AluBypass:            func(x, _ uint64, _ int) uint64 { return x },
	AluBitNot:            func(x, _ uint64, _ int) uint64 { return ^x },
	AluBitAnd:            func(x, y uint64, _ int) uint64 { return x & y },
	AluBitOr:             func(x, y uint64, _ int) uint64 { return x | y },
	AluBitXor:            func(x, y uint64, _ int) uint64 { return x ^ y },
	AluArithShiftLeft:    func(x, y uint64, _ int) uint64 { return x << y },
	AluLogicalShiftLeft:  func(x, y uint64, _ int) uint64 { return x << y },
	AluLogicalShiftRight: func(x, y uint64, _ int) uint64 { return x >> y },
	AluArithShiftRight:   func(x, y uint64, w int) uint64 { return uint64(signed(x, w) >> y) },
}

// signed reads the low w bits as two's complement.
func signed(x uint64, w int) int64 { return int64(x<<(64-w)) >> (64 - w) }

// lowBits is a mask of w ones, 1 ≤ w ≤ 64.
func lowBits(w int) uint64 { return ^uint64(0) >> (64 - w) }

// integerBits is a number as written in the settings, taken as an integer modulo 2^w (bir-json.md, Arithmetic); a fraction is cut off.
func integerBits(f float64, w int) uint64 {
	f = math.Trunc(f)
	if !(math.Abs(f) < 1<<63) { // int64 cannot hold it, NaN included
		f = math.Mod(f, 1<<64)
		switch {
		case f != f:
			f = 0
		case f >= 1<<63:
			f -= 1 << 64
		case f < -1<<63:
			f += 1 << 64
		}
	}
	return uint64(int64(f)) & lowBits(w)
}

// scalarBits returns a Scalar or register input as raw elements of w bits; an immediate is an integer modulo the width.
func (e *Eval) scalarBits(i, w int) Bits {
	if a := e.input(i); a.Kind == ImmOperand {
		return e.constBits(i, a.Imm, w)
	}
	return e.InBits(i)
}

// constBits returns a number as one raw element of w bits, which stands in bytes[i].
func (e *Eval) constBits(i int, v float64, w int) Bits {
	b := e.bytes[i][:]
	num.StoreWord(b, len(b), integerBits(v, w))
	return Bits{B: b, Rows: 1, Cols: 1, Width: w}
}

// input returns the operand of input i.
func (e *Eval) input(i int) *Operand { return &e.Args[int(e.NOut)+i] }

// exact tells whether a TensorTensor is exact 32-bit integer arithmetic: add, subtract and mult on Pool with 32-bit integers throughout.
// Elsewhere integers go through float32 (bir-json.md, Arithmetic).
func (e *Eval) exact(op AluOp) bool {
	if e.Engine != Pool || wrapRows.k32[op] == nil {
		return false
	}
	for i := range e.Args {
		if !word32.Has(e.Args[i].DType) {
			return false
		}
	}
	return true
}

// wordFunc is an operator on registers: 32-bit integers, widened to 64.
type wordFunc func(x, y int64) int64

// wordFuncs has the integer operators of registers; results are cut to 32 bits. Division rounds down and mod has the divisor's sign, as in
// the affine expressions of the dialect.
var wordFuncs = [NumAluOps]wordFunc{
	AluBypass:     func(x, _ int64) int64 { return x },
	AluAdd:        func(x, y int64) int64 { return x + y },
	AluSubtract:   func(x, y int64) int64 { return x - y },
	AluMult:       func(x, y int64) int64 { return x * y },
	AluDivide:     FloorDiv,
	AluMod:        func(x, y int64) int64 { return x - y*FloorDiv(x, y) },
	AluMax:        func(x, y int64) int64 { return max(x, y) },
	AluMin:        func(x, y int64) int64 { return min(x, y) },
	AluAbs:        func(x, _ int64) int64 { return max(x, -x) },
	AluLogicalAnd: func(x, y int64) int64 { return bit(x != 0 && y != 0) },
	AluLogicalOr:  func(x, y int64) int64 { return bit(x != 0 || y != 0) },
	AluLogicalXor: func(x, y int64) int64 { return bit((x != 0) != (y != 0)) },
	AluIsEqual:    func(x, y int64) int64 { return bit(x == y) },
	AluNotEqual:   func(x, y int64) int64 { return bit(x != y) },
	AluIsGT:       func(x, y int64) int64 { return bit(x > y) },
	AluIsGE:       func(x, y int64) int64 { return bit(x >= y) },
	AluIsLT:       func(x, y int64) int64 { return bit(x < y) },
	AluIsLE:       func(x, y int64) int64 { return bit(x <= y) },
}

func bit(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// evalRegisterAlu works on one element of 32 bits, read as unsigned where the operand's type is.
func evalRegisterAlu(e *Eval) {
	const width = 32
	op := e.Alu(PRegOp)
	x, y := e.scalarBits(0, width), e.scalarBits(1, width)
	if op.Bitwise() {
		e.bits(x, &bitRows, bitStep{op: op, scalar: true, y: y})
		return
	}
	f := wordFuncs[op]
	a, b := word(x, e.input(0).DType), word(y, e.input(1).DType)
	switch {
	case f == nil:
		e.Fault("%s has no meaning on registers", op)
	case b == 0 && (op == AluDivide || op == AluMod):
		e.Fault("register %s by zero", op)
	default:
		e.OutBits(0).Set(0, 0, uint64(f(a, b)))
	}
}

// word reads a register's number.
func word(b Bits, d DType) int64 {
	if d == num.UInt32 {
		return int64(b.At(0, 0))
	}
	return signed(b.At(0, 0), 32)
}
