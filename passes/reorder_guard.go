package passes

import (
	"cmp"
	"math"
	"slices"

	"birfuzz/ir"
)

// Why a run keeps its old order.
const (
	againstDependence = "order contradicts a dependence"
	againstEdge       = "order contradicts an edge"
)

// contradiction tells why the sort of a run may not be made: it would turn round two instructions of which one must follow the other. It
// returns "" where the sort is sound. The documented pass has no such check and trusts whoever gave the orders; but an earlier pass may
// have deleted the unordered instruction that kept two runs apart, and their orders were never made to be compared.
func contradiction(run []*ir.Inst, sorted []int32, aliases *aliasFamilies) string {
	g := guard{new: make([]int32, len(sorted)), slot: map[*ir.Inst]int32{}, aliases: aliases}
	for at, i := range sorted {
		g.new[i] = int32(at)
	}
	for i, in := range run {
		g.add(in, int32(i))
	}
	switch {
	case g.turnsEdge():
		return againstEdge
	case g.turnsConflict():
		return againstDependence
	}
	return ""
}

// guard is what decides about one run. A loop stands in it as one instruction that touches what its whole body touches.
type guard struct {
	new     []int32            // position after the sort, by position in the run
	slot    map[*ir.Inst]int32 // position in the run of every instruction, bodies included
	touches []touch
	aliases *aliasFamilies
}

// touch is one access with where it may lie: column bytes lo ≤ b < hi of the memory that key names. Touches of different keys never meet.
type touch struct {
	key    storageKey
	lo, hi int64
	slot   int32
	writes bool
	arg    *ir.Operand // nil: an accumulator, or whatever a zero region covers
}

// storageKey names a memory: a location with storage of its own, the memory that placed or aliasing locations share, or, its zero value, the
// accumulators.
type storageKey struct {
	loc   *ir.Loc
	space ir.SpaceKind
}

// turned tells whether the sort turns the two positions round.
func (g *guard) turned(a, b int32) bool { return (a < b) != (g.new[a] < g.new[b]) }

func (g *guard) add(in *ir.Inst, slot int32) {
	g.slot[in] = slot
	for i := range in.Args {
		if a := &in.Args[i]; a.Loc != nil {
			g.touch(a, slot, i < int(in.NOut))
		}
	}
	if in.ReadsAcc() || in.WritesAcc() {
		lo, hi := accumulators(in.Engine)
		g.touches = append(g.touches, touch{lo: lo, hi: hi, slot: slot, writes: in.WritesAcc()})
	}
	if clearsRegion(in) {
		for i := range in.Outs() {
			if l := in.Args[i].Loc; l != nil {
				g.touches = append(g.touches, touch{key: g.key(l), lo: math.MinInt64, hi: math.MaxInt64, slot: slot, writes: true})
			}
		}
	}
	if in.Loop != nil {
		for _, b := range in.Loop.Blocks {
			for _, sub := range b.Insts {
				g.add(sub, slot)
			}
		}
	}
}

// accumulators returns which accumulators an instruction of the engine may use, as columns. An unassigned one may come to either engine.
func accumulators(e ir.Engine) (lo, hi int64) {
	switch e {
	case ir.Activation:
		return 0, 1
	case ir.DVE:
		return 1, 2
	}
	return 0, 2
}

func (g *guard) touch(a *ir.Operand, slot int32, writes bool) {
	t := touch{key: g.key(a.Loc), lo: math.MinInt64, hi: math.MaxInt64, slot: slot, writes: writes, arg: a}
	if a.IsAP() && !a.Symbolic() && g.aliases.alone(a.Loc) {
		box, from := a.Box(), int64(0)
		if a.Loc.Allocated {
			from = a.Loc.Addr + a.Loc.Bank*ir.PSUMBankBytes
		}
		t.lo, t.hi = from+box.Col, from+box.ColEnd
	}
	g.touches = append(g.touches, t)
}

// key names the memory of a location. DRAM that is placed or has aliases is one memory, for either may lead to the other.
func (g *guard) key(l *ir.Loc) storageKey {
	space, _ := ir.StorageOf(l)
	switch {
	case l.Type.IsDRAM() && (l.Allocated || !g.aliases.alone(l)):
		return storageKey{space: ir.DRAMSpace}
	case space.Kind == ir.OwnSpace:
		return storageKey{loc: l}
	}
	return storageKey{space: space.Kind}
}

// turnsEdge tells whether an edge between two instructions of the run would point forward. Loop-carried ones count as if they joined equal
// iterations (bir-json.md, "order").
func (g *guard) turnsEdge() bool {
	against := func(in, on *ir.Inst) bool {
		b, ok := g.slot[on]
		return ok && g.turned(g.slot[in], b)
	}
	for in := range g.slot {
		for _, d := range in.Deps {
			if against(in, d.On) {
				return true
			}
		}
		for _, d := range in.LoopDeps {
			if against(in, d.On) {
				return true
			}
		}
	}
	return false
}

// turnsConflict tells whether two accesses of which one writes, and that share a byte, change places. Touches are swept by column, so that
// only those that meet in a column are compared.
func (g *guard) turnsConflict() bool {
	slices.SortFunc(g.touches, func(a, b touch) int {
		return cmp.Or(compareKeys(a.key, b.key), cmp.Compare(a.lo, b.lo))
	})
	var reads, writes []*touch // earlier ones that may reach past the current column
	for i := range g.touches {
		t := &g.touches[i]
		if i > 0 && g.touches[i-1].key != t.key {
			reads, writes = reads[:0], writes[:0]
		}
		writes = reaching(writes, t.lo)
		if g.clashes(t, writes) {
			return true
		}
		if !t.writes {
			reads = append(reads, t) // looked at, and cleared of what has ended, only when a write comes
			continue
		}
		reads = reaching(reads, t.lo)
		if g.clashes(t, reads) {
			return true
		}
		writes = append(writes, t)
	}
	return false
}

func reaching(open []*touch, col int64) []*touch {
	return slices.DeleteFunc(open, func(o *touch) bool { return o.hi <= col })
}

func (g *guard) clashes(t *touch, open []*touch) bool {
	return slices.ContainsFunc(open, func(o *touch) bool { return g.turned(o.slot, t.slot) && g.meet(o, t) })
}

func (g *guard) meet(t, o *touch) bool {
	return t.arg == nil || o.arg == nil || ir.Overlap(t.arg, o.arg) || g.aliases.mayMeet(t.arg.Loc, o.arg.Loc)
}

// compareKeys is any total order in which equal keys are neighbours.
func compareKeys(a, b storageKey) int {
	return cmp.Or(cmp.Compare(locID(a.loc), locID(b.loc)), cmp.Compare(a.space, b.space))
}

func locID(l *ir.Loc) int32 {
	if l == nil {
		return -1
	}
	return l.ID
}
