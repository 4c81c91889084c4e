package ir

import (
	"math"
	"testing"
)

// TestSameAcrossPrograms: parts of two programs are the same by the names of what they mention, and numbers by their bits.
func TestSameAcrossPrograms(t *testing.T) {
	x, y, z := &Loc{Name: "x"}, &Loc{Name: "x"}, &Loc{Name: "z"}
	i, j, k := &Loop{Axis: "i"}, &Loop{Axis: "i"}, &Loop{Axis: "k"}
	axis := func(l *Loop, coef int64) Term { return Term{Kind: AxisTerm, Axis: l, Coef: coef} }
	sum := func(terms ...Term) Affine { return Affine{C: 3, Terms: terms} }
	for _, c := range []struct {
		name string
		a, b Operand
		want bool
	}{
		{"names", Operand{Loc: x}, Operand{Loc: y}, true},
		{"other names", Operand{Loc: x}, Operand{Loc: z}, false},
		{"nothing", Operand{}, Operand{Loc: x}, false},
		{"axes", Operand{Off: sum(axis(i, 2))}, Operand{Off: sum(axis(j, 2))}, true},
		{"the order of terms", Operand{Off: sum(axis(i, 2), axis(k, 1))}, Operand{Off: sum(axis(k, 1), axis(j, 2))}, true},
		{"other axes", Operand{Off: sum(axis(i, 2))}, Operand{Off: sum(axis(k, 2))}, false},
		{"more terms", Operand{Off: sum(axis(i, 2))}, Operand{Off: sum()}, false},
		{"a NaN", Operand{Imm: math.NaN()}, Operand{Imm: math.NaN()}, true},
		{"signs of zero", Operand{Imm: 0}, Operand{Imm: math.Copysign(0, -1)}, false},
	} {
		if got := SameOperand(c.a, c.b); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	if p := (Param{ID: PConst0, F: 1, LL: [][]int64{{1, 2}}}); !SameParam(p, p) || SameParam(p, Param{ID: PConst0, F: 1, LL: [][]int64{{1, 3}}}) {
		t.Error("settings: lists of lists are not compared")
	}
	if SamePredicate(Predicate{Cmp: 0, Expr: sum(axis(i, 1))}, Predicate{Cmp: 1, Expr: sum(axis(i, 1))}) {
		t.Error("predicates: comparisons are not compared")
	}
}
