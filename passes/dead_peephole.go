package passes

import (
	"slices"

	"birfuzz/ir"
)

var ruleEmptyLoop = &Rule{
	Name: "dce.empty-loop",
	Doc: "Deletes a loop whose body holds nothing, however often it runs. A body that holds a fence, a wait or a NoOp is not empty, nor is one that never runs. " +
		"A loop with sync_info stays, and one on ALL engines, which joins every queue.",
}

var ruleMustAliasCopy = &Rule{
	Name: "dce.must-alias-copy",
	Doc: "Deletes a DMA copy of bytes of DRAM onto themselves: both sides are one location, or must aliases, walked alike with one type. " +
		"Shared memory, and what another core or the run-time touches, stays, and so does a copy with sync_info.",
}

var ruleRedundantAliasCopy = &Rule{
	Name:   "dce.redundant-alias-copy",
	Shared: sharedStanding,
	Doc: "Deletes a DMA copy within DRAM that puts down what stands there: an earlier copy of the block led from the same bytes to the same, or back, under the same names or must aliases of " +
		"them, surely ran, and nothing has written to either side since, may aliases included. No fence stands between where other cores may write; neither side has an address.",
}

// peepholes is what dead_code_elim does block by block, in the functions that are not allocated yet. Inner blocks come first: a loop may
// become empty because the loop in it was.
func (d *dce) peepholes() {
	for _, b := range slices.Backward(d.blocks) {
		gate := attributeGate(b.fn)
		d.emptyLoops(b.block, gate)
		d.mustAliasCopies(b.block, gate)
		d.redundantAliasCopies(b.block, gate)
		d.internalCopies(b.block, gate)
	}
}

// attributeGate returns the attribute of f that rules the peepholes out, "" if there is none: function attributes 10 and 11 of walrus.md §1.8.
func attributeGate(f *ir.Func) string {
	for _, a := range [...]string{"sb_allocated", "internal_dram_allocated"} {
		if f.HasAttr(a) {
			return "attribute " + a
		}
	}
	return ""
}

// decide removes in by the rule, unless there is a reason why not.
func (d *dce) decide(r *Rule, in *ir.Inst, gate, why string) {
	switch {
	case gate != "":
		d.ctx.Refuse(r, in, gate)
	case why != "":
		d.ctx.Refuse(r, in, why)
	default:
		d.remove(r, in)
	}
}

// emptyLoops is remove_empty_loops.
func (d *dce) emptyLoops(b *ir.Block, gate string) {
	for _, in := range b.Insts {
		if in.Loop == nil || d.gone[in.ID] || !d.empty(in.Loop) {
			continue
		}
		why := ""
		switch {
		case in.HasSync():
			why = "sync_info"
		case in.Engine == ir.ALL:
			why = "joins every queue"
		}
		d.decide(ruleEmptyLoop, in, gate, why)
	}
}

// empty tells whether nothing is left in the loop's blocks.
func (d *dce) empty(l *ir.Loop) bool {
	for _, b := range l.Blocks {
		if slices.ContainsFunc(b.Insts, func(in *ir.Inst) bool { return !d.gone[in.ID] }) {
			return false
		}
	}
	return true
}

// mustAliasCopies is remove_must_alias_dmacopy.
func (d *dce) mustAliasCopies(b *ir.Block, gate string) {
	for _, in := range b.Insts {
		if t, ok := d.transfer(in); ok && d.inDRAM(t) && d.sameBytes(t.dst, t.src) {
			d.decide(ruleMustAliasCopy, in, gate, d.holdsTransfer(t))
		}
	}
}

// redundantAliasCopies is remove_redundant_alias_dmacopy. The documents only name it; what makes a copy redundant is ours. It takes the
// donated buffers of a front end: a copy out of one name of a tensor, and the copy back into the other.
func (d *dce) redundantAliasCopies(b *ir.Block, gate string) {
	for _, in := range b.Insts {
		t, ok := d.transfer(in)
		if !ok || !d.inDRAM(t) {
			continue
		}
		if e, _, ok := d.standing(t); ok {
			d.decide(ruleRedundantAliasCopy, in, gate, d.holdsRepeat(t, e))
		}
	}
}
