package passes

import (
	"cmp"
	"slices"

	"birfuzz/ir"
)

// memoryAnalysisAfterPreSched is the analysis that the documents pair with pre_sched (ssa-exit page, "Entry Point") and name only. It logs the
// high-water marks of SB and PSUM, function by function. Ours is that it finds fault as oom_checker does: what one instruction needs at once
// fits nowhere, however it is scheduled. It stands in no level's list: the vendor runs it on demand.
func memoryAnalysisAfterPreSched() Pass {
	return Pass{
		Name:     "memory_analysis_after_pre_sched",
		Doc:      "Logs how many bytes of a partition of SB and PSUM are live at most, and checks that single instructions fit. Rewrites nothing.",
		Order:    33,
		Verifies: true,
		Contract: verifierContract(),
		Run:      runMemoryAnalysis,
	}
}

func runMemoryAnalysis(c *Ctx) error {
	for _, f := range c.Program().Cores {
		life := lifetimes(f)
		c.Logf("%s: sb_hwm=%d psum_hwm=%d", f.Name, highWaterMark(life, ir.SB), highWaterMark(life, ir.PSUM))
	}
	return failedBy(ir.VerifyRoom(c.Program()))
}

// highWaterMark returns the largest number of bytes of one partition that locations of a memory which live at one position need together:
// the room that an allocator must have which never puts two of them side by side in different partitions.
func highWaterMark(life []*lifetime, t ir.MemType) int64 {
	type change struct {
		at    int32 // position before which it happens
		bytes int64
	}
	var changes []change
	live := int64(0)
	for _, x := range life {
		switch {
		case x.loc.Type != t:
		case heldThroughout(x.loc):
			live += x.loc.RowBytes
		case !x.unused():
			changes = append(changes, change{x.from, x.loc.RowBytes}, change{x.to + 1, -x.loc.RowBytes})
		}
	}
	slices.SortFunc(changes, func(a, b change) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.bytes, b.bytes)) })
	most := live
	for _, c := range changes {
		live += c.bytes
		most = max(most, live)
	}
	return most
}
