package passes

import (
	"slices"

	"birfuzz/ir"
)

// Why two loops are not fused. The first ones are the vendor's, the others ours.
const (
	stopTrips     = "unmatched trip count"
	stopPartition = "loop doesn't access partition dim"
	stopBenefit   = "no fusion benefit"
	stopDistance  = "negative distance dep in def-use"
	stopLevel     = "not at same nest level"
	stopBetween   = "has fusion-prevention instructions in between"

	stopMany        = "too many loops at one level"
	stopLarge       = "too many accesses"
	stopPredicates  = "unlike predicates"
	stopFlags       = "unlike loop attributes"
	stopNoReorder   = "no_reorder"
	stopParallel    = "isParallel and a distance other than 0"
	stopSync        = "sync_info"
	stopHalt        = "Halt"
	stopOrdered     = "an Ordered edge between the loops"
	stopForward     = "an edge points forward"
	stopRegister    = "a register in both loops"
	stopAccumulator = "an accumulator in both loops"
	stopFences      = "fences"
	stopGroups      = "accumulation groups"
)

// fusionTest is the legality battery of one pair of loops in one block.
type fusionTest struct {
	*loopOptimizer
	first, second *sibling
	between       []*ir.Inst // what stands between the loops
	up            []*ir.Inst // of between, what must move before the first loop
	part          map[*ir.Inst]fusionPart
	distances     loopDistances
}

// fusionPart is one of the two loops or something between them, with all that stands in it.
type fusionPart int

const (
	inFirst fusionPart = iota + 1
	inSecond
	inBetween // the first of what stands between; the others follow
)

// battery collects what the tests ask.
func (o *loopOptimizer) battery(first, second *sibling) *fusionTest {
	t := &fusionTest{loopOptimizer: o, first: first, second: second, between: first.block.Insts[first.pos+1 : second.pos], part: map[*ir.Inst]fusionPart{}}
	t.distances = loopDistances{o.touches, len(first.around)}
	t.enter(first.inst, inFirst)
	t.enter(second.inst, inSecond)
	for i, in := range t.between {
		t.enter(in, inBetween+fusionPart(i))
	}
	return t
}

func (t *fusionTest) enter(in *ir.Inst, part fusionPart) {
	t.part[in] = part
	if in.Loop != nil {
		for sub := range in.Loop.Insts {
			t.part[sub] = part
		}
	}
}

// why tells what forbids fusing; "" if nothing does.
func (t *fusionTest) why(profit float32) string {
	trips := t.first.inst.Loop.Trips()
	switch {
	case trips != t.second.inst.Loop.Trips():
		return stopTrips
	case trips == 0: // nothing in them would be found
		return stopBenefit
	case !t.accessesPartitionDim(t.first) || !t.accessesPartitionDim(t.second):
		return stopPartition
	case profit == 0:
		return stopBenefit
	}
	for _, ask := range []func() string{t.attributes, t.contents, t.edges, t.dependences, t.traversePath} {
		if why := ask(); why != "" {
			return why
		}
	}
	return ""
}

// accessesPartitionDim tells whether something in the loop touches memory that has partitions.
func (t *fusionTest) accessesPartitionDim(s *sibling) bool {
	return slices.ContainsFunc(t.touchesOf(s), func(x touch) bool { return x.arg != nil && x.loc.Type.OnChip() })
}

// attributes compares what the two loops say of themselves.
func (t *fusionTest) attributes() string {
	a, b := t.first.inst, t.second.inst
	samePredicate := func(p, q ir.Predicate) bool { return p.Cmp == q.Cmp && p.Expr.Equal(q.Expr) }
	switch {
	case !slices.EqualFunc(a.Pred, b.Pred, samePredicate):
		return stopPredicates
	case a.Loop.NoReorder || b.Loop.NoReorder:
		return stopNoReorder
	case a.Loop.Parallel != b.Loop.Parallel || a.Loop.Unroll != b.Loop.Unroll:
		return stopFlags
	}
	return ""
}

// contents looks for instructions whose order among others no dependence tells.
func (t *fusionTest) contents() string {
	for in := range t.part {
		if in.Spec().Ends {
			return stopHalt
		}
	}
	for in := range t.part {
		if in.HasSync() {
			return stopSync
		}
	}
	return ""
}

// edges looks at the edges between the two loops. Fused, an edge of equal iterations no longer makes every trip of the second loop wait for every
// trip of the first: where it stands for shared bytes the dependences tell whether that matters, where somebody ordered it, nobody does.
func (t *fusionTest) edges() string {
	ordered := false
	for in, part := range t.part {
		for _, d := range in.Deps {
			switch on := t.part[d.On]; {
			case on == inSecond && part != inSecond || on >= inBetween && part == inFirst:
				return stopForward
			case on == inFirst && part == inSecond && d.Kind == ir.Ordered:
				ordered = true
			}
		}
	}
	if ordered {
		return stopOrdered
	}
	return ""
}

// dependences asks whether two accesses that share bytes would be turned round: those of a later trip of the first loop and an earlier one of the
// second. Trips of a parallel loop run in any order, so the fused one must not have any other distance than 0.
func (t *fusionTest) dependences() string {
	a, b := t.touchesOf(t.first), t.touchesOf(t.second)
	if len(a)*len(b) > maxTouchPairs {
		return stopLarge
	}
	for i := range a {
		for j := range b {
			if t.distances.meets(&a[i], &b[j], -1) {
				return stopOf(&a[i])
			}
			if t.first.inst.Loop.Parallel && t.distances.meets(&a[i], &b[j], 1) {
				return stopParallel
			}
			if t.groups(&a[i], &b[j]) {
				return stopGroups
			}
		}
	}
	return ""
}

// stopOf names the negative distance of an access by what it is of.
func stopOf(x *touch) string {
	switch {
	case x.hidden:
		return stopAccumulator
	case x.loc == nil:
		return stopFences
	case x.loc.Type == ir.REG:
		return stopRegister
	}
	return stopDistance
}

// groups tells whether the trips of one loop would come between the members of a legalised accumulation group of the other (semantics §4): both
// are in PSUM, which is one state machine a region.
func (t *fusionTest) groups(x, y *touch) bool {
	psum := func(x *touch) bool { return x.loc != nil && x.loc.Type == ir.PSUM }
	return t.ctx.Program().Facts.Has(ir.Grouped) && psum(x) && psum(y) && (x.writes || y.writes)
}

// traversePath looks at what stands between the loops. It stays, behind the fused loop, unless the second loop, or what moves up, must follow it;
// then it moves before the first, unless that, or what stays, must come before it.
func (t *fusionTest) traversePath() string {
	depth := len(t.first.around)
	touches := make([][]touch, len(t.between))
	for i, in := range t.between {
		touches[i] = t.touches.of(in, t.core, t.first.around)
	}
	waits := t.waiting()
	goes := make([]bool, len(t.between))
	t.up = nil
	for i := len(t.between) - 1; i >= 0; i-- {
		self := inBetween + fusionPart(i)
		goes[i] = waits[[2]fusionPart{inSecond, self}] || t.touches.meet(touches[i], t.touchesOf(t.second), depth)
		for k := i + 1; k < len(goes) && !goes[i]; k++ {
			goes[i] = goes[k] && (waits[[2]fusionPart{inBetween + fusionPart(k), self}] || t.touches.meet(touches[i], touches[k], depth))
		}
		if !goes[i] {
			continue
		}
		if waits[[2]fusionPart{self, inFirst}] || t.touches.meet(t.touchesOf(t.first), touches[i], depth) {
			return stopBetween
		}
		t.up = append(t.up, t.between[i])
	}
	slices.Reverse(t.up)
	return ""
}

// waiting returns which parts wait for which by edges of equal iterations.
func (t *fusionTest) waiting() map[[2]fusionPart]bool {
	waits := map[[2]fusionPart]bool{}
	for in, part := range t.part {
		for _, d := range in.Deps {
			if on := t.part[d.On]; on != 0 && on != part {
				waits[[2]fusionPart{part, on}] = true
			}
		}
	}
	return waits
}
