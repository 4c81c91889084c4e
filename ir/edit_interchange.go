package ir

import "slices"

// Interchange turns a perfect nest inside out: the body of outer must be the Loop instruction inner alone. The two instructions stay where they
// are, with their names, predicates and edges; they exchange their axes, bounds and attributes, and the body of inner is run for the same values
// in the other order. Iter says which instance is which.
//
// No predicate of inner may use the axis of outer, and no edge may join inner to something in the nest. Loop-carried edges in the body lead to
// the same instances as they did: their distances change places.
func (e *Edit) Interchange(outer, inner *Inst) {
	e.touch()
	for _, f := range e.prog.Cores {
		home, around := blockOf(f, outer)
		if home == nil {
			continue
		}
		at := append(axesOf(around), axisOf(outer.Loop), axisOf(inner.Loop))
		sayInstances(inner.Loop.Blocks, at)
		swapDistances(inner.Loop, len(around))
	}
	outer.Loop, inner.Loop = inner.Loop, outer.Loop
	outer.Loop.Blocks, inner.Loop.Blocks = inner.Loop.Blocks, outer.Loop.Blocks
}

// axesOf returns the axes of loops, outermost first.
func axesOf(loops []*Loop) []Affine {
	at := make([]Affine, 0, len(loops)+2)
	for _, l := range loops {
		at = append(at, axisOf(l))
	}
	return at
}

// sayInstances writes down which instance of its source each instruction is of those that do not say so; at are the axis values around the blocks.
func sayInstances(bs []*Block, at []Affine) {
	for _, b := range bs {
		for _, in := range b.Insts {
			switch {
			case in.Loop != nil:
				sayInstances(in.Loop.Blocks, append(slices.Clip(at), axisOf(in.Loop)))
			case in.Iter == nil:
				in.Iter = slices.Clone(at)
			}
		}
	}
}

// swapDistances exchanges the distances over the depth-th loop around and the one in it, which is l, of edges between instructions in l.
func swapDistances(l *Loop, depth int) {
	inside := l.holds()
	for in := range l.Insts {
		for i, d := range in.LoopDeps {
			if inside[d.On] {
				dist := slices.Clone(d.Dist)
				dist[depth], dist[depth+1] = dist[depth+1], dist[depth]
				in.LoopDeps[i].Dist = dist
			}
		}
	}
}
