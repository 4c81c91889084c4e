package oracle

import (
	"fmt"

	"birfuzz/ir"
)

// DefaultOrders is Options.Orders where it names none: rare, for it is a check of the checks (see session.orders).
const DefaultOrders = 32

// drawnOrders is how many orders of one program are drawn, and exploredOrders how many there may be for all of them to be tried.
const (
	drawnOrders    = 3
	exploredOrders = 24
)

// orders runs the program after the pass in orders that its facts leave open, beside the one in which it was judged: by edges, or as
// engines against adversarial schedules (semantics §2). The checks schedule, race and deadlock have answered for all orders at once; where
// an order shows what they did not see, they are wrong, and the failure says so. v is the verdict so far. What is too large is left out.
func (s *session) orders(v Verdict) Verdict {
	if v.Kind != Same || s.next.hash%uint64(s.j.options.Orders) != 0 || s.next.hash == s.known.hash {
		return v
	}
	check, list := s.otherOrders()
	for _, o := range list {
		s.order = o
		s.compare(runWay{}, false)
		s.order = Schedule{}
		if failed := s.found.failed; len(failed) > 0 {
			s.found.failed = append(failed[:0], Failure{Check: check, Witness: failed[0].Witness, Detail: fmt.Sprintf("the schedule %s shows what no other check saw: %s: %s", o, failed[0].Check, failed[0].Detail)})
			return s.found.verdict(v.Skipped)
		}
	}
	return v
}

// otherOrders returns orders of the program after the pass, and the check that answers for them.
func (s *session) otherOrders() (check string, list []Schedule) {
	facts := s.facts() & s.after.Facts
	switch {
	case facts.Has(ir.Synced):
		b, err := s.j.prepare(s.after, s.next.hash, runWay{grain: cellGrain})
		if err != nil {
			return "", nil
		}
		if all, whole, err := b.machine.Explore(exploredOrders); whole && err == nil {
			return raceCheck, all
		}
		all, err := b.machine.Adversarial(drawnOrders)
		if err != nil {
			return "", nil
		}
		for len(all) > 2*drawnOrders { // some of the starved lanes, by the program's own hash
			at := 2 + int(s.next.hash>>8%uint64(len(all)-2-drawnOrders))
			all = append(all[:at:at], all[at+1:]...)
		}
		return raceCheck, all
	case facts.Has(ir.Deps):
		if old, sure := s.scheduler.ordered(s.before, nil, owed{bytes: true}); old != "" || !sure {
			break // a program that was not ordered before says nothing about the pass
		}
		for i := range uint64(drawnOrders) {
			list = append(list, Schedule{kind: byEdges, seed: s.next.hash>>8&0xFFFF + i})
		}
	}
	return scheduleCheck, list
}
