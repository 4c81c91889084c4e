package gen

import (
	"slices"

	"birfuzz/ir"
)

// swapNeighbours lets two neighbours change places that have nothing to do with each other.
func swapNeighbours() *Equivalence {
	return &Equivalence{
		Name: "swap", Doc: "two neighbours of a block that touch nothing in common change places", share: 0.3, sites: instSites,
		guards: []guard{
			// They must be neighbours still: a second swap would undo the first.
			{"neighbour", func(_ *variation, s *site) bool {
				i := s.index()
				return s.then != nil && i >= 0 && i+1 < len(s.block.Insts) && s.block.Insts[i+1] == s.then
			}},
			{"fence", func(_ *variation, s *site) bool { return movable(s.in) && movable(s.then) }},
			{"edge", func(_ *variation, s *site) bool { return !joined(s.in, s.then) && !joined(s.then, s.in) }},
			{"lane", func(v *variation, s *site) bool { return !v.ordered() || lanesApart(s.in, s.then) }},
			{"accumulator", func(_ *variation, s *site) bool { return !usesAcc(s.in) || !usesAcc(s.then) }},
			{"independent", func(v *variation, s *site) bool { return v.independent(s.in, s.then) }},
		},
		apply: func(_ *variation, s *site) {
			i := s.index()
			s.block.Insts[i], s.block.Insts[i+1] = s.block.Insts[i+1], s.block.Insts[i]
		},
	}
}

// movable tells whether an instruction orders nothing but by its data: no fence, no semaphore, not on all engines.
func movable(in *ir.Inst) bool {
	return in.Spec().Effect == ir.Pure && !in.HasSync() && in.Engine != ir.ALL
}

// joined tells whether a waits for b.
func joined(a, b *ir.Inst) bool {
	return slices.ContainsFunc(a.Deps, func(d ir.Dep) bool { return d.On == b }) ||
		slices.ContainsFunc(a.LoopDeps, func(d ir.LoopDep) bool { return d.On == b })
}

// lanesApart tells whether two instructions never wait for each other as neighbours of an engine or of a queue.
func lanesApart(a, b *ir.Inst) bool {
	return a.Engine != b.Engine && a.Engine != ir.Unassigned && b.Engine != ir.Unassigned && (a.Queue != b.Queue || a.Queue == "")
}

// usesAcc tells whether an instruction reads or changes the accumulator of its engine.
func usesAcc(in *ir.Inst) bool { return in.ReadsAcc() || in.WritesAcc() }

// independent tells whether neither instruction writes a location that the other touches. What a matmul may clear around its output is bytes
// of the same location, or of another one that has a place too.
func (v *variation) independent(a, b *ir.Inst) bool {
	for i := range a.Args {
		for k := range b.Args {
			x, y := a.Args[i].Loc, b.Args[k].Loc
			if (i < int(a.NOut) || k < int(b.NOut)) && x != nil && y != nil && !v.apart(x, y) {
				return false
			}
		}
	}
	return true
}

// apart tells whether two locations surely have no byte in common.
func (v *variation) apart(x, y *ir.Loc) bool {
	switch {
	case x == y:
		return false
	case x.Type.IsDRAM() != y.Type.IsDRAM():
		return true
	case x.Type.IsDRAM():
		return !(v.aliased[x.Name] && v.aliased[y.Name]) && !(x.Allocated && y.Allocated)
	}
	return x.Type != y.Type || !(x.Allocated && y.Allocated)
}

// insertCopy reads a tile through a copy that is made right before.
func insertCopy() *Equivalence {
	return &Equivalence{
		Name: "copy", Doc: "an instruction reads a tile through a copy of it, made right before", share: 0.15, sites: instSites,
		guards: []guard{
			{"ordered", func(v *variation, _ *site) bool { return !v.ordered() }},
			{"tile", func(v *variation, s *site) bool { return s.copied(v) >= 0 }},
		},
		apply: func(v *variation, s *site) {
			arg := &s.in.Args[s.copied(v)]
			from := arg.Loc
			to := v.twin(s.fn, from, from.Name+"_c")
			arg.Loc = to
			in := &ir.Inst{Op: tensorCopy.Op, Engine: ir.DVE, NOut: 1, Name: v.fresh(s.in.Name + "_c"), Args: []ir.Operand{whole(to), whole(from)},
				Pred: slices.Clone(s.in.Pred)}
			s.block.Insts = slices.Insert(s.block.Insts, s.index(), in)
		},
	}
}

// tensorCopy is the row that copies a tile as it is: on DVE, element by element, lane by lane.
var tensorCopy = lanewiseCopy()

func lanewiseCopy() *ir.Spec {
	for row := range ir.Ops {
		if row.Lanewise && row.Flow == ir.FlowMove && len(row.Ins) == 1 && len(row.Params) == 1 && row.Params[0] == ir.PCanReadUninit {
			return row
		}
	}
	panic("no row copies a tile")
}

// maxCopied bounds the bytes of a tile that is copied: variants should not cost more than programs.
const maxCopied = 64 << 10

// copied returns the first input that can be read through a copy, −1 if none can.
func (s *site) copied(v *variation) int {
	spec := s.in.Spec()
	for i := int(s.in.NOut); i < len(s.in.Args); i++ {
		o := &s.in.Args[i]
		if o.IsAP() && o.Loc.Type == ir.SB && v.private(o.Loc) && o.Loc.Bytes() <= maxCopied && spec.In(i-int(s.in.NOut)).Role == ir.Data &&
			o.Loc.RowBytes%int64(o.Loc.Set.DType.Size()) == 0 {
			return i
		}
	}
	return -1
}

// whole is all of an on-chip location, row by row.
func whole(l *ir.Loc) ir.Operand {
	o := ir.Operand{Kind: ir.APOperand, DType: l.Set.DType, Loc: l, N: 2}
	pitch := o.Pitch()
	o.AP[0], o.AP[1] = ir.Pair{Step: int32(pitch), Num: int32(l.Rows)}, ir.Pair{Step: 1, Num: int32(pitch)}
	return o
}

// peelLoop runs the first trip of a loop before the loop.
func peelLoop() *Equivalence {
	return &Equivalence{
		Name: "peel", Doc: "the first trip of a loop is written out before it", share: 0.5, sites: instSites,
		guards: []guard{
			{"loop", func(_ *variation, s *site) bool { return s.in.Loop != nil && small(s.in.Loop) }},
			// One trip must be left: what a body touches counts as touched by the verifier, trips or not.
			{"trips", func(_ *variation, s *site) bool { return s.in.Loop.Trips() > 1 }},
			{"predicate", func(_ *variation, s *site) bool { return len(s.in.Pred) == 0 }},
			{"ordered", func(v *variation, s *site) bool { return !v.ordered() && !waited(s.fn, s.in) }},
		},
		apply: func(v *variation, s *site) {
			l := s.in.Loop
			first := ir.Konst(l.LB)
			at := s.index()
			for _, b := range l.Blocks {
				for _, in := range b.Insts {
					s.block.Insts = slices.Insert(s.block.Insts, at, v.trip(s, in, l, &first))
					at++
				}
			}
			l.LB += l.Stride
		},
	}
}

// maxPeeled bounds the instructions of a body that is written out.
const maxPeeled = 24

// small tells whether a loop has a short body without loops.
func small(l *ir.Loop) bool {
	n := 0
	for in := range l.Insts {
		if n++; n > maxPeeled || in.Loop != nil {
			return false
		}
	}
	return true
}

// waited tells whether edges or semaphores have a part in the loop.
func waited(f *ir.Func, loop *ir.Inst) bool {
	inside := map[*ir.Inst]bool{}
	for in := range withBody(loop) {
		inside[in] = true
	}
	for in := range f.Insts {
		if inside[in] && (len(in.Deps)+len(in.LoopDeps) > 0 || in.HasSync()) {
			return true
		}
		for i := range in.Deps {
			if inside[in.Deps[i].On] {
				return true
			}
		}
	}
	return false
}

// trip returns the instance of an instruction of the loop's body with that value of its axis.
func (v *variation) trip(s *site, in *ir.Inst, l *ir.Loop, value *ir.Affine) *ir.Inst {
	bind := func(t *ir.Term) *ir.Affine {
		if t.Kind == ir.AxisTerm && t.Axis == l {
			return value
		}
		return nil
	}
	all := func(list []ir.Affine) []ir.Affine {
		out := slices.Clone(list)
		for i := range out {
			out[i] = out[i].Substitute(bind)
		}
		return out
	}
	c := *in
	c.Name = v.fresh(in.Name + "_p")
	c.Args, c.Params, c.Pred, c.Order = slices.Clone(in.Args), slices.Clone(in.Params), slices.Clone(in.Pred), all(in.Order)
	for i := range c.Args {
		c.Args[i].Off = c.Args[i].Off.Substitute(bind)
	}
	for i := range c.Pred {
		c.Pred[i].Expr = c.Pred[i].Expr.Substitute(bind)
	}
	if c.Source == "" {
		c.Source = in.Name
	}
	if in.Iter != nil {
		c.Iter = all(in.Iter)
	} else {
		c.Iter = append(axesAround(s.fn, s.in), *value)
	}
	return &c
}

// axesAround returns the axes of the loops around an instruction, outermost first, as expressions.
func axesAround(f *ir.Func, at *ir.Inst) []ir.Affine {
	var find func(bs []*ir.Block, around []ir.Affine) ([]ir.Affine, bool)
	find = func(bs []*ir.Block, around []ir.Affine) ([]ir.Affine, bool) {
		for _, b := range bs {
			for _, in := range b.Insts {
				if in == at {
					return around, true
				}
				if in.Loop == nil {
					continue
				}
				axis := ir.Affine{Terms: []ir.Term{{Kind: ir.AxisTerm, Axis: in.Loop, Coef: 1}}}
				if found, ok := find(in.Loop.Blocks, append(around[:len(around):len(around)], axis)); ok {
					return found, true
				}
			}
		}
		return nil, false
	}
	around, _ := find(f.Blocks, nil)
	return around
}
