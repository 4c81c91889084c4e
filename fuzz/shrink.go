package fuzz

import (
	"context"

	"birfuzz/ir"
)

// Budget bounds a shrink.
type Budget struct {
	Calls   int   // predicate calls; 0 is DefaultCalls
	Workers int   // candidates that are asked about at a time; 0 is 1
	crew    *crew // who asks; nil: that many who do nothing else
}

// DefaultCalls is the number of predicate calls of a shrink that is given no other.
const DefaultCalls = 2000

// Shrink returns the smallest program it finds for which still holds. It must hold for p, which is legal and left alone, and must depend on
// its program alone; candidates that are not legal are not asked about. It is any-time: when ctx is done or the budget is spent, the best so
// far is returned.
//
// It is deterministic: candidates are settled one after the other, workers beyond the first only look ahead along the answers that are likely.
// Any number of them gives one program and counts the same calls. With several, still is called from several goroutines at once, and now and
// then for a candidate that turns out not to lie on the way: such calls are not counted.
func Shrink(ctx context.Context, p *ir.Program, still func(*ir.Program) bool, b Budget) *ir.Program {
	best, _ := shrink(ctx, p, still, b)
	return best
}

// shrink is Shrink, and tells how many calls it has counted.
func shrink(ctx context.Context, p *ir.Program, still func(*ir.Program) bool, b Budget) (best *ir.Program, calls int) {
	if b.Calls == 0 {
		b.Calls = DefaultCalls
	}
	if b.crew == nil {
		b.crew = newCrew(b.Workers)
	}
	s := newShrinker(p, still, b)
	defer s.asked.wait()
	for ; calls < b.Calls && ctx.Err() == nil; calls++ {
		c := s.next()
		if c == nil {
			break
		}
		holds := s.answer(c)
		if ctx.Err() != nil {
			break // the answer may be the doing of whoever interrupted
		}
		s.settle(c, holds)
	}
	return s.at.best, calls
}

func newShrinker(p *ir.Program, still func(*ir.Program) bool, b Budget) *shrinker {
	return &shrinker{
		at:    newStand(p.Clone()),
		known: map[uint64]bool{p.Hash(): true},
		luck:  make([]luck, len(reductions)),
		asked: newAsked(still, b.crew),
	}
}

// shrinker walks from candidate to candidate.
type shrinker struct {
	at    stand
	ahead []*candidate    // the next ones, if what is guessed of each is right
	known map[uint64]bool // hashes of the candidates that were settled and of all programs that were the best: none is asked about again
	luck  []luck          // by reduction
	legal ir.Verifier
	asked *asked
}

// candidate is a program that may become the best.
type candidate struct {
	program *ir.Program
	hash    uint64
	at      stand // where the search goes on if it does not
	guess   bool  // what is taken for granted when looking ahead
	sure    bool  // it was right the last few times
}

// next returns the next candidate, nil when no reduction changes anything any more.
func (s *shrinker) next() *candidate {
	for len(s.ahead) > 0 {
		c := s.ahead[0]
		s.ahead = s.ahead[1:]
		if !s.known[c.hash] {
			return c
		}
		s.at = c.at
		if c.guess {
			s.ahead = nil
		}
	}
	return s.name(s.at)
}

// name returns the next candidate from a stand on that is legal and was not settled yet.
func (s *shrinker) name(at stand) *candidate {
	for {
		q := at.next()
		if q == nil {
			return nil
		}
		if h := q.Hash(); !s.known[h] && len(s.legal.Verify(q, q.Facts)) == 0 {
			l := s.luck[at.reduction]
			return &candidate{program: q, hash: h, at: at, guess: l.guess(), sure: l.sure()}
		}
	}
}

// answer asks about a candidate. While that takes its time, workers who have nothing to do are sent ahead, unless the answer is anybody's guess:
// then they may help to find it (shown.hire).
func (s *shrinker) answer(c *candidate) bool {
	a := s.asked.about(c)
	for c.sure && s.asked.idle(a) {
		if d := s.further(c); d != nil {
			s.asked.start(d)
			continue
		}
		s.asked.release()
		break
	}
	return a.wait()
}

// further returns the candidate behind those that are being looked at, of which c is the first.
func (s *shrinker) further(c *candidate) *candidate {
	switch n := len(s.ahead); {
	case n >= 2*s.asked.size():
		return nil
	case n > 0:
		c = s.ahead[n-1]
	}
	if !c.sure {
		return nil
	}
	at := c.at
	if c.guess {
		at.take(c.program)
	}
	d := s.name(at)
	if d != nil {
		s.ahead = append(s.ahead, d)
	}
	return d
}

// settle goes on from a candidate.
func (s *shrinker) settle(c *candidate, holds bool) {
	s.known[c.hash] = true
	s.luck[c.at.reduction].saw(holds)
	s.at = c.at
	if holds {
		s.at.take(c.program)
	}
	if holds != c.guess {
		s.ahead = nil
	}
}
