package ir

import "slices"

// Families knows which locations of a program are one storage: it groups those that alias, directly or through others, and says where their
// bytes may lie. A location without aliases is a family of one. One that is not placed lies on byte 0 of a placed one of its family, where
// there is one (semantics §1).
//
// The zero value is ready for Reset, which reuses its memory.
type Families struct {
	locs   []*Loc  // by ID
	root   []int32 // by ID: the first location of the family, or one on the way to it
	must   []int32 // likewise, of the locations that must be one storage
	shared []bool  // by the first location's ID: the family has several locations
	placed []int32 // by the first location's ID: the last placed location of the family; nobody if there is none
	next   []int32 // by ID: the placed location of the family before this one
	global map[string]*Loc
}

const nobody = int32(-1)

// NewFamilies groups the locations of each function of a numbered program whose aliases are its own: by those of the function, and by those
// of the others, for a name that several functions use is one storage.
func NewFamilies(p *Program) *Families {
	f := &Families{}
	if f.Reset(p) && len(p.Cores) > 1 && p.hasAliases() {
		f.heed(p)
	}
	return f
}

// heed joins, inside each function, what the aliases of all functions together make one.
func (f *Families) heed(p *Program) {
	all := &Families{locs: f.locs}
	all.room(len(f.locs))
	copy(all.root, f.root)
	copy(all.must, f.must)
	all.AcrossCores()
	for _, fn := range p.Cores {
		within(fn, all.root, f.root)
		within(fn, all.must, f.must)
	}
	f.mark()
}

// within unites in one forest the locations of a function that another one holds together.
func within(fn *Func, all, own []int32) {
	first := map[int32]int32{}
	for l := range fn.Locs {
		root := rootOf(all, l.ID)
		if _, ok := first[root]; !ok {
			first[root] = l.ID
		}
		unite(own, first[root], l.ID)
	}
}

// Len returns the number of locations.
func (f *Families) Len() int { return len(f.locs) }

// Reset groups the locations of a program by the aliases of each function. It returns false, and must be called again, if the program is not
// numbered, a location has no set, or an alias leaves the program.
func (f *Families) Reset(p *Program) bool {
	f.locs = slices.Grow(f.locs[:0], p.numLocs())
	for _, fn := range p.Cores {
		for _, s := range fn.Sets {
			f.locs = append(f.locs, s.Locs...)
		}
	}
	f.room(len(f.locs))
	for i, l := range f.locs {
		if l.ID != int32(i) || l.Set == nil {
			return false
		}
		f.root[i], f.must[i] = l.ID, l.ID
	}
	for _, l := range f.locs {
		for _, a := range l.Alias {
			if !f.has(a.Loc) {
				return false
			}
			unite(f.root, l.ID, a.Loc.ID)
			if a.Kind == MustAlias {
				unite(f.must, l.ID, a.Loc.ID)
			}
		}
	}
	f.mark()
	return true
}

// numLocs returns the number of locations of all functions.
func (p *Program) numLocs() int {
	n := 0
	for _, f := range p.Cores {
		for _, s := range f.Sets {
			n += len(s.Locs)
		}
	}
	return n
}

// room makes the lists long enough for n locations, all in one piece of memory.
func (f *Families) room(n int) {
	if n > cap(f.root) {
		all := make([]int32, 4*n)
		f.root, f.must, f.placed, f.next = all[:n:n], all[n:2*n:2*n], all[2*n:3*n:3*n], all[3*n:]
		f.shared = make([]bool, n)
	}
	f.root, f.must, f.placed, f.next, f.shared = f.root[:n], f.must[:n], f.placed[:n], f.next[:n], f.shared[:n]
}

func (f *Families) has(l *Loc) bool {
	return l != nil && l.ID >= 0 && int(l.ID) < len(f.locs) && f.locs[l.ID] == l
}

// AcrossCores joins the families of locations that several functions mean as one: there the aliases of one function hold for all.
func (f *Families) AcrossCores() {
	if f.global == nil {
		f.global = map[string]*Loc{}
	}
	clear(f.global)
	for _, l := range f.locs {
		if !l.Global() {
			continue
		}
		if first, ok := f.global[l.Name]; ok {
			unite(f.root, first.ID, l.ID)
			unite(f.must, first.ID, l.ID)
		} else {
			f.global[l.Name] = l
		}
	}
	f.mark()
}

// mark notes what is known of whole families.
func (f *Families) mark() {
	for i := range f.locs {
		f.shared[i], f.placed[i], f.next[i] = false, nobody, nobody
	}
	for id, l := range f.locs {
		first := rootOf(f.root, int32(id))
		f.shared[first] = f.shared[first] || first != int32(id)
		if l.Allocated {
			f.next[id] = f.placed[first]
			f.placed[first] = int32(id)
		}
	}
}

// Of returns the ID of the first location of l's family.
func (f *Families) Of(l *Loc) int32 { return rootOf(f.root, l.ID) }

// Alone tells whether l has no aliases.
func (f *Families) Alone(l *Loc) bool { return !f.shared[f.Of(l)] }

// Placed tells whether l has an address, its own or that of an alias.
func (f *Families) Placed(l *Loc) bool { return f.placed[f.Of(l)] != nobody }

// MustBeOne tells whether byte k of x is byte k of y, whatever k: they are one location, or must aliases, directly or through others.
func (f *Families) MustBeOne(x, y *Loc) bool {
	if x == y {
		return true
	}
	if rootOf(f.must, x.ID) != rootOf(f.must, y.ID) {
		return false
	}
	sx, at := StorageOf(x)
	sy, bt := StorageOf(y)
	return !x.Allocated && !y.Allocated || sx == sy && at == bt // what is placed lies at its address
}

// apart tells whether x and y share no byte because they are no family and one of them has no address.
func (f *Families) apart(x, y *Loc) bool {
	return f.Of(x) != f.Of(y) && !(f.Placed(x) && f.Placed(y))
}

// Overlap tells whether two memory or register operands of one function may touch a common byte wherever their locations may lie: exactly for
// physical accesses, conservatively where an offset is symbolic (the hull over all values of its axes).
func (f *Families) Overlap(a, b *Operand) bool {
	if a.Kind == RegOperand && b.Kind == RegOperand {
		return a.Loc == b.Loc
	}
	if a.Kind != APOperand || b.Kind != APOperand {
		return false
	}
	return f.together(a.Loc, b.Loc, func(p, q place) bool {
		w, v := p.move(a.Hull()), q.move(b.Hull())
		return w.Overlaps(&v)
	})
}

// together asks for each pair of places in one memory where two locations may lie, and stops at the first yes.
func (f *Families) together(x, y *Loc, ask func(p, q place) bool) bool {
	if x == y {
		p := f.places(x)
		return ask(p, p)
	}
	for p := f.places(x); p.is; p = f.after(p) {
		for q := f.places(y); q.is; q = f.after(q) {
			if p.space == q.space && ask(p, q) {
				return true
			}
		}
	}
	return false
}

// place is where the bytes of a location may lie: in a space, shift bytes after the flat addresses that StorageOf gives.
type place struct {
	space Space
	shift int64
	like  int32 // the placed location that the location lies on; nobody if it lies where StorageOf says
	from  int64 // where StorageOf puts the location
	is    bool  // false: there is no such place
}

// move returns a walk through the location as it is at the place.
func (p place) move(w Walk) Walk {
	w.Space = p.space
	w.Base += p.shift
	return w
}

// places returns the first place of a location: its address; else on the placed locations of its family, one after the other; else a space
// that the family has to itself.
func (f *Families) places(l *Loc) place {
	first := f.Of(l)
	space, base := StorageOf(l)
	switch {
	case l.Allocated:
		return place{space: space, like: nobody, is: true}
	case f.placed[first] == nobody:
		return place{space: Space{OwnSpace, f.locs[first]}, like: nobody, is: true}
	}
	return f.on(f.placed[first], base)
}

// after returns the next place of a location.
func (f *Families) after(p place) place {
	if p.like == nobody {
		return place{}
	}
	return f.on(f.next[p.like], p.from)
}

// on returns the place of a location from a flat address on a placed one, byte 0 on byte 0.
func (f *Families) on(like int32, from int64) place {
	if like == nobody {
		return place{}
	}
	space, base := StorageOf(f.locs[like])
	return place{space: space, shift: base - from, like: like, from: from, is: true}
}

// hasAliases tells whether any location has an alias.
func (p *Program) hasAliases() bool {
	for _, f := range p.Cores {
		for _, s := range f.Sets {
			for _, l := range s.Locs {
				if len(l.Alias) > 0 {
					return true
				}
			}
		}
	}
	return false
}

// rootOf follows a forest of smallest members to the root of id, and shortens the way.
func rootOf(forest []int32, id int32) int32 {
	for forest[id] != id {
		forest[id] = forest[forest[id]]
		id = forest[id]
	}
	return id
}

func unite(forest []int32, x, y int32) {
	if x, y = rootOf(forest, x), rootOf(forest, y); x != y {
		forest[max(x, y)] = min(x, y)
	}
}
