package passes

import "birfuzz/ir"

// fits tells whether the program stays inside the budget of instructions and edges once the chosen loops are unrolled; if not, the loop at
// which it goes beyond it.
func (u *unroller) fits(p *ir.Program) (*ir.Inst, bool) {
	s := sizing{copies: u.copies, spots: map[*ir.Inst]spot{}}
	for _, f := range p.Cores {
		s.blocks(f.Blocks, nil, 1)
	}
	if s.over == nil {
		for in := range p.Insts {
			s.edges(in)
		}
	}
	return s.over, s.over == nil
}

// sizing adds up what a program will come to. It counts no further than just beyond the budgets, so no trip count overflows.
type sizing struct {
	copies       map[*ir.Loop]int64
	spots        map[*ir.Inst]spot
	insts, edged int64
	over         *ir.Inst // the loop at which a budget was exceeded
}

// spot is where an instruction stands: the loops around it, and how many instructions an edge to all of its copies leads to.
type spot struct {
	nest []*ir.Loop
	ends int64
}

// blocks counts blocks that are copied times over, and returns the ends that stand directly in them.
func (s *sizing) blocks(bs []*ir.Block, nest []*ir.Loop, times int64) int64 {
	ends := int64(0)
	for _, b := range bs {
		for _, in := range b.Insts {
			n := s.inst(in, nest, times)
			s.spots[in] = spot{nest, n}
			ends = min(ends+n, maxUnrolled+1)
		}
	}
	return ends
}

func (s *sizing) inst(in *ir.Inst, nest []*ir.Loop, times int64) int64 {
	l := in.Loop
	if l == nil || !s.whole(l) {
		s.insts = min(s.insts+times, maxUnrolled+1)
	}
	if l == nil {
		return times
	}
	ends := s.blocks(l.Blocks, append(nest[:len(nest):len(nest)], l), capped(times, s.factor(l)))
	if s.insts > maxUnrolled && s.over == nil {
		s.over = in
	}
	if s.whole(l) {
		return ends
	}
	return times
}

// whole tells whether nothing is left of a loop.
func (s *sizing) whole(l *ir.Loop) bool {
	n, chosen := s.copies[l]
	return chosen && n >= l.Trips()
}

// factor is how many copies of a loop's body one iteration of what is left of it holds.
func (s *sizing) factor(l *ir.Loop) int64 {
	if s.whole(l) {
		return l.Trips()
	}
	return max(s.copies[l], 1)
}

// capped is a product of numbers from 0, of which the second may be anything, that stops just beyond the budget.
func capped(a, b int64) int64 {
	if a > 0 && b > maxUnrolled/a {
		return maxUnrolled + 1
	}
	return a * b
}

// edges counts what the edges of an instruction come to: one from each of its ends to each end of the other in the same copy of what is
// around both.
func (s *sizing) edges(in *ir.Inst) {
	from := s.spots[in]
	count := func(on *ir.Inst) {
		to, shared := s.spots[on], int64(1)
		for i := 0; i < len(from.nest) && i < len(to.nest) && from.nest[i] == to.nest[i]; i++ {
			shared = capped(shared, s.factor(from.nest[i]))
		}
		s.edged = min(s.edged+from.ends*to.ends/max(shared, 1), maxUnrolledEdges+1)
	}
	for _, d := range in.Deps {
		count(d.On)
	}
	for _, d := range in.LoopDeps {
		count(d.On)
	}
	if s.edged > maxUnrolledEdges && s.over == nil {
		s.over = in
	}
}
