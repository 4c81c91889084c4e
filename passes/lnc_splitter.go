package passes

import (
	"fmt"
	"strings"

	"birfuzz/ir"
)

var (
	ruleSplit = &Rule{
		Name: "lnc.split",
		Must: true,
		Doc: "Makes the one function of a module that holds ShardIDs of bound n the functions of n cores. With n = 1 the module stays symbolic, " +
			"as the document has it; so does one whose copies would exceed the instruction budget.",
	}
	ruleBindShard = &Rule{
		Name: "lnc.bind-shard",
		Must: true,
		Doc: "Puts the number of its core in the place of the ShardIDs of a function that is one core's already: one of several, or that of a " +
			"module with a neuron_core_id.",
	}
	ruleMask = &Rule{
		Name:   "lnc.mask",
		Shared: sharedDeciding,
		Doc: "Decides the predicates that the core's number makes constant: where one does not hold the instruction goes, with it a loop " +
			"that is left empty; those that hold go themselves. Predicates that depend on an axis stay.",
	}
)

// lncSplitter is order 8 of levels 1–3 (walrus.md §5).
//
// Ours where the document is silent or speaks of another object model: its copies are modules of their own with NeuronCoreId set, ours are
// the functions of one module in core order, which is the same said by position (bir-json.md, "Module, function, block"). A function's
// name has nc_symbolic replaced by ncNN, or else _ncNN added. Names inside the function stay. Edges to an instruction whose mask is false go
// with it: it has never run, so nothing was ordered by it.
//
// A program without ShardID is split as it is, and gets the fact.
func lncSplitter() Pass {
	return Pass{
		Name:  "lnc_splitter",
		Doc:   "Makes one function a core of a module that tells its cores apart by ShardID, and decides the masks.",
		Order: 8,
		Rules: []*Rule{ruleSplit, ruleBindShard, ruleMask},
		Contract: ir.Contract{
			Gives: ir.Split, Order: ir.OrderInstances, Once: true,
			Same: instanceLaws(),
		},
		Run: runLNCSplitter,
	}
}

func runLNCSplitter(c *Ctx) error {
	p := c.Program()
	bound := int64(0)
	for _, f := range p.Cores {
		bound = max(bound, f.ShardBound())
	}
	switch {
	case bound == 0:
	case len(p.Cores) > 1 || p.CoreID != ir.NoCore:
		bindShards(c)
	case bound == 1:
		c.Refuse(ruleSplit, nil, "a single core")
		c.Decline("lnc is 1: the module stays symbolic")
	case int64(p.NumInsts()) > maxUnrolled/bound:
		c.Refuse(ruleSplit, nil, overBudget)
		c.Decline(overBudget)
	case c.Allow(ruleSplit, nil):
		split(c, int(bound))
	}
	return nil
}

// split makes n functions of the only one and decides their masks.
func split(c *Ctx, n int) {
	name := c.Program().Cores[0].Name
	c.Edit().SplitCores(n, func(core int) string { return coreName(name, core) })
	for core, f := range c.Program().Cores {
		c.Edit().BindShard(f, core)
		decide(c, ruleMask, f)
	}
}

// coreName names the function of a core. Names of one module's functions stay apart: they differ in the number at least.
func coreName(symbolic string, core int) string {
	number := fmt.Sprintf("nc%02d", core)
	if name := strings.ReplaceAll(symbolic, "nc_symbolic", number); name != symbolic {
		return name
	}
	return symbolic + "_" + number
}

// bindShards gives the functions of a module that is split already their numbers.
func bindShards(c *Ctx) {
	for core, f := range c.Program().Cores {
		if c.Program().CoreID != ir.NoCore {
			core = c.Program().CoreID
		}
		if f.ShardBound() > 0 && c.Allow(ruleBindShard, nil) {
			c.Edit().BindShard(f, core)
			decide(c, ruleMask, f)
		}
	}
}
