package fuzz

import (
	"slices"

	"birfuzz/ir"
)

// loopReductions make loops run less, or not at all.
func loopReductions() []reduction {
	return []reduction{
		{"first iterations", runLoops, func(p *ir.Program, at []int32) bool {
			return flatten(p, at, func(l *ir.Loop) ir.Affine { return ir.Konst(l.LB) })
		}},
		{"last iterations", runLoops, func(p *ir.Program, at []int32) bool {
			return flatten(p, at, func(l *ir.Loop) ir.Affine { return ir.Konst(lastTrip(l)) })
		}},
		{"cores for iterations", skippingLoops, func(p *ir.Program, at []int32) bool { return flatten(p, at, coreTrip) }},
		each("one trip", func(in *ir.Inst) bool { return cutTrips(in, 1) }),
		each("the last trip", func(in *ir.Inst) bool {
			if in.Loop == nil || in.Loop.Trips() <= 1 {
				return false
			}
			in.Loop.LB = lastTrip(in.Loop)
			return true
		}),
		each("two trips", func(in *ir.Inst) bool { return cutTrips(in, 2) }),
		{"copies", shortLoops, unrollLoops},
		once("blocks", joinBlocks),
	}
}

// lastTrip returns the last value of a loop's axis.
func lastTrip(l *ir.Loop) int64 { return l.LB + (l.Trips()-1)*l.Stride }

func cutTrips(in *ir.Inst, trips int64) bool {
	if in.Loop == nil || in.Loop.Trips() <= trips {
		return false
	}
	in.Loop.UB = in.Loop.LB + trips*in.Loop.Stride
	return true
}

// runLoops returns the numbers of the loops that run.
func runLoops(p *ir.Program) []int32 {
	return instsWith(p, func(in *ir.Inst) bool { return in.Loop != nil && in.Loop.Trips() > 0 })
}

// skippingLoops returns the numbers of the loops whose axis decides whether something in them runs.
func skippingLoops(p *ir.Program) []int32 {
	return instsWith(p, func(in *ir.Inst) bool {
		if in.Loop == nil || in.Loop.Trips() == 0 {
			return false
		}
		for sub := range in.Loop.Insts {
			for i := range sub.Pred {
				if slices.ContainsFunc(sub.Pred[i].Expr.Terms, func(t ir.Term) bool { return t.Axis == in.Loop || t.Sub != nil }) {
					return true
				}
			}
		}
		return false
	})
}

// coreTrip is the iteration that has the number of the core: what is skipped in some iterations is skipped on some cores then.
func coreTrip(l *ir.Loop) ir.Affine {
	return ir.Affine{C: l.LB, Terms: []ir.Term{{Coef: l.Stride, Kind: ir.ShardTerm, N: 2}}}
}

// flatten puts one iteration of loops in their places.
func flatten(p *ir.Program, at []int32, trip func(*ir.Loop) ir.Affine) bool {
	for _, in := range slices.Backward(slices.Collect(instsAt(p, at))) { // inner ones first
		by := trip(in.Loop)
		for sub := range in.Loop.Insts {
			substitute(sub, in.Loop, &by)
		}
		spliceLoop(p, in)
	}
	return true
}

// substitute puts an expression in the place of a loop's axis.
func substitute(in *ir.Inst, l *ir.Loop, by *ir.Affine) {
	axis := func(t *ir.Term) *ir.Affine {
		if t.Kind == ir.AxisTerm && t.Axis == l {
			return by
		}
		return nil
	}
	for i := range in.Args {
		in.Args[i].Off = in.Args[i].Off.Substitute(axis)
	}
	for i := range in.Order {
		in.Order[i] = in.Order[i].Substitute(axis)
	}
	for i := range in.Iter {
		in.Iter[i] = in.Iter[i].Substitute(axis)
	}
	for i := range in.Pred {
		in.Pred[i].Expr = in.Pred[i].Expr.Substitute(axis)
	}
	in.LoopDeps = nil
}

// spliceLoop puts the body of a loop where the loop stands; a body of several blocks becomes one run.
func spliceLoop(p *ir.Program, loop *ir.Inst) {
	for _, f := range p.Cores {
		for b := range f.AllBlocks {
			i := slices.Index(b.Insts, loop)
			if i < 0 {
				continue
			}
			var body []*ir.Inst
			for _, inner := range loop.Loop.Blocks {
				body = append(body, inner.Insts...)
			}
			b.Insts = slices.Concat(b.Insts[:i:i], body, b.Insts[i+1:])
			dropEdges(p, loop)
			return
		}
	}
}

// dropEdges removes every edge to an instruction that is gone.
func dropEdges(p *ir.Program, gone *ir.Inst) {
	for in := range p.Insts {
		in.Deps = slices.DeleteFunc(in.Deps, func(d ir.Dep) bool { return d.On == gone })
		in.LoopDeps = slices.DeleteFunc(in.LoopDeps, func(d ir.LoopDep) bool { return d.On == gone })
	}
}

// shortLoops returns the numbers of the innermost loops whose copies are no more instructions than the loop with its body.
func shortLoops(p *ir.Program) []int32 {
	return instsWith(p, func(in *ir.Inst) bool {
		if in.Loop == nil {
			return false
		}
		n := int64(0)
		for sub := range in.Loop.Insts {
			if n++; sub.Loop != nil {
				return false
			}
		}
		return n > 0 && in.Loop.Trips() <= (n+1)/n
	})
}

func unrollLoops(p *ir.Program, at []int32) bool {
	copies := map[*ir.Loop]int64{}
	for in := range instsAt(p, at) {
		copies[in.Loop] = in.Loop.Trips()
	}
	e := ir.NewEdit(p)
	for _, f := range p.Cores {
		e.Unroll(f, copies)
	}
	return true
}

// joinBlocks makes one block of each list of blocks.
func joinBlocks(p *ir.Program) bool {
	changed := false
	join := func(bs []*ir.Block) []*ir.Block {
		if len(bs) < 2 {
			return bs
		}
		changed = true
		for _, b := range bs[1:] {
			bs[0].Insts = append(bs[0].Insts, b.Insts...)
		}
		return bs[:1]
	}
	for _, f := range p.Cores {
		f.Blocks = join(f.Blocks)
		for in := range f.Insts {
			if in.Loop != nil {
				in.Loop.Blocks = join(in.Loop.Blocks)
			}
		}
	}
	return changed
}
