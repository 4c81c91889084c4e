package gen

import "birfuzz/ir"

// inputNeeds is an input location and the values for which its readers are defined.
type inputNeeds struct {
	loc *ir.Loc
	may values
}

// maxRounds bounds how often the data-flow analysis goes over a program: what moves through more loops than that is not followed.
const maxRounds = 4

// needs finds, for each input location that carries no data, the intersection of the domains of all instructions that read it or what was
// only moved from it. It looks at the program alone, so it holds for programs of any origin.
func needs(p *ir.Program) []inputNeeds {
	f := flow{}
	var list []inputNeeds
	byName := map[string]int32{}
	for _, fn := range p.Cores {
		for l := range fn.Locs {
			root, known := byName[l.Name]
			if !l.Global() || !known {
				root = int32(len(f.at))
				f.at = append(f.at, nothing)
				if l.Global() {
					byName[l.Name] = root
				}
				if _, has := p.Consts[l.Name]; l.Type.IsDRAM() && !has && (l.Set.Kind == ir.ExternalInput || l.Set.Kind == ir.Const) {
					f.at[root] = contents{sources: sourceBit(len(list)), dtype: l.Set.DType, pure: true, consts: noConsts}
					list = append(list, inputNeeds{l, anyValue})
				}
			}
			f.root = append(f.root, root)
		}
	}
	f.alias(p)
	f.rounds(p, list)
	return list
}

// alias joins the storage of locations that must alias.
func (f *flow) alias(p *ir.Program) {
	for _, fn := range p.Cores {
		for l := range fn.Locs {
			for _, a := range l.Alias {
				f.merge(f.root[l.ID], f.root[a.Loc.ID])
			}
		}
	}
}

func (f *flow) merge(a, b int32) {
	if a == b {
		return
	}
	f.at[a] = f.at[a].join(f.at[b])
	for i := range f.root {
		if f.root[i] == b {
			f.root[i] = a
		}
	}
}

// rounds runs the analysis until nothing new is found, and meets every domain with the sources that reach it.
func (f *flow) rounds(p *ir.Program, list []inputNeeds) {
	seen := make([]uint64, p.NumInsts())
	for range maxRounds {
		news := false
		for in := range p.Insts {
			if reach := f.reach(in); reach&^seen[in.ID] != 0 {
				seen[in.ID] |= reach
				f.meet(in, list)
				news = true
			}
			if in.NOut > 0 {
				f.step(in)
			}
		}
		if !news {
			return
		}
	}
}

// reach returns the sources of all inputs of an instruction.
func (f *flow) reach(in *ir.Inst) uint64 {
	var s uint64
	for i := range in.Ins() {
		if l := in.Ins()[i].Loc; l != nil {
			s |= f.of(l).sources
		}
	}
	return s
}

func (f *flow) meet(in *ir.Inst, list []inputNeeds) {
	for i := range in.Ins() {
		o := &in.Ins()[i]
		if o.Loc == nil || i >= len(in.Spec().Ins) {
			continue
		}
		may := valuesOf(in, i)
		if may.any() {
			continue
		}
		for k, bits := 0, f.of(o.Loc).sources; bits != 0; k, bits = k+1, bits>>1 {
			if bits&1 == 0 {
				continue
			}
			list[k].may = list[k].may.meet(may)
			if k == maxSources-1 {
				for j := k + 1; j < len(list); j++ {
					list[j].may = list[j].may.meet(may)
				}
			}
		}
	}
}
