package fuzz

import (
	"birfuzz/ir"
	"birfuzz/oracle"
)

// edges asks whether a program that has the fact Deps is ordered as the fact says (semantics §2, by edges), the way a pass is asked that gives
// the fact. A campaign would say nothing: of a step that begins with a program that is not, nobody can tell whose fault that is.
func (k *checking) edges(index int, p *ir.Program) {
	if !p.Facts.Has(ir.Deps) {
		return
	}
	bare, claim := *p, ir.Contract{Gives: ir.Deps, Order: ir.OrderSame, Same: []ir.Law{}}
	bare.Facts &^= ir.Deps
	if v := k.judge.Claims(&bare, p, claim); v.Kind != oracle.Same {
		k.found.note(&k.found.Unordered, index, "unordered", v.Failed[0].Detail)
	}
}
