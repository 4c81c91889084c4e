package passes

import "birfuzz/ir"

var ruleAnti = &Rule{
	Name: "antideps.anti",
	Must: true,
	Doc:  "Makes a writer wait for those that read its bytes since the last write that covered them.",
}

var ruleOutput = &Rule{
	Name: "antideps.output",
	Must: true,
	Doc:  "Makes a writer that reads none of its bytes wait for the last writers of them.",
}

var ruleCarried = &Rule{
	Name: "antideps.loop-carried",
	Must: true,
	Doc: "Makes an instruction of a loop wait for one that it conflicts with some trips later, whatever the kind of the conflict: at the distances at which bytes are shared where offsets " +
		"move alike along the axes, at distance 1, and from trip to trip, where nothing moves or no distance is known. What an inner loop's iterations meet in any order waits for the inner loop's whole last run.",
}

// antiDependencyAnalyzer is order 76 of levels 1–3 (walrus.md §5, appendix B.1); 84 and the linked variant are it again, on other memory.
//
// Documented is one walk over intervals of bytes, from each access back to the nearest that conflicts, stopped after the first for
// matmuls. The nearest alone is not enough where it covers only a part; here an access is ended by what covers it, and by nothing else.
// The documents look at placed memory: what is not placed has storage of its own (semantics §1), so the pass does without any placement.
// That matmuls of one chain have an edge to the last member alone follows, since a member covers the one before.
//
// With the flow edges of build_fdeps these order every conflict, and fences order themselves: the fact Deps. It is not given where
// build_fdeps has not run or was kept from it, where semaphores order the program, and where no edges of the dialect say what a loop of many
// trips with conditions carries.
func antiDependencyAnalyzer() Pass {
	return Pass{
		Name:     "anti_dependency_analyzer",
		Doc:      "Writes down the anti and output dependences, and what loops carry.",
		Order:    76,
		Rules:    []*Rule{ruleAnti, ruleOutput, ruleCarried},
		Contract: ir.Contract{Gives: ir.Deps, Order: ir.OrderSame, Same: everyLaw(), Once: true},
		Run:      runAntiDependencyAnalyzer,
	}
}

func runAntiDependencyAnalyzer(c *Ctx) error {
	d := toWrite(c, byStorage, ruleAnti)
	if d == nil {
		return nil
	}
	if d.incomplete != "" {
		c.Decline(d.incomplete)
	}
	there := targets{deps: d}
	for _, e := range d.edges {
		if flowRule(e) != nil && !there.has(e) {
			c.Decline("flow edges are missing: build_fdeps draws them")
			break
		}
	}
	w := edgeWriter{ctx: c, deps: d, rules: antiRule}
	w.write()
	return nil
}

// antiRule returns the rule for an edge that the pass writes.
func antiRule(e depEdge) *Rule {
	switch {
	case e.dist != nil:
		return ruleCarried
	case e.kind == ir.Anti:
		return ruleAnti
	case e.kind == ir.OutputDep:
		return ruleOutput
	}
	return nil
}
