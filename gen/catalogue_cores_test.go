package gen_test

import (
	"slices"

	"birfuzz/gen"
	"birfuzz/ir"
)

// coreShapes are about several cores.
var coreShapes = map[string]shape{
	"shared-spmd": func(p *ir.Program) bool {
		return spmd(p) && anyOperand(func(_ *ir.Inst, o *ir.Operand, _ bool) bool {
			return o.Loc.Set.Space == ir.Shared && o.Loc.Set.Kind == ir.Internal
		})(p)
	},
	"shared-names":   symptoms[gen.SharedNames].in,
	"exposed-result": symptoms[gen.SharedOutputs].in,
	"small-shared": anyLoc(func(l *ir.Loc) bool {
		return l.Set.Space == ir.Shared && l.Set.Kind == ir.Internal && l.Set.DType.Size() != 4
	}),
	"core-parts": anyOperand(func(_ *ir.Inst, o *ir.Operand, out bool) bool {
		return out && o.Loc.Set.Kind == ir.ExternalOutput && sharded(o)
	}),
	"core-window":  anyOperand(func(_ *ir.Inst, o *ir.Operand, out bool) bool { return !out && sharded(o) }),
	"one-row-part": anyOperand(func(_ *ir.Inst, o *ir.Operand, out bool) bool { return out && sharded(o) && o.AP[0].Num == 1 }),
	"two-meetings": func(p *ir.Program) bool {
		return len(p.Cores) > 1 && !slices.ContainsFunc(p.Cores, func(f *ir.Func) bool { return meetingsOf(f) < 2 })
	},
	"exchange": func(p *ir.Program) bool {
		return len(p.Cores) > 1 && !slices.ContainsFunc(p.Cores, func(f *ir.Func) bool {
			for in := range f.Insts {
				if in.Spec().Flow == ir.FlowCores {
					return false
				}
			}
			return true
		})
	},
	"core-condition-exchange": func(p *ir.Program) bool {
		return anyInst(masked)(p) && anyInst(func(in *ir.Inst) bool { return in.Spec().Flow == ir.FlowCores })(p)
	},
	"self-pair":  routed(func(fixed, cycles, pairs int) bool { return fixed > 0 && fixed < pairs }),
	"two-cycles": routed(func(_, cycles, _ int) bool { return cycles > 1 }),
	"groups":     anyInst(func(in *ir.Inst) bool { return len(in.Lists(ir.PReplicaGroups)) > 1 }),
	"reuse-after-exchange": anyTriple(func(w, x *ir.Inst) bool {
		return x.Spec().Flow == ir.FlowCores && kills(w, x) || x.Spec().Flow == ir.FlowCores && feeds(w, x)
	},
		func(_, x, c *ir.Inst) bool { return kills(x, c) }),
	"signal-chain": func(p *ir.Program) bool {
		wrote, read := map[string]int{}, map[string]int{}
		for core, f := range p.Cores {
			for in := range f.Insts {
				for i := range in.Args {
					if l := in.Args[i].Loc; l != nil && l.Set.Space == ir.Shared {
						if i < int(in.NOut) {
							wrote[l.Name] |= 1 << core
						} else {
							read[l.Name] |= 1 << core
						}
					}
				}
			}
		}
		for name, by := range wrote {
			if read[name]&^by != 0 {
				return true
			}
		}
		return false
	},
	"both-arms":        anyPair(func(a, b *ir.Inst) bool { return masked(a) && masked(b) && hit(a.Outs(), b.Outs()) }),
	"sum-on-each-core": func(p *ir.Program) bool { return spmd(p) && anyInst(member)(p) },
}

// spmd tells whether several cores run the program's one function.
func spmd(p *ir.Program) bool { return len(p.Cores) == 1 && coresOf(p) > 1 }

// meetingsOf returns how many instructions of a function meet other cores that they name.
func meetingsOf(f *ir.Func) int {
	n := 0
	for in := range f.Insts {
		if len(in.List(ir.PCores)) > 0 {
			n++
		}
	}
	return n
}

// routed is the shape of a program with an exchange of such routes: of so many cores to themselves, with so many cycles, and so many pairs.
func routed(right func(fixed, cycles, pairs int) bool) shape {
	return anyInst(func(in *ir.Inst) bool {
		pairs, to := in.Lists(ir.PSrcTargetPairs), map[int64]int64{}
		fixed, cycles := 0, 0
		for _, p := range pairs {
			to[p[0]] = p[1]
			if p[0] == p[1] {
				fixed++
			}
		}
		seen := map[int64]bool{}
		for _, p := range pairs {
			at, ok := p[0], true
			for ok && !seen[at] {
				seen[at] = true
				at, ok = to[at]
			}
			if ok && at == p[0] {
				cycles++
			}
		}
		return len(pairs) > 0 && right(fixed, cycles, len(pairs))
	})
}
