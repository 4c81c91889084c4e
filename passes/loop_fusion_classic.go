package passes

import (
	"slices"

	"birfuzz/ir"
)

var ruleFuseClassic = &Rule{
	Name: "loop-opt.fuse-classic",
	Doc:  "Fuses a loop with the next one in its block, in program order and whatever it saves. Not if something stands between them, nor where profitable fusion is illegal.",
}

// fuseClassic is check_loop_fusion, of which the documents say only that it runs where profitable fusion is switched off. Ours fuses neighbours
// with nothing between them as they stand, outermost loops first; it is sound as the same battery says so.
func (o *loopOptimizer) fuseClassic(b *ir.Block, around []*ir.Inst) {
	for i := 0; i+1 < len(b.Insts); {
		first, second := &sibling{b.Insts[i], b, i, around}, &sibling{b.Insts[i+1], b, i + 1, around}
		if first.inst.Loop == nil || second.inst.Loop == nil || !o.fuseNeighbours(first, second) {
			i++
		}
	}
	for _, in := range b.Insts {
		if in.Loop != nil {
			for _, body := range in.Loop.Blocks {
				o.fuseClassic(body, append(slices.Clip(around), in))
			}
		}
	}
}

// fuseNeighbours fuses two loops if it may.
func (o *loopOptimizer) fuseNeighbours(first, second *sibling) bool {
	t := o.battery(first, second)
	if why := t.why(max(o.profit(first, second), 1)); why != "" {
		o.ctx.Refuse(ruleFuseClassic, first.inst, why)
		o.ctx.Logf("[STOP FUSION] %s: %s, %s", why, first.inst.Name, second.inst.Name)
		return false
	}
	if !o.ctx.Allow(ruleFuseClassic, first.inst) {
		return false
	}
	o.apply(t)
	return true
}
