package passes

import (
	"cmp"
	"slices"
	"sort"
)

// spanIndex finds, among the touches of one storage that were put in, those that reach into given columns. It is a tree over the touches
// sorted by first column; every node holds the largest end of those below that are in. Putting in, taking out and each find cost a
// logarithmic number of steps.
type spanIndex struct {
	order []int32 // touches by first column
	rank  []int32 // by touch: its position in order
	from  []int64 // by position: first column
	width int     // leaves of the tree
	ends  [2][]int64
}

// The two trees of a spanIndex.
const (
	readers = iota
	writers
)

// reset makes the index an empty one over touches. It keeps its memory.
func (x *spanIndex) reset(list []*touch) {
	n := len(list)
	x.order, x.rank, x.from = slices.Grow(x.order[:0], n)[:n], slices.Grow(x.rank[:0], n)[:n], slices.Grow(x.from[:0], n)[:n]
	for i := range x.order {
		x.order[i] = int32(i)
	}
	slices.SortStableFunc(x.order, func(a, b int32) int { return cmp.Compare(list[a].box.Col, list[b].box.Col) })
	for at, i := range x.order {
		x.rank[i], x.from[at] = int32(at), list[i].box.Col
	}
	for x.width = 1; x.width < n; {
		x.width *= 2
	}
	for tree := range x.ends {
		x.ends[tree] = slices.Grow(x.ends[tree][:0], 2*x.width)[:2*x.width]
		for i := range x.ends[tree] {
			x.ends[tree][i] = nothing
		}
	}
}

// nothing is the end of what is not in: no column lies before it.
const nothing = int64(-1) << 62

// set puts touch i into a tree, with the end of its columns, or takes it out, with nothing.
func (x *spanIndex) set(tree int, i int32, end int64) {
	ends := x.ends[tree]
	at := x.width + int(x.rank[i])
	ends[at] = end
	for at /= 2; at > 0; at /= 2 {
		ends[at] = max(ends[2*at], ends[2*at+1])
	}
}

// find appends the touches in a tree that reach into the columns lo ≤ c < hi.
func (x *spanIndex) find(tree int, lo, hi int64, out []int32) []int32 {
	n := sort.Search(len(x.from), func(i int) bool { return x.from[i] >= hi })
	return x.below(x.ends[tree], 1, 0, x.width, n, lo, out)
}

// below goes through a node over the positions first ≤ p < last, of which those before n may be found.
func (x *spanIndex) below(ends []int64, node, first, last, n int, lo int64, out []int32) []int32 {
	switch {
	case first >= n || ends[node] <= lo:
		return out
	case last-first == 1:
		return append(out, x.order[first])
	}
	mid := (first + last) / 2
	out = x.below(ends, 2*node, first, mid, n, lo, out)
	return x.below(ends, 2*node+1, mid, last, n, lo, out)
}
