package oracle

import "birfuzz/ir"

// party names an instance of a core.
func (x *instance) party(core int, access string) Party {
	p := partyOf(x.in)
	p.Core, p.Iter, p.Access = core, x.values, access
	return p
}

// party names a job.
func (s *lanes) party(j int32, access string) Party {
	p := Party{Core: int(s.jobs[j].core), Access: access}
	if i := s.instance(j); i != nil {
		p = i.party(p.Core, access)
	}
	p.Lane = s.list[s.jobs[j].lane].name
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

// meeting returns the first bytes that two claims share, as the location of the first has them; nil where they share no memory.
func (l *claimList) meeting(e, u *claim) *Place {
	if e.loc == nil {
		return nil
	}
	at, n := meetingOf(&e.walk, &u.walk)
	b := &l.atlas.boxes[l.atlas.find(e.loc, l.core, l.shards)]
	row, col := int64(0), at-b.col
	if e.loc.Type.OnChip() && e.loc.Type != ir.REG {
		row, col = at/rowSpan-b.row, at%rowSpan-b.col
	}
	p := placeIn(e.loc, l.core, row, col, n)
	return &p
}
