package passes

import (
	"slices"

	"birfuzz/ir"
)

var ruleDeadStore = &Rule{
	Name: "dce.dead-store",
	Doc: "Deletes a store every byte of which a later instruction of the same block overwrites before anyone reads it. The later one must run " +
		"whenever the first does (no predicate) and must not read what it overwrites; in memory of the host or of all cores, inputs included, no fence may stand between, for a fence publishes, and behind it another core may read. " +
		"Where semaphores order the program nothing is judged: a reader may run between wherever it stands. " +
		"Stores to memory that another core or the run-time touches stay, and so does an instruction with any other effect.",
}

// nearby is the number of accesses behind a store of a crowded location that are walked before the index is asked.
const nearby = 8

// tooMany is why a question stays open that maxLook cut short.
const tooMany = "too many accesses to look at"

// deadStores is eliminateDeadStore. It goes through each block backwards, so that a chain of stores that only feed each other and are then
// overwritten dies as a whole.
func (d *dce) deadStores() {
	for _, b := range d.blocks {
		for _, in := range slices.Backward(b.block.Insts) {
			if d.open(in) {
				d.deadStore(in, b.last)
			}
		}
	}
}

func (d *dce) deadStore(in *ir.Inst, last int32) {
	for i := range int32(in.NOut) {
		e := &d.list[d.outs[in.ID]+i]
		killer, why := d.overwritten(e, last)
		if why == "" && killer != none && d.familyOfAccess(e).global && d.fenceBetween(in.ID, killer) {
			why = "fence between"
		}
		if why != "" {
			d.ctx.Refuse(ruleDeadStore, in, why)
		}
		if killer == none || why != "" {
			return
		}
	}
	why := d.dontTouch(in)
	switch {
	case why != "":
	case d.foreign(in):
		why = "another core or the run-time may look"
	case d.synced:
		why = "semaphores say what comes between"
	}
	if why != "" {
		d.ctx.Refuse(ruleDeadStore, in, why)
		return
	}
	d.remove(ruleDeadStore, in)
}

// overwritten returns the ID of the instruction that overwrites all of e before it is read, none if there is none; or, when all that is
// missing is that it surely runs, why it does not count. last is the end of e's block.
//
// It walks on from e, since what follows is mostly near. What a crowded location holds further on is looked up.
func (d *dce) overwritten(e *access, last int32) (killer int32, why string) {
	near := maxLook
	if d.indexed(e) {
		near = nearby
	}
	for i := e.next; i != none; i = d.list[i].next {
		x := &d.list[i]
		if x.inst > last {
			break
		}
		if near--; near < 0 {
			return d.overwrittenFar(e, last)
		}
		switch {
		case x.reads && d.touches(x, e):
			return none, ""
		case !x.writes || !d.overwrites(x, e):
		case len(d.insts[x.inst].Pred) > 0:
			why = underPredicate
		default:
			return x.inst, ""
		}
	}
	return none, why
}

const underPredicate = "overwritten under a predicate"

// overwrites tells whether x writes every byte of e, in the same execution of its block.
func (d *dce) overwrites(x, e *access) bool {
	return d.blockOf[x.inst] == d.blockOf[e.inst] && d.covers(x, e)
}

// overwrittenFar is overwritten by look-up: the first instruction that overwrites e, and then whether anyone reads e before. Only an access
// that is as wide as e can overwrite it.
func (d *dce) overwrittenFar(e *access, last int32) (killer int32, why string) {
	if !d.indexed(e) {
		return none, tooMany
	}
	d.index()
	killer = none
	c := d.columnsOf(e)
	known := d.writing.each(d.aliases.Of(d.operand(e).Loc), c.level(), c, e.inst+1, last, func(i int32) bool {
		switch x := &d.list[i]; {
		case killer != none && x.inst >= killer || !d.overwrites(x, e):
		case len(d.insts[x.inst].Pred) > 0:
			why = underPredicate
		default:
			killer = x.inst
		}
		return true
	})
	if !known {
		return none, tooMany
	}
	if killer == none {
		return none, why
	}
	switch read, known := d.readBetween(e, e.inst+1, killer); {
	case read:
		return none, ""
	case !known:
		return none, tooMany
	}
	return killer, ""
}

// fenceBetween tells whether a fence stands between two instructions, inside loops between them included.
func (d *dce) fenceBetween(from, to int32) bool {
	i, _ := slices.BinarySearch(d.fences, from+1)
	return i < len(d.fences) && d.fences[i] < to
}

// foreign tells whether in writes a location that someone outside this program text may read or write at any time.
func (d *dce) foreign(in *ir.Inst) bool {
	return slices.ContainsFunc(in.Outs(), func(o ir.Operand) bool { return foreignLoc(o.Loc) })
}
