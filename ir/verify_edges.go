package ir

import "slices"

// edges checks the dependencies of an instruction. Whether they suffice, and point back in program order, is the oracle's question.
func (v *Verifier) edges(in *Inst) {
	for i := range in.Deps {
		d := &in.Deps[i]
		if v.edge(d.On, d.Kind) && d.On == in {
			v.Add(RuleEdge, "a dependency on itself", "one on another instruction")
		}
	}
	for i := range in.LoopDeps {
		d := &in.LoopDeps[i]
		if v.edge(d.On, d.Kind) {
			v.distance(in, d)
		}
	}
}

func (v *Verifier) edge(on *Inst, kind EdgeKind) bool {
	switch {
	case !v.ownsInst(on):
		v.Add(RuleEdge, "an instruction of another function", "one of this function")
	case kind < Ordered || kind > Flow:
		v.Addf(RuleEdge, "Ordered, Anti, Output or Flow", "edge kind %d", kind)
	default:
		return true
	}
	return false
}

// distance checks a loop-carried edge: one distance a common loop, none negative, and not all zero, which would be a plain edge.
func (v *Verifier) distance(in *Inst, d *LoopDep) {
	if len(v.nest) == 0 {
		v.nest = slices.Grow(v.nest, len(v.insts))[:len(v.insts)]
		v.nesting(v.fn.Blocks, nil)
	}
	common, other := 0, v.nest[d.On.ID-v.instLo]
	for common < len(v.loops) && common < len(other) && v.loops[common] == other[common] {
		common++
	}
	positive := slices.ContainsFunc(d.Dist, func(n int64) bool { return n > 0 })
	bad := slices.ContainsFunc(d.Dist, func(n int64) bool { return n < 0 || n > 2*maxAxis })
	if len(d.Dist) != common || !positive || bad {
		v.Addf(RuleEdge, "a distance for each common loop, none negative, one positive", "distance %v to %s, which shares %d loops", d.Dist, printable(d.On.Name), common)
	}
}

func (v *Verifier) nesting(bs []*Block, around []*Loop) {
	for _, b := range bs {
		for _, in := range b.Insts {
			v.nest[in.ID-v.instLo] = around
			if in.Loop != nil {
				v.nesting(in.Loop.Blocks, append(around[:len(around):len(around)], in.Loop))
			}
		}
	}
}
