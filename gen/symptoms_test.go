package gen_test

import (
	"slices"

	"birfuzz/gen"
	"birfuzz/ir"
)

func hollow(in *ir.Inst) bool {
	if in.Loop == nil {
		return false
	}
	for range in.Loop.Insts {
		return false
	}
	return true
}

// shuttles tells whether the program moves the same bytes twice between the same places, there again or back, in the memories that right
// accepts.
func shuttles(p *ir.Program, right func(dst, src *ir.Operand) bool) bool {
	var seen []*ir.Inst
	for in := range p.Insts {
		if in.Spec().Flow != ir.FlowMove || len(in.Args) != 2 || !in.Args[0].IsAP() || !in.Args[1].IsAP() || !right(&in.Args[0], &in.Args[1]) {
			continue
		}
		for _, e := range seen {
			a, b := [2]*ir.Operand{&e.Args[0], &e.Args[1]}, [2]*ir.Operand{&in.Args[0], &in.Args[1]}
			same := a[0].Loc == b[0].Loc && a[1].Loc == b[1].Loc
			back := a[0].Loc == b[1].Loc && a[1].Loc == b[0].Loc
			if (same || back) && a[0].Count() == b[0].Count() {
				return true
			}
		}
		seen = append(seen, in)
	}
	return false
}

func scratch(l *ir.Loc) bool { return l.Type.IsDRAM() && l.Set.Kind == ir.Internal }

func idle(p *ir.Program) bool {
	used := map[*ir.Loc]bool{}
	for in := range p.Insts {
		for i := range in.Args {
			used[in.Args[i].Loc] = true
		}
	}
	for _, f := range p.Cores {
		for l := range f.Locs {
			if !used[l] {
				return true
			}
		}
	}
	return false
}

// ofOneCore tells whether the program of two cores has Shared memory that at most one of them touches.
func ofOneCore(p *ir.Program) bool {
	touched := users(p)
	for _, f := range p.Cores {
		for l := range f.Locs {
			if len(p.Cores) > 1 && l.Set.Space == ir.Shared && l.Set.Kind == ir.Internal && touched[l.Name] < 3 {
				return true
			}
		}
	}
	return false
}

func lopsided(l *ir.Loc) bool {
	for _, a := range l.Alias {
		if !slices.ContainsFunc(a.Loc.Alias, func(x ir.Alias) bool { return x.Loc == l }) {
			return true
		}
	}
	return len(l.Alias) > 1
}

func masked(in *ir.Inst) bool {
	return slices.ContainsFunc(in.Pred, func(p ir.Predicate) bool {
		return slices.ContainsFunc(p.Expr.Terms, func(t ir.Term) bool { return t.Kind == ir.ShardTerm })
	})
}

func countsOn(in *ir.Inst) bool {
	if in.Loop == nil {
		return false
	}
	for sub := range in.Loop.Insts {
		if len(sub.Args) > 1 && sub.Args[0].Kind == ir.RegOperand && sub.Args[1].Kind == ir.RegOperand && sub.Args[0].Loc == sub.Args[1].Loc {
			return true
		}
	}
	return false
}

// addSymptoms is the second half of symptoms: what single passes look for.
func addSymptoms(s map[gen.Feature]symptom) map[gen.Feature]symptom {
	s[gen.EmptyLoops] = symptom{inst: hollow}
	s[gen.Copies] = symptom{program: func(p *ir.Program) bool {
		return shuttles(p, func(d, s *ir.Operand) bool { return scratch(d.Loc) && scratch(s.Loc) })
	}}
	s[gen.Spills] = symptom{program: func(p *ir.Program) bool {
		return shuttles(p, func(d, s *ir.Operand) bool {
			return scratch(d.Loc) && s.Loc.Type == ir.SB || scratch(s.Loc) && d.Loc.Type == ir.SB
		})
	}}
	s[gen.Unused] = symptom{program: idle}
	s[gen.TensorMap] = symptom{program: func(p *ir.Program) bool { return p.Extra != nil }}
	s[gen.OneCore] = symptom{program: ofOneCore}
	s[gen.ShardCode] = symptom{inst: masked}
	s[gen.Parallel] = symptom{inst: func(in *ir.Inst) bool { return in.Loop != nil && in.Loop.Parallel }}
	s[gen.Carried] = symptom{inst: countsOn}
	s[gen.CarriedEdges] = symptom{inst: func(in *ir.Inst) bool { return len(in.LoopDeps) > 0 }}
	s[gen.AxisOrders] = symptom{inst: func(in *ir.Inst) bool {
		return slices.ContainsFunc(in.Order, func(a ir.Affine) bool { return !a.IsConst() })
	}}
	s[gen.AliasChains] = location(lopsided)
	s[gen.MayAliases] = location(func(l *ir.Loc) bool {
		return slices.ContainsFunc(l.Alias, func(a ir.Alias) bool { return a.Kind == ir.MayAlias })
	})
	s[gen.Pressure] = location(func(l *ir.Loc) bool { return l.RuntimeReserved && l.Type == ir.SB })
	s[gen.ZeroRegions] = symptom{inst: func(in *ir.Inst) bool { return in.Int(ir.PZeroRegion) >= 0 }}
	return addLoops(addShared(addTransfers(addEdges(s))))
}
