package passes

import (
	"math"
	"slices"

	"birfuzz/ir"
)

var ruleNoUser = &Rule{
	Name: "dce.no-user",
	Doc: "Deletes an instruction none of whose results can be seen: every location it writes is internal, local and accessed in this block alone, and none of the bytes is " +
		"read later in the block (in a loop: anywhere in it, since the next iteration may read; where semaphores order the program: anywhere). Fences, loops, accumulator commands and instructions with sync_info stay. " +
		"Memory of the host or of other cores, their aliases, and locations that an indirect DMA touches are never judged.",
}

// hold is an instruction that nobody needs and a guard keeps.
type hold struct {
	inst *ir.Inst
	why  string
}

// sweep is remove_inst_with_no_user: bottom up over everything, again while something was deleted, since what a deleted instruction read,
// and the only access in another block, may have been it. Refusals are counted as the last round finds them.
func (d *dce) sweep() {
	var held []hold
	for changed := true; changed; {
		before := d.count
		held = held[:0]
		for _, b := range slices.Backward(d.blocks) {
			for _, in := range slices.Backward(b.block.Insts) {
				if !d.open(in) {
					continue
				}
				switch needed, why := d.needed(in, b.inLoop); {
				case needed:
				case why != "":
					held = append(held, hold{in, why})
				default:
					d.remove(ruleNoUser, in)
				}
			}
		}
		if changed = d.count > before; changed {
			d.recount()
		}
	}
	for _, h := range held {
		d.ctx.Refuse(ruleNoUser, h.inst, h.why)
	}
}

// needed tells whether a later instruction reads what in writes; if none does, why in must stay all the same, "" if it need not.
func (d *dce) needed(in *ir.Inst, inLoop bool) (needed bool, why string) {
	for i := range int32(in.NOut) {
		e := &d.list[d.outs[in.ID]+i]
		switch fam := d.familyOfAccess(e); {
		case fam.kept:
			why = "location that must stay"
		case fam.block == manyBlocks:
			why = "accessed in several blocks"
		default:
			later, earlier, known := d.readers(e, inLoop)
			switch {
			case later:
				return true, ""
			case !known:
				why = tooMany
			case earlier && inLoop:
				why = "read by the next iteration"
			case earlier:
				why = "read by what a semaphore may hold back"
			}
		}
	}
	if why == "" {
		why = d.dontTouch(in)
	}
	return false, why
}

// readers tells whether an instruction after e's reads a byte of e, and whether one before it, or its own, does that may run later all the
// same: in the next iteration, or because a semaphore holds it back.
func (d *dce) readers(e *access, inLoop bool) (later, earlier, known bool) {
	later, known = d.readBetween(e, e.inst+1, math.MaxInt32)
	if later || !known || !inLoop && !d.synced {
		return later, false, known
	}
	earlier, known = d.readBetween(e, 0, e.inst)
	return false, earlier, known
}

// recount finds again the one block that holds all accesses of a family, now that some are gone.
func (d *dce) recount() {
	for f := range d.families {
		fam := &d.families[f]
		if fam.block != manyBlocks {
			continue
		}
		fam.block = noBlock
		for i := fam.head; i != none; i = d.list[i].next {
			fam.block = sameBlock(fam.block, d.blockOf[d.list[i].inst])
		}
	}
}
