package ir

import "math"

// The float32 ALU operators, one function each. Row kernels and scans share these functions, so an operator has one meaning.
//
// Where the public documents are silent (nki-isa.md §2.1 marks it) the choice is IEEE arithmetic that gives the same bits everywhere:
// division by zero is ±Inf or NaN; max and min propagate NaN and take +0 for the larger zero; a comparison with NaN is false, not_equal true;
// mod is floored (the sign of the divisor, as numpy); pow and rsqrt are computed in float64 and rounded once.

func bypass32(x, _ float32) float32 { return x }
func add32(x, y float32) float32    { return x + y }
func sub32(x, y float32) float32    { return x - y }
func mul32(x, y float32) float32    { return x * y }
func div32(x, y float32) float32    { return x / y }
func max32(x, y float32) float32    { return max(x, y) }
func min32(x, y float32) float32    { return min(x, y) }

// avg32 may overflow where the mean would not: the sum is a float32.
func avg32(x, y float32) float32 { return (x + y) / 2 }

func pow32(x, y float32) float32 { return float32(math.Pow(float64(x), float64(y))) }

// exactQuotient bounds the quotients that mod32 takes from one float64 division. Below it the true quotient of two float32 is either an
// integer or further from one than the division can round, and the product with it is exact.
const exactQuotient = 1 << 24

// mod32 is x − y·⌊x/y⌋, rounded once; a zero result has the sign of y. mod32(x, 0) is NaN.
func mod32(x, y float32) float32 {
	a, b := float64(x), float64(y)
	if q := a / b; q < exactQuotient && q > -exactQuotient && b-b == 0 {
		r := a - float64(b*math.Floor(q))
		if r == 0 {
			r = math.Copysign(0, b)
		}
		return float32(r)
	}
	r := math.Mod(a, b)
	if r == 0 {
		return float32(math.Copysign(0, b))
	}
	if (r < 0) != (b < 0) {
		r += b
	}
	return float32(r)
}

func rsqrt32(x, _ float32) float32 { return float32(1 / math.Sqrt(float64(x))) }

const signBit = 1 << 31

// absBits orders float32 by absolute value when compared as an integer; NaN is larger than Inf.
func absBits(x float32) uint32 { return math.Float32bits(x) &^ signBit }

func abs32(x, _ float32) float32 { return math.Float32frombits(absBits(x)) }

// absMax32 is the operand of larger absBits with its sign; of equal magnitudes the second (nki-isa.md §2.1).
func absMax32(x, y float32) float32 {
	b := math.Float32bits(y)
	if absBits(x) > absBits(y) {
		b = math.Float32bits(x)
	}
	return math.Float32frombits(b)
}

// absMin32 is the operand of smaller absBits with its sign; of equal magnitudes the second.
func absMin32(x, y float32) float32 {
	b := math.Float32bits(y)
	if absBits(x) < absBits(y) {
		b = math.Float32bits(x)
	}
	return math.Float32frombits(b)
}

// oneIf is the bits of 1 or 0. It is an integer select, which compiles without a branch.
func oneIf(b bool) uint32 {
	u := uint32(0)
	if b {
		u = one
	}
	return u
}

const one = 0x3f800000 // the bits of 1

func truth(b bool) float32 { return math.Float32frombits(oneIf(b)) }

// Logical operators are defined on 0 and 1; their callers mark results of other operands as poison.
func and32(x, y float32) float32 { return math.Float32frombits(oneIf(x != 0) & oneIf(y != 0)) }
func or32(x, y float32) float32  { return math.Float32frombits(oneIf(x != 0) | oneIf(y != 0)) }
func xor32(x, y float32) float32 { return math.Float32frombits(oneIf(x != 0) ^ oneIf(y != 0)) }

func eq32(x, y float32) float32 { return truth(x == y) }
func ne32(x, y float32) float32 { return truth(x != y) }
func gt32(x, y float32) float32 { return truth(x > y) }
func ge32(x, y float32) float32 { return truth(x >= y) }
func lt32(x, y float32) float32 { return truth(x < y) }
func le32(x, y float32) float32 { return truth(x <= y) }

// zeroOne tells whether x is 0 or 1.
func zeroOne(x float32) bool { return x == 0 || x == 1 }

// allZeroOne tells whether all numbers of a row are 0 or 1. A product of two 32-bit numbers is 0 only where one of them is.
func allZeroOne(row []float32) bool {
	bad := uint64(0)
	for _, x := range row {
		u := math.Float32bits(x)
		bad |= uint64(u<<1) * uint64(u^one)
	}
	return bad == 0
}

// aluFunc is an operator on two numbers.
type aluFunc func(x, y float32) float32

// aluFuncs has the float32 operators; those on raw bits are in bitFuncs.
var aluFuncs = [NumAluOps]aluFunc{
	AluBypass: bypass32, AluAdd: add32, AluSubtract: sub32, AluMult: mul32, AluDivide: div32, AluMax: max32, AluMin: min32,
	AluAverage: avg32, AluPow: pow32, AluMod: mod32, AluRsqrt: rsqrt32, AluAbs: abs32, AluAbsMax: absMax32, AluAbsMin: absMin32,
	AluLogicalAnd: and32, AluLogicalOr: or32, AluLogicalXor: xor32,
	AluIsEqual: eq32, AluNotEqual: ne32, AluIsGT: gt32, AluIsGE: ge32, AluIsLT: lt32, AluIsLE: le32,
}

// compareFuncs tells whether `x cmp y`, as the ALU's comparisons do.
var compareFuncs = [NumCmps]aluFunc{IsEqual: eq32, NotEqual: ne32, IsGT: gt32, IsGE: ge32, IsLT: lt32, IsLE: le32}

// float returns the function of a float32 operator; of one on raw bits it faults and gives bypass.
func (e *Eval) float(op AluOp) aluFunc {
	if f := aluFuncs[op]; f != nil {
		return f
	}
	e.noFloat(op)
	return bypass32
}

func (e *Eval) noFloat(op AluOp) { e.Fault("%s has no float32 meaning", op) }

// flip returns the function with its operands swapped where rev says so. A unary operator works on the data whatever its reverse flag says.
func (e *Eval) flip(op AluOp, rev bool) aluFunc {
	if f := flippedFuncs[op]; f != nil && rev {
		return f
	}
	return e.float(op)
}

// flippedFuncs has the binary operators of aluFuncs with their operands swapped.
var flippedFuncs = flipAll(&aluFuncs)

func flipAll(fs *[NumAluOps]aluFunc) *[NumAluOps]aluFunc {
	var out [NumAluOps]aluFunc
	for op, f := range fs {
		if f != nil && !AluOp(op).Unary() {
			out[op] = func(x, y float32) float32 { return f(y, x) }
		}
	}
	return &out
}
