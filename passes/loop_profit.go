package passes

import "birfuzz/ir"

// updateLiveN finds, for every location, how many of its elements accesses may touch (update_liveN).
func (o *loopOptimizer) updateLiveN(p *ir.Program) {
	g := touchList{nodes: make([]depNode, p.NumInsts()), atlas: o.touches.atlas, scope: byStorage}
	for core, f := range p.Cores {
		g.core = core
		g.blocks(f.Blocks, nil, -1)
	}
	boxes := make([]ir.Box, g.atlas.aliases.Len())
	o.liveN = make([]int64, len(boxes))
	for i := range g.list {
		t := &g.list[i]
		if t.arg == nil {
			continue
		}
		b := &boxes[t.loc.ID]
		if b.Row == b.RowEnd {
			*b = t.box
		}
		*b = ir.Box{Row: min(b.Row, t.box.Row), RowEnd: max(b.RowEnd, t.box.RowEnd), Col: min(b.Col, t.box.Col), ColEnd: max(b.ColEnd, t.box.ColEnd)}
		o.liveN[t.loc.ID] = min((b.RowEnd-b.Row)*(b.ColEnd-b.Col), t.loc.Bytes()) / int64(t.loc.Set.DType.Size())
	}
}

// profit is what fusing two loops saves: twice the bytes of every placed tensor that both touch, which are written once and read once less
// (loop-optimization.txt, "The metric, verified").
func (o *loopOptimizer) profit(first, second *sibling) float32 {
	in := map[*ir.Loc]bool{}
	for _, t := range o.touchesOf(first) {
		in[t.loc] = true
	}
	sum := float32(0)
	for _, t := range o.touchesOf(second) {
		if t.loc != nil && in[t.loc] && placedTensor(t.loc) {
			bytes := o.liveN[t.loc.ID] * int64(t.loc.Set.DType.Size())
			sum += float32(2 * float32(bytes))
			delete(in, t.loc)
		}
	}
	return sum
}

// placedTensor tells whether fusion changes where a location's values stay: an internal tensor in memory (MemoryLocation::type == 1).
func placedTensor(l *ir.Loc) bool {
	return l.Set.Kind == ir.Internal && (l.Type.OnChip() || l.Type.IsDRAM())
}

func (o *loopOptimizer) touchesOf(s *sibling) []touch { return o.touches.of(s.inst, o.core, s.around) }
