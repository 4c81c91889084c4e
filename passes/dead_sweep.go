package passes

import (
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
		fam := d.familyOfAccess(e)
		switch {
		case fam.kept:
			why = "location that must stay"
		case fam.block == manyBlocks:
			why = "accessed in several blocks"
		case d.readAfter(e):
			return true, ""
		case !inLoop && !d.synced || !d.readBefore(e, fam.head):
		case inLoop:
			why = "read by the next iteration"
		default:
			why = "read by what a semaphore may hold back"
		}
	}
	if why == "" {
		why = d.dontTouch(in)
	}
	return false, why
}

// readAfter tells whether an instruction after e's reads a byte of e.
func (d *dce) readAfter(e *access) bool {
	for i := e.next; i != none; i = d.list[i].next {
		if x := &d.list[i]; x.reads && !d.gone[x.inst] && d.touches(x, e) {
			return true
		}
	}
	return false
}

// readBefore tells whether an instruction before e's, or e's own, reads a byte of e. i is the first access of the family.
func (d *dce) readBefore(e *access, i int32) bool {
	for ; i != none && d.list[i].inst <= e.inst; i = d.list[i].next {
		if x := &d.list[i]; x.reads && !d.gone[x.inst] && d.touches(x, e) {
			return true
		}
	}
	return false
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
			if id := d.list[i].inst; !d.gone[id] {
				fam.block = sameBlock(fam.block, d.blockOf[id])
			}
		}
	}
}
