package oracle

import (
	"fmt"

	"birfuzz/ir"
)

// affine is a compiled ir.Affine: c plus the terms [lo, hi) of the machine's pool. ShardIDs are folded into c.
type affine struct {
	c      int64
	lo, hi int32
}

// term is a compiled ir.Term.
type term struct {
	coef int64
	kind ir.TermKind
	axis int // AxisTerm: depth of the loop
	sub  affine
	n    int64
}

// predicate holds when expr cmp 0.
type predicate struct {
	expr affine
	cmp  ir.Cmp
}

// affine compiles an expression that stands inside the loops of the compiler's stack.
func (c *compiler) affine(a *ir.Affine) (affine, error) {
	out := affine{c: a.C, lo: int32(len(c.m.terms))}
	for i := range a.Terms {
		t := &a.Terms[i]
		if t.Kind == ir.ShardTerm {
			out.c += t.Coef * int64(c.shard)
			continue
		}
		c.m.terms = append(c.m.terms, term{coef: t.Coef, kind: t.Kind, n: t.N})
	}
	out.hi = int32(len(c.m.terms))
	at := out.lo
	for i := range a.Terms {
		t := &a.Terms[i]
		if t.Kind == ir.ShardTerm {
			continue
		}
		if err := c.leaf(t, at); err != nil {
			return affine{}, err
		}
		at++
	}
	return out, nil
}

// leaf resolves what term t of the pool's entry at refers to.
func (c *compiler) leaf(t *ir.Term, at int32) error {
	if t.Kind == ir.AxisTerm {
		for d := len(c.loops) - 1; d >= 0; d-- {
			if c.loops[d] == t.Axis {
				c.m.terms[at].axis = d
				return nil
			}
		}
		return fmt.Errorf("an expression names a loop axis outside its loop")
	}
	if t.Sub == nil || t.N <= 0 {
		return fmt.Errorf("an expression divides by %d, want more than 0", t.N)
	}
	sub, err := c.affine(t.Sub)
	c.m.terms[at].sub = sub
	return err
}

// constant tells whether the expression has no term.
func (a affine) constant() bool { return a.lo == a.hi }

// value evaluates a compiled expression; axes holds the values of the loops by depth.
func (m *Machine) value(a affine, axes []int64) int64 {
	v := a.c
	for i := a.lo; i < a.hi; i++ {
		t := &m.terms[i]
		leaf := int64(0)
		switch t.kind {
		case ir.AxisTerm:
			leaf = axes[t.axis]
		case ir.FloorDivTerm:
			leaf = ir.FloorDiv(m.value(t.sub, axes), t.n)
		default:
			leaf = m.value(t.sub, axes)
			leaf -= ir.FloorDiv(leaf, t.n) * t.n
		}
		v += t.coef * leaf
	}
	return v
}

// holds tells whether all predicates of the code hold.
func (m *Machine) holds(c *code, axes []int64) bool {
	for i := range c.preds {
		if p := &c.preds[i]; !p.cmp.Holds(m.value(p.expr, axes)) {
			return false
		}
	}
	return true
}
