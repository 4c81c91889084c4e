package passes

import "birfuzz/ir"

// Why a run keeps its old order.
const (
	againstDependence = "order contradicts a dependence"
	againstEdge       = "order contradicts an edge"
)

// contradiction tells why the sort of a run may not be made: it would turn round two instructions of which one must follow the other. It
// returns "" where the sort is sound. The documented pass has no such check and trusts whoever gave the orders; but an earlier pass may
// have deleted the unordered instruction that kept two runs apart, and their orders were never made to be compared.
//
// A run has no gaps, so that the dependences between its instructions lead through no other, and an order that respects their edges
// respects all conflicts.
func contradiction(run []*ir.Inst, sorted []int32, deps *dependences) string {
	g := guard{new: make([]int32, len(sorted)), slot: map[int32]int32{}}
	for at, i := range sorted {
		g.new[i] = int32(at)
	}
	for i, in := range run {
		g.add(in, int32(i))
	}
	switch {
	case g.turnsEdge(run):
		return againstEdge
	case deps.cut || g.turnsConflict(deps):
		return againstDependence
	}
	return ""
}

// guard is what decides about one run. A loop stands in it as one instruction that touches what its whole body touches.
type guard struct {
	new  []int32         // position after the sort, by position in the run
	slot map[int32]int32 // position in the run of every instruction by ID, bodies included
}

func (g *guard) add(in *ir.Inst, slot int32) {
	g.slot[in.ID] = slot
	if in.Loop != nil {
		for sub := range in.Loop.Insts {
			g.slot[sub.ID] = slot
		}
	}
}

// turned tells whether the sort turns the two round, both given by ID.
func (g *guard) turned(id, on int32) bool {
	a := g.slot[id]
	b, ok := g.slot[on]
	return ok && (a < b) != (g.new[a] < g.new[b])
}

// turnsEdge tells whether an edge between two instructions of the run would point forward. Loop-carried ones count as if they joined equal
// iterations (bir-json.md, "order").
func (g *guard) turnsEdge(run []*ir.Inst) bool {
	turns := func(in *ir.Inst) bool {
		for _, d := range in.Deps {
			if g.turned(in.ID, d.On.ID) {
				return true
			}
		}
		for _, d := range in.LoopDeps {
			if g.turned(in.ID, d.On.ID) {
				return true
			}
		}
		return false
	}
	for _, in := range run {
		if turns(in) {
			return true
		}
		if in.Loop != nil {
			for sub := range in.Loop.Insts {
				if turns(sub) {
					return true
				}
			}
		}
	}
	return false
}

// turnsConflict tells whether two instructions that conflict change places. What a loop around the run carries stays in order: its trips do.
func (g *guard) turnsConflict(deps *dependences) bool {
	for id := range g.slot {
		for _, e := range deps.of(id) {
			if e.dist == nil && g.turned(e.of, e.on) {
				return true
			}
		}
	}
	return false
}
