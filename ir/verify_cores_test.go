package ir

import (
	"testing"

	"birfuzz/ir/num"
)

// twoCores runs f for each of two functions.
func twoCores(f func(b *builder, core int)) func(b *builder) {
	return func(b *builder) {
		f(b, 0)
		b.core("sg0001")
		f(b, 1)
	}
}

func (b *builder) collective(kind CollectiveKind, out, in int64) *Inst {
	x, y := b.loc("cc_in", DRAM, num.Float32, 1, in), b.loc("cc_out", DRAM, num.Float32, 1, out)
	i := b.add("CollectiveCompute", Pool, whole(y), whole(x)).with(PCollectiveKind, int64(kind))
	return i
}

func TestVerifyCores(t *testing.T) {
	shared := func(cols ...int64) func(b *builder) {
		return twoCores(func(b *builder, core int) { b.loc("s", DRAM, num.Float32, 4, cols[core]).Set.Space = Shared })
	}
	barrier := func(cores ...int64) func(b *builder) {
		return twoCores(func(b *builder, core int) { b.add("CoreBarrier", SP).SetParam(Param{ID: PCores, L: cores}) })
	}
	shard := func(n ...int64) func(b *builder) {
		return func(b *builder) {
			for i, k := range n {
				b.add("NoOp", SP).Order = []Affine{{Terms: []Term{{Coef: int64(i + 1), Kind: ShardTerm, N: k}}}}
			}
		}
	}
	runCases(t, []verifyCase{
		{"one Shared location", "", 0, shared(4, 4)},
		{"Shared of two sizes", RuleCores, 0, shared(4, 5)},
		{"Shared of two types", RuleCores, 0, twoCores(func(b *builder, core int) {
			b.loc("s", DRAM, []DType{num.Float32, num.Int32}[core], 4, 4).Set.Space = Shared
		})},
		{"Local of two sizes", "", 0, twoCores(func(b *builder, core int) { b.loc("s", DRAM, num.Float32, 4, int64(core+1)) })},
		{"barrier", "", 0, barrier(0, 1)},
		{"barrier of all", "", 0, barrier()},
		{"core 1 is missing", RuleCores, 0, barrier(0)},
		{"shard of one function", "", 0, shard(2, 2)},
		{"shards disagree", RuleShard, 0, shard(2, 3)},
		{"shard of none", RuleShard, 0, shard(0)},
		{"shard of too many", RuleShard, 0, shard(1 << 40)},
		{"shard of another number than functions", RuleShard, 0, func(b *builder) { shard(3)(b); b.core("sg0001") }},
	})
}

func TestVerifyBarrierCores(t *testing.T) {
	one := func(id int, cores ...int64) func(b *builder) {
		return func(b *builder) {
			b.p.CoreID = id
			b.add("CoreBarrier", SP).SetParam(Param{ID: PCores, L: cores})
		}
	}
	runCases(t, []verifyCase{
		{"a core of a module", "", 0, one(1, 0, 1)},
		{"without itself", RuleCores, 0, one(2, 0, 1)},
		{"a core twice", RuleCores, 0, one(1, 1, 1)},
		{"a negative core", RuleSetting, 0, one(1, 1, -1)},
		{"no core named", "", 0, one(1)},
	})
}

func TestVerifyCollectives(t *testing.T) {
	sized := func(kind CollectiveKind, out, in int64) func(b *builder) {
		return twoCores(func(b *builder, _ int) { b.collective(kind, out, in) })
	}
	one := func(f func(in *Inst)) func(b *builder) {
		return func(b *builder) {
			b.p.CoreID = 0
			f(b.collective(AllReduce, 8, 8))
		}
	}
	pairs := func(ll ...[]int64) func(in *Inst) {
		return func(in *Inst) {
			in.SetInt(PCollectiveKind, int64(Permute))
			in.SetParam(Param{ID: PSrcTargetPairs, LL: ll})
		}
	}
	groups := func(ll ...[]int64) func(in *Inst) {
		return func(in *Inst) { in.SetParam(Param{ID: PReplicaGroups, LL: ll}) }
	}
	runCases(t, []verifyCase{
		{"all-reduce", "", 0, sized(AllReduce, 8, 8)},
		{"all-gather", "", 0, sized(AllGather, 16, 8)},
		{"reduce-scatter", "", 0, sized(ReduceScatter, 4, 8)},
		{"all-to-all", "", 0, sized(AllToAll, 8, 8)},
		{"permute", "", 0, one(pairs([]int64{0, 1}, []int64{1, 0}))},
		{"permute without pairs", RuleCollective, 0, one(pairs())},
		{"two from one source", RuleCollective, 0, one(pairs([]int64{0, 1}, []int64{0, 2}))},
		{"two to one target", RuleCollective, 0, one(pairs([]int64{0, 1}, []int64{1, 1}))},
		{"all-reduce by pow", RuleSetting, 0, one(func(in *Inst) { in.SetInt(PCollectiveOp, int64(AluPow)) })},
		{"groups", "", 0, one(groups([]int64{0, 1}, []int64{2, 3}))},
		{"groups of two sizes", RuleCollective, 0, one(groups([]int64{0, 1}, []int64{2}))},
		{"a core in two groups", RuleCores, 0, one(groups([]int64{0, 1}, []int64{1, 2}))},
		{"groups without the core", RuleCores, 0, one(groups([]int64{1, 2}))},
		{"a pair beyond the cores", RuleCollective, 0, func(b *builder) {
			b.p.CoreID = 0
			in := b.collective(Permute, 8, 8)
			groups([]int64{0, 1})(in)
			in.SetParam(Param{ID: PSrcTargetPairs, LL: [][]int64{{0, 2}}})
		}},
		{"all-gather of one core", "", 0, func(b *builder) { b.p.CoreID = 0; b.collective(AllGather, 32, 8) }},
		{"all-gather of no whole ratio", RuleCollective, 0, func(b *builder) { b.p.CoreID = 0; b.collective(AllGather, 33, 8) }},
		{"types differ", RuleDType, 0, one(func(in *Inst) { in.Args[0].DType = num.Int32 })},
	})
	for _, kind := range []CollectiveKind{AllReduce, AllGather, ReduceScatter, AllToAll} {
		b := newBuilder()
		sized(kind, 7, 5)(b)
		if list := Verify(b.done(), 0); len(list) != 2 || list[0].Rule != RuleCollective {
			t.Errorf("kind %d, 7 from 5 elements: %v", kind, list)
		}
	}
}
