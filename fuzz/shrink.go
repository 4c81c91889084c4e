package fuzz

import (
	"context"

	"birfuzz/ir"
)

// Budget bounds a shrink.
type Budget struct {
	Calls int // predicate calls; 0 is DefaultCalls
}

// DefaultCalls is the number of predicate calls of a shrink that is given no other.
const DefaultCalls = 2000

// Shrink returns the smallest program it finds for which still holds; it must hold for p. It is deterministic and any-time: when ctx is done
// or the budget is spent, the best so far is returned. p is left alone.
func Shrink(ctx context.Context, p *ir.Program, still func(*ir.Program) bool, b Budget) *ir.Program {
	if b.Calls == 0 {
		b.Calls = DefaultCalls
	}
	s := &shrinker{ctx: ctx, best: p.Clone(), still: still, calls: b.Calls}
	for s.more() {
		size := measure(s.best)
		for _, step := range reductions {
			step(s)
		}
		if measure(s.best) == size {
			break
		}
	}
	return s.best
}

// shrinker holds the best program so far and asks about candidates.
type shrinker struct {
	ctx   context.Context
	best  *ir.Program
	still func(*ir.Program) bool
	calls int
}

// reductions are tried in this order, coarse ones first, until a whole round changes nothing.
var reductions = []func(*shrinker){
	(*shrinker).dropUnread,
	(*shrinker).dropInsts,
	(*shrinker).dropMeetings,
	(*shrinker).flattenLoops,
	(*shrinker).cutTrips,
	(*shrinker).dropCores,
	(*shrinker).dropStorage,
	(*shrinker).dropMarks,
	(*shrinker).dropExtras,
	(*shrinker).dropSettings,
	(*shrinker).bypass,
	(*shrinker).fillIn,
	(*shrinker).cutSizes,
}

func (s *shrinker) more() bool { return s.calls > 0 && s.ctx.Err() == nil }

// try asks about a candidate made by change from a copy of the best program; change returns false when it changed nothing.
func (s *shrinker) try(change func(*ir.Program) bool) bool {
	if !s.more() {
		return false
	}
	q := s.best.Clone()
	if !change(q) {
		return false
	}
	q.Number()
	s.calls--
	if !s.still(q) {
		return false
	}
	s.best = q
	return true
}

// measure is what a round must make smaller: instructions first, then everything written about them.
func measure(p *ir.Program) int {
	n := 0
	for in := range p.Insts {
		if in.Engine != ir.Unassigned {
			n++
		}
		n += 1000 + 10*(len(in.Deps)+len(in.LoopDeps)+len(in.Order)+len(in.Pred)+len(in.Params)+len(in.Wait)+len(in.Update))
		if in.Loop != nil {
			n += 20 + int(min(in.Loop.Trips(), 100))
		}
		for i := range in.Args {
			n += 5 + int(min(in.Args[i].Count(), 1<<20))/64
		}
	}
	for _, f := range p.Cores {
		n += 500 + 10*len(f.Sets) + 5*len(f.Blocks) + 5*len(f.Attrs)
	}
	return n
}

// dropInsts deletes ever smaller runs of instructions, last ones first: users go before what they use.
func (s *shrinker) dropInsts() {
	for size := s.best.NumInsts() / 2; size >= 1 && s.more(); size /= 2 {
		for end := s.best.NumInsts(); end > 0 && s.more(); end -= size {
			lo := int32(max(0, end-size))
			hi := int32(end)
			s.try(func(p *ir.Program) bool {
				return deleteInsts(p, func(in *ir.Inst) bool { return lo <= in.ID && in.ID < hi })
			})
		}
	}
}

// deleteInsts removes instructions and every edge to them.
func deleteInsts(p *ir.Program, gone func(*ir.Inst) bool) bool {
	dead := map[*ir.Inst]bool{}
	for in := range p.Insts {
		if gone(in) {
			dead[in] = true
		}
	}
	e := ir.NewEdit(p)
	e.Delete(dead)
	return len(dead) > 0
}
