package gen_test

import (
	"slices"

	"birfuzz/gen"
	"birfuzz/ir"
	"birfuzz/ir/num"
)

// usedFar tells whether a tile that was filled from DRAM is used far behind the use before.
func usedFar(p *ir.Program) bool {
	last := map[*ir.Loc]int{}
	for _, f := range p.Cores {
		n := 0
		for in := range f.Insts {
			n++
			for i := range in.Args {
				l := in.Args[i].Loc
				if l == nil || l.Type != ir.SB {
					continue
				}
				if i < int(in.NOut) && last[l] == 0 && !(in.Spec().Flow == ir.FlowMove && len(in.Args) == 2 && in.Args[1].IsAP() && in.Args[1].Loc.Type.IsDRAM()) {
					last[l] = -1
				}
				if last[l] > 0 && n > last[l]+8 {
					return true
				}
				if last[l] >= 0 {
					last[l] = n
				}
			}
		}
	}
	return false
}

// pours tells whether the program writes Shared memory that it never reads.
func pours(p *ir.Program) bool {
	does := map[string]int{}
	for in := range p.Insts {
		for i := range in.Args {
			if l := in.Args[i].Loc; l != nil && l.Set.Space == ir.Shared && l.Set.Kind == ir.Internal {
				bit := 1
				if i < int(in.NOut) {
					bit = 2
				}
				does[l.Name] |= bit
			}
		}
	}
	for _, d := range does {
		if d == 2 {
			return true
		}
	}
	return false
}

// refills tells whether the same constants are put in the same place twice.
func refills(p *ir.Program) bool {
	var seen []*ir.Inst
	for in := range p.Insts {
		if in.Spec().Flow != ir.FlowNone || len(in.Args) != 1 || len(in.Outs()) != 1 {
			continue
		}
		if slices.ContainsFunc(seen, func(e *ir.Inst) bool { return e.Op == in.Op && e.Args[0].Equal(&in.Args[0]) }) {
			return true
		}
		seen = append(seen, in)
	}
	return false
}

// wraps tells whether a run of elements of DRAM goes on in the next row.
func wraps(_ *ir.Inst, o *ir.Operand, _ bool) bool {
	last, pitch := o.AP[o.N-1], o.Pitch()
	return o.Loc.Type.IsDRAM() && !o.Symbolic() && last.Step == 1 && o.Off.C%pitch+int64(last.Num) > pitch
}

// touchesChip tells whether the program has memory on chip.
func touchesChip(p *ir.Program) bool {
	return location(func(l *ir.Loc) bool { return l.Type.OnChip() || l.Type == ir.REG }).program(p)
}

// readsCleared tells whether the right half of a tile of PSUM is read.
func readsCleared(_ *ir.Inst, o *ir.Operand, out bool) bool {
	return !out && o.Loc.Type == ir.PSUM && !o.Symbolic() && o.Off.C > 0 && o.Off.C == int64(o.AP[o.N-1].Num)
}

// usesBlocks tells whether a body writes a tile of SBUF piece by piece and reads it so.
func usesBlocks(in *ir.Inst) bool {
	if in.Loop == nil {
		return false
	}
	for l, does := range touches(in.Loop) {
		if does == 1|2|4 && l.Type == ir.SB {
			return true
		}
	}
	return false
}

// addRare is what single rules wait for.
func addRare(s map[gen.Feature]symptom) map[gen.Feature]symptom {
	s[gen.StubbornLoops] = symptom{inst: func(in *ir.Inst) bool { return in.Loop != nil && in.Loop.Trips() > 512 }}
	s[gen.FarUses] = symptom{program: usedFar}
	s[gen.LateDead] = symptom{program: pours}
	s[gen.Refills] = symptom{program: refills}
	s[gen.Tickets] = symptom{inst: func(in *ir.Inst) bool { return in.HasSync() && len(in.Args) > 0 }}
	s[gen.Wrapped] = operand(wraps)
	s[gen.Transfers] = symptom{program: func(p *ir.Program) bool { return p.NumInsts() > 4 && !touchesChip(p) }}
	s[gen.Halts] = symptom{inst: func(in *ir.Inst) bool { return in.Spec().Ends && len(in.Pred) > 0 }}
	s[gen.Legalised] = symptom{program: func(p *ir.Program) bool { return p.Facts.Has(ir.Grouped) }}
	s[gen.Cleared] = operand(readsCleared)
	s[gen.Foreign] = location(func(l *ir.Loc) bool { return l.WrittenByAnotherCore })
	s[gen.Blocks] = symptom{inst: usesBlocks}
	s[gen.SharedTypes] = location(func(l *ir.Loc) bool {
		return l.Set.Space == ir.Shared && !slices.Contains([]num.DType{num.Float32, num.BFloat16, num.Int32}, l.Set.DType)
	})
	return addLimits(s)
}
