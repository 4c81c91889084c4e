package passes

import (
	"cmp"
	"math"
	"slices"

	"birfuzz/ir"
)

// locDAG is stage A of pre_sched: the locations of a function as the nodes of a graph, in declaration order, each behind those that something
// written to it depends on. The kinds of the edges do not matter.
//
// The documents' locations are written once. Here an instruction that writes B and depends on one that writes A puts A before B only if A
// is first written before B: a location that is written again, or round a loop, would stand before itself. What is left has no cycle, and
// stage B keeps every dependence whatever the order of the locations is.
type locDAG struct {
	*digraph
	fn    *ir.Func
	base  int32 // ID of the first location of the function
	nodes []locNode
	edges []locEdge
}

// locNode is a location and what its place in the order hangs on (mloc_extra_data of the documents).
type locNode struct {
	loc      *ir.Loc
	born     int32 // instruction that writes it first; none
	height   int64 // longest path from a source, in edges
	depth    int64 // longest path through it
	fringe   bool  // nothing comes before it (compute_fringe; what the vendor's flag is for is not published)
	fromHost bool  // something is filled into it from an ExternalInput
}

// locEdge says that location of, by number, comes behind location on, weight away.
type locEdge struct {
	of, on int32
	weight int64
}

// newLocDAG makes the graph of the locations of a function.
func newLocDAG(f *ir.Func, g *schedGraph) *locDAG {
	d := &locDAG{fn: f, base: none}
	for l := range f.Locs {
		if d.base == none {
			d.base = l.ID
		}
		d.nodes = append(d.nodes, locNode{loc: l, born: none})
	}
	for in := range f.Insts {
		d.births(in)
	}
	for _, a := range g.raw {
		d.join(g, a)
	}
	d.settle()
	d.computeDepths()
	return d
}

func (d *locDAG) node(l *ir.Loc) *locNode { return &d.nodes[l.ID-d.base] }

func (d *locDAG) births(in *ir.Inst) {
	host := slices.ContainsFunc(in.Ins(), func(o ir.Operand) bool { return o.Loc != nil && o.Loc.Set.Kind == ir.ExternalInput })
	for _, o := range in.Outs() {
		if o.Loc == nil {
			continue
		}
		n := d.node(o.Loc)
		if n.born == none {
			n.born = in.ID
		}
		n.fromHost = n.fromHost || host
	}
}

// join adds the edges that an arc between two instructions of the function asks for.
func (d *locDAG) join(g *schedGraph, a arc) {
	of, on := g.places[a.of].inst, g.places[a.on].inst
	for _, x := range of.Outs() {
		if x.Loc == nil || !d.owns(x.Loc) {
			continue
		}
		for _, y := range on.Outs() {
			if y.Loc != nil && d.owns(y.Loc) && d.node(y.Loc).born < d.node(x.Loc).born {
				d.edges = append(d.edges, locEdge{x.Loc.ID - d.base, y.Loc.ID - d.base, g.weight(a)})
			}
		}
	}
}

func (d *locDAG) owns(l *ir.Loc) bool { return l.ID >= d.base && int(l.ID-d.base) < len(d.nodes) }

// weight is 1, but where the arc leads into a loop the number of its instructions (count_inst_with_hack).
func (g *schedGraph) weight(a arc) int64 {
	around := none
	for l := g.places[a.of].loop; l != none && !g.inside(a.on, l); l = g.places[l].loop {
		around = l
	}
	if around == none {
		return 1
	}
	return int64(g.places[around].size - 1)
}

// inside tells whether an instruction stands in the body of a loop.
func (g *schedGraph) inside(id, loop int32) bool { return loop < id && id < loop+g.places[loop].size }

// settle leaves one edge between two locations, the heaviest, and makes the graph.
func (d *locDAG) settle() {
	slices.SortFunc(d.edges, func(a, b locEdge) int {
		return cmp.Or(cmp.Compare(a.of, b.of), cmp.Compare(a.on, b.on), cmp.Compare(b.weight, a.weight))
	})
	d.edges = slices.CompactFunc(d.edges, func(a, b locEdge) bool { return a.of == b.of && a.on == b.on })
}

// computeDepths finds the longest paths from the sources and to the sinks (compute_depths_forward and _backward) and the fringe. Latencies
// have no part in it. A location's depth is the length of the longest path through it, so the critical path is the deepest.
func (d *locDAG) computeDepths() {
	byBirth := slices.Clone(d.edges)
	slices.SortStableFunc(byBirth, func(a, b locEdge) int { return cmp.Compare(d.nodes[a.of].born, d.nodes[b.of].born) })
	for i := range d.nodes {
		d.nodes[i].fringe = true
	}
	for _, e := range byBirth { // all edges to e.on came before
		n := &d.nodes[e.of]
		n.height, n.fringe = max(n.height, d.nodes[e.on].height+e.weight), false
	}
	slices.SortStableFunc(byBirth, func(a, b locEdge) int { return cmp.Compare(d.nodes[b.on].born, d.nodes[a.on].born) })
	below := make([]int64, len(d.nodes))
	for _, e := range byBirth { // all edges from e.of came before
		below[e.on] = max(below[e.on], below[e.of]+e.weight)
	}
	for i := range d.nodes {
		d.nodes[i].depth = d.nodes[i].height + below[i] + 1
	}
}

// class is the class flag of the documents' comparator. What flags there are is not published; ours is that of early_sched_io, which the
// documents call a scratchpad optimisation: DRAM that the host's tensors are copied to comes first, as soon as nothing is in the way.
func (n *locNode) class() int {
	if n.fringe && n.fromHost && n.loc.Type.IsDRAM() {
		return 0
	}
	return 1
}

// order returns the locations by number in the order of the scheduler's level (get_initial_order, dfs_topo_sort): by class, depth, deepest
// first, and declaration at level 2; as they are declared at level 1; each behind those that must come before it.
func (d *locDAG) order(level int64) []int32 {
	initial := make([]int32, len(d.nodes))
	for i := range initial {
		initial[i] = int32(i)
	}
	if level == 2 {
		slices.SortFunc(initial, func(a, b int32) int {
			x, y := &d.nodes[a], &d.nodes[b]
			return cmp.Or(cmp.Compare(x.class(), y.class()), cmp.Compare(y.depth, x.depth), cmp.Compare(a, b))
		})
	}
	priority := make([]int32, len(initial))
	for at, i := range initial {
		priority[i] = int32(at)
	}
	slices.SortFunc(d.edges, func(a, b locEdge) int { return cmp.Compare(priority[a.on], priority[b.on]) }) // children by priority
	arcs := make([]arc, len(d.edges))
	for i, e := range d.edges {
		arcs[i] = arc{e.of, e.on}
	}
	d.digraph = newDigraph(len(d.nodes), arcs)
	s := newDFS(d.digraph)
	out := make([]int32, 0, len(initial))
	for _, i := range initial {
		out = s.visit(i, out)
	}
	return out
}

// writeBack gives the Internal sets of the function, and the locations in them, the order of rank, which is by location number
// (copy_mloc_order_to_f). Inputs, outputs and constants stay where they are declared: their order may mean something to the host.
func (d *locDAG) writeBack(c *Ctx, rank []int32) {
	sets := slices.Clone(d.fn.Sets)
	first := func(s *ir.Set) int32 {
		r := int32(math.MaxInt32)
		for _, l := range s.Locs {
			r = min(r, rank[l.ID-d.base])
		}
		return r
	}
	var internal []*ir.Set
	for _, s := range sets {
		if s.Kind == ir.Internal {
			internal = append(internal, s)
		}
	}
	slices.SortStableFunc(internal, func(a, b *ir.Set) int { return cmp.Compare(first(a), first(b)) })
	for i, s := range sets {
		if s.Kind == ir.Internal {
			sets[i], internal = internal[0], internal[1:]
		}
	}
	byRank := func(a, b *ir.Loc) int { return cmp.Compare(rank[a.ID-d.base], rank[b.ID-d.base]) }
	unsorted := func(s *ir.Set) bool { return s.Kind == ir.Internal && !slices.IsSortedFunc(s.Locs, byRank) }
	if slices.Equal(sets, d.fn.Sets) && !slices.ContainsFunc(sets, unsorted) || !c.Allow(ruleSchedLocations, nil) {
		return
	}
	c.Edit().Change(func() {
		d.fn.Sets = sets
		for _, s := range sets {
			if s.Kind == ir.Internal {
				slices.SortFunc(s.Locs, byRank)
			}
		}
	})
}
