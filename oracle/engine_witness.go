package oracle

import "birfuzz/ir"

// Witness shows a race or a deadlock as data. Fault.Detail says the same in words.
type Witness struct {
	Parties []Party // of a race the two accesses; of a deadlock who waits, each for the next as far as it can be followed
	Cycle   bool    // of a deadlock: the last party waits for the first

	Location         string // of a race: where they meet, by the name that the first party uses; empty: an accumulator, semaphores or a publication
	Row, Byte, Bytes int64  // the first byte that both touch, in that location's row (0 in DRAM), and how many follow without a gap

	Mend string // of a race: what would order the two
}

// Party is one instance as an engine executes it, or as a queue runs it.
type Party struct {
	Core   int
	Inst   string  // empty: the end of the core
	Iter   []int64 // the values of the axes around it, outermost first
	Lane   string  // see Schedule
	Access string  // of a race: "reads", "writes", "publishes", "resets"…; of a deadlock: what it waits for
}

// party describes a job.
func (s *lanes) party(j int32, access string) Party {
	x := &s.jobs[j]
	p := Party{Core: int(x.core), Lane: s.list[x.lane].name, Access: access}
	if i := s.instance(j); i != nil {
		p.Inst, p.Iter = i.in.Name, i.values
	}
	return p
}

// verb says what a claim does.
func (t *claim) verb() string {
	switch {
	case t.fence && t.writes:
		return "publishes"
	case t.fence:
		return "touches visible memory"
	case t.writes:
		return "writes"
	}
	return "reads"
}

// witness gives a failure the data of the fault that it is about.
func (c *comparison) witness(check string) *Witness {
	if f := &c.after.fault; c.after.faulted && (f.Kind == RaceFault && check == raceCheck || f.Kind == DeadlockFault && check == deadlockCheck) {
		return f.Witness
	}
	return nil
}

// meeting fills in where two claims meet.
func (w *Witness) meeting(r *races, e, u *claim) {
	if e.loc == nil {
		return
	}
	at, n := meetingOf(&e.walk, &u.walk)
	b := &r.claims.atlas.boxes[r.claims.atlas.find(e.loc, int(r.jobs[e.by].core), r.claims.shards)]
	w.Location, w.Bytes = e.loc.Name, n
	if w.Byte = at - b.col; e.loc.Type.OnChip() && e.loc.Type != ir.REG {
		w.Row, w.Byte = at/rowSpan-b.row, at%rowSpan-b.col
	}
}
