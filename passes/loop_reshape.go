package passes

import (
	"slices"

	"birfuzz/ir"
)

// stopHalves is why the two parts of a loop that has been split are not fused again.
const stopHalves = "halves of one loop"

// reshape changes the loops of a pair that t, for the reason why, does not let be fused as they are, so that what comes of them may be (loop-optimization.txt, "the
// interchange-then-fuse path", check_loop_interchange, check_loop_distribution): unlike trip counts by turning a perfect nest inside out, or else
// by tiling; a negative distance by splitting a loop. It tells whether it changed anything; the pair is then scored anew.
//
// Each loop is reshaped once: what it became is not split, turned or tiled again, so the search for pairs ends.
func (g *greedy) reshape(p *loopPair, t *fusionTest, why string) bool {
	if p.profit == 0 || g.reshaped[p.first.inst] || g.reshaped[p.second.inst] {
		return false
	}
	if t.attributes() != "" || t.contents() != "" || t.edges() != "" || t.traversePath() != "" {
		return false
	}
	switch why {
	case stopTrips:
		return g.interchange(p) || g.tile(p)
	case stopDistance:
		return g.ctx.Knob(knobDistribution) != 0 && g.distribute(p)
	}
	return false
}

// done marks loops as reshaped, and forgets why they were not fused. There may be new ones, so everything that goes by numbers is made anew.
func (g *greedy) done(loops ...*ir.Inst) {
	if g.reshaped == nil {
		g.reshaped = map[*ir.Inst]bool{}
	}
	for _, l := range loops {
		g.reshaped[l] = true
		g.unstop(l)
	}
	g.ctx.Program().Number()
	g.touches = newLoopTouches(g.ctx.Program())
}

// interchange turns the first of the two that is a perfect nest inside out, if its inner loop has the trips of the other loop.
func (g *greedy) interchange(p *loopPair) bool {
	for i, s := range []*sibling{p.first, p.second} {
		other := [2]*sibling{p.second, p.first}[i]
		n, ok := nestOf(g.touches, g.core, s.inst, s.around)
		switch {
		case !ok:
			g.ctx.Refuse(ruleInterchange, s.inst, swapNest)
			continue
		case n.inner.Loop.Trips() != other.inst.Loop.Trips():
			continue
		}
		if why := n.why(); why != "" {
			g.ctx.Refuse(ruleInterchange, s.inst, why)
			continue
		}
		if !g.ctx.Allow(ruleInterchange, s.inst) {
			return false
		}
		g.ctx.Edit().Interchange(n.outer, n.inner)
		g.done(n.outer, n.inner)
		return true
	}
	return false
}

// tile gives both loops as many trips as the greatest common divisor of what they have.
func (g *greedy) tile(p *loopPair) bool {
	a, b := p.first.inst.Loop.Trips(), p.second.inst.Loop.Trips()
	if a == 0 || b == 0 {
		return false
	}
	tiles := []tile{{p.first.inst, commonTrips(a, b)}, {p.second.inst, commonTrips(a, b)}}
	tiles = slices.DeleteFunc(tiles, func(t tile) bool { return !t.needed() })
	for _, t := range tiles {
		if why := t.why(); why != "" {
			g.ctx.Refuse(ruleTile, t.loop, why)
			return false
		}
	}
	changed := false
	for _, t := range tiles {
		if g.ctx.Allow(ruleTile, t.loop) {
			t.apply(g.ctx)
			g.done(t.loop)
			changed = true
		}
	}
	return changed
}

// distribute splits the second loop behind what may be fused with the first, or else the first loop before what may be fused with the second.
func (g *greedy) distribute(p *loopPair) bool {
	for _, s := range []*sibling{p.second, p.first} {
		x := loopSplit{touches: g.touches, core: g.core, loop: s.inst, around: s.around, at: g.cut(p, s)}
		if why := x.why(); why != "" {
			g.ctx.Refuse(ruleDistribute, s.inst, why)
			continue
		}
		if !g.ctx.Allow(ruleDistribute, s.inst) {
			return false
		}
		second := x.split(g.ctx)
		g.done(p.first.inst, p.second.inst, second)
		g.stop(&loopPair{first: s, second: &sibling{inst: second}}, stopHalves)
		return true
	}
	return false
}

// cut returns where to split a loop of a pair: behind the last instructions of the second loop that have no negative distance to the first, or
// before those of the first that have none to the second; 0 if there is no such place.
func (g *greedy) cut(p *loopPair, s *sibling) int {
	if len(s.inst.Loop.Blocks) == 0 {
		return 0
	}
	d := loopDistances{g.touches, len(s.around)}
	body := s.inst.Loop.Blocks[0].Insts
	nest := append(slices.Clip(s.around), s.inst)
	turned := func(in *ir.Inst) bool {
		own := g.touches.of(in, g.core, nest)
		if s == p.second {
			return d.turned(g.touchesOf(p.first), own)
		}
		return d.turned(own, g.touchesOf(p.second))
	}
	if s == p.second {
		return max(slices.IndexFunc(body, turned), 0)
	}
	at := len(body)
	for at > 0 && !turned(body[at-1]) {
		at--
	}
	return at
}

// turned tells whether fused trips would turn round two accesses, one of the first and one of the second loop.
func (d *loopDistances) turned(a, b []touch) bool {
	if len(a)*len(b) > maxTouchPairs {
		return true
	}
	for i := range a {
		for j := range b {
			if d.meets(&a[i], &b[j], -1) {
				return true
			}
		}
	}
	return false
}
