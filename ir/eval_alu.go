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

// exactQuotient tells whether mod32 may take q, the float64 quotient of two float32 numbers, the second of them b. Below 2²⁴ the true quotient
// is either an integer or further from one than the division can round, and the product with it is exact.
func exactQuotient(q, b float64) bool { return math.Abs(q) < 1<<24 && b-b == 0 }

// mod32 is x − y·⌊x/y⌋, rounded once; a zero result has the sign of y. mod32(x, 0) is NaN.
func mod32(x, y float32) float32 {
	a, b := float64(x), float64(y)
	if q := a / b; exactQuotient(q, b) {
		return exactMod(a, b, q)
	}
	return slowMod(a, b)
}

// exactMod is mod32 where exactQuotient holds of q. A zero takes the sign of b, which any other result has already; adding 0 makes +0 of −0.
func exactMod(a, b, q float64) float32 {
	r := a - float64(b*floorSmall(q)) + 0
	return float32(math.Float64frombits(math.Float64bits(r) | math.Float64bits(b)&(1<<63)))
}

// floorSmall is ⌊q⌋ for |q| below 2⁵¹, but +0 for −0. It has no branch: adding 1.5·2⁵² rounds to an integer, of which 1 is taken where that is
// above q. Adding 0 makes +0 of the difference −0.
func floorSmall(q float64) float64 {
	const shift = 3 << 51
	n := q + shift - shift
	above := uint64(int64(math.Float64bits(q-n+0)) >> 63) // all ones or zero
	return n - math.Float64frombits(math.Float64bits(1)&above)
}

// slowMod is mod32 of any numbers.
func slowMod(a, b float64) float32 {
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
func absMax32(x, y float32) float32 { return pick32(x, y, absBits(y), absBits(x)) }

// absMin32 is the operand of smaller absBits with its sign; of equal magnitudes the second.
func absMin32(x, y float32) float32 { return pick32(x, y, absBits(x), absBits(y)) }

// pick32 is x where a < b, else y; a and b are below 2³¹, so the sign of their difference tells. It has no branch: which operand is larger
// nobody can predict.
func pick32(x, y float32, a, b uint32) float32 {
	u, v := math.Float32bits(x), math.Float32bits(y)
	less := uint32(int32(a-b) >> 31) // all ones or zero
	return math.Float32frombits(v ^ (u^v)&less)
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

// nonZero is all ones where x is not zero of either sign, else zero; it compares no floats, so that it compiles to a few integer operations.
func nonZero(x uint32) uint32 {
	x &^= signBit
	return uint32(int32(-x) >> 31) // −x of a number from 1 to 2³¹ − 1 is negative
}

// Logical operators are defined on 0 and 1; their callers mark results of other operands as poison.
func and32(x, y float32) float32 {
	return math.Float32frombits(nonZero(math.Float32bits(x)) & nonZero(math.Float32bits(y)) & one)
}

func or32(x, y float32) float32 {
	return math.Float32frombits(nonZero(math.Float32bits(x)|math.Float32bits(y)) & one)
}

func xor32(x, y float32) float32 {
	return math.Float32frombits((nonZero(math.Float32bits(x)) ^ nonZero(math.Float32bits(y))) & one)
}

func eq32(x, y float32) float32 { return truth(x == y) }
func ne32(x, y float32) float32 { return truth(x != y) }
func gt32(x, y float32) float32 { return truth(x > y) }
func ge32(x, y float32) float32 { return truth(x >= y) }
func lt32(x, y float32) float32 { return truth(x < y) }
func le32(x, y float32) float32 { return truth(x <= y) }

// zeroOne tells whether x is 0 or 1.
func zeroOne(x float32) bool { return x == 0 || x == 1 }

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
