package gen

import (
	"slices"

	"birfuzz/ir"
)

// traits is the set of features that one program has.
type traits [(NumFeatures + 63) / 64]uint64

// withAll returns the set of the features.
func withAll(list ...Feature) traits {
	var t traits
	for _, f := range list {
		t.add(f)
	}
	return t
}

func (t *traits) add(f Feature) { t[f/64] |= 1 << (f % 64) }

// join adds the features of another set.
func (t *traits) join(u traits) {
	for i := range t {
		t[i] |= u[i]
	}
}

func (t *traits) has(f Feature) bool { return t[f/64]>>(f%64)&1 != 0 }

func (t *traits) drop(list ...Feature) {
	for _, f := range list {
		t[f/64] &^= 1 << (f % 64)
	}
}

// dropAll removes the features of another set.
func (t *traits) dropAll(u *traits) {
	for i := range t {
		t[i] &^= u[i]
	}
}

// meets tells whether the sets share a feature.
func (t *traits) meets(u *traits) bool {
	for i := range t {
		if t[i]&u[i] != 0 {
			return true
		}
	}
	return false
}

// covers tells whether the set has all features of another.
func (t *traits) covers(u *traits) bool {
	for i := range t {
		if t[i]&u[i] != u[i] {
			return false
		}
	}
	return true
}

// draw draws the features of one program, each from a stream of its own: a new one shifts none of the others. Those that need another are
// dropped without it, and of the forms of a module at most one stays.
func (c *Config) draw(r *Rand) traits {
	var t traits
	for f, p := range c.Features {
		if p == 0 {
			continue
		}
		own := r.at(featureLabels[f])
		if own.Bool(p) {
			t.add(Feature(f))
		}
	}
	if c.rowSet().loop == nil {
		t.drop(Loops)
	}
	if len(c.rowSet().meet) == 0 { // cores that do not meet cannot share anything
		t.drop(TwoCores, CoreModule)
	}
	forms := [...]Feature{TwoCores, Shards, CoreModule}
	for i, f := range forms {
		if t.has(f) {
			t.drop(forms[i+1:]...)
		}
	}
	if t.has(Shards) {
		t.drop(Edges) // instances of different cores are ordered by no edge
	}
	if !c.rowSet().within {
		t.drop(Transfers)
	}
	if t.has(Transfers) {
		t.dropAll(&onChip)
		if own := r.fork("stubborn transfers"); own.Bool(0.4) { // they are loops that come to nothing where nothing is placed
			t.add(StubbornLoops)
		}
	}
	t.prune()
	return t
}

// prune drops the features that come to nothing without others that are not there.
func (t *traits) prune() {
	if !t.has(Shards) && !t.has(TwoCores) {
		t.drop(OneCore, FourCores)
		if !t.has(CoreModule) {
			t.drop(ShardCode)
		}
	}
	for f := range needs {
		if !t.covers(&needs[f]) {
			t.drop(Feature(f))
		}
	}
}

// apart drops cores that share memory where the generation has nothing at which they meet.
func (t *traits) apart(rows *rowSet, arch ir.Arch) {
	if (t.has(TwoCores) || t.has(CoreModule)) && !slices.ContainsFunc(rows.meet, func(s *ir.Spec) bool { return s.Engines[arch] != 0 }) {
		t.drop(TwoCores, CoreModule)
		t.prune()
	}
}

// needs says for some features that they come to nothing without others, all of which stand before them.
var needs = [NumFeatures]traits{
	Nested:         withAll(Loops),
	Windows:        withAll(Loops),
	Predicates:     withAll(Loops),
	LoopChains:     withAll(Loops),
	Collectives:    withAll(TwoCores),
	EmptyLoops:     withAll(Loops),
	Parallel:       withAll(Loops),
	Carried:        withAll(Loops, Registers),
	CarriedEdges:   withAll(Loops),
	AxisOrders:     withAll(Loops, Orders),
	ZeroRegions:    withAll(Chains),
	PlacedShared:   withAll(TwoCores),
	SharedOutputs:  withAll(TwoCores),
	SharedNames:    withAll(TwoCores),
	IdleLinks:      withAll(TwoCores, SharedNames),
	Pieces:         withAll(TwoCores),
	Overlays:       withAll(Placement),
	LongLoops:      withAll(Loops),
	LoopEdges:      withAll(Loops),
	OrderedFences:  withAll(Orders),
	LoopPairs:      withAll(Loops),
	LoopGaps:       withAll(LoopPairs),
	OddPairs:       withAll(LoopPairs),
	LoopRuns:       withAll(Loops),
	Strands:        withAll(Loops),
	PerfectNests:   withAll(Loops),
	DeepNests:      withAll(Loops),
	WideBodies:     withAll(Loops),
	SumLoops:       withAll(Loops),
	FencedLoops:    withAll(Loops),
	Invariants:     withAll(Loops),
	NearInvariants: withAll(Loops),
	StubbornLoops:  withAll(Loops),
	FarUses:        withAll(Pressure),
	LateDead:       withAll(TwoCores),
	SharedTypes:    withAll(TwoCores),
	Halts:          withAll(Loops),
	Cleared:        withAll(Chains, ZeroRegions),
	Blocks:         withAll(Loops),
	OddExchanges:   withAll(TwoCores, Collectives),
	NearFull:       withAll(Placement),
	LongChains:     withAll(Chains),
	OneBank:        withAll(Chains, Placement),
	CutChains:      withAll(Chains),
	Swaps:          withAll(Loops),
	Halves:         withAll(Loops),
	Lines:          withAll(Loops),
	RolledEdges:    withAll(Edges),
	LeanEdges:      withAll(Edges),
}
