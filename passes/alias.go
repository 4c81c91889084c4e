package passes

import "birfuzz/ir"

// aliasFamilies groups the locations of a program that alias, directly or through others. All others are a family of one.
type aliasFamilies struct {
	root   []int32 // by location ID: the first location of its family, or one on the way to it
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
	a := &aliasFamilies{root: make([]int32, n), shared: marks[:n], placed: marks[n:]}
	for _, f := range p.Cores {
		a.join(f)
	}
	return a
}

func (a *aliasFamilies) join(f *ir.Func) {
	for l := range f.Locs {
		a.root[l.ID] = l.ID
	}
	for l := range f.Locs {
		for _, other := range l.Alias {
			if x, y := a.of(l), a.of(other.Loc); x != y {
				a.root[max(x, y)] = min(x, y)
			}
		}
	}
	for l := range f.Locs {
		first := a.of(l)
		a.shared[first] = a.shared[first] || first != l.ID
		a.placed[first] = a.placed[first] || l.Allocated
	}
}

// of returns the ID of the first location of l's family.
func (a *aliasFamilies) of(l *ir.Loc) int32 {
	id := l.ID
	for a.root[id] != id {
		a.root[id] = a.root[a.root[id]]
		id = a.root[id]
	}
	return id
}

// alone tells whether l has no aliases.
func (a *aliasFamilies) alone(l *ir.Loc) bool { return !a.shared[a.of(l)] }

// mayMeet tells whether two different locations may share bytes through aliases. What ir.Overlap says of two locations without aliases, or
// of two placed ones, is exact and is not asked here. An alias that is not placed lies where a placed one of its family does.
func (a *aliasFamilies) mayMeet(x, y *ir.Loc) bool {
	if x == y || a.alone(x) && a.alone(y) {
		return false
	}
	fx, fy := a.of(x), a.of(y)
	return fx == fy || a.placed[fx] && a.placed[fy] && !(x.Allocated && y.Allocated)
}
