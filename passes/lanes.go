package passes

import "birfuzz/ir"

// lane is one stream that keeps its instructions in program order: an engine, or a DMA queue. The zero lane is none.
type lane struct {
	engine ir.Engine
	queue  string
}

// lanesOf returns the streams in which an instruction stands: its engine's, and its queue's where it names one. Unassigned instructions
// have a queue of their own each (bir-json.md, "Small things settled"). ALL joins every queue: whoever asks must see to that.
func lanesOf(in *ir.Inst) [2]lane {
	var ls [2]lane
	if in.Engine != ir.Unassigned {
		ls[0].engine = in.Engine
	}
	ls[1].queue = in.Queue
	return ls
}

// keepLaneOrder prepares a deletion in a program that is ordered by edges (fact Deps).
//
// A deleted instruction D may be the link between two survivors: X before D by an edge and D before Y because one engine runs both, or the
// other way round. Edit.Delete bridges edge to edge; so here the lane order around D is written down as edges first. That is exact only
// where every instruction runs once: in a function with loops or predicates, or with an instruction that joins every lane, Deps is given up.
func keepLaneOrder(c *Ctx, gone map[*ir.Inst]bool) {
	linked := linkedInsts(c.Program(), gone)
	if len(linked) == 0 {
		return
	}
	for in := range c.Program().Insts {
		if in.Loop != nil || len(in.Pred) > 0 || in.Engine == ir.ALL && !in.Spec().Effect.Fence() {
			c.Drop(ir.Deps)
			return
		}
	}
	c.Edit().Change(func() {
		for _, f := range c.Program().Cores {
			spellLanes(f, gone, linked)
		}
	})
}

// linkedInsts returns those of gone that have an edge, are the target of one, or stand in several lanes: an order can lead through no other.
func linkedInsts(p *ir.Program, gone map[*ir.Inst]bool) map[*ir.Inst]bool {
	linked := map[*ir.Inst]bool{}
	mark := func(in *ir.Inst) {
		if gone[in] {
			linked[in] = true
		}
	}
	for in := range p.Insts {
		if ls := lanesOf(in); len(in.Deps)+len(in.LoopDeps) > 0 || in.Engine == ir.ALL || ls[0] != (lane{}) && ls[1] != (lane{}) {
			mark(in)
		}
		for _, d := range in.Deps {
			mark(d.On)
		}
		for _, d := range in.LoopDeps {
			mark(d.On)
		}
	}
	return linked
}

// spellLanes gives every linked instruction an edge to its neighbour before in each lane, and the neighbour after one to it. A neighbour
// that goes without being linked is stepped over.
func spellLanes(f *ir.Func, gone, linked map[*ir.Inst]bool) {
	prev := map[lane]*ir.Inst{}
	for in := range f.Insts {
		if gone[in] && !linked[in] {
			continue
		}
		for _, q := range lanesOf(in) {
			if q == (lane{}) {
				continue
			}
			if p := prev[q]; p != nil && (linked[in] || linked[p]) {
				in.Deps = ir.AddDep(in.Deps, ir.Dep{On: p, Kind: ir.Ordered})
			}
			prev[q] = in
		}
	}
}
