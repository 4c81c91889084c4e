package passes

import "birfuzz/ir"

var ruleSpill = &Rule{
	Name:   "dce.liw-spill",
	Shared: sharedStanding,
	Doc: "Deletes a reload that puts back into SBUF what still stands there, and a spill that saves what still stands in its slot: an earlier transfer of the " +
		"block led the other way between the same bytes, surely ran, and nothing has written to either side since. A slot is internal DRAM of this core that nobody else touches. " +
		"Both sides without an address: under an address bytes may change by another name.",
}

// extraSpills is remove_extra_spill_for_liw_flow. The documents only name it, and the constructor's flag that switches it on. What is meant
// by an extra spill is ours: one half of a pair Save/Load that changes nothing. It is sound, since a transfer of bits onto equal bits is
// nothing. The other half, if the slot has no other reader, is the sweep's business.
func (d *dce) extraSpills() {
	for _, b := range d.blocks {
		for _, in := range b.block.Insts {
			if t, ok := d.transfer(in); ok && d.spillOrReload(t) {
				d.extraSpill(t)
			}
		}
	}
}

// spillOrReload tells whether a transfer leads between SBUF and a slot.
func (d *dce) spillOrReload(t transfer) bool {
	switch dst, src := d.memories(t); {
	case dst == ir.SB && src.IsDRAM():
		return !d.familyOfAccess(t.src).kept
	case dst.IsDRAM() && src == ir.SB:
		return !d.familyOfAccess(t.dst).kept
	}
	return false
}

func (d *dce) extraSpill(t transfer) {
	e, back, ok := d.standing(t)
	if !ok || !back {
		return
	}
	if why := d.holdsRepeat(t, e); why != "" {
		d.ctx.Refuse(ruleSpill, t.in, why)
		return
	}
	d.remove(ruleSpill, t.in)
}
