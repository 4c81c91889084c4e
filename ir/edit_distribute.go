package ir

import "slices"

// Distribute makes two loops of one: what stands in the body from the instruction at on comes into second, a new loop of the same trips behind
// the first. The body must be one block, which goes by the name of second's block in the new loop; second is a Loop instruction without a body
// but for that block, empty, and has its names, bounds and attributes.
//
// An edge from the second part to the first then joins all trips, where it joined equal or earlier ones. There may be none the other way. What the
// loop waited for both wait for, and who waited for it waits for both.
func (e *Edit) Distribute(first *Inst, at int, second *Inst) {
	e.touch()
	x := distribution{first: first, second: second, part: map[*Inst]int{}}
	body := first.Loop.Blocks[0]
	rest := slices.Clone(body.Insts[at:])
	x.mark(body.Insts[:at], 1)
	x.mark(rest, 2)
	body.Insts = slices.Clone(body.Insts[:at])
	second.Loop.Blocks[0].Insts = rest
	for in := range second.Loop.Insts {
		in.exprs(func(a *Affine) { *a = a.rebase(first.Loop, second.Loop) })
	}
	for _, f := range e.prog.Cores {
		if home, around := blockOf(f, first); home != nil {
			home.Insts = slices.Insert(home.Insts, slices.Index(home.Insts, first)+1, second)
			x.depth = len(around)
			x.edges(f)
		}
	}
}

// distribution is one execution of Edit.Distribute.
type distribution struct {
	first, second *Inst
	part          map[*Inst]int // of what stood in the loop: 1 or 2
	depth         int           // loops around both
}

func (x *distribution) mark(insts []*Inst, part int) {
	for _, in := range insts {
		x.part[in] = part
		if in.Loop != nil {
			for sub := range in.Loop.Insts {
				x.part[sub] = part
			}
		}
	}
}

// edges gives the edges of the function the form that they have where there are two loops.
func (x *distribution) edges(f *Func) {
	x.second.Deps, x.second.LoopDeps = slices.Clone(x.first.Deps), slices.Clone(x.first.LoopDeps)
	for in := range f.Insts {
		for _, d := range in.Deps {
			if d.On == x.first && x.part[in] == 0 && in != x.second {
				in.Deps = AddDep(in.Deps, Dep{x.second, d.Kind})
			}
		}
		var kept []LoopDep
		for _, d := range in.LoopDeps {
			if x.part[in] == 2 && x.part[d.On] == 1 && !d.cut(x.depth) {
				in.Deps = AddDep(in.Deps, Dep{d.On, d.Kind})
				continue
			}
			kept = addLoopDep(kept, d)
			if d.On == x.first {
				kept = addLoopDep(kept, LoopDep{x.second, d.Kind, d.Dist})
			}
		}
		in.LoopDeps = kept
	}
}
