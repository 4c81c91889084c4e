package ir

import "math"

// actRange is the set of arguments for which a function of the Activation engine is defined.
type actRange struct {
	lo, hi  float64
	nonZero bool
}

// actRanges lists the functions whose table of polynomials has ends (nki-isa.md §2.2); the others take every number.
var actRanges = map[ActFunc]actRange{
	FuncLn:         {lo: 0x1p-64, hi: 0x1p64},
	FuncSqrt:       {lo: 0x1p-116, hi: 0x1p118},
	FuncRsqrt:      {lo: 0x1p-87, hi: 0x1p97},
	FuncReciprocal: {lo: 0x1p-42, hi: 0x1p42, nonZero: true},
	FuncSin:        {lo: -math.Pi, hi: math.Pi},
	FuncArctan:     {lo: -math.Pi / 2, hi: math.Pi / 2},
}

// ValidRange returns the arguments (after scale and bias) for which the function gives a result: lo ≤ x ≤ hi, or lo ≤ |x| ≤ hi where
// nonZero; outside, the result is poison (nki-isa.md §2.2). Functions without such limits return −Inf and +Inf.
func (f ActFunc) ValidRange() (lo, hi float64, nonZero bool) {
	if r, ok := actRanges[f]; ok {
		return r.lo, r.hi, r.nonZero
	}
	return math.Inf(-1), math.Inf(1), false
}
