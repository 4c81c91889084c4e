package passes

import (
	"slices"

	"birfuzz/ir"
)

var ruleHoist = &Rule{
	Name: "licm.hoist",
	Doc: "Moves an instruction to just before the loop in whose body it stands (LICM), where none of its access patterns refers to a storage that the loop defines, and it may run once for all " +
		"trips: the loop runs, and with it the instruction; neither moves along the axis; nobody else in the loop writes what it writes, or reads it before it is written.",
}

// Reasons why LICM leaves an instruction in its loop.
const (
	hoistFiltered  = "opcode filter"
	hoistCommand   = "accumulator command"
	hoistEffect    = "effect"
	hoistResult    = "no result"
	hoistKind      = "operand kind"
	hoistAdds      = "reads what it writes"
	hoistAxis      = "moves along the axis"
	hoistPredicate = "predicate on the axis"
	hoistOrder     = "order vector on the axis"
	hoistDefined   = "operand defined in the loop"
	hoistOverlap   = "operand overlaps a definition in the loop"
	hoistWritten   = "output written by another in the loop"
	hoistRead      = "output read before its definition in the loop"
	hoistFence     = "memory that fences in the loop order"
	hoistForeign   = "memory that others use at any time"
	hoistEdge      = "edge into the loop"
	hoistTrips     = "loop without trips"
	hoistGuarded   = "predicate on the loop"
	hoistPinned    = "no_reorder"
	hoistHalt      = "halt in the loop"
)

// licm is the last part of loop_optimization (loop-optimization.txt, "LICM"; walrus.md §4.6): over the whole module and after fusion, for that
// makes things invariant.
//
// The documented test is kept: operands that are access patterns alone are tested (an instruction with a register operand stays, GOTCHA; an
// immediate refers to nothing); of those, all, for our patterns are the vendor's symbolic ones whether their offset varies or not; and an
// operand whose storage, by name and alias, is in the set that the loop defines keeps the instruction in it, whatever the bytes. The number
// at +0x58 is read as the opcode: the filter is rowsNotHoisted.
//
// The document has no other guard; side effects are "implicit". Hoisted by that alone, an instruction would run though the loop, or its
// predicate, does not; write what the loop's own reader should have found as it was; or be overwritten for good where it was written anew in
// each trip. So nothing moves that is not the same in all trips and of which anybody in the loop would notice: hoistWhy and standsStill.
// The dialect draws no random numbers, and a core's number is the same in all trips.
//
// Loops are taken innermost first, the instructions of one in program order, until none moves; what has left an inner loop is part of the
// body around it and goes on from there. A definition is met before its uses and so comes out before them. Where edges order the program
// (Deps) a queue may have been part of the order, and Deps is given up.
func licm(c *Ctx) {
	p := c.Program()
	if semaphores(p) || !slices.ContainsFunc(p.Cores, hasLoop) {
		return
	}
	h := hoister{ctx: c, touches: newLoopTouches(p), asked: map[*ir.Inst]bool{}}
	for core, f := range p.Cores {
		h.core = core
		h.blocks(f.Blocks, nil)
	}
	if h.moved > 0 {
		c.Drop(ir.Deps & p.Facts)
		p.Number() // update_all_loopnest
	}
}

// hoister is one execution of licm. Instructions keep their IDs while it runs.
type hoister struct {
	ctx     *Ctx
	touches *loopTouches
	core    int
	asked   map[*ir.Inst]bool // and refused by the fuel
	moved   int
}

// blocks goes through the loops of blocks, those in a loop before the loop.
func (h *hoister) blocks(bs []*ir.Block, around []*ir.Inst) {
	for _, b := range bs {
		for _, in := range slices.Clone(b.Insts) {
			if in.Loop != nil {
				h.blocks(in.Loop.Blocks, append(slices.Clip(around), in))
				h.loop(in, around)
			}
		}
	}
}

// loop hoists what it can out of one loop. What stays is counted once.
func (h *hoister) loop(l *ir.Inst, around []*ir.Inst) {
	for {
		before := h.moved
		kept := h.round(l, around)
		if h.moved > before {
			continue
		}
		for _, k := range kept {
			h.ctx.Refuse(ruleHoist, k.inst, k.why)
		}
		return
	}
}

// keptInst is an instruction that stays in its loop.
type keptInst struct {
	inst *ir.Inst
	why  string
}

// round asks for every instruction that stands directly in the loop and may leave it, and returns those that stay.
func (h *hoister) round(l *ir.Inst, around []*ir.Inst) (kept []keptInst) {
	d := newLoopDefs(h.touches, h.core, l, around)
	for _, b := range l.Loop.Blocks {
		for _, in := range slices.Clone(b.Insts) {
			if in.Loop != nil || h.asked[in] {
				continue
			}
			if why := d.forbids(in); why != "" {
				kept = append(kept, keptInst{in, why})
				continue
			}
			if !h.ctx.Allow(ruleHoist, in) {
				h.asked[in] = true
				continue
			}
			h.ctx.Logf("[LICM] Moving inst %s to a new insertion point", in.Name)
			h.ctx.Edit().Hoist(in, l)
			h.touches.forget(in)
			d.leave(in)
			h.moved++
		}
	}
	return kept
}
