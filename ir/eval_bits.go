package ir

import (
	"math"

	"birfuzz/ir/num"
)

// bitFunc is an operator on raw elements of w bits, zero-extended; bits of the result above w are cut off by the caller.
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

// wrapFuncs has the exact 32-bit integer operators of GpSimd: two's complement, wrapping (nki-isa.md §1.3; the wrap is our choice).
var wrapFuncs = [NumAluOps]bitFunc{
	AluAdd:      func(x, y uint64, _ int) uint64 { return x + y },
	AluSubtract: func(x, y uint64, _ int) uint64 { return x - y },
	AluMult:     func(x, y uint64, _ int) uint64 { return x * y },
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

// bitStep is one operator of a chain on raw bits. A scalar operand has one element a lane, or one in all.
type bitStep struct {
	op     AluOp
	f      bitFunc
	rev    bool
	y      Bits
	scalar bool
	row    []uint64 // of y, for the lane in hand
	next   int      // from one element of row to the next: 1, or 0 for a scalar
}

// none is the second operand of a unary operator.
var none = Bits{B: []uint64{0}, Rows: 1, Cols: 1}

// load readies the second operand of lane r.
func (s *bitStep) load(r int) {
	s.next = 1
	if s.scalar || s.op.Unary() {
		s.next = 0
	}
	if s.y.Rows == 1 {
		r = 0
	}
	s.row = s.y.Row(r)
}

// bits runs a chain of operators on raw bits.
func (e *Eval) bits(x Bits, steps ...bitStep) {
	out := e.OutBits(0)
	width, mask := uint64(x.Width), lowBits(x.Width)
	for k := range steps {
		steps[k].rev = steps[k].rev && !steps[k].op.Unary()
	}
	for r := range out.Rows {
		for k := range steps {
			steps[k].load(r)
		}
		dst := out.Row(r)
		for i, v := range x.Row(r)[:len(dst)] {
			for k := range steps {
				s := &steps[k]
				a, b := v, s.row[i*s.next]
				if s.rev {
					a, b = b, a
				}
				if b >= width && s.op.Shifts() {
					e.Poison(r, i)
				}
				v = s.f(a, b, x.Width) & mask
			}
			dst[i] = v
		}
	}
}

// bitStep makes a step of a chain on raw bits; a missing function is a fault.
func (e *Eval) bitStep(op AluOp, table *[NumAluOps]bitFunc) bitStep {
	f := table[op]
	if f == nil {
		e.Fault("%s has no meaning on raw bits", op)
		f = bitFuncs[AluBypass]
	}
	return bitStep{op: op, f: f, y: none}
}

// scalarBits returns a Scalar or register input as raw elements of w bits; an immediate is an integer modulo the width.
func (e *Eval) scalarBits(i, w int) Bits {
	if a := e.input(i); a.Kind == ImmOperand {
		return e.constBits(i, a.Imm, w)
	}
	return e.InBits(i)
}

// constBits returns a number as one raw element of w bits, which stands in word i.
func (e *Eval) constBits(i int, v float64, w int) Bits {
	e.words[i] = integerBits(v, w)
	return Bits{B: e.words[i : i+1], Rows: 1, Cols: 1, Width: w}
}

// input returns the operand of input i.
func (e *Eval) input(i int) *Operand { return &e.Args[int(e.NOut)+i] }

// exact tells whether a TensorTensor is exact 32-bit integer arithmetic: add, subtract and mult on Pool with 32-bit integers throughout.
// Elsewhere integers go through float32 (bir-json.md, Arithmetic).
func (e *Eval) exact(op AluOp) bool {
	if e.Engine != Pool || wrapFuncs[op] == nil {
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
	AluDivide:     floorDiv,
	AluMod:        func(x, y int64) int64 { return x - y*floorDiv(x, y) },
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
		s := e.bitStep(op, &bitFuncs)
		s.y, s.scalar = y, true
		e.bits(x, s)
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
		e.OutBits(0).B[0] = uint64(f(a, b)) & lowBits(width)
	}
}

// word reads a register's number.
func word(b Bits, d DType) int64 {
	if d == num.UInt32 {
		return int64(b.B[0])
	}
	return signed(b.B[0], 32)
}
