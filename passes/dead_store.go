package passes

import (
	"slices"

	"birfuzz/ir"
)

var ruleDeadStore = &Rule{
	Name: "dce.dead-store",
	Doc: "Deletes a store every byte of which a later instruction of the same block overwrites before anyone reads it. The later one must run " +
		"whenever the first does (no predicate) and must not read what it overwrites; in visible memory no fence may stand between, for a fence publishes. Where semaphores order the program nothing is judged: a reader may run between wherever it stands. " +
		"Stores to memory that another core or the run-time touches stay, and so does an instruction with any other effect.",
}

// maxStoreWindow bounds how many accesses of one location the search for the overwriting store looks at: without it a location written in
// thousands of separate pieces costs a quadratic number of comparisons.
const maxStoreWindow = 512

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
		if why == "" && killer != none && d.familyOfAccess(e).visible && d.fenceBetween(in.ID, killer) {
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
func (d *dce) overwritten(e *access, last int32) (killer int32, why string) {
	block := d.blockOf[e.inst]
	seen := 0
	for i := e.next; i != none; i = d.list[i].next {
		x := &d.list[i]
		if x.inst > last {
			return none, ""
		}
		if d.gone[x.inst] {
			continue
		}
		if seen++; seen > maxStoreWindow {
			return none, "too many accesses to look at"
		}
		switch {
		case x.reads && d.touches(x, e):
			return none, ""
		case !x.writes || d.blockOf[x.inst] != block || !d.covers(x, e):
			continue
		case len(d.insts[x.inst].Pred) > 0:
			why = "overwritten under a predicate"
			continue
		}
		return x.inst, ""
	}
	return none, why
}

// fenceBetween tells whether a fence stands between two instructions, inside loops between them included.
func (d *dce) fenceBetween(from, to int32) bool {
	i, _ := slices.BinarySearch(d.fences, from+1)
	return i < len(d.fences) && d.fences[i] < to
}

// foreign tells whether in writes a location that someone outside this program text may read or write at any time.
func (d *dce) foreign(in *ir.Inst) bool {
	for i := range in.Outs() {
		l := in.Args[i].Loc
		if l.WrittenByAnotherCore || l.RuntimeReserved || len(l.RemoteLocalTarget) > 0 {
			return true
		}
	}
	return false
}
