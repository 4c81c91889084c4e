package oracle

import "birfuzz/ir"

// DefaultOrders is Options.Orders where it names none: rare, for it is a check of the checks (see session.orders).
const DefaultOrders = 32

// drawnOrders is how many orders of one program are drawn, and exploredOrders how many there may be for all of them to be tried.
const (
	drawnOrders    = 3
	exploredOrders = 24
)

// orders runs the program after the pass in orders that its facts leave open, beside the one in which it was judged: by edges, or as
// engines against adversarial schedules (semantics §2). The checks schedule, race and deadlock have answered for all orders at once; where
// an order shows what they did not see, they are wrong, or were not asked. v is the verdict so far. What is too large is left out.
func (s *session) orders(v Verdict) Verdict {
	if v.Kind != Same || s.next.hash == s.known.hash {
		return v
	}
	var list []Schedule
	if asked := s.j.options.Schedule; asked.kind != programOrder {
		list = s.askedOrder(asked)
	} else if s.next.hash%uint64(s.j.options.Orders) == 0 {
		list = s.otherOrders()
	}
	for _, o := range list {
		s.order = o
		s.compare(runWay{}, false)
		s.order = Schedule{}
		if len(s.found.failed) > 0 {
			v := s.found.verdict(v.Skipped)
			v.Schedule = o
			return v
		}
	}
	return v
}

// askedOrder returns the order of Options.Schedule, where the facts of the program after the pass leave it open and it has that lane.
func (s *session) askedOrder(asked Schedule) []Schedule {
	facts := s.facts() & s.after.Facts
	switch {
	case asked.kind == byEdges && (facts.Has(ir.Synced) || !facts.Has(ir.Deps) || !s.orderedBefore()):
		return nil
	case asked.kind != byEdges && (!facts.Has(ir.Synced) || !s.hasLane(&asked)):
		return nil
	}
	s.j.tally.Scheduled++
	return []Schedule{asked}
}

// hasLane tells whether a schedule of engines means something for the program after the pass.
func (s *session) hasLane(asked *Schedule) bool {
	b, err := s.j.prepare(s.after, s.next.hash, runWay{grain: cellGrain})
	if err != nil || b.machine.cutLanes() != nil {
		return false
	}
	_, err = asked.turns(b.machine.lanes)
	return err == nil
}

// orderedBefore tells whether edges surely ordered the program before the pass: one that they did not says nothing about the pass.
func (s *session) orderedBefore() bool {
	old, sure := s.scheduler.ordered(s.before, nil, owed{bytes: true})
	return old == nil && sure
}

// otherOrders returns orders of the program after the pass.
func (s *session) otherOrders() (list []Schedule) {
	facts := s.facts() & s.after.Facts
	switch {
	case facts.Has(ir.Synced):
		b, err := s.j.prepare(s.after, s.next.hash, runWay{grain: cellGrain})
		if err != nil {
			return nil
		}
		if all, whole, err := b.machine.Explore(exploredOrders); whole && err == nil {
			return all
		}
		all, err := b.machine.Adversarial(drawnOrders)
		if err != nil {
			return nil
		}
		for len(all) > 2*drawnOrders { // some of the starved lanes, by the program's own hash
			at := 2 + int(s.next.hash>>8%uint64(len(all)-2-drawnOrders))
			all = append(all[:at:at], all[at+1:]...)
		}
		return all
	case facts.Has(ir.Deps) && s.orderedBefore():
		for i := range uint64(drawnOrders) {
			list = append(list, Schedule{kind: byEdges, seed: s.next.hash>>8&0xFFFF + i})
		}
	}
	return list
}
