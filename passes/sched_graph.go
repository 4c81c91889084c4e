package passes

import (
	"slices"

	"birfuzz/ir"
)

// schedGraph is what a scheduler of blocks may not turn round: arcs between the instructions of one block. A loop stands in its block as one
// instruction, which does what its whole body does, so an arc to or from an instruction in a body is lifted to the loop.
//
// The arcs are those of the dependences (by bytes, and by fences), the edges that the program has, whatever their kind, and three orders that
// no byte asks for: behind a Halt nothing runs, so nothing comes before it from behind; memory that another core or the run-time may touch
// counts as visible memory at fences; and a reader of a PSUM location waits for the matmuls into it, which keep their order, though it may
// read parts of the tile that are ready (a bank is open while PE writes to it). What a loop carries from trip to trip is no arc: the trips of
// a loop stay in order.
type schedGraph struct {
	places []schedPlace // by instruction ID
	blocks []*ir.Block
	raw    []arc // as found, between any two instructions of a function, by ID
	arcs   []arc // lifted: between two of one block
}

// schedPlace is where an instruction stands.
type schedPlace struct {
	inst  *ir.Inst
	block int32 // index in blocks
	loop  int32 // the Loop instruction around it; none
	depth int32 // number of loops around it
	size  int32 // number of instructions in it: 1, and what its body holds
	still bool  // in a loop without trips, of which the dependences say nothing: it stays where it is
}

// newSchedGraph lists what holds the instructions of a numbered program in order. It is nil, and why says why, where that is not known.
func newSchedGraph(p *ir.Program) (g *schedGraph, why string) {
	aliases := ir.NewFamilies(p)
	g = &schedGraph{places: make([]schedPlace, p.NumInsts())}
	for _, f := range p.Cores {
		g.list(f.Blocks, none, 0, false)
	}
	for _, scope := range []depScope{byStorage, byFences} {
		d := newDependences(p, aliases, scope)
		if d.cut {
			return nil, d.incomplete
		}
		for _, e := range d.edges {
			if e.dist == nil {
				g.raw = append(g.raw, arc{e.of, e.on})
			}
		}
	}
	for in := range p.Insts {
		for _, d := range in.Deps {
			g.raw = append(g.raw, arc{in.ID, d.On.ID})
		}
	}
	for _, f := range p.Cores {
		g.unsaid(f)
	}
	for _, a := range g.raw {
		if a, ok := g.lift(a); ok {
			g.arcs = append(g.arcs, a)
		}
	}
	return g, ""
}

// list notes where the instructions of blocks stand and returns how many there are.
func (g *schedGraph) list(bs []*ir.Block, loop, depth int32, still bool) (n int32) {
	for _, b := range bs {
		at := int32(len(g.blocks))
		g.blocks = append(g.blocks, b)
		for _, in := range b.Insts {
			x := schedPlace{inst: in, block: at, loop: loop, depth: depth, size: 1, still: still}
			if in.Loop != nil {
				x.size += g.list(in.Loop.Blocks, in.ID, depth+1, still || in.Loop.Trips() == 0)
			}
			g.places[in.ID] = x
			n += x.size
		}
	}
	return n
}

// lift returns the arc between the instructions of one block that an arc asks for; false if there is none: it lies inside one of them, or
// the two stand in different blocks.
func (g *schedGraph) lift(a arc) (arc, bool) {
	for g.places[a.of].depth > g.places[a.on].depth {
		a.of = g.places[a.of].loop
	}
	for g.places[a.on].depth > g.places[a.of].depth {
		a.on = g.places[a.on].loop
	}
	for g.places[a.of].loop != g.places[a.on].loop {
		a.of, a.on = g.places[a.of].loop, g.places[a.on].loop
	}
	return a, a.of != a.on && g.places[a.of].block == g.places[a.on].block
}

// unsaid adds the orders of a function that no byte asks for.
func (g *schedGraph) unsaid(f *ir.Func) {
	u := unsaidOrders{graph: g, halt: none, fence: none, matmul: map[*ir.Loc]int32{}}
	for in := range f.Insts {
		u.wait(in, u.halt)
		u.fences(in)
		u.accumulations(in)
		if in.Spec().Ends {
			u.halt = in.ID
		}
	}
}

// unsaidOrders walks a function in program order.
type unsaidOrders struct {
	graph   *schedGraph
	halt    int32 // the last Halt
	fence   int32 // the last fence
	foreign []int32
	matmul  map[*ir.Loc]int32 // the last matmul into a PSUM location
}

func (u *unsaidOrders) wait(in *ir.Inst, on int32) {
	if on != none && on != in.ID {
		u.graph.raw = append(u.graph.raw, arc{in.ID, on})
	}
}

func (u *unsaidOrders) fences(in *ir.Inst) {
	if in.Spec().Effect.Fence() {
		for _, id := range u.foreign {
			u.wait(in, id)
		}
		u.fence, u.foreign = in.ID, u.foreign[:0]
		return
	}
	if slices.ContainsFunc(in.Args, func(o ir.Operand) bool { return o.Loc != nil && foreignLoc(o.Loc) }) {
		u.wait(in, u.fence)
		u.foreign = append(u.foreign, in.ID)
	}
}

func (u *unsaidOrders) accumulations(in *ir.Inst) {
	matmul := in.Spec().Flow == ir.FlowMatmul
	for i := range in.Args {
		l := in.Args[i].Loc
		if l == nil || l.Type != ir.PSUM {
			continue
		}
		last, ok := u.matmul[l]
		if out := i < int(in.NOut); ok && (matmul || !out) {
			u.wait(in, last)
		}
		if matmul && i < int(in.NOut) {
			u.matmul[l] = in.ID
		}
	}
}
