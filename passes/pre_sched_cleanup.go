package passes

import (
	"slices"

	"birfuzz/ir"
)

var ruleSchedMemset = &Rule{
	Name: "presched.redundant-memset",
	Doc: "Deletes an instruction that makes up its one result from constants where an earlier one of the block, the same to the last setting and surely run, put down the same bytes and nothing " +
		"has written to them since. Internal local memory without an address that nobody else touches; no accumulator command, no sync_info.",
}

// cleanUp is what pre_sched does before it schedules. What the documents' remove_redundant_memsets is, is ours: one half deletes a fill that puts
// down what stands there, the other half a fill that is overwritten unread (eliminateDeadStore, for fills). Both levels clean up all of it:
// the level at which loads are left alone, 4, is none of the scheduler's.
func cleanUp(c *Ctx) {
	c.Program().Number()
	removeRedundantLoads(c)
	c.Program().Number()
	d := newDCE(c)
	d.phase("remove_redundant_memsets", d.redundantMemsets)
	d.phase("remove_inst_with_no_user", d.sweep)
	d.delete()
	d.deadLocations(false)
}

func (d *dce) redundantMemsets() {
	for _, b := range d.blocks {
		for _, in := range slices.Backward(b.block.Insts) {
			if d.open(in) && isFill(in) {
				d.deadStore(in, b.last)
			}
			if d.open(in) && isFill(in) {
				d.redundantMemset(in)
			}
		}
	}
}

// isFill tells whether an instruction makes up its result from constants.
func isFill(in *ir.Inst) bool {
	return in.Spec().Flow == ir.FlowNone && in.NOut == 1 && len(in.Args) == 1 && in.Args[0].IsAP() && !in.ReadsAcc()
}

func (d *dce) redundantMemset(in *ir.Inst) {
	dst := &d.list[d.outs[in.ID]]
	e := d.lastWriter(dst)
	if e == nil || !d.sameFill(e, dst) {
		return
	}
	why := d.dontTouch(in)
	switch fam := d.familyOfAccess(dst); {
	case d.synced:
		why = "semaphores say what comes between"
	case fam.kept:
		why = "location that must stay"
	case d.aliases.Placed(d.operand(dst).Loc):
		why = "placed: what lies there too may come between"
	case len(d.insts[e.inst].Pred) > 0:
		why = "the earlier fill has a predicate"
	}
	if why != "" {
		d.ctx.Refuse(ruleSchedMemset, in, why)
		return
	}
	d.remove(ruleSchedMemset, in)
}

// lastWriter returns the last access before e that writes a byte of it; nil if none is found.
func (d *dce) lastWriter(e *access) *access {
	i := e.prev
	for range maxLook {
		if i == none {
			return nil
		}
		if x := &d.list[i]; x.writes && d.touches(x, e) {
			return x
		}
		i = d.list[i].prev
	}
	return nil
}

// sameFill tells whether two accesses are the results of equal fills of the same bytes in one execution of one block.
func (d *dce) sameFill(x, y *access) bool {
	a, b := d.insts[x.inst], d.insts[y.inst]
	return isFill(a) && a.Op == b.Op && d.blockOf[x.inst] == d.blockOf[y.inst] && d.sameBytes(x, y) &&
		slices.EqualFunc(a.Params, b.Params, ir.SameParam)
}
