package passes

import (
	"cmp"
	"slices"

	"birfuzz/ir"
)

var ruleDistribute = &Rule{
	Name: "loop-opt.distribute",
	Doc: "Makes two loops of one, so that a part of it can be fused where the whole has a negative distance. Not if something in the second part shares bytes with something in the first that " +
		"runs in a later trip, or an edge leads that way.",
}

// Why a loop is not split. The first two are the documents' conditions.
const (
	splitNest     = "no perfect nest"
	splitHalf     = "an empty half"
	splitEdge     = "edge from the first part to the second"
	splitLarge    = "too many accesses"
	splitDistance = "dependence from the second part to a later trip of the first"
)

// loopSplit is a loop that is to become two: what stands in its body before the instruction at, and the rest (check_loop_distribution; walrus.md
// §4.6, "Distribution": only perfect nests, committed only if both halves are non-empty).
//
// The documents partition a body by the stretches from definitions to last uses. Ours asks for what that is to give: split, all trips of the
// first part run before any of the second, so no access of the second part in one trip may share bytes with one of the first in a later trip, if
// one writes. A tile that carries a value across the cut is written anew before the value of the trip before is read, and so keeps its stretch
// together by itself. "Perfect" is read as: the body is one block without loops. Who wants a loop split has asked the battery for attributes, sync_info
// and Halts (reshape).
type loopSplit struct {
	touches *loopTouches
	core    int
	loop    *ir.Inst
	around  []*ir.Inst
	at      int
}

// why tells what forbids to split the loop; "" if nothing does.
func (x *loopSplit) why() string {
	l := x.loop.Loop
	if len(l.Blocks) != 1 || slices.ContainsFunc(l.Blocks[0].Insts, func(in *ir.Inst) bool { return in.Loop != nil }) {
		return splitNest
	}
	body := l.Blocks[0].Insts
	if x.at <= 0 || x.at >= len(body) {
		return splitHalf
	}
	first, second := body[:x.at], body[x.at:]
	later := func(on *ir.Inst) bool { return slices.Contains(second, on) }
	for _, in := range first {
		if slices.ContainsFunc(in.Deps, func(d ir.Dep) bool { return later(d.On) }) || slices.ContainsFunc(in.LoopDeps, func(d ir.LoopDep) bool { return later(d.On) }) {
			return splitEdge
		}
	}
	return x.dependence(first, second)
}

func (x *loopSplit) dependence(first, second []*ir.Inst) string {
	d := loopDistances{x.touches, len(x.around)}
	a, b := x.touchesOf(first), x.touchesOf(second)
	if len(a)*len(b) > maxTouchPairs {
		return splitLarge
	}
	for i := range b {
		for j := range a {
			if d.meets(&b[i], &a[j], 1) {
				return splitDistance
			}
		}
	}
	return ""
}

func (x *loopSplit) touchesOf(insts []*ir.Inst) []touch {
	var list []touch
	for _, in := range insts {
		list = append(list, x.touches.of(in, x.core, append(slices.Clip(x.around), x.loop))...)
	}
	return list
}

// split makes two loops of one that may be, and returns the second.
func (x *loopSplit) split(c *Ctx) *ir.Inst {
	names, l := newNameSet(c), *x.loop.Loop
	l.Axis = names.fresh(l.Axis + "_d")
	l.Blocks = []*ir.Block{{Name: names.fresh(l.Blocks[0].Name + "_d"), Extra: l.Blocks[0].Extra}}
	second := *x.loop
	second.Name, second.Source, second.Loop = names.fresh(x.loop.Name+"_d"), cmp.Or(x.loop.Source, x.loop.Name), &l
	second.Pred, second.Order = slices.Clone(x.loop.Pred), slices.Clone(x.loop.Order)
	c.Edit().Distribute(x.loop, x.at, &second)
	return &second
}
