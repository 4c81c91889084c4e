package passes

import "birfuzz/ir"

// aliasFamilies groups the locations of a program that alias, directly or through others. All others are a family of one.
type aliasFamilies struct {
	root   []int32 // by location ID: the first location of its family, or one on the way to it
	must   []int32 // likewise, of the locations that must be one storage with it
	shared []bool  // by the first location's ID: the family has several locations
	placed []bool  // by the first location's ID: one of the family is allocated
}

// newAliasFamilies groups the locations of a numbered program.
func newAliasFamilies(p *ir.Program) *aliasFamilies {
	n := 0
	for _, f := range p.Cores {
		for range f.Locs {
			n++
		}
	}
	marks := make([]bool, 2*n)
	roots := make([]int32, 2*n)
	a := &aliasFamilies{root: roots[:n], must: roots[n:], shared: marks[:n], placed: marks[n:]}
	for _, f := range p.Cores {
		a.join(f)
		a.mark(f)
	}
	return a
}

// acrossCores joins the families of locations that are one storage in several functions: there the aliases of one function hold for all.
func (a *aliasFamilies) acrossCores(p *ir.Program) {
	first := map[string]*ir.Loc{}
	for _, f := range p.Cores {
		for l := range f.Locs {
			if g := first[l.Name]; l.Global() && g != nil {
				unite(a.root, g.ID, l.ID)
			} else if l.Global() {
				first[l.Name] = l
			}
		}
	}
	for _, f := range p.Cores {
		a.mark(f)
	}
}

func (a *aliasFamilies) join(f *ir.Func) {
	for l := range f.Locs {
		a.root[l.ID], a.must[l.ID] = l.ID, l.ID
	}
	for l := range f.Locs {
		for _, other := range l.Alias {
			unite(a.root, l.ID, other.Loc.ID)
			if other.Kind == ir.MustAlias {
				unite(a.must, l.ID, other.Loc.ID)
			}
		}
	}
}

// mark notes what is known of the families of a function's locations, all of which have been joined.
func (a *aliasFamilies) mark(f *ir.Func) {
	for l := range f.Locs {
		first := a.of(l)
		a.shared[first] = a.shared[first] || first != l.ID
		a.placed[first] = a.placed[first] || l.Allocated
	}
}

// of returns the ID of the first location of l's family.
func (a *aliasFamilies) of(l *ir.Loc) int32 { return rootOf(a.root, l.ID) }

// mustBeOne tells whether byte k of x is byte k of y, whatever k: they are one location, or must aliases, directly or through others.
func (a *aliasFamilies) mustBeOne(x, y *ir.Loc) bool {
	if x == y {
		return true
	}
	if rootOf(a.must, x.ID) != rootOf(a.must, y.ID) {
		return false
	}
	sx, at := ir.StorageOf(x)
	sy, bt := ir.StorageOf(y)
	return !x.Allocated && !y.Allocated || sx == sy && at == bt // what is placed lies at its address
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

// isPlaced tells whether l has an address, its own or that of an alias.
func (a *aliasFamilies) isPlaced(l *ir.Loc) bool { return a.placed[a.of(l)] }

// alone tells whether l has no aliases.
func (a *aliasFamilies) alone(l *ir.Loc) bool { return !a.shared[a.of(l)] }
