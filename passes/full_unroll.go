package passes

import (
	"math"

	"birfuzz/ir"
)

var (
	ruleFullUnroll = &Rule{
		Name:   "full-unroll.loop",
		Shared: sharedUnrolling,
		Must:   true,
		Doc:    "Replaces a loop by its iterations, as unroll.loop does and under the same guards: all of the program's loops or none.",
	}
	ruleFullUnrollPredicate = &Rule{
		Name:   "full-unroll.predicate",
		Shared: sharedDeciding,
		Must:   true,
		Doc:    "Decides a predicate that is constant before any loop is unrolled, as unroll.predicate does.",
	}
	ruleFullUnrollFlagged = &Rule{
		Name:   "full-unroll.flagged",
		Shared: sharedUnrolling,
		Doc:    "Replaces a loop that carries the unroll flag by its iterations, under the guards of unroll.loop; each loop by itself.",
	}
	ruleHeuristicUnroll = &Rule{
		Name:   "heuristic-unroll.loop",
		Shared: sharedUnrolling,
		Doc: "Puts several iterations of an innermost loop into one: as many as the largest factor of its trip count that is at most 16 and " +
			"keeps the body small. A trip count without such a factor leaves the loop as it is.",
	}
	ruleFlatten = &Rule{
		Name:   "flatten.loop",
		Shared: sharedUnrolling,
		Doc:    "Replaces a loop by its iterations if these, with those of the loops in it, are few instructions.",
	}
)

// fullUnrollAll is near the end of levels 6 and 8 (walrus.md §3.4, §3.5): what the loop-aware passes have left is expanded. It is unroll
// without what order 9 does beside.
func fullUnrollAll() Pass {
	return Pass{
		Name:     "full_unroll_all",
		Doc:      "Replaces every loop by its iterations.",
		Rules:    []*Rule{ruleFullUnroll, ruleFullUnrollPredicate},
		Contract: instanceContract(ir.Unrolled),
		Run: func(c *Ctx) error {
			expand(c, ruleFullUnroll, ruleFullUnrollPredicate)
			return nil
		},
	}
}

// fullUnrollSome is the first loop pass of levels 6 and 8: it expands the loops whose unroll flag is set (loop-optimization.txt, "Pipeline
// position"). A flagged loop in one that stays is expanded inside it. It owes no fact.
func fullUnrollSome() Pass {
	return Pass{
		Name:     "full_unroll_some",
		Doc:      "Replaces the loops that carry the unroll flag by their iterations.",
		Rules:    []*Rule{ruleFullUnrollFlagged},
		Contract: instanceContract(0),
		Run: func(c *Ctx) error {
			return unrollSome(c, ruleFullUnrollFlagged, func(in *ir.Inst) int64 {
				if in.Loop.Unroll {
					return math.MaxInt64
				}
				return 0
			})
		},
	}
}

// heuristicUnroll is only named by the documents (walrus.md §5), with a helper that looks for the largest factor and stops at 16. Ours: an
// innermost loop's body is repeated as often as the largest such factor of its trips allows while the new body stays within
// maxHeuristicBody; the stride grows by as much. It is sound for any loop: the iterations run in their order, and ir.Edit.Unroll gives
// loop-carried edges the distances of the new iterations. It is no fixpoint: what it leaves may be unrolled again.
func heuristicUnroll() Pass {
	contract := instanceContract(0)
	contract.Once = false
	return Pass{
		Name:     "heuristic_unroll",
		Doc:      "Unrolls innermost loops by the largest factor of their trips, up to 16.",
		Rules:    []*Rule{ruleHeuristicUnroll},
		Contract: contract,
		Run: func(c *Ctx) error {
			return unrollSome(c, ruleHeuristicUnroll, func(in *ir.Inst) int64 {
				size := int64(0)
				for sub := range in.Loop.Insts {
					if size++; sub.Loop != nil {
						return 0
					}
				}
				return largestFactor(in.Loop.Trips(), maxHeuristicBody/max(size, 1))
			})
		},
	}
}

// Limits of the heuristics.
const (
	maxFactor        = 16 // of the vendor's helper
	maxHeuristicBody = 64 // instructions; ours
	maxFlattened     = 16 // instructions; ours
)

// largestFactor returns the largest divisor of n that is at most maxFactor and at most limit; 0 where that is no more than 1.
func largestFactor(n, limit int64) int64 {
	for f := min(maxFactor, limit, n); f > 1; f-- {
		if n%f == 0 {
			return f
		}
	}
	return 0
}

// flattenSmallLoops is only named by the documents (walrus.md §5). Ours: an outermost loop is flattened with all that is in it if that comes
// to maxFlattened instructions at most, else the loops in it are looked at; so loops of one trip or none, and small nests, do not
// reach the loop passes. It is sound as unroll is. It is no fixpoint: iterations whose predicates never hold leave nothing behind, and the loop
// around them may then be small.
func flattenSmallLoops() Pass {
	contract := instanceContract(0)
	contract.Once = false
	return Pass{
		Name:     "flatten_small_loops",
		Doc:      "Replaces loops of few instructions in all by their iterations.",
		Rules:    []*Rule{ruleFlatten},
		Contract: contract,
		Run: func(c *Ctx) error {
			small := map[*ir.Loop]bool{}
			return unrollSome(c, ruleFlatten, func(in *ir.Inst) int64 {
				if !small[in.Loop] && flatSize(in.Loop) > maxFlattened {
					return 0
				}
				for sub := range in.Loop.Insts {
					if sub.Loop != nil {
						small[sub.Loop] = true
					}
				}
				return math.MaxInt64
			})
		},
	}
}

// flatSize returns how many instructions a loop and all loops in it come to, or a number beyond the budget.
func flatSize(l *ir.Loop) int64 {
	n := int64(0)
	for _, b := range l.Blocks {
		for _, in := range b.Insts {
			size := int64(1)
			if in.Loop != nil {
				size = flatSize(in.Loop)
			}
			n = min(n+size, maxUnrolled+1)
		}
	}
	return capped(n, l.Trips())
}

// unrollSome unrolls each loop for which choose names a number of copies. A loop that a guard keeps stays, and all stay where the program
// would exceed the budget.
func unrollSome(c *Ctx, r *Rule, choose func(*ir.Inst) int64) error {
	u := unroller{ctx: c, rule: r, copies: map[*ir.Loop]int64{}}
	var chosen []*ir.Inst
	for in := range c.Program().Insts {
		if in.Loop == nil {
			continue
		}
		if n := choose(in); n > 0 {
			u.copies[in.Loop] = n
			chosen = append(chosen, in)
		}
	}
	if len(chosen) == 0 {
		return nil
	}
	if _, fits := u.fits(c.Program()); !fits {
		for _, in := range chosen {
			c.Refuse(r, in, overBudget)
		}
		return nil
	}
	u.ask()
	u.apply()
	return nil
}
