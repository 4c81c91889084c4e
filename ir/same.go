package ir

import (
	"math"
	"slices"
)

// Two programs have nothing in common but names. These tell whether parts of them are the same, locations and axes compared by name; numbers are
// if their bits are, so that -0 is not 0 and a NaN is itself.

// SameParam tells whether two settings are the same.
func SameParam(a, b Param) bool {
	return a.ID == b.ID && a.I == b.I && math.Float64bits(a.F) == math.Float64bits(b.F) && slices.Equal(a.L, b.L) &&
		slices.EqualFunc(a.LL, b.LL, slices.Equal)
}

// SameOperand tells whether two operands of two programs are the same access, immediate or register.
func SameOperand(a, b Operand) bool {
	if a.Kind != b.Kind || a.DType != b.DType || a.N != b.N || a.AP != b.AP || math.Float64bits(a.Imm) != math.Float64bits(b.Imm) {
		return false
	}
	return (a.Loc == nil) == (b.Loc == nil) && (a.Loc == nil || a.Loc.Name == b.Loc.Name) && SameExpr(a.Off, b.Off)
}

// SamePredicate tells whether two predicates of two programs are the same.
func SamePredicate(a, b Predicate) bool { return a.Cmp == b.Cmp && SameExpr(a.Expr, b.Expr) }

// SameExpr tells whether two expressions of two programs are the same up to the order of their terms.
func SameExpr(a, b Affine) bool {
	if a.C != b.C || len(a.Terms) != len(b.Terms) {
		return false
	}
	for i := range a.Terms {
		if !slices.ContainsFunc(b.Terms, func(t Term) bool { return sameTerm(&a.Terms[i], &t) }) {
			return false
		}
	}
	return true
}

func sameTerm(a, b *Term) bool {
	if a.Kind != b.Kind || a.Coef != b.Coef || a.N != b.N || (a.Axis == nil) != (b.Axis == nil) || (a.Sub == nil) != (b.Sub == nil) {
		return false
	}
	return (a.Axis == nil || a.Axis.Axis == b.Axis.Axis) && (a.Sub == nil || SameExpr(*a.Sub, *b.Sub))
}
