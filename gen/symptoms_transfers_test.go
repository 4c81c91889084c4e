package gen_test

import (
	"slices"

	"birfuzz/gen"
	"birfuzz/ir"
)

// relays tells whether an instruction reads DRAM that only one other writes, and that one copies it from other scratch DRAM.
func relays(p *ir.Program) bool {
	copies, writes := map[*ir.Loc]bool{}, map[*ir.Loc]int{}
	for in := range p.Insts {
		for i := range in.Outs() {
			l := in.Args[i].Loc
			writes[l]++
			copies[l] = in.Spec().Flow == ir.FlowMove && len(in.Args) == 2 && in.Args[1].IsAP() && scratch(l) && scratch(in.Args[1].Loc) && in.Args[1].Loc != l
		}
	}
	for in := range p.Insts {
		for _, o := range in.Ins() {
			if copies[o.Loc] && writes[o.Loc] == 1 {
				return true
			}
		}
	}
	return false
}

// stacked tells whether two locations that are no aliases share an address of SBUF.
func stacked(p *ir.Program) bool {
	var at []ir.Loc
	for _, f := range p.Cores {
		at = at[:0]
		for l := range f.Locs {
			if l.Type != ir.SB || !l.Allocated {
				continue
			}
			if slices.ContainsFunc(at, func(m ir.Loc) bool { return m.Addr == l.Addr && m.Base == l.Base }) {
				return true
			}
			at = append(at, *l)
		}
	}
	return false
}

// reachesLoop tells whether an edge of the program leads to or from a loop, or from outside into one.
func reachesLoop(p *ir.Program) bool {
	home := map[*ir.Inst]*ir.Block{}
	for _, f := range p.Cores {
		for b := range f.AllBlocks {
			for _, in := range b.Insts {
				home[in] = b
			}
		}
	}
	for in := range p.Insts {
		for _, d := range in.Deps {
			if in.Loop != nil || d.On.Loop != nil || home[in] != home[d.On] {
				return true
			}
		}
	}
	return false
}

// addTransfers is what copies, spills, loops and fences look like to the passes that delete, unroll and move them.
func addTransfers(s map[gen.Feature]symptom) map[gen.Feature]symptom {
	s[gen.Relays] = symptom{program: relays}
	s[gen.Overlays] = symptom{program: stacked}
	s[gen.LongLoops] = symptom{inst: func(in *ir.Inst) bool { return in.Loop != nil && in.Loop.Trips() > 5 }}
	s[gen.LoopEdges] = symptom{program: reachesLoop}
	s[gen.OrderedFences] = symptom{inst: func(in *ir.Inst) bool { return len(in.Order) > 0 && (in.Loop != nil || in.Spec().Effect.Fence()) }}
	return s
}
