package gen_test

import (
	"testing"

	"birfuzz/gen"
	"birfuzz/ir"
	"birfuzz/ir/birtest"
	"birfuzz/ir/num"
)

// TestEveryRowIsDrawn: every row of the op table that has a weight appears.
func TestEveryRowIsDrawn(t *testing.T) {
	seen := make([]int, ir.NumOps())
	n := count(5000)
	for seed := range uint64(n) {
		for in := range gen.Program(gen.New(seed), gen.Default()).Insts {
			seen[in.Op]++
		}
	}
	for s := range ir.Ops {
		if seen[s.Op] == 0 && s.Weight > 0 && !birtest.Quick() {
			t.Errorf("%s does not appear in %d programs", s.Name, n)
		}
		t.Logf("%-28s %6d", s.Name, seen[s.Op])
	}
}

// symptom tells whether a program, or one of its instructions, shows a feature.
type symptom struct {
	program func(*ir.Program) bool
	inst    func(*ir.Inst) bool
}

func operand(f func(in *ir.Inst, o *ir.Operand, out bool) bool) symptom {
	return symptom{inst: func(in *ir.Inst) bool {
		for i := range in.Args {
			if o := &in.Args[i]; o.IsAP() && f(in, o, i < int(in.NOut)) {
				return true
			}
		}
		return false
	}}
}

func location(f func(*ir.Loc) bool) symptom {
	return symptom{program: func(p *ir.Program) bool {
		for _, fn := range p.Cores {
			for l := range fn.Locs {
				if f(l) {
					return true
				}
			}
		}
		return false
	}}
}

func gaps(o *ir.Operand) bool {
	last := o.AP[o.N-1]
	return last.Num > 1 && last.Step > 1
}

func kinds(p *ir.Program) int {
	var set ir.DTypeSet
	for in := range p.Insts {
		for i := range in.Args {
			set |= ir.DTypesOf(in.Args[i].DType)
		}
	}
	return len(set.List())
}

func redefined(p *ir.Program) bool {
	writes := map[*ir.Loc]int{}
	for in := range p.Insts {
		for i := range in.Outs() {
			if writes[in.Args[i].Loc]++; writes[in.Args[i].Loc] > 3 {
				return true
			}
		}
	}
	return false
}

func unread(p *ir.Program) bool {
	read := map[*ir.Loc]bool{}
	for in := range p.Insts {
		for i := range in.Ins() {
			read[in.Ins()[i].Loc] = true
		}
	}
	for in := range p.Insts {
		for i := range in.Outs() {
			if l := in.Args[i].Loc; l.Type.OnChip() && !read[l] {
				return true
			}
		}
	}
	return false
}

func sharded(o *ir.Operand) bool {
	for i := range o.Off.Terms {
		if o.Off.Terms[i].Kind == ir.ShardTerm {
			return true
		}
	}
	return false
}

func nested(in *ir.Inst) bool {
	if in.Loop != nil {
		for sub := range in.Loop.Insts {
			if sub.Loop != nil {
				return true
			}
		}
	}
	return false
}

func sumsUp(in *ir.Inst) bool { return in.Spec().Flow == ir.FlowMatmul && !in.Flag(ir.PStart) }

// symptoms are found by other means than those by which the generator makes them.
var symptoms = addSymptoms(map[gen.Feature]symptom{
	gen.Loops:  {inst: func(in *ir.Inst) bool { return in.Loop != nil }},
	gen.Nested: {inst: nested},
	gen.Windows: operand(func(_ *ir.Inst, o *ir.Operand, _ bool) bool {
		for range o.Off.Axes {
			return true
		}
		return false
	}),
	gen.Predicates: {inst: func(in *ir.Inst) bool { return len(in.Pred) > 0 }},
	gen.Chains:     {inst: sumsUp},
	gen.LoopChains: {inst: func(in *ir.Inst) bool {
		if in.Loop == nil {
			return false
		}
		for sub := range in.Loop.Insts {
			if sumsUp(sub) {
				return true
			}
		}
		return false
	}},
	gen.DTypes: {program: func(p *ir.Program) bool { return kinds(p) > 3 }},
	gen.Reinterpret: operand(func(_ *ir.Inst, o *ir.Operand, out bool) bool {
		return !out && o.Loc.Set.Kind == ir.ExternalInput && o.DType != o.Loc.Set.DType
	}),
	gen.Partial: operand(func(_ *ir.Inst, o *ir.Operand, _ bool) bool {
		return o.Loc.Type.OnChip() && !o.Symbolic() && o.Off.C/o.Pitch() >= 32
	}),
	gen.Strided:   operand(func(_ *ir.Inst, o *ir.Operand, _ bool) bool { return gaps(o) }),
	gen.Broadcast: operand(func(_ *ir.Inst, o *ir.Operand, _ bool) bool { return o.AP[0].Step == 0 || o.AP[1].Step == 0 }),
	gen.InPlace: {inst: func(in *ir.Inst) bool {
		return len(in.Args) > 1 && in.NOut == 1 && in.Args[0].IsAP() && in.Args[0].Equal(&in.Args[1]) && in.Spec().WriteMode(in) == ir.Overwrites
	}},
	gen.Redefine:     {program: redefined},
	gen.Dead:         {program: unread},
	gen.Semaphores:   {inst: func(in *ir.Inst) bool { return len(in.Wait) > 0 && in.Wait[0].Value > 0 }},
	gen.Barriers:     {inst: func(in *ir.Inst) bool { return in.Spec().Effect == ir.FenceLocal && !in.HasSync() }},
	gen.Orders:       {inst: func(in *ir.Inst) bool { return len(in.Order) > 1 }},
	gen.Edges:        {program: func(p *ir.Program) bool { return p.Facts.Has(ir.Deps) }},
	gen.Placement:    {program: func(p *ir.Program) bool { return p.Facts.Has(ir.Placed) }},
	gen.Constants:    {program: func(p *ir.Program) bool { return len(p.Consts) > 0 }},
	gen.Aliases:      location(func(l *ir.Loc) bool { return len(l.Alias) > 0 }),
	gen.Registers:    location(func(l *ir.Loc) bool { return l.Type == ir.REG }),
	gen.Accumulators: {inst: func(in *ir.Inst) bool { return in.Spec().State.Reads }},
	gen.TwoCores:     {program: func(p *ir.Program) bool { return len(p.Cores) == 2 }},
	gen.Shards:       operand(func(_ *ir.Inst, o *ir.Operand, _ bool) bool { return sharded(o) }),
	gen.Collectives:  {inst: func(in *ir.Inst) bool { return in.Spec().Flow == ir.FlowCores }},
	gen.CoreModule:   {program: func(p *ir.Program) bool { return p.CoreID != ir.NoCore }},
})

// TestEveryFeatureAppears: every feature shows in some of the programs that may have it; TestFeaturesOff looks at those that may not.
func TestEveryFeatureAppears(t *testing.T) {
	n := max(count(5000), 1500)
	seen := [gen.NumFeatures]int{}
	for seed := range uint64(n) {
		p := gen.Program(gen.New(seed), gen.Default())
		for f := range gen.NumFeatures {
			if symptoms[f].in(p) {
				seen[f]++
			}
		}
	}
	for f := range gen.NumFeatures {
		if seen[f] < max(n/1000, 1) {
			t.Errorf("%v shows in %d of %d programs", f, seen[f], n)
		}
		t.Logf("%-14v %5d", f, seen[f])
	}
}

func (s symptom) in(p *ir.Program) bool {
	if s.program != nil {
		return s.program(p)
	}
	for in := range p.Insts {
		if s.inst(in) {
			return true
		}
	}
	return false
}

// alsoShownBy lists the features that show others too.
var alsoShownBy = map[gen.Feature][]gen.Feature{
	gen.Chains:      {gen.LoopChains},
	gen.LoopChains:  {gen.Chains},
	gen.Aliases:     {gen.AliasChains, gen.MayAliases, gen.OneCore, gen.SharedNames, gen.SharedOutputs},
	gen.AliasChains: {gen.OneCore, gen.SharedNames, gen.SharedOutputs},
	gen.Predicates:  {gen.ShardCode, gen.Relays},
	gen.Windows:     {gen.Relays},
	gen.Partial:     {gen.Spills, gen.Overlays},
	gen.AxisOrders:  {gen.ShardCode},
	gen.InPlace:     {gen.Copies},
	gen.Shards:      {gen.ShardCode},
}

// TestFeaturesOff: a feature of probability 0 does not show, for those that nothing else brings about.
func TestFeaturesOff(t *testing.T) {
	for f := range gen.NumFeatures {
		switch f {
		case gen.NewTypes, gen.ManyDims, gen.OneBank, gen.LongChains, gen.CutChains, gen.Swaps, gen.Cleared, gen.Blocks, gen.Redefine, gen.Dead, gen.DTypes, gen.OneCore, gen.EmptyLoops, gen.Carried, gen.Spills, gen.Copies, gen.Unused, gen.Relays,
			gen.LoopPairs, gen.LoopGaps, gen.OddPairs, gen.LoopRuns, gen.Strands, gen.PerfectNests, gen.FencedLoops, gen.Invariants, gen.NearInvariants, gen.FarUses, gen.LateDead, gen.Refills, gen.SharedTypes, gen.Halves, gen.Lines, gen.Repaints:
			continue // a little of them is in every program
		}
		c := gen.Default()
		c.Features[f] = 0
		for _, g := range alsoShownBy[f] {
			c.Features[g] = 0
		}
		for g := gen.LoopPairs; g < gen.NumFeatures; g++ {
			c.Features[g] = 0 // they are made of most of what there is
		}
		for seed := range uint64(count(300)) {
			if p := gen.Program(gen.New(seed), c); symptoms[f].in(p) {
				t.Errorf("seed %d shows %v, which is off:\n%v", seed, f, p)
				break
			}
		}
	}
}

// TestTypesOfGeneration: every element type is drawn, on the generations that have it.
func TestTypesOfGeneration(t *testing.T) {
	var seen ir.DTypeSet
	for seed := range uint64(max(count(2000), 1500)) {
		for in := range gen.Program(gen.New(seed), gen.Default()).Insts {
			for i := range in.Args {
				seen |= ir.DTypesOf(in.Args[i].DType)
			}
		}
	}
	for _, d := range num.DTypes() {
		if !seen.Has(d) {
			t.Errorf("%v does not appear", d)
		}
	}
}
