package passes

import (
	"strings"

	"birfuzz/ir"
)

var ruleLocalize = &Rule{
	Name: "localize.shared",
	Doc: "Makes Internal tensors of Shared memory Local to the only core that touches them. L1: Shared and Internal. L2: one core reads or writes " +
		"it, counted by name over the functions. L3: not every core does. L4: not allocated. All four hold for its aliases and for the other pieces " +
		"of its set too, which go with it; the same core is the only one to touch any of them, and no other declares more aliases. Memory that " +
		"another core or the run-time touches unseen stays.",
}

var ruleUntouched = &Rule{
	Name: "localize.untouched",
	Doc: "Removes an Internal location of Shared memory from a core that neither reads nor writes it. It stays where an alias of it is in use, for " +
		"it may be what makes two others one storage, and where another core or the run-time touches it unseen.",
}

// localizeSharedMemory is place 12 of levels 1–3, behind the split: count, then localise (walrus.md §4.5).
//
// The documented form counts names alone: of a tensor with an alias that another core writes it would make two. Aliases are followed here as
// families over all cores. Where the documents count, they count by name in a map; L3 follows from L2 as soon as there are two functions, and is
// asked first as they do. A module of one function is left alone, as the stub there does: what lnc_splitter has not split yet is several cores'.
//
// All is localised before anything is removed, so that what only the other cores' aliases held is removed at once. It is not idempotent all
// the same: an untouched piece that goes can free the rest of its set.
func localizeSharedMemory() Pass {
	return Pass{
		Name:  "localize_shared_memory",
		Doc:   "Gives tensors in Shared memory that only one core touches to that core, and forgets them on cores that do not touch them.",
		Order: 12,
		Rules: []*Rule{ruleLocalize, ruleUntouched},
		Contract: ir.Contract{Order: ir.OrderSame, Same: []ir.Law{ir.KeepEngine, ir.KeepQueue, ir.KeepOrder, ir.KeepPredicates, ir.KeepFlags,
			ir.KeepButLocalize, ir.KeepLoops, ir.KeepAttributes}},
		Run: runLocalize,
	}
}

func runLocalize(c *Ctx) error {
	p := c.Program()
	cores := len(p.Cores)
	switch {
	case !holdsCandidate(p):
		return nil
	case cores < 2:
		c.Decline("a module of one function: nobody knows which cores touch what")
		return nil
	}
	z := newLocalizer(c, cores)
	for i := range p.Cores {
		z.localize(i)
	}
	if z.moved {
		c.Drop(ir.Deps & p.Facts) // fences order what is Shared, and no longer what is not
		z = newLocalizer(c, cores)
	}
	for i := range p.Cores {
		z.prune(i)
	}
	return nil
}

// candidate is L1: the sets that the pass looks at.
func candidate(s *ir.Set) bool { return s.Space == ir.Shared && s.Kind == ir.Internal }

func holdsCandidate(p *ir.Program) bool {
	for _, f := range p.Cores {
		for _, s := range f.Sets {
			if candidate(s) {
				return true
			}
		}
	}
	return false
}

// localizer is what one half of the pass knows of the program.
type localizer struct {
	ctx         *Ctx
	prog        *ir.Program
	cores       int                 // functions of the module
	own, all    *ir.Families        // by the aliases of one function; by those of all, over names that are one storage
	members     map[int32][]*ir.Loc // of own families of several
	accessCount map[string]int      // cores that touch a candidate, by its name
	touched     []bool              // by location ID: by its own core
	families    []storageUse        // by the first location of all
	moved       bool
}

// storageUse is who touches a family of locations over all cores.
type storageUse struct {
	users   int   // cores that touch it
	last    int   // the last of them
	core    int   // the last core that declares some of it, plus one
	root    int32 // the family of its first location there by that core's aliases
	foreign bool  // last has it in several families, which only the aliases of others make one
	unseen  bool  // somebody may touch it whom no instruction shows: another core, or the run-time
}

func newLocalizer(c *Ctx, cores int) *localizer {
	p := c.Program()
	z := &localizer{ctx: c, prog: p, cores: cores, own: &ir.Families{}, all: ir.NewFamilies(p), members: map[int32][]*ir.Loc{}, accessCount: map[string]int{}}
	z.own.Reset(p)
	z.all.AcrossCores()
	z.touched, z.families = make([]bool, z.own.Len()), make([]storageUse, z.own.Len())
	for i, f := range p.Cores {
		z.count(i, f)
	}
	targets := remoteTargets(p)
	for i, f := range p.Cores {
		z.declare(i, f, targets)
	}
	return z
}

// count is the first half of the documented algorithm: what a core touches.
func (z *localizer) count(core int, f *ir.Func) {
	for in := range f.Insts {
		for k := range in.Args {
			l := in.Args[k].Loc
			if l == nil || z.touched[l.ID] {
				continue
			}
			z.touched[l.ID] = true
			if u := z.use(l); u.users == 0 || u.last != core {
				u.users++
				u.last = core
			}
			if candidate(l.Set) {
				z.accessCount[l.Name]++
			}
		}
	}
}

// declare notes what a function says of storage, once all is counted.
func (z *localizer) declare(core int, f *ir.Func, targets map[string]bool) {
	for l := range f.Locs {
		u, root := z.use(l), z.own.Of(l)
		if !z.own.Alone(l) {
			z.members[root] = append(z.members[root], l)
		}
		if u.core != core+1 {
			u.core, u.root = core+1, root
		}
		u.foreign = u.foreign || u.last == core && u.root != root
		u.unseen = u.unseen || foreignLoc(l) || candidate(l.Set) && targets[l.Name]
	}
}

// use returns what is known of the storage of l.
func (z *localizer) use(l *ir.Loc) *storageUse { return &z.families[z.all.Of(l)] }

// localize makes Local what a core may have for itself.
func (z *localizer) localize(core int) {
	f := z.prog.Cores[core]
	seen := map[*ir.Set]bool{}
	for _, s := range f.Sets {
		if !candidate(s) || seen[s] {
			continue
		}
		g := z.bound(s, seen)
		if !z.uses(g) {
			continue // prune's business
		}
		if why := z.forbids(core, g); why != "" {
			z.ctx.Refuse(ruleLocalize, nil, why)
			continue
		}
		if !z.ctx.AllowLoc(ruleLocalize, s.Locs[0]) {
			continue
		}
		z.moved = true
		z.ctx.Edit().Change(func() {
			for _, s := range g.sets {
				s.Space = ir.Local
			}
		})
		z.ctx.Logf("%s: %s: Shared -> Local", f.Name, g.names())
	}
}

// bundle is what changes its address space together: sets of a function that aliases tie to each other.
type bundle struct {
	sets []*ir.Set // Shared
	locs []*ir.Loc // their pieces, and Local aliases of them, repeats possible
}

// names lists the pieces of the bundle's sets.
func (g *bundle) names() string {
	var names []string
	for _, s := range g.sets {
		for _, l := range s.Locs {
			names = append(names, l.Name)
		}
	}
	return strings.Join(names, ", ")
}

// bound collects the bundle of a set and marks its sets as seen.
func (z *localizer) bound(s *ir.Set, seen map[*ir.Set]bool) *bundle {
	g := &bundle{sets: []*ir.Set{s}}
	seen[s] = true
	followed := map[int32]bool{}
	for i := 0; i < len(g.sets); i++ {
		g.locs = append(g.locs, g.sets[i].Locs...)
		for _, l := range g.sets[i].Locs {
			if z.own.Alone(l) || followed[z.own.Of(l)] {
				continue
			}
			followed[z.own.Of(l)] = true
			for _, m := range z.members[z.own.Of(l)] {
				switch {
				case m.Set.Space != ir.Shared:
					g.locs = append(g.locs, m)
				case !seen[m.Set]:
					seen[m.Set] = true
					g.sets = append(g.sets, m.Set)
				}
			}
		}
	}
	return g
}

// uses tells whether the core touches a piece of the bundle that is Shared.
func (z *localizer) uses(g *bundle) bool {
	for _, s := range g.sets {
		for _, l := range s.Locs {
			if z.touched[l.ID] {
				return true
			}
		}
	}
	return false
}

// forbids tells why a bundle stays Shared, "" if it need not.
func (z *localizer) forbids(core int, g *bundle) string {
	for _, s := range g.sets {
		if !candidate(s) { // L1
			return "an alias is not internal"
		}
	}
	for _, l := range g.locs {
		if why := z.keeps(core, l); why != "" {
			return why
		}
	}
	return ""
}

// keeps tells why one location of a bundle stays Shared.
func (z *localizer) keeps(core int, l *ir.Loc) string {
	n, u := 0, z.use(l)
	if candidate(l.Set) {
		n = z.accessCount[l.Name]
	}
	switch {
	case z.all.Placed(l): // L4
		return "allocated"
	case n == z.cores: // L3
		return "touched by every core"
	case n > 1: // L2
		return "touched by several cores"
	case u.users > 1:
		return "an alias is touched by another core"
	case u.users == 0:
		return "a piece of its set is nobody's"
	case u.users == 1 && u.last != core:
		return "a piece of its set is another core's"
	case u.foreign:
		return "aliases that only another core declares"
	case u.unseen:
		return "touched unseen"
	}
	return ""
}

// prune removes what a core does not touch.
func (z *localizer) prune(core int) {
	f := z.prog.Cores[core]
	gone := map[*ir.Loc]bool{}
	for l := range f.Locs {
		switch {
		case !candidate(l.Set) || z.touched[l.ID]:
		case !z.own.Alone(l) && z.use(l).users > 0:
			z.ctx.Refuse(ruleUntouched, nil, "an alias is in use")
		case z.use(l).unseen:
			z.ctx.Refuse(ruleUntouched, nil, "touched unseen")
		case z.ctx.AllowLoc(ruleUntouched, l):
			gone[l] = true
			z.ctx.Logf("%s: removed %s", f.Name, l.Name)
		}
	}
	z.ctx.Edit().DeleteLocs(f, gone)
}
