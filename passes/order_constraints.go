package passes

import "birfuzz/ir"

var ruleOrderFence = &Rule{
	Name: "order.fence",
	Must: true,
	Doc: "Makes a fence wait for the fence before it and for the accesses to visible memory since then, and an access to visible memory for the last fence: what a fence publishes, and " +
		"what it lets in, are the same however the rest is ordered.",
}

// orderConstraints writes down as Ordered edges the orders that no byte asks for.
//
// The documents name the pass, say that pre_sched meets its edges, and describe nothing (walrus.md §9). Ours is the smallest that makes
// edges alone a whole description of a program: in semantics §2 fences order by themselves, and so a schedule that follows edges must ask
// for fences as well; after this pass it need not. Visible memory is ExternalOutputs, Shared memory and their aliases (semantics §3); what
// holds for it holds for inputs that some core writes, too, since other cores may read there (fencedFamilies). The edges come from the same
// analysis as all others, by one byte that every fence writes and every access to such memory reads.
//
// It stands in no pipeline: no published list gives it a place, and nothing of the lists needs it.
func orderConstraints() Pass {
	return Pass{
		Name:     "order_constraints",
		Doc:      "Writes down the order of fences, and of accesses to visible memory around them.",
		Rules:    []*Rule{ruleOrderFence},
		Contract: ir.Contract{Fences: ir.FencesDrawn, Order: ir.OrderSame, Same: everyLaw(), Once: true},
		Run:      runOrderConstraints,
	}
}

func runOrderConstraints(c *Ctx) error {
	if d := toWrite(c, byFences, ruleOrderFence); d != nil {
		if d.incomplete != "" {
			c.Decline(d.incomplete)
		}
		w := edgeWriter{ctx: c, deps: d, rules: func(depEdge) *Rule { return ruleOrderFence }}
		w.write()
	}
	return nil
}
