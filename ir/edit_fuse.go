package ir

import "slices"

// Fuse makes one loop of two that stand in block b: what stood in second comes, trip by trip, behind what stands in first. The two must have
// equally many trips, at least one, and equal predicates; first must stand before second. What stands between them stays behind the fused loop.
//
// Offsets, order vectors and predicates take the value that the second axis has in the same trip. Where the two axes differ in more than name,
// Iter says which instance is which.
//
// An edge between the two bodies then joins equal trips, where it joined all; edges that cannot say so become edges to the whole fused loop.
// Those of or to the second loop are given to everything that stood in it.
func (e *Edit) Fuse(b *Block, first, second *Inst) {
	e.touch()
	x := fusion{first: first, second: second, bodies: [2][]*Inst{firstLevel(first.Loop), firstLevel(second.Loop)}}
	x.side = map[*Inst]int{}
	for i, in := range []*Inst{first, second} {
		for sub := range withBodies(map[*Inst]bool{in: true}) {
			x.side[sub] = i + 1
		}
	}
	for _, f := range e.prog.Cores {
		if nest, ok := f.nestOf(b); ok {
			x.axes(f, nest)
			x.edges(f)
		}
	}
	x.splice()
	b.Insts = slices.DeleteFunc(b.Insts, func(in *Inst) bool { return in == second })
}

// fusion is one execution of Edit.Fuse.
type fusion struct {
	first, second *Inst
	bodies        [2][]*Inst    // what stands in the two loops, but not in loops inside them
	side          map[*Inst]int // of the two loops, and what stands in them: 1 or 2
}

// firstLevel lists what stands in a loop, but not in loops inside it.
func firstLevel(l *Loop) []*Inst {
	var out []*Inst
	for _, b := range l.Blocks {
		out = append(out, b.Insts...)
	}
	return out
}

// nestOf returns the loops around a block, outermost first, and whether it is one of the function's.
func (f *Func) nestOf(b *Block) ([]*Loop, bool) {
	var walk func(bs []*Block, nest []*Loop) ([]*Loop, bool)
	walk = func(bs []*Block, nest []*Loop) ([]*Loop, bool) {
		for _, c := range bs {
			if c == b {
				return nest, true
			}
			for _, in := range c.Insts {
				if in.Loop != nil {
					if found, ok := walk(in.Loop.Blocks, append(slices.Clip(nest), in.Loop)); ok {
						return found, true
					}
				}
			}
		}
		return nil, false
	}
	return walk(f.Blocks, nil)
}

// axes puts the first loop's axis in the place of the second's; nest are the loops around both.
func (x *fusion) axes(f *Func, nest []*Loop) {
	x.renameInner(f)
	from, to := x.second.Loop, x.first.Loop
	if from.LB != to.LB || from.Stride != to.Stride {
		sayInstances(from.Blocks, append(axesOf(nest), axisOf(from)))
	}
	for in := range from.Insts {
		in.exprs(func(a *Affine) { *a = a.rebase(from, to) })
	}
}

// axisOf returns the expression that is the axis of a loop.
func axisOf(l *Loop) Affine { return Affine{Terms: []Term{{Coef: 1, Kind: AxisTerm, Axis: l}}} }

// renameInner gives loops in the second one whose axis is called as the first one's another name.
func (x *fusion) renameInner(f *Func) {
	taken := map[string]bool{}
	for in := range f.Insts {
		if in.Loop != nil {
			taken[in.Loop.Axis] = true
		}
	}
	for in := range x.second.Loop.Insts {
		if in.Loop != nil && in.Loop.Axis == x.first.Loop.Axis {
			in.Loop.Axis = unused(taken, in.Loop.Axis+"_")
		}
	}
}

// rebase returns the expression with the axis of one loop replaced by its value in the trip in which another loop is. Where the second
// stride is no divisor of what a trip adds, the trip's number is a floor division.
func (a Affine) rebase(from, to *Loop) Affine {
	out := Affine{C: a.C}
	for i := range a.Terms {
		t := a.Terms[i]
		switch step := t.Coef * from.Stride; {
		case t.Sub != nil:
			sub := t.Sub.rebase(from, to)
			t.Sub = &sub
			out.Terms = addTerm(out.Terms, t)
		case t.Kind != AxisTerm || t.Axis != from:
			out.Terms = addTerm(out.Terms, t)
		case step%to.Stride == 0:
			out = out.Add(axisOf(to), step/to.Stride)
			out.C += t.Coef*from.LB - step/to.Stride*to.LB
		default:
			trip := axisOf(to).Add(Konst(-to.LB), 1)
			out.Terms = addTerm(out.Terms, Term{Coef: step, Kind: FloorDivTerm, Sub: &trip, N: to.Stride})
			out.C += t.Coef * from.LB
		}
	}
	return out
}

// splice puts the second body behind the first: its first block into the last one of the first, unless the vendor's keys of the two differ.
func (x *fusion) splice() {
	l, rest := x.first.Loop, x.second.Loop.Blocks
	if n := len(l.Blocks); n > 0 && len(rest) > 0 && string(l.Blocks[n-1].Extra) == string(rest[0].Extra) {
		last := l.Blocks[n-1]
		last.Insts = append(slices.Clip(last.Insts), rest[0].Insts...)
		rest = rest[1:]
	}
	l.Blocks = append(slices.Clip(l.Blocks), rest...)
}
