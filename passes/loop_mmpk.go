package passes

import "birfuzz/ir"

var ruleLowerSymbolic = &Rule{
	Name: "loop-opt.mmpk-lower-symbolic",
	Doc: "Writes an access that a loop moves by a floor division or a remainder as a plain multiple of axes where that has the same value in every iteration: the division has one " +
		"quotient over the whole range, or the loop has one trip. Not where the value depends on the iteration otherwise.",
}

// lowerSymbolic is mmpk_lower_symbolic, "matmul-pack symbolic lowering", of which the documents give the name alone. Ours makes offsets that
// only look complicated affine, so that packs of matmuls that walk tiles by quotients and remainders can be told apart by distances. It is
// sound because every replaced leaf is shown to have the value of what replaces it, whatever the axes and the core are.
func lowerSymbolic(c *Ctx) {
	for in := range c.Program().Insts {
		if in.Loop != nil {
			continue
		}
		for i := range in.Args {
			a := in.Args[i].Off
			low := lowered(a)
			if low.Equal(a) {
				continue
			}
			if !c.Allow(ruleLowerSymbolic, in) {
				break
			}
			c.Edit().Change(func() { in.Args[i].Off = low })
		}
	}
}

// lowered returns an expression without the leaves that it does not need.
func lowered(a ir.Affine) ir.Affine {
	return a.Substitute(func(t *ir.Term) *ir.Affine {
		switch t.Kind {
		case ir.AxisTerm:
			if t.Axis.Trips() == 1 {
				first := ir.Konst(t.Axis.LB)
				return &first
			}
		case ir.FloorDivTerm, ir.ModTerm:
			lo, hi := t.Sub.Range()
			q := ir.FloorDiv(lo, t.N)
			if q != ir.FloorDiv(hi, t.N) {
				return nil
			}
			if t.Kind == ir.FloorDivTerm {
				quotient := ir.Konst(q)
				return &quotient
			}
			rest := t.Sub.Add(ir.Konst(-q*t.N), 1)
			return &rest
		}
		return nil
	})
}
