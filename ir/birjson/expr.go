package birjson

import (
	"fmt"
	"math"

	"birfuzz/ir"
)

// The expression kinds of bir.json.
const (
	kindAffine   = "AffExprKind"
	kindAxis     = "AffIVKind"
	kindFloorDiv = "FloorDivKind"
	kindModulo   = "ModuloKind"
	kindSum      = "SumKind"
	kindMult     = "MultKind"
	kindShard    = "ShardIDKind"
)

// exprKeys is an expression, or a term of one, as it stands in the text.
type exprKeys struct {
	kind, terms, c, idx, coeff, axis, numer, denom, of, scale, ub value
}

func (r *reader) exprKeys(v value) (k exprKeys) {
	for it := r.object(v); it.next(); {
		switch string(it.key) {
		case "kind":
			k.kind = it.val
		case "terms":
			k.terms = it.val
		case "c":
			k.c = it.val
		case "idx":
			k.idx = it.val
		case "coeff":
			k.coeff = it.val
		case "axis":
			k.axis = it.val
		case "numer":
			k.numer = it.val
		case "denom":
			k.denom = it.val
		case "var":
			k.of = it.val
		case "scale":
			k.scale = it.val
		case "ub":
			k.ub = it.val
		default:
			r.keep(it.val)
		}
	}
	return k
}

// expr reads an affine expression of any kind. No value that it, or a part of it, can take is beyond ±maxReach.
func (r *reader) expr(v value) ir.Affine {
	s := sum{r: r, at: v}
	s.add(v, 1)
	return s.total
}

// sum adds up an expression; sums and products inside it are folded as they come.
type sum struct {
	r      *reader
	at     value // the whole expression, for errors
	total  ir.Affine
	reach  float64 // bound of the magnitude of total and of every partial sum
	leaves int     // with those inside quotients and remainders
}

// grow notes that the expression gains a part of that magnitude.
func (s *sum) grow(magnitude float64) bool {
	s.reach += magnitude
	if s.reach > maxReach {
		s.r.fail(s.at, "expression can leave ±%d", int64(maxReach))
	}
	return s.r.err == nil
}

// add adds scale times the expression at v.
func (s *sum) add(v value, scale int64) {
	r := s.r
	k := r.exprKeys(v)
	if !r.require(v, k.kind, "kind") {
		return
	}
	switch kind := string(r.text(k.kind, "an expression kind")); kind {
	case kindAffine:
		s.affine(v, &k, scale)
	case kindAxis:
		s.axis(v, &k, scale)
	case kindFloorDiv, kindModulo:
		s.quotient(v, &k, kind, scale)
	case kindSum:
		if r.require(v, k.terms, "terms") {
			for it := r.list(k.terms); it.next(); {
				s.add(it.val, scale)
			}
		}
	case kindMult:
		if r.require(v, k.of, "var") {
			s.add(k.of, s.times(k.scale, scale))
		}
	case kindShard:
		n := r.positive(v, k.ub, "ub")
		s.leaf(ir.Term{Kind: ir.ShardTerm, N: n}, float64(n), scale)
	default:
		r.mismatch(k.kind, fmt.Sprintf("%s, %s, %s, %s, %s, %s or %s", kindAffine, kindAxis, kindFloorDiv, kindModulo, kindSum, kindMult, kindShard))
	}
}

// times returns scale times the number at v, 0 where it is missing.
func (s *sum) times(v value, scale int64) int64 {
	if !v.given() {
		return 0
	}
	n := s.r.int(v, -maxReach, maxReach)
	if math.Abs(float64(n))*math.Abs(float64(scale)) > maxReach {
		s.r.fail(s.at, "expression can leave ±%d", int64(maxReach))
		return 0
	}
	return n * scale
}

func (s *sum) affine(v value, k *exprKeys, scale int64) {
	c := s.times(k.c, scale)
	if !s.grow(math.Abs(float64(c))) {
		return
	}
	s.total.C += c
	if !k.terms.given() {
		return
	}
	for it := s.r.list(k.terms); it.next(); {
		t := s.r.exprKeys(it.val)
		if s.r.require(it.val, t.idx, "idx") {
			s.add(t.idx, s.times(t.coeff, scale))
		}
	}
}

// leaf adds scale times a leaf whose values are within ±magnitude. A quotient or remainder of a constant is folded.
func (s *sum) leaf(t ir.Term, magnitude float64, scale int64) {
	if s.leaves++; s.leaves > maxTerms {
		s.r.fail(s.at, "more than %d terms", maxTerms)
	}
	if s.r.err != nil || !s.grow(math.Abs(float64(scale))*magnitude) {
		return
	}
	t.Coef = 1
	one := ir.Affine{Terms: []ir.Term{t}}
	if t.Sub != nil && t.Sub.IsConst() {
		one = one.Substitute(func(*ir.Term) *ir.Affine { return nil })
	}
	s.total = s.total.Add(one, scale)
}

// axis adds the axis of the enclosing loop that has the name.
func (s *sum) axis(v value, k *exprKeys, scale int64) {
	if !s.r.require(v, k.axis, "axis") {
		return
	}
	name := s.r.text(k.axis, "the name of an axis")
	for _, l := range s.r.loops {
		if l.Axis == string(name) {
			s.leaf(ir.Term{Kind: ir.AxisTerm, Axis: l}, max(math.Abs(float64(l.LB)), math.Abs(float64(l.UB))), scale)
			return
		}
	}
	s.r.fail(k.axis, "no loop with axis %q around it", name)
}

// quotient adds floor(numer/denom) or numer mod denom.
func (s *sum) quotient(v value, k *exprKeys, kind string, scale int64) {
	if !s.r.require(v, k.numer, "numer") {
		return
	}
	sub := sum{r: s.r, at: k.numer, leaves: s.leaves}
	sub.add(k.numer, 1)
	s.leaves = sub.leaves
	t := ir.Term{Kind: ir.FloorDivTerm, Sub: &sub.total, N: s.r.positive(v, k.denom, "denom")}
	magnitude := sub.reach/float64(t.N) + 1
	if kind == kindModulo {
		t.Kind, magnitude = ir.ModTerm, float64(t.N)
	}
	s.leaf(t, magnitude, scale)
}

// positive returns a bound or divisor, which v must have.
func (r *reader) positive(v, n value, key string) int64 {
	if !r.require(v, n, key) {
		return 1
	}
	return r.int(n, 1, maxInt)
}
