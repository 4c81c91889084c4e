package gen_test

import (
	"birfuzz/gen"
	"birfuzz/ir"
)

// sumShapes are about sums in PSUM.
var sumShapes = map[string]shape{
	"started-sum": anyPair(func(a, b *ir.Inst) bool {
		return member(a) && a.Flag(ir.PStart) && sumsUp(b) && b.Args[0].Equal(&a.Args[0])
	}),
	"two-members-loop": anyLoop(func(l *ir.Loop) bool {
		return pairIn(directly(l), func(a, b *ir.Inst) bool { return member(a) && sumsUp(b) && hit(a.Outs(), b.Outs()) })
	}),
	"read-between-members": anyTriple(func(a, r *ir.Inst) bool { return member(a) && feeds(a, r) },
		func(a, _, b *ir.Inst) bool { return sumsUp(b) && hit(a.Outs(), b.Outs()) }),
	"read-at-once": anyBlock(func(list []*ir.Inst) bool {
		for i := range list[:max(len(list)-1, 0)] {
			if member(list[i]) && feeds(list[i], list[i+1]) {
				return true
			}
		}
		return false
	}),
	"two-loops-one-sum": summedTwice,
	"member-in-nest": anyLoop(func(l *ir.Loop) bool {
		for in := range l.Insts {
			if sumsUp(in) {
				return true
			}
		}
		return false
	}),
	"sum-in-part": anyOperand(func(in *ir.Inst, o *ir.Operand, out bool) bool {
		return out && member(in) && o.Count()*int64(o.DType.Size()) < o.Loc.Bytes()
	}),
	"bank-mates":   sharesBank,
	"clears-banks": symptoms[gen.ZeroRegions].in,
	"operands-reloaded": anyLoop(func(l *ir.Loop) bool {
		return pairIn(directly(l), func(a, b *ir.Inst) bool { return loads(a) && member(b) && feeds(a, b) })
	}),
}
