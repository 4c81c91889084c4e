package gen

import (
	"sync"

	"birfuzz/ir"
	"birfuzz/ir/num"
)

// slab hands out values from chunks: one allocation for many, for what stays in the program. The first chunk has the size that the whole program
// is expected to need, the others are small. Who takes values writes them: they may hold what they held in a program before.
type slab[T any] struct {
	free  []T
	first int
	all   []T // of material that is used again: what free is the rest of, until it is used up
	taken int // values handed out since the last rewind
}

const chunk = 8

func (s *slab[T]) take(n int) []T {
	if n > len(s.free) {
		size := s.first
		if size == 0 {
			size = chunk
		}
		s.free = make([]T, max(n, size))
		s.first = 0
	}
	out := s.free[:n:n]
	s.free = s.free[n:]
	s.taken += n
	return out
}

func (s *slab[T]) one() *T { return &s.take(1)[0] }

// list returns a list of the values.
func (s *slab[T]) list(values ...T) []T {
	out := s.take(len(values))
	copy(out, values)
	return out
}

// add is append for a list that mostly stays with one value.
func (s *slab[T]) add(list []T, v T) []T {
	if list == nil {
		return s.list(v)
	}
	return append(list, v)
}

// rewind takes back all that was handed out. What did not fit into the one piece that there is gets one that it fits into.
func (s *slab[T]) rewind() {
	if s.taken > len(s.all) {
		s.all = make([]T, s.taken+s.taken/4)
	}
	s.free, s.taken = s.all, 0
}

// material is what a program is made of.
type material struct {
	progs  slab[ir.Program]
	funcs  slab[ir.Func]
	bodies slab[ir.Block]
	cycles slab[ir.Loop]
	insts  slab[ir.Inst]
	args   slab[ir.Operand]
	params slab[ir.Param]
	locs   slab[ir.Loc]
	sets   slab[ir.Set]
	shapes slab[int64]
	tables slab[[]int64]
	pieces slab[*ir.Loc]
	keys   slab[ir.Affine]
	terms  slab[ir.Term]
	conds  slab[ir.Predicate]
	bytes  slab[byte]
	lists  slab[*ir.Inst]
	parts  slab[*ir.Block]
	owned  slab[*ir.Set]
	deps   slab[ir.Dep]
	dists  slab[ir.LoopDep]
	spans  slab[int64]
	alias  slab[ir.Alias]
	semas  slab[ir.Sem]
	consts ir.Values // of the last program that had any; cleared when it is used again
}

// expect sizes the slabs for a program of n instructions, by what programs have in the mean.
func (m *material) expect(n int) {
	locs := 7*n/8 + 2
	m.insts.first, m.args.first, m.params.first = n, 9*n/4, 3*n/4
	m.locs.first, m.sets.first, m.pieces.first, m.shapes.first = locs, locs, locs, 2*locs
	m.progs.first, m.funcs.first = 1, 1
}

// rewind takes everything back.
func (m *material) rewind() {
	m.progs.rewind()
	m.funcs.rewind()
	m.bodies.rewind()
	m.cycles.rewind()
	m.insts.rewind()
	m.args.rewind()
	m.params.rewind()
	m.locs.rewind()
	m.sets.rewind()
	m.shapes.rewind()
	m.tables.rewind()
	m.pieces.rewind()
	m.keys.rewind()
	m.terms.rewind()
	m.conds.rewind()
	m.bytes.rewind()
	m.lists.rewind()
	m.parts.rewind()
	m.owned.rewind()
	m.deps.rewind()
	m.dists.rewind()
	m.spans.rewind()
	m.alias.rewind()
	m.semas.rewind()
	clear(m.consts)
}

// Maker draws programs of which each is done with before the next is drawn: it makes all of them in the memory of the first, and drawing costs
// half. The zero value is ready. It is not for concurrent use.
type Maker struct {
	made    material
	scratch *scratch
}

// mostKept bounds the instructions of a program whose memory is kept: a rare one with very many would else hold it for good.
const mostKept = 1 << 10

// Program draws the program that the function Program draws. It, its clones and all that either consists of may be used until the next call.
func (m *Maker) Program(r *Rand, c *Config) *ir.Program {
	p, _ := m.drawn(r, c)
	return p
}

// drawn is Program, and tells which features the program was to have.
func (m *Maker) drawn(r *Rand, c *Config) (*ir.Program, traits) {
	if m.made.insts.taken > mostKept {
		m.made = material{}
	} else {
		m.made.rewind()
	}
	if m.scratch == nil {
		m.scratch = makeScratch()
	}
	return m.scratch.drawn(r, c, &m.made)
}

// scratch is the memory of a builder that no program keeps. It is used for one program after the other: without that, half of what drawing
// allocates would be garbage at once.
type scratch struct {
	drafts  [maxDepth]draft
	pool    stack[slot]
	fields  stack[field]
	known   [maxCores][]*slot // memory for the slots of each function
	deck    deck
	flow    flow
	common  []num.DType // element types that the program mostly uses
	lanes   []int       // sizes that tiles mostly have
	frees   []int
	inputs  []input
	keep    []int32 // storage that stays declared though nobody names it
	results []*slot // tensors that the host takes
	analyst analyst
	queues  queues
	weaver  weaver
	skip    []bool     // of a list, what may be skipped in a trip of the loop around
	joins   []*ir.Inst // blocks one behind the other
	nests   stack[nest]
	sums    stack[chain]
	used    []bool
	labels  []string
	text    []byte
	faults  ir.Complain
	config  Config
	builder builder
	states  [maxCores]core // of a module's functions, while others are drawn
}

// maxCores is the largest number of functions of a program.
const maxCores = 4

// usualSlots is room for the slots of most functions.
const usualSlots = 128

var scratches = sync.Pool{New: func() any { return makeScratch() }}

func makeScratch() *scratch {
	s := new(scratch)
	for i := range s.known {
		s.known[i] = make([]*slot, 0, usualSlots)
	}
	return s
}

// builderOf returns a builder of a program made of m. The scratch memory is its own until done.
func (s *scratch) builderOf(r Rand, c *Config, m *material) *builder {
	s.pool.taken, s.fields.taken, s.nests.taken, s.sums.taken = 0, 0, 0, 0
	s.flow = flow{at: s.flow.at[:0], root: s.flow.root[:0]}
	s.keep = s.keep[:0]
	clear(s.analyst.cleared)
	s.common, s.lanes, s.frees, s.inputs, s.results = s.common[:0], s.lanes[:0], s.frees[:0], s.inputs[:0], s.results[:0]
	s.config, s.faults.Bare = *c, true
	b := &s.builder
	*b = builder{Rand: r, cfg: &s.config, rows: c.rowSet(), scratch: s, material: m}
	return b
}

// done lets go of the program.
func (b *builder) done() { *b = builder{} }

// stack hands out values of which none moves and no program keeps any. They may hold what they held before.
type stack[T any] struct {
	all   []*T
	taken int // of all
}

func (s *stack[T]) next() *T {
	if s.taken == len(s.all) {
		more := make([]T, 1+len(s.all))
		for i := range more {
			s.all = append(s.all, &more[i])
		}
	}
	s.taken++
	return s.all[s.taken-1]
}

// slot returns a zeroed slot.
func (s *scratch) slot() *slot {
	st := s.pool.next()
	*st = slot{}
	return st
}
