package passes

import "birfuzz/ir"

// deadCodeElimO0 is places 50, 66 and 97 of levels 1–3 (walrus.md §4.4): the use/def sweep, and what it leaves without a user.
func deadCodeElimO0() Pass {
	return Pass{
		Name:     "dead_code_elim_o0",
		Doc:      "Deletes instructions whose results nobody can see, bottom up, to a fixpoint, and the locations that nobody touches any longer.",
		Order:    66,
		Rules:    []*Rule{ruleNoUser, ruleDeadLocation},
		Contract: dceContract(true),
		Run:      func(c *Ctx) error { return runDCE(c, dceLevel{}) },
	}
}

// deadCodeElimO1 is place 11 of levels 1–3: dead stores, extra spills, the sweep, four peepholes a block, dead locations, in the order of the
// document. It is not idempotent, since the sweep can delete the very reader that kept a store alive.
//
// The documents give the constructor a flag for the spill clean-up but do not say who sets it; it is set here, being sound everywhere. They
// have no log strings of this pass; its event texts begin with the names of the documented functions.
func deadCodeElimO1() Pass {
	return Pass{
		Name: "dead_code_elim_o1",
		Doc: "Deletes stores that are overwritten unread inside their block, spills and reloads that change nothing, instructions whose results nobody can see, empty loops, " +
			"DMA copies that change nothing or that readers can do without, and locations that nobody touches.",
		Order: 11,
		Rules: []*Rule{ruleDeadStore, ruleSpill, ruleNoUser, ruleEmptyLoop, ruleMustAliasCopy, ruleRedundantAliasCopy, ruleInternalCopy,
			ruleDeadLocation},
		Contract: dceContract(false),
		Run:      func(c *Ctx) error { return runDCE(c, dceLevel{opt: 1, liwSpill: true}) },
	}
}

func dceContract(once bool) ir.Contract {
	return ir.Contract{Order: ir.OrderDelete, Same: everyLaw(), Once: once}
}

// dceLevel is what the documents' constructor is given.
type dceLevel struct {
	opt      int  // at 0 only the sweep runs
	liwSpill bool // remove_extra_spill_for_liw_flow runs
}

// dce is one execution of the pass.
type dce struct {
	*accesses
	ctx     *Ctx
	grouped bool
	asked   []bool          // by instruction ID: the fuel refused it, so it is not asked about again in this execution
	count   int             // of gone
	targets map[string]bool // names of which other cores speak
}

// newDCE looks at the program and marks nothing.
func newDCE(c *Ctx) *dce {
	p := c.Program()
	a := newAccesses(p)
	return &dce{accesses: a, ctx: c, grouped: p.Facts.Has(ir.Grouped), asked: make([]bool, len(a.insts)), targets: remoteTargets(p)}
}

func runDCE(c *Ctx, level dceLevel) error {
	d := newDCE(c)
	if level.opt > 0 {
		d.phase("eliminateDeadStore", d.deadStores)
	}
	if level.liwSpill {
		d.phase("remove_extra_spill_for_liw_flow", d.extraSpills)
	}
	d.phase("remove_inst_with_no_user", d.sweep)
	if level.opt > 0 {
		d.phase("peepholes", d.peepholes)
	}
	d.delete()
	d.deadLocations(level.opt > 0)
	return nil
}

// phase runs a part of the pass and logs what it found.
func (d *dce) phase(name string, run func()) {
	before := d.count
	run()
	if n := d.count - before; n > 0 {
		d.ctx.Logf("%s: removed %d instructions", name, n)
	}
}

// delete removes what was marked, in one edit.
func (d *dce) delete() {
	if d.count == 0 {
		return
	}
	gone := make(map[*ir.Inst]bool, d.count)
	for id, g := range d.gone {
		if g {
			gone[d.insts[id]] = true
		}
	}
	if d.ctx.Program().Facts.Has(ir.Deps) {
		keepLaneOrder(d.ctx, gone)
	}
	d.ctx.Edit().Delete(gone)
}

// remove asks for the deletion of in by rule r and marks it.
func (d *dce) remove(r *Rule, in *ir.Inst) {
	if d.ask(r, in) {
		d.take(in)
	}
}

// ask asks for the deletion of in by rule r.
func (d *dce) ask(r *Rule, in *ir.Inst) bool {
	granted := d.ctx.Allow(r, in)
	d.asked[in.ID] = !granted
	return granted
}

// take marks in as deleted.
func (d *dce) take(in *ir.Inst) {
	d.accesses.remove(in.ID)
	d.count++
}

// open tells whether in may still be asked about: it has results and nothing was decided yet.
func (d *dce) open(in *ir.Inst) bool {
	return in.NOut > 0 && d.outs[in.ID] != none && !d.gone[in.ID] && !d.asked[in.ID]
}

// dontTouch is dont_touch_inst: why the instruction stays although nobody needs its results, "" if it need not. It asks the instruction,
// never a list of names: a new opcode with an effect is safe the day its row is written. The seven accumulate fields of the document are
// one setting here, the accumulator command.
func (d *dce) dontTouch(in *ir.Inst) string {
	switch {
	case in.HasSync():
		return "sync_info"
	case in.WritesAcc():
		return "accumulator command"
	case in.HasEffect():
		return "effect"
	case clearsRegion(in):
		return "clears a zero region"
	case d.grouped && in.Spec().HasParam(ir.PStop) && !(in.Flag(ir.PStart) && in.Flag(ir.PStop)):
		return "member of an accumulation group" // a chain that loses its stop alone is left open (semantics §4)
	}
	return ""
}

// clearsRegion tells whether in clears more PSUM than it writes (semantics §4).
func clearsRegion(in *ir.Inst) bool { return in.Int(ir.PZeroRegion) != ir.PZeroRegion.Spec().Def }
