package gen

import (
	"slices"

	"birfuzz/ir"
)

// inputNeeds is an input location and the values for which its readers are defined.
type inputNeeds struct {
	loc *ir.Loc
	may values
}

// maxRounds bounds how often the data-flow analysis goes over the body of a loop: what needs more trips to arrive is not followed.
const maxRounds = 4

// Needs is what a program asks of its inputs: which locations the host fills, with which numbers. It holds until the program changes.
type Needs struct{ list []inputNeeds }

// NeedsOf finds, for each input location that carries no data, the intersection of the domains of all instructions that read it or what was
// only moved from it. It looks at the program alone, so it holds for programs of any origin.
func NeedsOf(p *ir.Program) Needs {
	f := flow{}
	list := f.locate(p)
	f.cores(p, list)
	return Needs{list}
}

// locate gives every location of a program its storage, and lists the inputs that carry no data.
func (f *flow) locate(p *ir.Program) []inputNeeds {
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
	return list
}

// alias joins the storage of locations that are aliases, of whatever kind: what may be one storage may hold what either was given. It is open
// of all but must aliases of one size that have no address whether every byte of one is a byte of the other.
func (f *flow) alias(p *ir.Program) {
	open := false
	for _, fn := range p.Cores {
		for l := range fn.Locs {
			for _, a := range l.Alias {
				f.merge(f.root[l.ID], f.root[a.Loc.ID])
				open = open || !isOne(l, a)
			}
		}
	}
	if !open {
		return
	}
	f.open = map[int32]bool{}
	for _, fn := range p.Cores {
		for l := range fn.Locs {
			for _, a := range l.Alias {
				if !isOne(l, a) {
					f.open[f.root[l.ID]] = true
				}
			}
		}
	}
}

// isOne tells whether a location and its alias surely are one storage, byte on byte and to the end.
func isOne(l *ir.Loc, a ir.Alias) bool {
	return a.Kind == ir.MustAlias && l.Bytes() == a.Loc.Bytes() && !l.Allocated && !a.Loc.Allocated
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

// cores runs the analysis over every function, twice where one may read what a later one writes.
func (f *flow) cores(p *ir.Program, list []inputNeeds) {
	start := slices.Clone(f.at)
	for round := range min(len(p.Cores), 2) {
		if round > 0 {
			f.restart(p, start)
		}
		for _, fn := range p.Cores {
			f.blocks(fn.Blocks, list)
		}
	}
}

// restart gives all storage that belongs to one core the contents that it starts with.
func (f *flow) restart(p *ir.Program, start []contents) {
	for _, fn := range p.Cores {
		for l := range fn.Locs {
			if k := f.root[l.ID]; !l.Global() {
				f.at[k] = start[k]
			}
		}
	}
}

// blocks runs the analysis in program order. The body of an outermost loop is run until nothing changes any more.
func (f *flow) blocks(bs []*ir.Block, list []inputNeeds) {
	for _, bl := range bs {
		for _, in := range bl.Insts {
			if in.Loop == nil {
				f.meet(in, list)
				f.step(in)
				continue
			}
			f.deep++
			for round := 0; round < maxRounds; round++ {
				f.news = false
				f.blocks(in.Loop.Blocks, list)
				if f.deep > 1 || !f.news { // the outermost loop repeats the inner ones
					break
				}
			}
			f.deep--
		}
	}
}

// meet gives the inputs whose values an instruction may read the domains that it asks for.
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
