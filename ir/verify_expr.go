package ir

import (
	"math/bits"
	"slices"
	"strconv"
)

const (
	maxExpr      = int64(1) << 52 // magnitude of an expression and of every part of it; sums of a few never overflow
	maxExprDepth = 16             // nesting of floor and mod
	maxShards    = 64             // cores of one module [ours]
)

// span checks an expression and returns its bounds over all values of its axes and cores. It is not ok where the bounds mean nothing;
// that has been complained about then, here or at the loop.
func (v *Verifier) span(a *Affine) (lo, hi int64, ok bool) {
	if len(a.Terms) == 0 && a.C <= maxExpr && a.C >= -maxExpr {
		return a.C, a.C, true
	}
	return v.spanTerms(a, 0)
}

func (v *Verifier) spanTerms(a *Affine, depth int) (lo, hi int64, ok bool) {
	if depth > maxExprDepth {
		v.Addf(RuleExpr, "at most "+strconv.Itoa(maxExprDepth), "floor and mod nested deeper")
		return 0, 0, false
	}
	lo, hi = a.C, a.C
	ok = a.C <= maxExpr && a.C >= -maxExpr
	tooLarge := !ok
	for i := range a.Terms {
		t := &a.Terms[i]
		l, h, good := v.leaf(t, depth)
		if !good {
			ok = false
			continue
		}
		x, okX := mulSmall(t.Coef, l)
		y, okY := mulSmall(t.Coef, h)
		if !okX || !okY || tooLarge {
			tooLarge = true
			continue
		}
		lo, hi = lo+min(x, y), hi+max(x, y)
		tooLarge = lo < -maxExpr || hi > maxExpr
	}
	if tooLarge {
		v.Addf(RuleExpr, "values of at most 2^52", "an expression that may exceed them")
		ok = false
	}
	return lo, hi, ok
}

// mulSmall returns a·b if it is at most maxExpr in magnitude.
func mulSmall(a, b int64) (int64, bool) {
	hi, lo := bits.Mul64(magnitude(a), magnitude(b))
	if hi != 0 || lo > uint64(maxExpr) {
		return 0, false
	}
	return a * b, true
}

func magnitude(a int64) uint64 {
	if a < 0 {
		return -uint64(a)
	}
	return uint64(a)
}

// leaf checks a leaf and returns its bounds.
func (v *Verifier) leaf(t *Term, depth int) (lo, hi int64, ok bool) {
	switch t.Kind {
	case AxisTerm:
		if t.Axis == nil || !slices.Contains(v.loops, t.Axis) {
			v.Addf(RuleScope, "the axis of a loop around the instruction", "%s", axisName(t.Axis))
			return 0, 0, false
		}
		if !t.Axis.bounded() {
			return 0, 0, false
		}
		lo, hi = t.leafRange()
		return lo, hi, true
	case FloorDivTerm, ModTerm:
		return v.quotient(t, depth)
	case ShardTerm:
		return 0, t.N - 1, v.shard(t.N)
	}
	v.Addf(RuleExpr, "an axis, floor, mod or ShardID", "term kind %d", t.Kind)
	return 0, 0, false
}

func axisName(l *Loop) string {
	if l == nil {
		return "no axis"
	}
	return "axis " + printable(l.Axis)
}

func (v *Verifier) quotient(t *Term, depth int) (lo, hi int64, ok bool) {
	if t.Sub == nil || t.N < 1 || t.N > maxExpr {
		v.Addf(RuleExpr, "a dividend, and a divisor from 1 to 2^52", "divisor %d", t.N)
		return 0, 0, false
	}
	lo, hi, ok = v.spanTerms(t.Sub, depth+1)
	if !ok {
		return 0, 0, false
	}
	qlo, qhi := FloorDiv(lo, t.N), FloorDiv(hi, t.N)
	switch {
	case t.Kind == FloorDivTerm:
		return qlo, qhi, true
	case qlo == qhi:
		return lo - qlo*t.N, hi - qlo*t.N, true
	default:
		return 0, t.N - 1, true
	}
}

// shard checks the bound of a ShardID: one for the whole module, and the number of its functions where it has several.
func (v *Verifier) shard(n int64) bool {
	cores := int64(len(v.prog.Cores))
	switch {
	case n < 1 || n > maxShards:
		v.Addf(RuleShard, "from 1 to "+strconv.Itoa(maxShards)+" cores", "ShardID of %d", n)
		return false
	case cores > 1 && n != cores:
		v.Addf(RuleShard, strconv.FormatInt(cores, 10)+", the number of functions", "ShardID of %d", n)
	case v.shards != 0 && v.shards != n:
		v.Addf(RuleShard, strconv.FormatInt(v.shards, 10)+", as elsewhere in the module", "ShardID of %d", n)
	default:
		v.shards = n
		if v.facts.Has(Split) {
			v.Add(RuleFact, "a ShardID", "none: the program is Split")
		}
	}
	return true
}
