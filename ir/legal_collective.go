package ir

import "slices"

// collectiveRule says what a kind of collective does with sizes and settings.
type collectiveRule struct {
	sizes   string                           // for people
	size    func(src, n int64) (int64, bool) // elements of dst from those of src, with n cores
	reduces bool                             // combines numbers with the setting op
	pairs   bool                             // goes from source to target
}

func sameSize(src, _ int64) (int64, bool) { return src, true }

// collectiveRules is indexed by CollectiveKind (walrus.md §8.3, nki-isa.md §3.32).
var collectiveRules = [...]collectiveRule{
	AllReduce:     {sizes: "as many elements out as in", size: sameSize, reduces: true},
	AllGather:     {sizes: "cores times the elements", size: func(src, n int64) (int64, bool) { return src * n, src <= maxElems && n <= maxElems }},
	ReduceScatter: {sizes: "the elements divided by cores", size: func(src, n int64) (int64, bool) { return src / n, src%n == 0 }, reduces: true},
	AllToAll:      {sizes: "as many elements out as in, a multiple of the cores", size: func(src, n int64) (int64, bool) { return src, src%n == 0 }},
	SendRecv:      {sizes: "as many elements out as in", size: sameSize, pairs: true},
	Permute:       {sizes: "as many elements out as in", size: sameSize, pairs: true},
}

// collectiveOps are the reductions of collectives (nki-isa.md §3.32).
var collectiveOps = aluOps(AluAdd, AluMax, AluMin)

// legalCollective checks the settings of a collective; Verify checks what depends on the number of cores.
func legalCollective(in *Inst, c *Complain) {
	rule := &collectiveRules[in.Int(PCollectiveKind)]
	groups, pairs := in.Lists(PReplicaGroups), in.Lists(PSrcTargetPairs)
	if op := in.Alu(PCollectiveOp); rule.reduces && !collectiveOps.has(op) {
		c.Addf(RuleSetting, collectiveOps.String(), "op %s", op)
	}
	if slices.ContainsFunc(groups, func(g []int64) bool { return len(g) == 0 || len(g) != len(groups[0]) }) {
		c.Addf(RuleCollective, "groups of one size, none empty", "replica_groups %v", groups)
	}
	if rule.pairs != (len(pairs) > 0) {
		c.Addf(RuleCollective, "src_target_pairs for SendRecv and Permute, and for no other kind", "%d pairs", len(pairs))
	}
	for side, name := range [2]string{"source", "target"} {
		seen := map[int64]bool{}
		for _, p := range pairs {
			if seen[p[side]] {
				c.Addf(RuleCollective, "each source and each target once", "%s %d twice", name, p[side])
			}
			seen[p[side]] = true
		}
	}
}
