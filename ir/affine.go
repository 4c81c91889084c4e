package ir

import "slices"

// TermKind is the kind of a leaf of an affine expression.
type TermKind uint8

// The term kinds: a loop axis, floor(expr/N), expr mod N (never negative), and the core's number below N.
const (
	AxisTerm TermKind = iota
	FloorDivTerm
	ModTerm
	ShardTerm
)

// Term is Coef times a leaf.
type Term struct {
	Coef int64
	Kind TermKind
	Axis *Loop   // AxisTerm: the loop whose axis value it stands for
	Sub  *Affine // FloorDivTerm, ModTerm: the dividend
	N    int64   // FloorDivTerm, ModTerm: the divisor, > 0; ShardTerm: the number of cores
}

// Affine is the quasi-affine expression C + Σ Coef·leaf (walrus.md §1.5): SumKind and MultKind of bir.json are folded into it when read.
type Affine struct {
	C     int64
	Terms []Term
}

// Env gives the leaves of an expression their values.
type Env interface {
	AxisValue(*Loop) int64
	ShardID() int64
}

// Konst returns the constant expression c.
func Konst(c int64) Affine { return Affine{C: c} }

// IsConst tells whether the expression has no leaf.
func (a Affine) IsConst() bool { return len(a.Terms) == 0 }

// Eval returns the value in env. Overflow wraps; Verify bounds what a legal program can reach.
func (a Affine) Eval(env Env) int64 {
	v := a.C
	for i := range a.Terms {
		v += a.Terms[i].Coef * a.Terms[i].leaf(env)
	}
	return v
}

func (t *Term) leaf(env Env) int64 {
	switch t.Kind {
	case AxisTerm:
		return env.AxisValue(t.Axis)
	case FloorDivTerm:
		return FloorDiv(t.Sub.Eval(env), t.N)
	case ModTerm:
		v := t.Sub.Eval(env)
		return v - FloorDiv(v, t.N)*t.N
	default:
		return env.ShardID()
	}
}

// FloorDiv returns a/b, rounded down where b is positive.
func FloorDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && a < 0 {
		q--
	}
	return q
}

// Add returns a + b·scale in canonical form: equal leaves are merged, zero terms dropped, terms stay in first-seen order.
func (a Affine) Add(b Affine, scale int64) Affine {
	out := Affine{C: a.C + scale*b.C, Terms: slices.Clone(a.Terms)}
	for _, t := range b.Terms {
		t.Coef *= scale
		out.Terms = addTerm(out.Terms, t)
	}
	return out
}

func addTerm(ts []Term, t Term) []Term {
	i := slices.IndexFunc(ts, func(u Term) bool { return u.sameLeaf(&t) })
	if i < 0 {
		if t.Coef == 0 {
			return ts
		}
		return append(ts, t)
	}
	ts[i].Coef += t.Coef
	if ts[i].Coef == 0 {
		ts = slices.Delete(ts, i, i+1)
	}
	return ts
}

func (t *Term) sameLeaf(u *Term) bool {
	if t.Kind != u.Kind || t.Axis != u.Axis || t.N != u.N {
		return false
	}
	return t.Sub == nil && u.Sub == nil || t.Sub != nil && u.Sub != nil && t.Sub.Equal(*u.Sub)
}

// Equal tells whether the two expressions are the same up to the order of their terms.
func (a Affine) Equal(b Affine) bool {
	d := a.Add(b, -1)
	return d.C == 0 && len(d.Terms) == 0
}

// Axes yields every loop whose axis the expression uses, repeats included.
func (a Affine) Axes(yield func(*Loop) bool) { a.axes(yield) }

func (a Affine) axes(yield func(*Loop) bool) bool {
	for i := range a.Terms {
		t := &a.Terms[i]
		if t.Kind == AxisTerm && !yield(t.Axis) || t.Sub != nil && !t.Sub.axes(yield) {
			return false
		}
	}
	return true
}

// Range returns bounds of the expression over all values of its axes and ShardIDs. They are exact for plain affine expressions with
// distinct axes that all run at least once, conservative otherwise.
func (a Affine) Range() (lo, hi int64) {
	lo, hi = a.C, a.C
	for i := range a.Terms {
		l, h := a.Terms[i].leafRange()
		if c := a.Terms[i].Coef; c >= 0 {
			lo, hi = lo+c*l, hi+c*h
		} else {
			lo, hi = lo+c*h, hi+c*l
		}
	}
	return lo, hi
}

func (t *Term) leafRange() (lo, hi int64) {
	switch t.Kind {
	case AxisTerm:
		n := max(t.Axis.Trips(), 1)
		return t.Axis.LB, t.Axis.LB + (n-1)*t.Axis.Stride
	case FloorDivTerm:
		lo, hi = t.Sub.Range()
		return FloorDiv(lo, t.N), FloorDiv(hi, t.N)
	case ModTerm:
		lo, hi = t.Sub.Range()
		if FloorDiv(lo, t.N) == FloorDiv(hi, t.N) {
			q := FloorDiv(lo, t.N) * t.N
			return lo - q, hi - q
		}
		return 0, t.N - 1
	default:
		return 0, t.N - 1
	}
}

// Substitute returns the expression with every leaf replaced by what f returns for it; a nil result keeps the leaf.
func (a Affine) Substitute(f func(*Term) *Affine) Affine {
	out := Affine{C: a.C}
	for i := range a.Terms {
		t := a.Terms[i]
		if t.Sub != nil {
			sub := t.Sub.Substitute(f)
			t.Sub = &sub
		}
		switch r := f(&t); {
		case r != nil:
			out = out.Add(*r, t.Coef)
		case t.Sub != nil && t.Sub.IsConst() && t.Kind == FloorDivTerm:
			out.C += t.Coef * FloorDiv(t.Sub.C, t.N)
		case t.Sub != nil && t.Sub.IsConst():
			out.C += t.Coef * (t.Sub.C - FloorDiv(t.Sub.C, t.N)*t.N)
		default:
			out.Terms = addTerm(out.Terms, t)
		}
	}
	return out
}
