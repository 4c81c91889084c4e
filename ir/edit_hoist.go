package ir

import "slices"

// Hoist takes an instruction that stands directly in the body of a loop out of it, to just before the Loop instruction in that one's block
// (loop-optimization.txt, "LICM"). What ran once a trip runs once. No operand, predicate or order vector of in may use the loop's axis, and
// no plain edge of in may lead to the loop or into it.
//
// The instruction becomes the instance of the loop's first trip (Inst.Iter). Edges say of it what they said of all trips: who waited for a
// trip of it waits for it; it waits no longer for anything in earlier trips of the loop, and for all trips of what it waited for in earlier
// trips of a loop further out; an edge of the loop, or to it, is one of or to the instruction as well.
func (e *Edit) Hoist(in, loop *Inst) {
	e.touch()
	h := hoisting{in: in, loop: loop, inside: loop.Loop.holds()}
	for _, f := range e.prog.Cores {
		if home, around := blockOf(f, loop); home != nil {
			h.depth = len(around)
			h.instance(around)
			h.move(home)
			h.edges(f)
			return
		}
	}
}

// hoisting is one execution of Edit.Hoist.
type hoisting struct {
	in, loop *Inst
	inside   map[*Inst]bool // what stands in the loop, in among it
	depth    int            // number of loops around the loop
}

// blockOf returns the block of f in which an instruction stands, and the loops around it, outermost first; nil if it is not in f.
func blockOf(f *Func, in *Inst) (*Block, []*Loop) {
	for b := range f.AllBlocks {
		if slices.Contains(b.Insts, in) {
			nest, _ := f.nestOf(b)
			return b, nest
		}
	}
	return nil, nil
}

// holds returns the set of what stands in a loop, at any depth.
func (l *Loop) holds() map[*Inst]bool {
	inside := map[*Inst]bool{}
	for in := range l.Insts {
		inside[in] = true
	}
	return inside
}

// bind returns the expression with a value in the place of a loop's axis.
func (a Affine) bind(l *Loop, value Affine) Affine {
	return a.Substitute(func(t *Term) *Affine {
		if t.Kind == AxisTerm && t.Axis == l {
			return &value
		}
		return nil
	})
}

// cut leaves of the distances those over the first depth loops. It tells whether one of them is left that carries the edge.
func (d *LoopDep) cut(depth int) bool {
	d.Dist = d.Dist[:depth]
	return slices.ContainsFunc(d.Dist, func(n int64) bool { return n > 0 })
}

// instance writes down which instance of its source the instruction is.
func (h *hoisting) instance(around []*Loop) {
	first := Konst(h.loop.Loop.LB)
	if h.in.Iter == nil {
		for _, l := range around {
			h.in.Iter = append(h.in.Iter, axisOf(l))
		}
		h.in.Iter = append(h.in.Iter, first)
		return
	}
	h.in.Iter = slices.Clone(h.in.Iter)
	for i, a := range h.in.Iter {
		h.in.Iter[i] = a.bind(h.loop.Loop, first)
	}
}

func (h *hoisting) move(home *Block) {
	for _, b := range h.loop.Loop.Blocks {
		b.Insts = slices.DeleteFunc(b.Insts, func(x *Inst) bool { return x == h.in })
	}
	home.Insts = slices.Insert(home.Insts, slices.Index(home.Insts, h.loop), h.in)
}

// edges carries the edges along that the instruction is part of, by itself or as part of the loop.
func (h *hoisting) edges(f *Func) {
	h.own()
	for _, d := range h.loop.Deps {
		h.in.Deps = AddDep(h.in.Deps, d)
	}
	for _, d := range h.loop.LoopDeps {
		h.in.LoopDeps = addLoopDep(h.in.LoopDeps, d)
	}
	for x := range f.Insts {
		if h.inside[x] && x != h.in {
			h.insider(x)
		}
		for _, d := range x.Deps {
			if d.On == h.loop && !h.inside[x] {
				x.Deps = AddDep(x.Deps, Dep{h.in, d.Kind})
			}
		}
		for _, d := range x.LoopDeps {
			if d.On == h.loop {
				x.LoopDeps = addLoopDep(x.LoopDeps, LoopDep{h.in, d.Kind, d.Dist})
			}
		}
	}
}

// own shortens the distances of the instruction's edges into the loop, by the loop that is no longer around both ends.
func (h *hoisting) own() {
	var kept []LoopDep
	for _, d := range h.in.LoopDeps {
		if h.inside[d.On] && !d.cut(h.depth) {
			continue
		}
		kept = addLoopDep(kept, d)
	}
	h.in.LoopDeps = kept
}

// insider shortens the distances of edges from the loop to the instruction. Where no loop is left to carry one it is plain.
func (h *hoisting) insider(x *Inst) {
	var kept []LoopDep
	for _, d := range x.LoopDeps {
		if d.On == h.in && !d.cut(h.depth) {
			x.Deps = AddDep(x.Deps, Dep{h.in, d.Kind})
			continue
		}
		kept = addLoopDep(kept, d)
	}
	x.LoopDeps = kept
}
