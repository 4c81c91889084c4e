package gen

import (
	"math"

	"birfuzz/ir"
	"birfuzz/ir/num"
)

// values is a set of numbers: lo ≤ x ≤ hi, |x| ≥ away, whole where whole is set. It is closed under meet, which is why it is not an
// ir.Domain: one input may feed instructions of several domains.
type values struct {
	lo, hi float64
	away   float64
	whole  bool
}

// anyValue is the set of all numbers.
var anyValue = values{lo: math.Inf(-1), hi: math.Inf(1)}

// valuesOf returns the numbers that input i of in may hold, given the operand's type.
func valuesOf(in *ir.Inst, i int) values {
	d := in.Spec().Domain(in, i)
	switch d.Kind {
	case ir.ZeroOne:
		return values{lo: 0, hi: 1, whole: true}
	case ir.RowNumber:
		return values{lo: -1, hi: float64(tableRows(in) - 1), whole: true}
	case ir.InRange:
		return values{lo: d.Lo, hi: d.Hi}
	case ir.NonZero:
		return values{lo: -d.Hi, hi: d.Hi, away: d.Lo}
	case ir.ShiftCount:
		return values{lo: 0, hi: float64(8*in.Ins()[i].DType.Size() - 1), whole: true}
	default:
		return anyValue
	}
}

// tableRows returns the number of rows of the instruction's table.
func tableRows(in *ir.Inst) int64 {
	s := in.Spec()
	for i := range in.Args {
		list, k := s.Outs, i
		if i >= int(in.NOut) {
			list, k = s.Ins, i-int(in.NOut)
		}
		if k < len(list) && list[k].Role == ir.Table {
			return in.Args[i].Lanes()
		}
	}
	return 1
}

// any tells whether the set is all numbers.
func (v values) any() bool { return v == anyValue }

// meet returns the numbers of both sets.
func (v values) meet(w values) values {
	return values{lo: max(v.lo, w.lo), hi: min(v.hi, w.hi), away: max(v.away, w.away), whole: v.whole || w.whole}
}

// holds tells whether x is in the set.
func (v values) holds(x float64) bool {
	if v.any() {
		return true
	}
	return x >= v.lo && x <= v.hi && math.Abs(x) >= v.away && (!v.whole || x == math.Trunc(x))
}

// arms returns the positive and negative halves as closed ranges; an empty one has lo > hi.
func (v values) arms(d num.DType) (pos, neg [2]float64) {
	pos = [2]float64{max(v.lo, v.away), v.hi}
	neg = [2]float64{v.lo, min(v.hi, -v.away)}
	if d.IsInt() || v.whole {
		pos[0], neg[0] = math.Ceil(pos[0]), math.Ceil(neg[0])
		pos[1], neg[1] = math.Floor(pos[1]), math.Floor(neg[1])
	}
	if !d.IsSigned() {
		pos[0], neg[0] = max(pos[0], 0), max(neg[0], 0)
	}
	return pos, neg
}

// possible tells whether type d has numbers of the set, with room to round.
func (v values) possible(d num.DType) bool {
	pos, neg := v.arms(d)
	for _, a := range [...][2]float64{pos, neg} {
		if a[0] > a[1] {
			continue
		}
		for _, x := range [...]float64{a[0], a[1], 1, 2, 0} {
			if x >= a[0] && x <= a[1] && v.holds(round(d, x)) {
				return true
			}
		}
	}
	return false
}

// within tells whether the set is a part of w.
func (v values) within(w values) bool {
	if w.any() {
		return true
	}
	far := max(v.away, v.lo, -v.hi) // the least distance from zero
	return v.lo >= w.lo && v.hi <= w.hi && far >= w.away && (v.whole || !w.whole)
}

// round returns x as type d holds it; x itself if there is no such type.
func round(d num.DType, x float64) float64 {
	if d.Size() == 0 {
		return x
	}
	return float64(num.Decode(d, num.Encode(d, float32(x))))
}
