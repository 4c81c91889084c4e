package passes

import (
	"cmp"
	"slices"

	"birfuzz/ir"
)

var ruleForceUnroll = &Rule{
	Name: "sb-size.force-unroll",
	Doc: "Sets the unroll flag of an innermost loop in a function that needs too much SBUF, if a tile is held for the whole of the loops around because iterations may hand it on: unrolled, the tile " +
		"is held from its first to its last access. full_unroll_some asks for the flag.",
}

// knobTileSize is the budget of sb_size_legalization.
const knobTileSize = "sb-size"

// sbSizeLegalization is place 8 of level 6 and place 5 of level 8 (walrus.md §5): it makes loops fit SBUF whose tiles have grown too large for it.
//
// The documents name three steps: shrink liveN = NBlocks/shrink_factor; if that is still too big, mark splittable dimensions or force more
// unrolling; check the limits of partitions and bytes. Ours:
//
//   - "Too big": the most bytes a partition that the live SB locations of a function take together at one place exceed the knob sb-size, or the
//     target's partition. Locations that fit are left alone. The targets are all beyond arch 19, and so all concerned.
//   - Shrink: see ruleShrinkTile. The factor is the number of blocks, the trips of the loop: one is left.
//   - Force more unroll: see ruleForceUnroll. A flag means nothing by itself, so it is sound. Dimensions are not marked: a set of symbolic
//     accesses has one location here, so FullUnroll has none to split.
//   - The limits are logged; the verifier asks them of every location.
//
// In a program that semaphores order nothing is shrunk, for iterations of two engines may overlap there.
func sbSizeLegalization() Pass {
	return Pass{
		Name:  "sb_size_legalization",
		Doc:   "Shrinks tiles of which every iteration of a loop uses a block of its own, and flags loops to be unrolled, where a function needs more SBUF than there is.",
		Rules: []*Rule{ruleShrinkTile, ruleForceUnroll},
		Knobs: []Knob{
			{Name: knobTileSize, Doc: "bytes of an SBUF partition that a function may need; 0: the target's", Value: 0, Worth: [2]int64{0, 1 << 14}},
		},
		Contract: ir.Contract{Order: ir.OrderShrink, Same: reduceLaws(), Once: true},
		Run:      runSBSizeLegalization,
	}
}

func runSBSizeLegalization(c *Ctx) error {
	p := c.Program()
	budget := c.Knob(knobTileSize)
	if budget == 0 {
		budget = p.Arch.SBUFBytes()
	}
	if semaphores(p) {
		c.Refuse(ruleShrinkTile, nil, againstSemaphores)
		return nil
	}
	for core, f := range p.Cores {
		if !hasLoop(f) {
			continue
		}
		z := sbSizer{ctx: c, fn: f, core: core, budget: budget}
		z.run()
	}
	return nil
}

// sbSizer makes one function fit.
type sbSizer struct {
	ctx    *Ctx
	fn     *ir.Func
	core   int
	budget int64 // bytes a partition
}

// fits tells whether the function needs no more than there is.
func (z *sbSizer) fits() bool {
	need := highWaterMark(lifetimes(z.fn), ir.SB)
	z.ctx.Logf("sb_size: %s needs %d of %d bytes per partition", z.fn.Name, need, z.budget)
	return need <= z.budget
}

func (z *sbSizer) run() {
	if z.fits() {
		return
	}
	shrunk := false
	for _, s := range z.shrinkable() {
		if !z.ctx.Allow(ruleShrinkTile, s.uses.insts[0]) {
			continue
		}
		s.apply(z.ctx)
		z.ctx.Drop(ir.Deps & z.ctx.Program().Facts)
		z.ctx.Logf("sb_size: liveN of %s = NBlocks / shrink_factor = %d / %d", s.uses.loc.Name, s.loop.Trips(), s.loop.Trips())
		shrunk = true
		if z.fits() {
			return
		}
	}
	z.forceUnroll()
	if shrunk {
		z.fits()
	}
}

// shrinkable lists the tiles that can be shrunk, those first that give most.
func (z *sbSizer) shrinkable() []*shrink {
	t := newShrinkTest(z.ctx, z.fn, z.core)
	var list []*shrink
	for _, u := range usesOf(z.fn) {
		if u.loc.Type != ir.SB || !u.looped {
			continue
		}
		if s, why := t.tile(u); why == "" {
			list = append(list, s)
		} else {
			z.ctx.Refuse(ruleShrinkTile, u.insts[0], why)
		}
	}
	slices.SortStableFunc(list, func(a, b *shrink) int { return -cmp.Compare(a.saves(), b.saves()) })
	return list
}

// forceUnroll flags the innermost loops of those that hold a tile throughout.
func (z *sbSizer) forceUnroll() {
	life := lifetimes(z.fn)
	for _, b := range z.fn.Blocks {
		for _, in := range b.Insts {
			if in.Loop == nil || !slices.ContainsFunc(life, func(t *lifetime) bool { return holds(t, in) }) {
				continue
			}
			for _, l := range append(loopsIn(in), in) {
				if !l.Loop.Unroll && len(loopsIn(l)) == 0 && z.ctx.Allow(ruleForceUnroll, l) {
					z.ctx.Edit().Change(func() { l.Loop.Unroll = true })
				}
			}
		}
	}
}

// holds tells whether a tile of SBUF lives just as long as a loop.
func holds(t *lifetime, loop *ir.Inst) bool {
	last := loop.ID
	for in := range loop.Loop.Insts {
		last = in.ID
	}
	return t.loc.Type == ir.SB && t.from == loop.ID && t.to == last && last > loop.ID
}

// loopsIn returns the Loop instructions in a loop.
func loopsIn(loop *ir.Inst) []*ir.Inst {
	var out []*ir.Inst
	for in := range loop.Loop.Insts {
		if in.Loop != nil {
			out = append(out, in)
		}
	}
	return out
}
