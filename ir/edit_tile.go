package ir

import "slices"

// Tile makes a nest of a loop: of its trips, n at a time, which must divide them, are run by inner, a new loop that becomes its body and takes
// over what stood in it. inner is a Loop instruction with its names and attributes; its body is set here, and its bounds: it counts from 0 in
// the strides of the loop, and the two axes add up to the value that the one had. block is the name of the block in which it stands.
//
// The iterations keep their order. Iter says which instance is which. A loop-carried edge that no distance over the two loops can say leads to the
// whole run of inner so many trips of the outer loop ago that what it led to is in it.
func (e *Edit) Tile(loop *Inst, n int64, inner *Inst, block string) {
	e.touch()
	old := loop.Loop
	l := inner.Loop
	l.LB, l.UB, l.Stride = 0, n*old.Stride, old.Stride
	sum := axisOf(old).Add(axisOf(l), 1)
	for _, f := range e.prog.Cores {
		if home, around := blockOf(f, loop); home != nil {
			t := tiling{inner: inner, n: n, depth: len(around), inside: old.holds()}
			sayInstances(old.Blocks, append(axesOf(around), axisOf(old)))
			t.edges(old)
		}
	}
	for in := range old.Insts {
		in.exprs(func(a *Affine) { *a = a.bind(old, sum) })
	}
	l.Blocks = old.Blocks
	old.Blocks = []*Block{{Name: block, Insts: []*Inst{inner}}}
	old.Stride *= n
}

// tiling is one execution of Edit.Tile.
type tiling struct {
	inner  *Inst
	n      int64 // trips of the inner loop
	depth  int   // loops around
	inside map[*Inst]bool
}

// edges gives the loop-carried edges in the loop distances over the two loops that it becomes.
func (t *tiling) edges(l *Loop) {
	for in := range l.Insts {
		var kept []LoopDep
		for _, d := range in.LoopDeps {
			if !t.inside[d.On] {
				kept = addLoopDep(kept, d)
				continue
			}
			for _, d := range t.spread(d) {
				kept = addLoopDep(kept, d)
			}
		}
		in.LoopDeps = kept
	}
}

// spread returns the edges that one becomes. d trips back are d/n trips of the outer and d%n of the inner loop, or where the inner one has not
// come so far, one more of the outer.
func (t *tiling) spread(d LoopDep) []LoopDep {
	far := d.Dist[t.depth]
	split := func(outer, inner int64) LoopDep {
		dist := slices.Concat(d.Dist[:t.depth], []int64{outer, inner}, d.Dist[t.depth+1:])
		return LoopDep{d.On, d.Kind, dist}
	}
	if far%t.n == 0 {
		return []LoopDep{split(far/t.n, 0)}
	}
	whole := LoopDep{t.inner, d.Kind, append(slices.Clone(d.Dist[:t.depth]), far/t.n+1)}
	return []LoopDep{split(far/t.n, far%t.n), whole}
}
