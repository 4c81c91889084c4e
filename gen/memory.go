package gen

import (
	"sync"

	"birfuzz/ir/num"
)

// slab hands out zeroed values from chunks: one allocation for many, for what stays in the program. The first chunk has the size that the
// whole program is expected to need, the others are small.
type slab[T any] struct {
	free  []T
	first int
}

const chunk = 8

func (s *slab[T]) take(n int) []T {
	if n > len(s.free) {
		s.free = make([]T, max(n, chunk, s.first))
		s.first = 0
	}
	out := s.free[:n:n]
	s.free = s.free[n:]
	return out
}

func (s *slab[T]) one() *T { return &s.take(1)[0] }

// scratch is the memory of a builder that no program keeps. It is used for one program after the other: without that, half of what drawing
// allocates would be garbage at once.
type scratch struct {
	drafts  [maxDepth]draft
	pool    []*slot           // every slot made so far
	taken   int               // those of pool that are this program's
	lists   [maxCores][]*slot // memory for the slots of each function
	deck    deck
	flow    flow
	common  []num.DType // element types that the program mostly uses
	lanes   []int       // sizes that tiles mostly have
	frees   []int
	inputs  []input
	keep    []int32 // storage that stays declared though nobody names it
	results []*slot // tensors that the host takes
	analyst analyst
}

// maxCores is the largest number of functions of a program.
const maxCores = 2

// usualSlots is room for the slots of most functions.
const usualSlots = 128

var scratches = sync.Pool{New: func() any {
	s := new(scratch)
	for i := range s.lists {
		s.lists[i] = make([]*slot, 0, usualSlots)
	}
	return s
}}

// newBuilder returns a builder with scratch memory, which the caller gives back with done.
func newBuilder(r Rand, c *Config) *builder {
	s := scratches.Get().(*scratch)
	s.taken = 0
	s.flow = flow{at: s.flow.at[:0], root: s.flow.root[:0]}
	s.keep = s.keep[:0]
	clear(s.analyst.cleared)
	s.common, s.lanes, s.frees, s.inputs, s.results = s.common[:0], s.lanes[:0], s.frees[:0], s.inputs[:0], s.results[:0]
	return &builder{Rand: r, cfg: c, rows: c.rowSet(), scratch: s}
}

// done gives the scratch memory back.
func (b *builder) done() {
	scratches.Put(b.scratch)
	b.scratch = nil
}

// slot returns a zeroed slot.
func (s *scratch) slot() *slot {
	if s.taken == len(s.pool) {
		more := make([]slot, 64)
		for i := range more {
			s.pool = append(s.pool, &more[i])
		}
	}
	st := s.pool[s.taken]
	s.taken++
	*st = slot{}
	return st
}
