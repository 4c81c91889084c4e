package fuzz

import (
	"math"
	"sort"

	"birfuzz/ir"
)

// stand is where a search stands: all that says which candidate comes next. It is a value, so that a copy can look ahead.
//
// Reductions follow each other in a ring until none changes anything any more. Each tries all its places at once, then halves, quarters and so
// on, from the last to the first: users go before what they use, and places that are still to come keep their numbers. It goes on to parts as
// small as the whole ring has come to: a large program is made a small one by all that does so coarsely before anything is looked at closely.
// Those that leave the program as large as it is join the ring when the others have come to rest.
type stand struct {
	best      *ir.Program
	reduction int     // whose turn it is
	begun     bool    // it has found out its places
	places    []int32 // in the best program, ascending
	below     int32   // those from here on were tried at this size
	size      int     // how many are changed at once
	changed   bool    // it has made a better program
	idle      int     // how many in a row before it have not
	parts     int     // into how many parts places are cut at most, in this turn of the ring; fewParts is what it starts with
	cut       bool    // some of those had more
	ring      int     // how many reductions take turns
}

// fewParts is how many parts the places of a reduction are cut into at first, and by how much more each time the ring comes to rest.
const fewParts = 8

func newStand(p *ir.Program) stand { return stand{best: p, parts: fewParts, ring: removing} }

// take goes on with a better program.
func (s *stand) take(p *ir.Program) {
	s.best, s.changed = p, true
	if s.begun {
		s.places = reductions[s.reduction].places(p)
	}
}

// next returns the next program to try, numbered; nil when all reductions in a row have nothing left to do.
func (s *stand) next() *ir.Program {
	for s.idle < s.ring || s.closer() {
		r := &reductions[s.reduction]
		if !s.begun {
			s.begin(r)
		}
		hi := sort.Search(len(s.places), func(i int) bool { return s.places[i] >= s.below })
		if hi == 0 {
			s.finer()
			continue
		}
		lo := max(0, hi-s.size)
		s.below = s.places[lo]
		q := s.best.Clone()
		if r.change(q, s.places[lo:hi]) {
			q.Number()
			if q.Facts == 0 { // as a file with its text is read
				q.Facts = q.Assumed()
			}
			return q
		}
	}
	return nil
}

func (s *stand) begin(r *reduction) {
	s.begun, s.changed = true, false
	s.places = r.places(s.best)
	s.size, s.below = len(s.places), math.MaxInt32
}

// finer halves the size, or passes the turn on.
func (s *stand) finer() {
	size := min(s.size, len(s.places))
	half := (size + 1) / 2
	if size > 1 && len(s.places) <= half*s.parts {
		s.size, s.below = half, math.MaxInt32
		return
	}
	s.cut = s.cut || size > 1
	if s.idle++; s.changed {
		s.idle, s.cut = 0, size > 1
	}
	s.begun = false
	s.reduction = (s.reduction + 1) % s.ring
}

// closer has the ring turn again with smaller parts, then with all reductions; false: it has done both.
func (s *stand) closer() bool {
	switch {
	case s.cut:
		s.parts *= fewParts
	case s.ring < len(reductions):
		s.ring, s.reduction = len(reductions), s.ring
	default:
		return false
	}
	s.idle, s.cut = 0, false
	return true
}
