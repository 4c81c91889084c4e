package passes

import (
	"math"
	"slices"

	"birfuzz/ir"
)

// sharedUnrolling is the Shared of the rules that copy bodies of loops (ir.Edit.Unroll).
const sharedUnrolling = "copies of a loop's body"

var (
	ruleUnrollLoop = &Rule{
		Name:   "unroll.loop",
		Shared: sharedUnrolling,
		Must:   true,
		Doc: "Replaces a loop by its iterations: the axis takes its values, symbolic accesses become physical, predicates are decided (false: " +
			"no clone), order vectors are evaluated, edges follow the instances. Not if the loop carries sync_info, if its own predicates stay " +
			"open beside sync_info in it, or if the program would exceed the instruction budget; then no loop is unrolled.",
	}
	ruleUnrollPredicate = &Rule{
		Name:   "unroll.predicate",
		Shared: sharedDeciding,
		Must:   true,
		Doc: "Decides a predicate that is constant before any loop is unrolled: where it does not hold the instruction goes, else the " +
			"predicate. Not one that depends on the core: then no loop is unrolled.",
	}
	ruleUnrolled = &Rule{
		Name: "unroll.attribute",
		Doc:  "Marks a function as unrolled (attribute 16) once its last loop is gone, and takes need_unroll from it.",
	}
	ruleBarrierIDs = &Rule{
		Name: "unroll.barrier-ids",
		Doc: "Numbers CoreBarriers from 0 in the order in which a core passes them, after copies have given several one id. Not unless every " +
			"barrier joins all functions and all pass equally many, for the number is how the cores know each other's barriers.",
	}
)

// Reasons of refusal that several passes share.
const (
	overBudget   = "instruction budget"
	loopSync     = "sync_info on the loop"
	openWithSync = "open predicates beside sync_info"
	coreUnknown  = "depends on the core"
)

// maxUnrolled bounds the instructions, and maxUnrolledEdges the edges, of a program after unrolling: the instruction budget check of the
// document, whose figure is not published. Both are far beyond what a program of a campaign comes to.
const (
	maxUnrolled      = 1 << 16
	maxUnrolledEdges = 1 << 18
)

// unroll is order 9 of levels 1–3 (walrus.md §5). At those levels it expands every static loop, whatever its unroll flag says: the flag
// is asked by full_unroll_some.
//
// Ours where the document is silent or speaks of another object model: clones are named and told apart as ir.Edit.Unroll says. The body of a
// loop, of however many blocks, comes into the block in which the loop stood. Sets are not split, since here a set of a symbolic access holds
// one location. Registers are not renamed: a register carried round is written and read by the clones in turn. The document throws over
// the budget; this pass declines, and the program stays as it was. Loops that fuel refuses stay; what stands in them is unrolled all the same.
func unroll() Pass {
	contract := instanceContract(ir.Unrolled)
	contract.Attributes = []string{attrUnrolled, attrNeedUnroll}
	return Pass{
		Name:     "unroll",
		Doc:      "Replaces every loop by its iterations: no loop, no symbolic access and no predicate is left.",
		Order:    9,
		Rules:    []*Rule{ruleUnrollLoop, ruleUnrollPredicate, ruleUnrolled, ruleBarrierIDs},
		Contract: contract,
		Run:      runUnroll,
	}
}

// instanceContract is that of the unrollers.
func instanceContract(gives ir.Facts) ir.Contract {
	return ir.Contract{Gives: gives, Order: ir.OrderInstances, Same: instanceLaws(), Once: true}
}

// The function attributes of unrolling (bir-json.md, "Module, function, block").
const (
	attrUnrolled   = "unrolled"
	attrNeedUnroll = "need_unroll"
)

func runUnroll(c *Ctx) error {
	var looped []*ir.Func
	for _, f := range c.Program().Cores {
		if hasLoop(f) {
			looped = append(looped, f)
		}
	}
	if !expand(c, ruleUnrollLoop, ruleUnrollPredicate) {
		return nil
	}
	for _, f := range c.Program().Cores {
		if f.HasAttr(attrNeedUnroll) || slices.Contains(looped, f) {
			markUnrolled(c, f)
		}
	}
	if len(looped) > 0 {
		numberBarriers(c)
	}
	return nil
}

func hasLoop(f *ir.Func) bool {
	for in := range f.Insts {
		if in.Loop != nil {
			return true
		}
	}
	return false
}

// expand unrolls every loop of the program, or none where a guard forbids it, and decides its predicates. It tells whether it went through.
func expand(c *Ctx, loop, predicate *Rule) bool {
	u := unroller{ctx: c, rule: loop, copies: map[*ir.Loop]int64{}}
	p := c.Program()
	conditional := false
	for in := range p.Insts {
		for i := range in.Pred {
			conditional = true
			if in.Pred[i].Expr.ShardBound() > 0 {
				c.Refuse(predicate, in, coreUnknown)
				c.Decline(predicate.Name + " " + coreUnknown)
				return false
			}
		}
		if in.Loop != nil {
			u.copies[in.Loop] = math.MaxInt64
		}
	}
	if len(u.copies) == 0 && !conditional {
		return true
	}
	for in := range p.Insts {
		if in.Loop != nil {
			if why := u.forbids(in); why != "" {
				return u.refuse(in, why)
			}
		}
	}
	if in, fits := u.fits(p); !fits {
		return u.refuse(in, overBudget)
	}
	for _, f := range p.Cores {
		decide(c, predicate, f)
	}
	u.ask()
	u.apply()
	return true
}

// unroller chooses loops and unrolls them.
type unroller struct {
	ctx    *Ctx
	rule   *Rule
	copies map[*ir.Loop]int64 // as ir.Edit.Unroll wants them
}

// refuse counts a loop that stays; where a fact was owed the pass declines.
func (u *unroller) refuse(in *ir.Inst, why string) bool {
	u.ctx.Refuse(u.rule, in, why)
	if u.rule.Must {
		u.ctx.Decline(u.rule.Name + ": " + why)
	}
	return false
}

// forbids tells why a chosen loop may not be unrolled into its surroundings; "" if it may.
func (u *unroller) forbids(in *ir.Inst) string {
	if u.copies[in.Loop] < in.Loop.Trips() { // it stays, and all that it carries with it
		return ""
	}
	if in.HasSync() {
		return loopSync
	}
	for i := range in.Pred {
		if !u.decided(in.Pred[i].Expr) && slices.ContainsFunc(slices.Collect(in.Loop.Insts), (*ir.Inst).HasSync) {
			return openWithSync
		}
	}
	return ""
}

// decided tells whether nothing will be left in the expression that varies.
func (u *unroller) decided(a ir.Affine) bool {
	for l := range a.Axes {
		if n, chosen := u.copies[l]; !chosen || n < l.Trips() { // one without trips may stay too
			return false
		}
	}
	return a.ShardBound() == 0
}

// ask asks for each chosen loop, outermost first. One that is refused stays, and those in it are looked at anew.
func (u *unroller) ask() {
	for in := range u.ctx.Program().Insts {
		if in.Loop == nil || u.copies[in.Loop] == 0 {
			continue
		}
		if why := u.forbids(in); why != "" {
			u.refuse(in, why)
			delete(u.copies, in.Loop)
		} else if !u.ctx.Allow(u.rule, in) {
			delete(u.copies, in.Loop)
		}
	}
}

// apply unrolls what was granted.
func (u *unroller) apply() {
	p := u.ctx.Program()
	if len(u.copies) == 0 {
		return
	}
	if p.Facts.Has(ir.Deps) && u.looseQueues(p) {
		u.ctx.Drop(ir.Deps)
	}
	for _, f := range p.Cores {
		u.ctx.Edit().Unroll(f, u.copies)
	}
}

// looseQueues tells whether an instruction without engine is unrolled inside a loop that stays. It has a queue of its own; its clones have
// one each, which an edge orders inside one iteration of what stays, but not from one iteration to the next.
func (u *unroller) looseQueues(p *ir.Program) bool {
	var walk func(bs []*ir.Block, stays, goes bool) bool
	walk = func(bs []*ir.Block, stays, goes bool) bool {
		for _, b := range bs {
			for _, in := range b.Insts {
				if in.Loop == nil && in.Engine == ir.Unassigned && stays && goes {
					return true
				}
				if l := in.Loop; l != nil && walk(l.Blocks, stays || u.copies[l] < l.Trips(), goes || u.copies[l] > 0) {
					return true
				}
			}
		}
		return false
	}
	return slices.ContainsFunc(p.Cores, func(f *ir.Func) bool { return walk(f.Blocks, false, false) })
}

// markUnrolled sets the attribute of a function that has no loop any more.
func markUnrolled(c *Ctx, f *ir.Func) {
	if hasLoop(f) || f.HasAttr(attrUnrolled) && !f.HasAttr(attrNeedUnroll) || !c.Allow(ruleUnrolled, nil) {
		return
	}
	attrs := slices.DeleteFunc(slices.Clone(f.Attrs), func(a string) bool { return a == attrNeedUnroll || a == attrUnrolled })
	c.Edit().Change(func() { f.Attrs = append(attrs, attrUnrolled) })
}

// numberBarriers numbers the CoreBarriers of functions without loops.
func numberBarriers(c *Ctx) {
	cores := c.Program().Cores
	lists := make([][]*ir.Inst, len(cores))
	repeated, why := false, ""
	for i, f := range cores {
		seen := map[int64]bool{}
		for in := range f.Insts {
			if in.Loop != nil {
				return
			}
			if !in.Spec().HasParam(ir.PBarrierID) {
				continue
			}
			id := in.Int(ir.PBarrierID)
			repeated = repeated || seen[id]
			seen[id] = true
			lists[i] = append(lists[i], in)
			if n := len(in.List(ir.PCores)); n != 0 && n != len(cores) {
				why = "a barrier of some cores"
			}
		}
		if len(lists[i]) != len(lists[0]) {
			why = "functions with other numbers of barriers"
		}
	}
	switch {
	case !repeated:
	case len(cores) == 1:
		c.Refuse(ruleBarrierIDs, nil, "other cores are in other modules")
	case why != "":
		c.Refuse(ruleBarrierIDs, nil, why)
	case c.Allow(ruleBarrierIDs, nil):
		c.Edit().Change(func() {
			for _, list := range lists {
				for k, in := range list {
					in.SetInt(ir.PBarrierID, int64(k))
				}
			}
		})
	}
}
