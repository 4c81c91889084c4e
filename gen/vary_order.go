package gen

import (
	"iter"
	"slices"

	"birfuzz/ir"
)

// spare tells whether a loose instruction may as well not run: nobody reads what it writes and nobody outside sees it, or it was written
// before.
func (w *patch) spare(s *spot) bool {
	if !w.loose(s.in) {
		return false
	}
	if s.in.Spec().WriteMode(s.in) != ir.Overwrites {
		return true
	}
	for i := range s.in.Outs() {
		o := &s.in.Args[i]
		if (w.read[w.root(o.Loc)] || o.Loc.Visible()) && !w.written(s, o) {
			return false
		}
	}
	return true
}

// written tells whether an instruction that stands in the block before a site surely writes the same bytes as an access.
func (w *patch) written(s *spot, o *ir.Operand) bool {
	return slices.ContainsFunc(s.block.Insts[:s.at], func(in *ir.Inst) bool {
		return len(in.Pred) == 0 && in.Spec().WriteMode(in) == ir.Overwrites && slices.ContainsFunc(in.Outs(), func(x ir.Operand) bool { return x.Equal(o) })
	})
}

// drop deletes an instruction.
func (w *patch) drop() bool {
	s := w.pick(w.spare)
	if s == nil || len(w.sites) == 1 {
		return false
	}
	e := ir.NewEdit(w.prog)
	e.Delete(map[*ir.Inst]bool{s.in: true})
	serial(s.around)
	return true
}

// twice puts a copy of an instruction somewhere behind it in its block.
func (w *patch) twice() bool {
	s := w.pick(func(s *spot) bool { return w.loose(s.in) })
	if s == nil {
		return false
	}
	in := *s.in
	in.Name, in.Source, in.Iter, in.LoopDeps = w.fresh("V-"), "", nil, nil
	in.Args, in.Params, in.Deps = slices.Clone(in.Args), slices.Clone(in.Params), slices.Clone(in.Deps)
	in.Order, in.Pred = slices.Clone(in.Order), slices.Clone(in.Pred)
	at := s.at + 1
	if w.Bool(0.6) {
		at = w.Between(at, len(s.block.Insts))
	}
	s.block.Insts = slices.Insert(s.block.Insts, at, &in)
	serial(s.around)
	return true
}

// move puts an instruction somewhere else in its block, between those with which it conflicts.
func (w *patch) move() bool {
	s := w.pick(func(s *spot) bool { return len(s.block.Insts) > 1 && w.loose(s.in) })
	if s == nil || slices.ContainsFunc(s.block.Insts, func(in *ir.Inst) bool { return in.Int(ir.PZeroRegion) >= 0 }) {
		return false
	}
	lo, hi := w.room(s)
	to := w.Between(lo, hi)
	if to == s.at {
		return false
	}
	list := slices.Delete(s.block.Insts, s.at, s.at+1)
	s.block.Insts = slices.Insert(list, to, s.in)
	return true
}

// room returns the first and the last place in its block where an instruction may stand: behind what it conflicts with or has an edge to, before
// what conflicts with it or has an edge to it, and between the same fences.
func (w *patch) room(s *spot) (lo, hi int) {
	var a analyst
	a.prepare(&w.flow)
	lo, hi = 0, len(s.block.Insts)-1
	keep := func(from, to int) {
		if to == s.at {
			lo = max(lo, from+1)
		}
		if from == s.at {
			hi = min(hi, to-1)
		}
	}
	for _, c := range a.conflicts(s.block.Insts) {
		keep(int(c.from), int(c.to))
	}
	for i, in := range s.block.Insts {
		switch {
		case i < s.at && (stands(in) || pointsTo(s.in, in)):
			keep(i, s.at)
		case i > s.at && (stands(in) || pointsTo(in, s.in)):
			keep(s.at, i)
		}
	}
	return lo, hi
}

// stands tells whether an instruction is a fence, or a loop with one.
func stands(in *ir.Inst) bool {
	for x := range withBody(in) {
		if x.Spec().Effect.Fence() || x.HasSync() {
			return true
		}
	}
	return false
}

// withBody yields an instruction, and all that it holds if it is a loop.
func withBody(in *ir.Inst) iter.Seq[*ir.Inst] {
	return func(yield func(*ir.Inst) bool) {
		if yield(in) && in.Loop != nil {
			in.Loop.Insts(yield)
		}
	}
}

// pointsTo tells whether an instruction, or one of the loop that it is, has an edge to another one, or to one of the loop that that is.
func pointsTo(in, on *ir.Inst) bool {
	held := slices.Collect(withBody(on))
	for x := range withBody(in) {
		if slices.ContainsFunc(x.Deps, func(d ir.Dep) bool { return slices.Contains(held, d.On) }) {
			return true
		}
	}
	return false
}

// order changes order vectors: of two instructions of a block, or of one.
func (w *patch) order() bool {
	s := w.pick(func(s *spot) bool { return len(s.block.Insts) > 1 && s.in.Loop == nil && s.in.Spec().Effect == ir.Pure })
	if s == nil {
		return false
	}
	other := one(&w.Rand, s.block.Insts)
	switch w.IntN(4) {
	case 0:
		s.in.Order = nil
	case 1:
		if other == s.in || other.Loop != nil || other.Spec().Effect != ir.Pure {
			return false
		}
		s.in.Order, other.Order = other.Order, s.in.Order
	case 2:
		if other == s.in || len(other.Order) == 0 {
			return false
		}
		s.in.Order = slices.Clone(other.Order) // a tie
	default:
		s.in.Order = s.in.Order[:0:0]
		for range w.Between(1, 3) {
			s.in.Order = append(s.in.Order, ir.Konst(int64(w.IntN(len(s.block.Insts)))))
		}
	}
	return true
}

// edge has an instruction wait for an earlier one of its block, though there may be no reason.
func (w *patch) edge() bool {
	s := w.pick(func(s *spot) bool { return s.at > 0 })
	if s == nil {
		return false
	}
	s.in.Deps = ir.AddDep(s.in.Deps, ir.Dep{On: s.block.Insts[w.IntN(s.at)], Kind: ir.Ordered})
	return true
}

// noEdge takes an edge away.
func (w *patch) noEdge() bool {
	s := w.pick(func(s *spot) bool { return len(s.in.Deps) > 0 })
	if s == nil {
		return false
	}
	k := w.IntN(len(s.in.Deps))
	s.in.Deps = slices.Delete(s.in.Deps, k, k+1)
	return true
}
