package gen

import (
	"slices"

	"birfuzz/ir"
)

// An Equivalence writes a piece of a program in another way that leaves its meaning alone: final outputs, what fences publish, origins. A
// program and its variant are one question put twice, so whoever answers differently is wrong about one of them: a pass, or the judge.
//
// It is sound by semantics alone, through guards that lean on no analysis of the passes and would rather refuse.
type Equivalence struct {
	Name   string // "swap"
	Doc    string
	share  float64 // of the sites that are drawn
	sites  func(v *variation, visit func(site))
	guards []guard
	apply  func(v *variation, s *site)
}

// guard is one condition under which an equivalence holds at a site. Guards are asked in order, each only if those before it hold.
type guard struct {
	name  string
	holds func(v *variation, s *site) bool
}

// site is a place where an equivalence may be used: an instruction in a block, or a location.
type site struct {
	fn    *ir.Func
	block *ir.Block
	in    *ir.Inst
	then  *ir.Inst // what stood behind it before the equivalence was used anywhere, nil at the end of the block
	top   bool     // the block is the function's, not a loop's
	loc   *ir.Loc
}

// name is by what a site is found again when others are gone: the choice at a site depends on it and on nothing else.
func (s *site) name() string {
	if s.in != nil {
		return s.in.Name
	}
	return s.loc.Name
}

// index is where the instruction stands in its block now.
func (s *site) index() int { return slices.Index(s.block.Insts, s.in) }

// Equivalences returns what Variant can do, in the order in which it is done.
func Equivalences() []*Equivalence {
	return []*Equivalence{peelLoop(), splitLocation(), insertCopy(), swapNeighbours(), padRows(), renameLocation()}
}

// maxVariations bounds how often one equivalence is used on a program: many at once hide each other.
const maxVariations = 8

// VariantContract is what a variant promises of its program: everything but the storage of what only its code knows.
func VariantContract() ir.Contract {
	return ir.Contract{Same: []ir.Law{ir.KeepEngine, ir.KeepQueue, ir.KeepOrder, ir.KeepPredicates, ir.KeepFlags, ir.KeepLoops, ir.KeepAttributes}}
}

// Variant changes p in place into another program of the same meaning. Which sites change depends on the seed and on the names of what stands
// there, so that a program with less in it keeps the rest of its variant. Before each change ask is given the equivalence and its place, an
// instruction or a location; if it says yes, change runs the edit. The program must be numbered, and is not afterwards.
func Variant(seed uint64, p *ir.Program, es []*Equivalence, ask func(e *Equivalence, at *ir.Inst, l *ir.Loc) bool, change func(func())) {
	v := newVariation(p)
	for _, e := range es {
		var sites []site
		r := New(seed).Fork(e.Name)
		e.sites(v, func(s site) {
			if r.Fork(s.name()).Bool(e.share) {
				sites = append(sites, s)
			}
		})
		done := 0
		for i := range sites {
			s := &sites[i]
			if done == maxVariations {
				break
			}
			if v.sound(e, s) && ask(e, s.in, s.loc) {
				change(func() { e.apply(v, s) })
				done++
			}
		}
	}
}

// variation is a program that is being changed.
type variation struct {
	prog    *ir.Program
	names   map[string]bool // of all that has one, over all functions
	aliased map[string]bool // locations that some core names in an alias
	bound   bool            // somebody refers to locations by name outside the code
}

func newVariation(p *ir.Program) *variation {
	v := &variation{prog: p, names: namesOf(p), aliased: map[string]bool{}, bound: len(p.Attrs)+len(p.Extra) > 0}
	for _, f := range p.Cores {
		v.bound = v.bound || len(f.Extra) > 0
		for l := range f.Locs {
			v.bound = v.bound || len(l.RemoteLocalTarget) > 0
			for _, a := range l.Alias {
				v.aliased[l.Name], v.aliased[a.Loc.Name] = true, true
			}
		}
	}
	return v
}

// sound tells whether all guards hold at the site.
func (v *variation) sound(e *Equivalence, s *site) bool {
	for _, g := range e.guards {
		if !g.holds(v, s) {
			return false
		}
	}
	return true
}

// fresh returns a name like this one that nobody has yet.
func (v *variation) fresh(name string) string {
	for v.names[name] {
		name += "_"
	}
	v.names[name] = true
	return name
}

// instSites visits every instruction.
func instSites(v *variation, visit func(site)) {
	for _, f := range v.prog.Cores {
		for b := range f.AllBlocks {
			top := slices.Contains(f.Blocks, b)
			for i, in := range b.Insts {
				s := site{fn: f, block: b, in: in, top: top}
				if i+1 < len(b.Insts) {
					s.then = b.Insts[i+1]
				}
				visit(s)
			}
		}
	}
}

// locSites visits every location.
func locSites(v *variation, visit func(site)) {
	for _, f := range v.prog.Cores {
		for l := range f.Locs {
			visit(site{fn: f, loc: l})
		}
	}
}

// private tells whether nobody but the code of its own function knows the location: no host, no other core, no address, no second name.
func (v *variation) private(l *ir.Loc) bool {
	return plain(l) && !l.Implicit && !v.bound && !v.aliased[l.Name] && len(l.Set.Extra) == 0
}

// ordered tells whether something orders the program that a new or moved instruction would have to be part of: edges, or semaphores.
func (v *variation) ordered() bool { return v.prog.Facts&(ir.Deps|ir.Synced) != 0 }

// twin returns a location like l, in a set like its own behind it, under a new name.
func (v *variation) twin(f *ir.Func, l *ir.Loc, name string) *ir.Loc {
	set, loc := *l.Set, *l
	loc.Name = v.fresh(name)
	set.Name = v.fresh(loc.Name + "_set")
	loc.Set, set.Locs = &set, []*ir.Loc{&loc}
	f.Sets = slices.Insert(slices.Clip(f.Sets), slices.Index(f.Sets, l.Set)+1, &set)
	return &loc
}
