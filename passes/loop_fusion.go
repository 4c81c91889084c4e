package passes

import (
	"cmp"
	"container/heap"
	"slices"

	"birfuzz/ir"
)

var ruleFuse = &Rule{
	Name: "loop-opt.fuse",
	Doc: "Makes one loop of two that touch the same placed tensor, the pair that saves most traffic first: the second body comes behind the first, on the first axis. Not if " +
		"fused trips would turn two accesses round that share bytes, trips or predicates differ, or something between the loops can move neither up nor down.",
}

// sibling is a loop at the level that is looked at.
type sibling struct {
	inst   *ir.Inst
	block  *ir.Block
	pos    int        // in its block
	around []*ir.Inst // the Loop instructions around it, outermost first
}

// loopPair is an entry of the Fusion Profit Graph. Ties go to the pair that stands first.
type loopPair struct {
	first, second *sibling
	at            [2]int // of the two, among the loops of the level
	profit        float32
}

// profitHeap is the Fusion Profit Graph as a max-heap (CompFusionPriority).
type profitHeap []loopPair

// Len implements heap.Interface.
func (h profitHeap) Len() int { return len(h) }

// Less implements heap.Interface: the greater profit comes first.
func (h profitHeap) Less(i, j int) bool {
	a, b := &h[i], &h[j]
	return cmp.Or(-cmp.Compare(a.profit, b.profit), slices.Compare(a.at[:], b.at[:])) < 0
}

// Swap implements heap.Interface.
func (h profitHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

// Push implements heap.Interface.
func (h *profitHeap) Push(x any) { *h = append(*h, x.(loopPair)) }

// Pop implements heap.Interface.
func (h *profitHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// greedy fuses the loops of one level below a block.
type greedy struct {
	*loopOptimizer
	root  *ir.Block
	level int
	heap  profitHeap
	stops map[[2]*ir.Inst]string // pairs that were stopped, and why
}

// maxSiblings bounds the loops of a level: the graph is built again after each fusion.
const maxSiblings = 256

// fuseGreedy is checkLoopFusionGreedy: it fuses the loops that stand level loops deep below a block, and then those inside.
func (o *loopOptimizer) fuseGreedy(b *ir.Block, level int) {
	g := greedy{loopOptimizer: o, root: b, level: level, stops: map[[2]*ir.Inst]string{}}
	if len(g.loops()) == 0 {
		return
	}
	g.construct()
	for {
		pair, ok := g.next()
		if !ok {
			break
		}
		if g.tryFuse(&pair) {
			g.construct() // updateFPG: a full rebuild
		}
	}
	o.fuseGreedy(b, level+1)
}

// loops lists the loops of the level in program order.
func (g *greedy) loops() []*sibling {
	var out []*sibling
	var walk func(b *ir.Block, level int, around []*ir.Inst)
	walk = func(b *ir.Block, level int, around []*ir.Inst) {
		for i, in := range b.Insts {
			if in.Loop != nil && level == 0 {
				out = append(out, &sibling{in, b, i, around})
			} else if in.Loop != nil {
				for _, inner := range in.Loop.Blocks {
					walk(inner, level-1, append(slices.Clip(around), in))
				}
			}
		}
	}
	walk(g.root, g.level, nil)
	return out
}

// construct is constructFusionProfitGraph: it scores the pairs within the window.
func (g *greedy) construct() {
	loops, window := g.loops(), int(g.ctx.Knob(knobWindow))
	g.heap = g.heap[:0]
	if len(loops) > maxSiblings {
		g.ctx.Refuse(ruleFuse, loops[0].inst, stopMany)
		return
	}
	for i, first := range loops {
		for j := i + 1; j < len(loops) && j < i+window; j++ {
			second := loops[j]
			if second.block != first.block {
				g.stop(&loopPair{first: first, second: second}, stopLevel)
				continue
			}
			distance := second.pos - first.pos
			if distance >= window {
				break
			}
			pair := loopPair{first, second, [2]int{i, j}, g.profit(first, second)}
			if g.fused > 0 {
				g.ctx.Logf("(LoopOpt::updateFPG) e -> : weight = %g / loop %s and loop %s, weight = %g, distance = %d",
					pair.profit, first.inst.Name, second.inst.Name, pair.profit, distance)
			}
			g.heap = append(g.heap, pair)
		}
	}
	heap.Init(&g.heap)
}

// next is findFusionPairGreedy: it pops the pair of greatest profit that is still there.
func (g *greedy) next() (loopPair, bool) {
	for len(g.heap) > 0 {
		pair := heap.Pop(&g.heap).(loopPair)
		if pair.stands() {
			return pair, true
		}
	}
	return loopPair{}, false
}

// stands tells whether both loops are still where they were when the pair was scored. After a fusion the heap is built anew, so all are; but
// whoever changes the block otherwise leaves pairs of loops behind that are gone.
func (p *loopPair) stands() bool {
	for _, s := range []*sibling{p.first, p.second} {
		if s.pos >= len(s.block.Insts) || s.block.Insts[s.pos] != s.inst {
			return false
		}
	}
	return true
}

// stop records why a pair is not fused; the same reason again is not news.
func (g *greedy) stop(p *loopPair, why string) {
	key := [2]*ir.Inst{p.first.inst, p.second.inst}
	if g.stops[key] == why {
		return
	}
	g.stops[key] = why
	g.ctx.Refuse(ruleFuse, p.first.inst, why)
	g.ctx.Logf("[STOP FUSION] %s: %s, %s", why, p.first.inst.Name, p.second.inst.Name)
}

// tryFuse fuses a pair if it may.
func (g *greedy) tryFuse(p *loopPair) bool {
	key := [2]*ir.Inst{p.first.inst, p.second.inst}
	if why := g.stops[key]; why != "" && why != stopBetween {
		return false // nothing that this depends on has changed: a fused loop is forgotten
	}
	shrink := int64(1)
	if p.first.inst.Loop.Trips() == p.second.inst.Loop.Trips() {
		shrink = p.first.inst.Loop.Trips()
	}
	g.ctx.Logf("[LOOP FUSION] %s, %s, level = %d shrink factor %d", p.first.inst.Name, p.second.inst.Name, g.level, shrink)
	t := g.battery(p.first, p.second)
	if why := t.why(p.profit); why != "" {
		g.stop(p, why)
		return g.reshape(p, t, why)
	}
	if !g.ctx.Allow(ruleFuse, p.first.inst) {
		return false
	}
	g.apply(t)
	g.unstop(p.first.inst)
	return true
}

// unstop forgets why a loop, which has changed, was not fused with others.
func (g *greedy) unstop(l *ir.Inst) {
	for pair := range g.stops {
		if slices.Contains(pair[:], l) {
			delete(g.stops, pair)
		}
	}
}

// apply fuses a pair that may be: what the second loop must follow moves before the first.
func (o *loopOptimizer) apply(t *fusionTest) {
	b := t.first.block
	if len(t.up) > 0 {
		order := slices.Clone(b.Insts[:t.first.pos])
		order = append(order, t.up...)
		for _, in := range b.Insts[t.first.pos:] {
			if !slices.Contains(t.up, in) {
				order = append(order, in)
			}
		}
		o.ctx.Edit().Reorder(b, order)
	}
	o.ctx.Edit().Fuse(b, t.first.inst, t.second.inst)
	o.touches.forget(t.first.inst, t.second.inst)
	o.fused++
}
