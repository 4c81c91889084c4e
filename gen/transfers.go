package gen

import "birfuzz/ir"

// onChip are the features that come to nothing without memory on chip, or are drawn there: programs of transfers alone have none of them.
var onChip = withAll(Chains, LoopChains, Placement, Registers, Accumulators, Shards, Collectives, Spills, Unused, ShardCode, Carried, ZeroRegions, Pressure, Overlays,
	LoopPairs, LoopGaps, OddPairs, LoopRuns, Strands, PerfectNests, DeepNests, WideBodies, SumLoops, FencedLoops, Invariants, NearInvariants, FarUses, LateDead, Refills, Legalised, Cleared, Blocks,
	OddExchanges, NearFull, LongChains, OneBank, CutChains, Swaps, LogicalScans, Halves, Lines, Repaints, LongTiles)

// memories are those in which a program's tensors live.
func (t *traits) memories() ir.MemSet {
	if t.has(Transfers) {
		return ir.InDRAM
	}
	return ir.InSB | ir.InPSUM | ir.InDRAM
}

// work is the memory of a tile for values that are on their way.
func (b *builder) work() ir.MemType {
	if b.mem&ir.InSB != 0 {
		return ir.SB
	}
	return ir.DRAM
}
