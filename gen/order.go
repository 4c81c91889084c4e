package gen

import (
	"cmp"
	"slices"

	"birfuzz/ir"
)

// order gives most instructions of a block order vectors. Inside a run (bir-json.md, "order": a fence ends one, and here an instruction
// without a vector too) no pair is turned round: every vector is at least the largest one of those that must stay before it. All begin with
// the prefix, of expressions without a constant term. What ends a run may have any vector.
func (w *weaver) order(bl *ir.Block, pairs []conflict, prefix []ir.Affine) {
	r := &w.rand
	slices.SortFunc(pairs, func(a, b conflict) int { return cmp.Compare(a.to, b.to) })
	run := 0 // first instruction of the run
	k := 0
	for i, in := range bl.Insts {
		ends := in.Spec().Effect.Fence() || in.Loop != nil && (!w.on(OrderedFences) || fenced(in.Loop))
		if ends || r.Bool(0.08) {
			run = i + 1
			if ends && in.Loop == nil && w.on(OrderedFences) && r.Bool(0.7) {
				in.Order = w.under(prefix, vector(r, nil, &w.keys))
			}
			continue
		}
		var least []ir.Affine
		for ; k < len(pairs) && int(pairs[k].to) <= i; k++ {
			c := pairs[k]
			if int(c.to) != i || int(c.from) < run {
				continue
			}
			if o := bl.Insts[c.from].Order[len(prefix):]; least == nil || before(least, o) {
				least = o
			}
		}
		in.Order = vector(r, least, &w.keys)
		if len(prefix) > 0 {
			in.Order = w.under(prefix, in.Order)
		}
	}
}

// under returns an order vector of the prefix and what follows.
func (w *weaver) under(prefix, rest []ir.Affine) []ir.Affine {
	out := w.keys.take(len(prefix) + len(rest))
	copy(out[copy(out, prefix):], rest)
	return out
}

// fenced tells whether a loop holds a fence, which nothing may pass with it.
func fenced(l *ir.Loop) bool {
	for in := range l.Insts {
		if in.Spec().Effect.Fence() {
			return true
		}
	}
	return false
}

// before tells whether vector a sorts before b: element by element, then the shorter first.
func before(a, b []ir.Affine) bool {
	return slices.CompareFunc(a, b, func(x, y ir.Affine) int { return cmp.Compare(x.C, y.C) }) < 0
}

// maxOrder is the most elements of an order vector.
const maxOrder = 4

// vector draws an order vector that does not sort before least.
func vector(r *Rand, least []ir.Affine, keys *slab[ir.Affine]) []ir.Affine {
	if least == nil {
		out := keys.take(r.Between(1, 3))
		for i := range out {
			out[i] = ir.Konst(int64(r.IntN(6)))
		}
		return out
	}
	out := keys.take(min(len(least)+1, maxOrder))[:len(least)]
	copy(out, least)
	switch r.Pick([]int{4, 2, 3}) {
	case 1: // the same and more: later
		if len(out) < maxOrder {
			out = append(out, ir.Konst(int64(r.IntN(4))))
		}
	case 2: // a larger element, and anything after it
		k := r.IntN(len(out))
		out[k].C += int64(r.Between(1, 3))
		for i := k + 1; i < len(out); i++ {
			out[i].C = int64(r.IntN(6))
		}
		if r.Bool(0.3) {
			out = out[:k+1]
		}
	}
	return out
}
