package passes

import "birfuzz/ir"

var ruleFlow = &Rule{
	Name: "fdeps.flow",
	Doc: "Makes a reader of memory or of a register wait for the last writers of its bytes: those that no later write, surely made, has covered. An instruction that adds to what it " +
		"writes, or keeps part of it, is a reader as well: so the members of an accumulation in PSUM are a chain.",
}

var ruleFlowAccumulator = &Rule{
	Name: "fdeps.accumulator",
	Doc:  "Makes a reader of an engine's accumulator, and an instruction that adds to it, wait for the last that changed it.",
}

// buildFdeps is order 74 of levels 1–3 (walrus.md §5, appendix B.1).
//
// Documented are edges from a location's readers to its last writer in program order, a refinement by overlap of accesses for some
// instructions, and chains for what has no location: accumulator groups, the random state. Here every edge comes from one exact question,
// whether bytes are shared (dependences), which gives all of those. The opcodes that the document leaves out (ReadVarAddr) and the random
// state are no part of the dialect. A function with too many spills is treated like any other: the trivial chain that the documents draw
// instead only saves time.
//
// The pass only adds. Flow edges that are there already stay, also those that an earlier rewrite has left without a conflict.
func buildFdeps() Pass {
	return Pass{
		Name:     "build_fdeps",
		Doc:      "Writes down the flow dependences: who reads what whom has written.",
		Order:    74,
		Rules:    []*Rule{ruleFlow, ruleFlowAccumulator},
		Contract: ir.Contract{Order: ir.OrderSame, Same: everyLaw(), Once: true},
		Run:      runBuildFdeps,
	}
}

func runBuildFdeps(c *Ctx) error {
	if d := toWrite(c, byStorage, ruleFlow); d != nil {
		w := edgeWriter{ctx: c, deps: d, rules: flowRule}
		w.write()
	}
	return nil
}

// flowRule returns the rule for an edge that the pass writes.
func flowRule(e depEdge) *Rule {
	switch {
	case e.dist != nil || e.kind != ir.Flow:
		return nil
	case e.hidden:
		return ruleFlowAccumulator
	}
	return ruleFlow
}
