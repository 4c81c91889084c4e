package passes

import "birfuzz/ir"

// deadCodeElimO0 is the use/def sweep alone: places 50, 66 and 97 of levels 1–3 (walrus.md §4.4).
func deadCodeElimO0() Pass {
	return Pass{
		Name:     "dead_code_elim_o0",
		Doc:      "Deletes instructions whose results nobody can see, bottom up, to a fixpoint.",
		Order:    66,
		Rules:    []*Rule{ruleNoUser},
		Contract: dceContract(true),
		Run:      func(c *Ctx) error { return runDCE(c, false) },
	}
}

// deadCodeElimO1 is place 11 of levels 1–3: dead stores first, then the sweep. It is not idempotent, since the sweep can delete the very
// reader that kept a store alive.
func deadCodeElimO1() Pass {
	return Pass{
		Name:     "dead_code_elim_o1",
		Doc:      "Deletes stores that are overwritten unread inside their block, then instructions whose results nobody can see.",
		Order:    11,
		Rules:    []*Rule{ruleDeadStore, ruleNoUser},
		Contract: dceContract(false),
		Run:      func(c *Ctx) error { return runDCE(c, true) },
	}
}

func dceContract(once bool) ir.Contract {
	return ir.Contract{Order: ir.OrderDelete, Same: everyLaw(), Once: once}
}

// dce is one execution of the pass.
type dce struct {
	*accesses
	ctx     *Ctx
	grouped bool
	gone    []bool // by instruction ID
	asked   []bool // the fuel refused it: not asked again in this execution
	count   int    // of gone
}

func runDCE(c *Ctx, stores bool) error {
	p := c.Program()
	a := newAccesses(p)
	marks := make([]bool, 2*len(a.insts))
	d := &dce{accesses: a, ctx: c, grouped: p.Facts.Has(ir.Grouped), gone: marks[:len(a.insts)], asked: marks[len(a.insts):]}
	if stores {
		d.deadStores()
	}
	d.sweep()
	d.delete()
	return nil
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
	if !d.ctx.Allow(r, in) {
		d.asked[in.ID] = true
		return
	}
	d.gone[in.ID] = true
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
