package passes

import (
	"slices"

	"birfuzz/ir"
)

// againstSemaphores is why no edges are drawn in a program that semaphores order: program order is no order in time there.
const againstSemaphores = "semaphores order the program"

// semaphores tells whether semaphores, and not program order, say what runs before what (semantics §2).
func semaphores(p *ir.Program) bool { return p.Facts.Has(ir.Synced) || p.Assumed().Has(ir.Synced) }

// toWrite returns the dependences that a pass is to write down; nil, and the pass does nothing, where no edges can say them. r is the rule
// that is refused then.
func toWrite(c *Ctx, scope depScope, r *Rule) *dependences {
	p := c.Program()
	why := againstSemaphores
	if !semaphores(p) {
		d := newDependences(p, ir.NewFamilies(p), scope)
		if !d.cut {
			return d
		}
		why = d.incomplete
	}
	c.Refuse(r, nil, why)
	c.Decline(why)
	return nil
}

// edgeWriter puts edges of an analysis into the program, one question an edge.
type edgeWriter struct {
	ctx   *Ctx
	deps  *dependences
	rules func(depEdge) *Rule // nil: not to be written
	there targets
}

// write asks for every edge that is not there yet.
func (w *edgeWriter) write() {
	w.there.deps = w.deps
	for _, e := range w.deps.edges {
		r := w.rules(e)
		if r == nil || w.there.has(e) || !w.ctx.Allow(r, w.deps.nodes[e.of].inst) {
			continue
		}
		w.ctx.Edit().Change(func() { w.add(e) })
	}
}

func (w *edgeWriter) add(e depEdge) {
	in, on := w.deps.nodes[e.of].inst, w.deps.nodes[e.on].inst
	switch {
	case e.dist != nil:
		in.LoopDeps = append(in.LoopDeps, ir.LoopDep{On: on, Kind: e.kind, Dist: e.dist})
	case w.there.kind[e.on] != 0:
		in.Deps = ir.AddDep(in.Deps, ir.Dep{On: on, Kind: e.kind})
	default: // a new target: there may be thousands, and AddDep would look at each
		in.Deps = append(in.Deps, ir.Dep{On: on, Kind: e.kind})
	}
}

// targets tells which edges the instructions of a program have. It is asked for one instruction after the other.
type targets struct {
	deps *dependences
	of   *ir.Inst
	kind []ir.EdgeKind // by ID: of the edge that of had to it when first asked about; 0: none
	set  []int32       // the IDs where kind is not 0
}

// has tells whether the edge is there already, as strong or stronger. A loop-carried one stays as it is whatever its kind, for what a loop
// carries is what every pass keeps (semantics §6).
func (t *targets) has(e depEdge) bool {
	in, on := t.deps.nodes[e.of].inst, t.deps.nodes[e.on].inst
	if e.dist != nil {
		return slices.ContainsFunc(in.LoopDeps, func(d ir.LoopDep) bool { return d.On == on && slices.Equal(d.Dist, e.dist) })
	}
	if t.of != in {
		t.turn(in)
	}
	return t.kind[e.on] >= e.kind
}

// turn takes up the edges of another instruction.
func (t *targets) turn(in *ir.Inst) {
	if t.kind == nil {
		t.kind = make([]ir.EdgeKind, len(t.deps.nodes))
	}
	for _, id := range t.set {
		t.kind[id] = 0
	}
	t.of, t.set = in, t.set[:0]
	for _, d := range in.Deps {
		t.kind[d.On.ID] = max(t.kind[d.On.ID], d.Kind)
		t.set = append(t.set, d.On.ID)
	}
}
