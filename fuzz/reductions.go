package fuzz

import (
	"slices"

	"birfuzz/ir"
)

// eachInst tries a change at every instruction of the best program, by position; change returns false when there was nothing to do.
func (s *shrinker) eachInst(change func(p *ir.Program, in *ir.Inst) bool) {
	for id := int32(0); int(id) < s.best.NumInsts() && s.more(); {
		size := s.best.NumInsts()
		s.try(func(p *ir.Program) bool {
			in := instAt(p, id)
			return in != nil && change(p, in)
		})
		if s.best.NumInsts() >= size { // else another one stands here now
			id++
		}
	}
}

func instAt(p *ir.Program, id int32) *ir.Inst {
	for in := range p.Insts {
		if in.ID == id {
			return in
		}
	}
	return nil
}

// flattenLoops replaces a loop by its first iteration.
func (s *shrinker) flattenLoops() {
	s.eachInst(func(p *ir.Program, in *ir.Inst) bool {
		if in.Loop == nil || in.Loop.Trips() == 0 {
			return false
		}
		first := ir.Konst(in.Loop.LB)
		for sub := range in.Loop.Insts {
			substitute(sub, in.Loop, &first)
		}
		return spliceLoop(p, in)
	})
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
func spliceLoop(p *ir.Program, loop *ir.Inst) bool {
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
			return true
		}
	}
	return false
}

// dropEdges removes every edge to an instruction that is gone.
func dropEdges(p *ir.Program, gone *ir.Inst) {
	for in := range p.Insts {
		in.Deps = slices.DeleteFunc(in.Deps, func(d ir.Dep) bool { return d.On == gone })
		in.LoopDeps = slices.DeleteFunc(in.LoopDeps, func(d ir.LoopDep) bool { return d.On == gone })
	}
}

// cutTrips makes loops run once, else twice.
func (s *shrinker) cutTrips() {
	for trips := int64(1); trips <= 2; trips++ {
		s.eachInst(func(_ *ir.Program, in *ir.Inst) bool {
			if in.Loop == nil || in.Loop.Trips() <= trips {
				return false
			}
			in.Loop.UB = in.Loop.LB + trips*in.Loop.Stride
			return true
		})
	}
}

// dropCores removes functions of a module with several.
func (s *shrinker) dropCores() {
	for i := len(s.best.Cores) - 1; i >= 0 && len(s.best.Cores) > 1; i-- {
		s.try(func(p *ir.Program) bool {
			p.Cores = slices.Delete(p.Cores, i, i+1)
			dropData(p)
			return true
		})
	}
}

// dropStorage removes locations that nothing mentions, then joins blocks.
func (s *shrinker) dropStorage() {
	s.try(func(p *ir.Program) bool {
		n := 0
		for _, f := range p.Cores {
			n += dropUnused(f)
		}
		dropData(p)
		return n > 0
	})
	s.try(joinBlocks)
}

// dropData removes the data of constants that no core declares any more: a module that carries it would not be legal.
func dropData(p *ir.Program) {
	kept := ir.Values{}
	for _, f := range p.Cores {
		for l := range f.Locs {
			if v, ok := p.Consts[l.Name]; ok {
				kept[l.Name] = v
			}
		}
	}
	p.Consts = kept // a clone shares the map
}

func dropUnused(f *ir.Func) int {
	used := map[*ir.Loc]bool{}
	for in := range f.Insts {
		for i := range in.Args {
			used[in.Args[i].Loc] = true
		}
	}
	gone := map[*ir.Loc]bool{}
	for l := range f.Locs {
		if !used[l] {
			gone[l] = true
		}
	}
	for _, set := range f.Sets {
		set.Locs = slices.DeleteFunc(set.Locs, func(l *ir.Loc) bool { return gone[l] })
	}
	f.Sets = slices.DeleteFunc(f.Sets, func(set *ir.Set) bool { return len(set.Locs) == 0 })
	for l := range f.Locs {
		l.Alias = slices.DeleteFunc(l.Alias, func(a ir.Alias) bool { return gone[a.Loc] })
	}
	return len(gone)
}

// joinBlocks makes one block of each list of blocks and drops empty ones.
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

// marks are things said about an instruction that a reproducer may not need.
var marks = []func(*ir.Inst) bool{
	func(in *ir.Inst) bool {
		n := len(in.Deps) + len(in.LoopDeps)
		in.Deps, in.LoopDeps = nil, nil
		return n > 0
	},
	func(in *ir.Inst) bool { n := len(in.Order); in.Order = nil; return n > 0 },
	func(in *ir.Inst) bool { n := len(in.Order); in.Order = in.Order[:min(n, 1)]; return n > 1 },
	func(in *ir.Inst) bool { n := len(in.Pred); in.Pred = nil; return n > 0 },
	func(in *ir.Inst) bool {
		n := len(in.Wait) + len(in.Update)
		in.Wait, in.Update = nil, nil
		return n > 0
	},
	func(in *ir.Inst) bool { had := in.Queue != ""; in.Queue = ""; return had },
	func(in *ir.Inst) bool {
		had := in.Loop == nil && in.Engine != ir.Unassigned
		if had {
			in.Engine = ir.Unassigned
		}
		return had
	},
}

// dropMarks removes edges, order vectors, predicates, sync, queues and engines: of all instructions at once, else of each; then function
// attributes, facts, placements and the generation.
func (s *shrinker) dropMarks() {
	for _, strip := range marks {
		s.everywhere(strip)
	}
	s.try(func(p *ir.Program) bool {
		n := 0
		for _, f := range p.Cores {
			n += len(f.Attrs)
			f.Attrs = nil
		}
		return n > 0
	})
	s.try(func(p *ir.Program) bool { had := p.Facts; p.Facts = 0; return had != 0 })
	s.try(unplace)
	s.try(func(p *ir.Program) bool { had := p.Arch; p.Arch = ir.Gen3; return had != ir.Gen3 })
}

// unplace takes back what an allocator did.
func unplace(p *ir.Program) bool {
	n := 0
	for _, f := range p.Cores {
		for l := range f.Locs {
			if l.Allocated {
				l.Allocated, l.Addr, l.Base, l.Bank = false, 0, 0, 0
				n++
			}
		}
	}
	return n > 0
}

// dropSettings puts settings back to their defaults, one at a time.
func (s *shrinker) dropSettings() {
	for id := ir.ParamID(0); id < ir.NumParams; id++ {
		s.eachInst(func(_ *ir.Program, in *ir.Inst) bool {
			i := slices.IndexFunc(in.Params, func(p ir.Param) bool { return p.ID == id })
			if i < 0 {
				return false
			}
			in.Params = slices.Delete(in.Params, i, i+1)
			return true
		})
	}
}
