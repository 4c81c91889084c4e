package passes

import (
	"slices"

	"birfuzz/ir"
)

// The knobs of loop_optimization, as the vendor spells them (loop-optimization.txt, "Related Knobs").
const (
	knobProfitable   = "enable-profitable-loop-fusion"
	knobWindow       = "loop-opt-distance-threshold"
	knobDistribution = "enable-loop-distribution"
	knobSBSize       = "loop_opt_sb_size"
	knobPSUMSize     = "loop_opt_psum_size"
)

// loopOptimization is place 7 of level 6 and place 4 of level 8 (loop-optimization.txt; walrus.md §4.6).
//
// Ours where the documents are silent or only name a part:
//
//   - update_liveN: the live elements of a location are those of the smallest rectangle that holds all accesses of the program to it, in all
//     iterations; the size of an element is that of its set's dtype. Profit only orders fusions, so any figure is sound.
//   - mmpk_lower_symbolic: see ruleLowerSymbolic.
//   - "at this level": the loops that stand level loops deep in a block of the function. Pairs of them in different lists are told
//     "not at same nest level".
//   - a loop accesses the partition dim if some access in it is one of SBUF or PSUM, whose outermost pair walks partitions. That only refuses.
//   - What stands between two loops stays behind the fused loop; what the second loop must follow moves before the first. If neither may be, it
//     prevents fusion.
//   - The copy that the vendor inserts beside a moved body is of its object model and has no counterpart here.
//   - Budgets bound nothing here, as documented: sb_size_legalization runs behind.
//
// Edges: Fuse says what becomes of those between two loops. They are weaker than they were, and other paths lead through them, so the fact
// Deps is given up when loops were fused; the passes that give it stand behind this one.
func loopOptimization() Pass {
	return Pass{
		Name: "loop_optimization",
		Doc:  "Fuses loops that touch the same tensors, the most profitable pair first.",
		Rules: []*Rule{
			ruleLowerSymbolic, ruleFuse, ruleFuseClassic, ruleInterchange, ruleTile, ruleDistribute, ruleHoist,
		},
		Knobs: []Knob{
			{Name: knobProfitable, Doc: "1: fuse in the order of profit; 0: fuse neighbours as they stand", Value: 1, Max: 1},
			{Name: knobWindow, Doc: "pairs of loops that stand so many instructions apart, or more, are not looked at", Value: 8, Worth: [2]int64{0, 64}},
			{Name: knobDistribution, Doc: "split loops whose parts do not depend on each other where that helps fusion", Value: 1, Max: 1},
			{Name: knobSBSize, Doc: "bytes of an SBUF partition; 0: the target's", Value: 0},
			{Name: knobPSUMSize, Doc: "bytes of a PSUM partition; 0: the target's", Value: 0},
		},
		Contract: ir.Contract{Order: ir.OrderInstancesMove, Same: instanceLaws()},
		Run:      runLoopOptimization,
	}
}

func runLoopOptimization(c *Ctx) error {
	p := c.Program()
	o := loopOptimizer{ctx: c, sb: c.Knob(knobSBSize), psum: c.Knob(knobPSUMSize)}
	if o.sb == 0 {
		o.sb = p.Arch.SBUFBytes()
	}
	if o.psum == 0 {
		o.psum = ir.PSUMBanks * ir.PSUMBankBytes
	}
	o.printParams()
	if semaphores(p) {
		if slices.ContainsFunc(p.Cores, hasLoop) {
			c.Refuse(ruleFuse, nil, againstSemaphores)
		}
		return nil
	}
	lowerSymbolic(c)
	o.fuse()
	licm(c)
	c.Logf("numLoopsFused = %d", o.fused)
	o.checkpoint()
	return nil
}

// loopOptimizer is one run of the pass.
type loopOptimizer struct {
	ctx      *Ctx
	sb, psum int64 // bytes of a partition
	fused    int   // pairs of loops
	touches  *loopTouches
	liveN    []int64 // by location ID: updateLiveN
	core     int
	reshaped map[*ir.Inst]bool // loops that were split, tiled or turned inside out
}

// printParams logs the knobs.
func (o *loopOptimizer) printParams() {
	c := o.ctx
	c.Logf("distanceThreshold = %d SBSize = %d PSUMSize = %d enableLoopDistribution = %d enableProfitableLoopFusion = %d",
		c.Knob(knobWindow), o.sb, o.psum, c.Knob(knobDistribution), c.Knob(knobProfitable))
}

// fuse goes through the blocks of every function.
func (o *loopOptimizer) fuse() {
	p := o.ctx.Program()
	if !slices.ContainsFunc(p.Cores, hasLoop) {
		return
	}
	o.touches = newLoopTouches(p)
	o.updateLiveN(p)
	for core, f := range p.Cores {
		o.core = core
		for _, b := range f.Blocks {
			if o.ctx.Knob(knobProfitable) != 0 {
				o.fuseGreedy(b, 0)
			} else {
				o.fuseClassic(b, nil)
			}
		}
	}
	if o.fused+len(o.reshaped) > 0 {
		o.ctx.Drop(p.Facts & ir.Deps)
		p.Number()
	}
}

// checkpoint logs what the vendor's loop_opt_doctor writes into a file: the loops that are left, one a line.
func (o *loopOptimizer) checkpoint() {
	for _, f := range o.ctx.Program().Cores {
		var walk func(bs []*ir.Block, level int)
		walk = func(bs []*ir.Block, level int) {
			for _, b := range bs {
				for _, in := range b.Insts {
					if l := in.Loop; l != nil {
						o.ctx.Logf("__loop_opt_chkpt.txt: %s %s level %d trips %d", f.Name, in.Name, level, l.Trips())
						walk(l.Blocks, level+1)
					}
				}
			}
		}
		walk(f.Blocks, 0)
	}
}
