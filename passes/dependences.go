package passes

import (
	"cmp"
	"slices"

	"birfuzz/ir"
)

// dependences says which instructions of a program must follow which. It is the one dependence analysis of this package: build_fdeps,
// anti_dependency_analyzer and order_constraints write its edges down, instruction_reorder and schedulers ask it.
//
// Two accesses conflict if they share a byte of storage and one writes. Storage is where bytes lie, not what they are called: places that
// overlap, and locations that alias, are one (dep_place.go). That sets the analysis apart from accesses, which follows values, and values
// pass between locations by name alone.
//
// Every conflict in program order is in the closure of the edges, and no edge joins what does not conflict, as far as offsets are affine in
// the axes. An edge goes only to the last that matter: a write that surely runs and covers an older access ends it, for whoever meets the
// older one meets the write too and the write waits for the older one. An instruction under a predicate ends nothing: where it is skipped it
// passes no order on.
//
// Edges mean what semantics §2 says. An edge in a loop body orders equal iterations; one between depths all instances in equal iterations of
// the common loops; a loop-carried one iterations i and i−distance. An edge on a Loop instruction waits for its whole run [ours]: where what
// is carried by a loop meets any iteration of a loop inside it, no distance that ir.Verify allows says so, and the wait is for that run.
//
// Cores have no edges between them. Fences are left out unless asked for: they order by themselves.
type dependences struct {
	edges []depEdge
	first []int32 // by instruction ID: where its edges begin; one more entry at the end
	nodes []depNode
	// incomplete says why the edges do not order every conflict; "" if they do. cut: there would have been too many, and even edges
	// of equal iterations are missing; else only some that a loop carries are.
	incomplete string
	cut        bool
}

// Thousands of instructions that each read what thousands of others have written in pieces have millions of edges, and no fewer would say as
// much. Programs that mean something have a handful an instruction. Beyond fewEdges and manyEdges an instruction, whoever asks is told that
// not all is known.
const (
	fewEdges  = 1 << 16
	manyEdges = 64
)

// depEdge is one edge: instruction of waits for on.
type depEdge struct {
	of, on int32 // IDs
	kind   ir.EdgeKind
	hidden bool    // they share an accumulator, nothing else
	dist   []int64 // of a loop-carried edge: one a common loop; else nil
}

// depNode is an instruction and where it stands.
type depNode struct {
	inst  *ir.Inst
	loops []*ir.Inst // the Loop instructions around it, outermost first
	// maybe is the innermost place with a predicate among loops, by index, and the instruction itself, len(loops); −1 if there is none.
	// The instruction surely runs where its first maybe+1 loops do.
	maybe int32
}

// depScope says what counts as a conflict.
type depScope uint8

const (
	byStorage  depScope = iota // bytes of memory, registers and accumulators
	byFences                   // fences with each other and with accesses to memory that they order (fencedFamilies); all edges are Ordered
	byMeetings                 // the same of the fences that order the cores alone
)

// dependenceWriters returns the passes that write down what newDependences finds (Pass.Rests).
func dependenceWriters() []Pass { return []Pass{buildFdeps(), antiDependencyAnalyzer()} }

// newDependences analyses a numbered program.
func newDependences(p *ir.Program, aliases *ir.Families, scope depScope) *dependences {
	insts, args := 0, 0
	for in := range p.Insts {
		insts, args = insts+1, args+len(in.Args)
	}
	d := &dependences{nodes: make([]depNode, insts)}
	g := &touchList{nodes: d.nodes, atlas: newAtlas(p, aliases), scope: scope}
	switch scope {
	case byStorage:
		g.list = make([]touch, 0, args)
	case byFences, byMeetings:
		g.fenced = fencedFamilies(p, aliases)
	}
	for core, f := range p.Cores {
		g.core = core
		g.blocks(f.Blocks, nil, -1)
	}
	s := depScan{deps: d}
	for _, list := range g.byStore() {
		s.run(list)
	}
	if scope != byStorage {
		for i := range d.edges {
			d.edges[i].kind = ir.Ordered
		}
	}
	d.settle()
	return d
}

// of returns the edges of an instruction, given by ID, by the ID of what it waits for, those of equal iterations first.
func (d *dependences) of(id int32) []depEdge { return d.edges[d.first[id]:d.first[id+1]] }

// common returns the number of loops around both.
func (d *dependences) common(a, b int32) int {
	x, y := d.nodes[a].loops, d.nodes[b].loops
	n := 0
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	return n
}

// add records an edge. Several to one target are settled at the end.
func (d *dependences) add(e depEdge) {
	if len(d.edges) >= fewEdges+manyEdges*len(d.nodes) {
		d.cut, d.incomplete = true, "too many dependences"
		return
	}
	d.edges = append(d.edges, e)
}

// settle sorts the edges and leaves one a target and distance, the strongest (walrus.md §1.3).
func (d *dependences) settle() {
	slices.SortFunc(d.edges, func(a, b depEdge) int {
		return cmp.Or(cmp.Compare(a.of, b.of), cmp.Compare(a.on, b.on), slices.Compare(a.dist, b.dist), cmp.Compare(b.kind, a.kind))
	})
	kept := d.edges[:0]
	for _, e := range d.edges {
		if n := len(kept); n > 0 && kept[n-1].of == e.of && kept[n-1].on == e.on && slices.Equal(kept[n-1].dist, e.dist) {
			kept[n-1].hidden = kept[n-1].hidden && e.hidden
			continue
		}
		kept = append(kept, e)
	}
	d.edges = kept
	d.first = make([]int32, len(d.nodes)+1)
	for _, e := range d.edges {
		d.first[e.of+1]++
	}
	for i := range d.nodes {
		d.first[i+1] += d.first[i]
	}
}
