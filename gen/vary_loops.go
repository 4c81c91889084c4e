package gen

import (
	"slices"

	"birfuzz/ir"
)

// wrap puts a run of instructions of a block into a loop of a few trips.
func (w *patch) wrap() bool {
	s := w.pick(func(s *spot) bool { return len(s.around) < loopDepth+1 && w.again(s.in) })
	if s == nil || rows.loop == nil {
		return false
	}
	end := s.at + 1
	for most := w.Between(1, 6); end < len(s.block.Insts) && end < s.at+most && w.again(s.block.Insts[end]); {
		end++
	}
	run := slices.Clone(s.block.Insts[s.at:end])
	w.cutLoopEdges(run)
	l := &ir.Loop{Axis: w.fresh("v"), LB: int64(w.IntN(3)), Stride: int64(w.Between(1, 2)), Blocks: []*ir.Block{{Name: w.fresh("VBody"), Insts: run}}}
	l.UB = l.LB + l.Stride*int64(w.Between(1, 3))
	in := &ir.Inst{Op: rows.loop.Op, Name: w.fresh("VL"), Loop: l}
	s.block.Insts = slices.Replace(s.block.Insts, s.at, end, in)
	serial(s.around)
	return true
}

// again tells whether an instruction, or all that a loop holds, may run any number of times.
func (w *patch) again(in *ir.Inst) bool {
	if in.Loop == nil {
		return w.loose(in)
	}
	for sub := range in.Loop.Insts {
		if sub.Loop == nil && !w.loose(sub) {
			return false
		}
	}
	return !in.HasSync()
}

// cutLoopEdges removes loop-carried edges from and to instructions of a run, which is to have one loop more around it.
func (w *patch) cutLoopEdges(run []*ir.Inst) {
	inside := map[*ir.Inst]bool{}
	for _, in := range run {
		for sub := range withBody(in) {
			inside[sub] = true
		}
	}
	for in := range w.prog.Insts {
		in.LoopDeps = slices.DeleteFunc(in.LoopDeps, func(d ir.LoopDep) bool { return inside[in] || inside[d.On] })
	}
}

// trips has a loop, in which nothing depends on the axis, run another number of times.
func (w *patch) trips() bool {
	s := w.pick(func(s *spot) bool {
		return s.in.Loop != nil && s.in.Loop.Trips() > 0 && w.again(s.in) && !usesAxis(s.in.Loop)
	})
	if s == nil {
		return false
	}
	l := s.in.Loop
	had := l.Trips()
	l.UB = l.LB + l.Stride*int64(w.Between(1, 5))
	serial(append(s.around, l))
	return l.Trips() != had
}

// usesAxis tells whether an expression in a loop's body names its axis.
func usesAxis(l *ir.Loop) bool {
	found := false
	eachExpr(l, func(a *ir.Affine) {
		for axis := range a.Axes {
			found = found || axis == l
		}
	})
	return found
}

// eachExpr yields every expression in the body of a loop.
func eachExpr(l *ir.Loop, yield func(*ir.Affine)) {
	for in := range l.Insts {
		for i := range in.Args {
			yield(&in.Args[i].Off)
		}
		for i := range in.Order {
			yield(&in.Order[i])
		}
		for i := range in.Iter {
			yield(&in.Iter[i])
		}
		for i := range in.Pred {
			yield(&in.Pred[i].Expr)
		}
	}
}

// axis has the axis of a loop take other values: moved, and now and then stretched, so that what it stood for is a quotient of it.
func (w *patch) axis() bool {
	s := w.pick(func(s *spot) bool { return s.in.Loop != nil })
	if s == nil {
		return false
	}
	l, by, times := s.in.Loop, int64(w.Between(-3, 5)), int64(1)
	if w.Bool(0.2) {
		times = int64(w.Between(2, 3))
	}
	if by == 0 && times == 1 {
		return false
	}
	was := ir.Affine{C: -by, Terms: []ir.Term{{Coef: 1, Kind: ir.AxisTerm, Axis: l}}}
	if times > 1 {
		now := ir.Affine{Terms: []ir.Term{{Coef: 1, Kind: ir.AxisTerm, Axis: l}}}
		was.Terms = []ir.Term{{Coef: 1, Kind: ir.FloorDivTerm, Sub: &now, N: times}}
	}
	eachExpr(l, func(a *ir.Affine) {
		*a = a.Substitute(func(t *ir.Term) *ir.Affine {
			if t.Kind == ir.AxisTerm && t.Axis == l {
				return &was
			}
			return nil
		})
	})
	l.LB, l.UB, l.Stride = (l.LB+by)*times, (l.UB+by)*times, l.Stride*times
	return true
}

// guard has an instruction run in some trips of a loop only.
func (w *patch) guard() bool {
	s := w.pick(func(s *spot) bool { return len(s.around) > 0 && len(s.in.Pred) == 0 && w.spare(s) })
	if s == nil {
		return false
	}
	l := one(&w.Rand, s.around)
	trip := l.LB + l.Stride*int64(w.IntN(int(min(max(l.Trips(), 1), 4))))
	expr := ir.Affine{C: -trip, Terms: []ir.Term{{Coef: 1, Kind: ir.AxisTerm, Axis: l}}}
	s.in.Pred = []ir.Predicate{{Expr: expr, Cmp: ir.Cmp(w.IntN(int(ir.NumCmps)))}}
	serial(s.around)
	return true
}

// marks changes what a loop says to passes.
func (w *patch) marks() bool {
	s := w.pick(func(s *spot) bool { return s.in.Loop != nil })
	if s == nil {
		return false
	}
	switch l := s.in.Loop; w.IntN(3) {
	case 0:
		l.NoReorder = !l.NoReorder
	case 1:
		l.Unroll = !l.Unroll
	default:
		had := l.Parallel
		l.Parallel = false
		return had
	}
	return true
}
