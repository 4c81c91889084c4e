package gen_test

import (
	"slices"

	"birfuzz/gen"
	"birfuzz/ir"
)

// users returns the cores that touch each location, one bit each, by its name.
func users(p *ir.Program) map[string]int {
	touched := map[string]int{}
	for c, f := range p.Cores {
		for in := range f.Insts {
			for i := range in.Args {
				if l := in.Args[i].Loc; l != nil {
					touched[l.Name] |= 1 << c
				}
			}
		}
	}
	return touched
}

// dealt tells whether a function of the program declares two Shared locations of which each is touched by cores that do not touch the other, and
// that are as asked. fam knows the aliases of the program's functions, each on its own.
func dealt(ask func(fam *ir.Families, l, m *ir.Loc) bool) symptom {
	return symptom{program: func(p *ir.Program) bool {
		touched := users(p)
		var fam ir.Families
		fam.Reset(p)
		for _, f := range p.Cores {
			for l := range f.Locs {
				for m := range f.Locs {
					if l.Set.Space == ir.Shared && m.Set.Space == ir.Shared && touched[l.Name] != 0 && touched[m.Name] != 0 && touched[l.Name]&touched[m.Name] == 0 && ask(&fam, l, m) {
						return true
					}
				}
			}
		}
		return false
	}}
}

// addShared is what Shared memory of two cores looks like.
func addShared(s map[gen.Feature]symptom) map[gen.Feature]symptom {
	s[gen.PlacedShared] = location(func(l *ir.Loc) bool { return l.Set.Space == ir.Shared && l.Allocated })
	s[gen.SharedOutputs] = location(func(l *ir.Loc) bool {
		return l.Set.Space == ir.Shared && l.Set.Kind == ir.ExternalOutput && slices.ContainsFunc(l.Alias, func(a ir.Alias) bool {
			return a.Loc.Set.Kind == ir.Internal
		})
	})
	s[gen.SharedNames] = dealt((*ir.Families).MustBeOne)
	s[gen.IdleLinks] = dealt(func(fam *ir.Families, l, m *ir.Loc) bool {
		return fam.MustBeOne(l, m) && !slices.ContainsFunc(l.Alias, func(a ir.Alias) bool { return a.Loc == m }) &&
			!slices.ContainsFunc(m.Alias, func(a ir.Alias) bool { return a.Loc == l })
	})
	s[gen.Pieces] = dealt(func(_ *ir.Families, l, m *ir.Loc) bool { return l.Set == m.Set })
	return s
}
