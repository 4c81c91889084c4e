package passes

import "birfuzz/ir"

// writtenPlaces knows what is written anywhere in a program, as all cores see it: where functions mean one storage, and by whatever alias.
type writtenPlaces struct {
	families *ir.Families // over all cores
	written  []bool       // by the ID of a family's first location
}

func newWrittenPlaces(p *ir.Program) *writtenPlaces {
	w := &writtenPlaces{families: ir.NewFamilies(p)}
	w.families.AcrossCores()
	w.written = make([]bool, w.families.Len())
	for in := range p.Insts {
		for _, o := range in.Outs() {
			if o.Loc != nil {
				w.written[w.families.Of(o.Loc)] = true
			}
		}
	}
	return w
}

// has tells whether an instruction of any core writes to the location, or to what may lie with it by name.
func (w *writtenPlaces) has(l *ir.Loc) bool { return w.written[w.families.Of(l)] }

// fencedFamilies tells, by the ID of a family's first location in aliases, whether fences order the accesses to it: one of the family is
// visible memory (semantics §3), or an input or constant that some core writes, which is one storage for all cores as well (semantics §1).
func fencedFamilies(p *ir.Program, aliases *ir.Families) []bool {
	written, fenced := newWrittenPlaces(p), make([]bool, aliases.Len())
	for _, f := range p.Cores {
		for l := range f.Locs {
			if l.Visible() || l.Global() && written.has(l) {
				fenced[aliases.Of(l)] = true
			}
		}
	}
	return fenced
}
