package gen

import (
	"slices"
	"strconv"

	"birfuzz/ir"
	"birfuzz/ir/num"
)

// builder draws one program. What several cores share stands in it once; core is the part of the function being drawn.
type builder struct {
	Rand
	cfg      *Config
	rows     *rowSet // what the program may consist of
	traits   traits
	prog     *ir.Program
	types    ir.DTypeSet // what the program may use
	mem      ir.MemSet   // where its tensors live
	most     int         // elements that a tile has at most, unless its rows are short
	tensor   int         // results named
	left     int         // instructions that may still be drawn
	reserve  int         // of left, those kept for storing results
	zero     bool        // constants drawn are 0
	storing  bool        // new locations in DRAM are results
	commands bool        // instructions that can do something to an accumulator do
	shared   []*sharedTensor
	hbm      int64 // bytes of Shared memory that have been given away by address
	wide     bool  // there is a loop with tiles that take much of SBUF
	endless  bool  // there are loops that unrolling leaves alone
	unended  bool  // there is a sum that does not say where it starts and where it stops
	late     int   // tensors in Shared memory named for one core alone
	kept     int   // inputs that are kept for an exchange, of which each core has to bring something
	core
	*scratch
	*material
	depth int
}

// maxDepth bounds how deep drawing one instruction may ask for others that prepare its operands.
const maxDepth = 4

// core is the function being drawn.
type core struct {
	number int
	fn     *ir.Func
	block  *ir.Block
	slots  []*slot
	regs   []*slot
	acc    [ir.NumEngines]int // lanes of the accumulators that hold a number
	loops  []*nest
	place  allocator
	chains []*chain
	names  int // instructions named
	tiles  int // locations named
	blocks int // blocks named
	sems   semaphores
	space  int   // bytes a partition of SBUF that are not reserved for the run-time; 0: nearly all
	far    []far // tiles that wait for a use
}

// names are the spellings of numbered things, made once.
type names []string

func numbered(prefix, suffix string) names {
	list := make(names, 128)
	for i := range list {
		list[i] = prefix + strconv.Itoa(i) + suffix
	}
	return list
}

func (n names) at(i int) string {
	if i < len(n) {
		return n[i]
	}
	first := n[0] // prefix, 0, suffix
	k := len(first) - 1
	for first[k] != '0' {
		k--
	}
	return first[:k] + strconv.Itoa(i) + first[k+1:]
}

var (
	instNames  = numbered("I-", "")
	tileNames  = numbered("t", "")
	tileSets   = numbered("t", "_set")
	inNames    = numbered("x", "")
	inSets     = numbered("x", "_set")
	outNames   = numbered("y", "")
	outSets    = numbered("y", "_set")
	shareNames = numbered("g", "")
	shareSets  = numbered("g", "_set")
	aloneNames = numbered("h", "")
	aloneSets  = numbered("h", "_set")
	lateNames  = numbered("l", "")
	lateSets   = numbered("l", "_set")
	pieceNames = numbered("q", "")
	pieceSets  = numbered("q", "_set")
	regNames   = numbered("r", "")
	regSets    = numbered("r", "_set")
	blockNames = numbered("Block", "")
	bodyNames  = numbered("Body", "")
	axisNames  = numbered("i", "")
)

// Program draws a program. It takes one number from r, so calls with one r give different programs; what is drawn depends on that number
// and c alone. The program is numbered, legal (ir.Verify), and neither faults nor computes with poison on any input that Inputs draws.
func Program(r *Rand, c Config) *ir.Program {
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	p, _ := s.drawn(r, &c, new(material))
	return p
}

// drawn draws a program made of m, and tells which features it was to have.
func (s *scratch) drawn(r *Rand, c *Config, m *material) (*ir.Program, traits) {
	b := s.builderOf(r.split(), c, m)
	defer b.done()
	b.plan()
	b.module()
	b.finish()
	return b.prog, b.traits
}

// plan draws what holds for the whole program.
func (b *builder) plan() {
	r := b.fork("plan")
	b.traits = b.cfg.draw(&r)
	b.mem = b.traits.memories()
	b.left = b.cfg.size(&r)
	b.expect(b.left)
	b.prog = b.progs.one()
	*b.prog = ir.Program{Version: 2, Arch: ir.Arch(r.Pick(b.cfg.Arch[:])), CoreID: ir.NoCore}
	b.faults.Arch = b.prog.Arch
	b.traits.apart(b.rows, b.prog.Arch)
	b.types = typeSet(b.prog.Arch, r.Bool(0.3))
	b.palette(&r)
	b.newTypes()
	rr := b.fork("rows")
	b.deck.fill(&rr, b.rows.draw, b.prog.Arch, &b.traits, b.cfg.RowsOff)
}

// palette draws the sizes and types that most tiles have, so that operands fit each other. One program in ten has room for large ones.
func (b *builder) palette(r *Rand) {
	b.most = 4 * b.cfg.Elems
	if r.Bool(0.1) {
		b.most *= 8
	}
	sizes := []int{1, 2, 4, 8, 16, 32, 32, 64, 128, 128}
	b.lanes = append(b.lanes, one(r, sizes[3:]))
	if r.Bool(0.5) {
		b.lanes = append(b.lanes, one(r, sizes))
	}
	if r.Bool(0.2) {
		b.lanes = append(b.lanes, r.Between(1, ir.Partitions))
	}
	for range r.Between(1, 3) {
		n := max(b.cfg.Elems/b.lanes[0], 1)
		n = r.Between(max(n/2, 1), 2*n)
		switch {
		case r.Bool(0.5):
			n = max(n/8*8, 8)
		case r.Bool(0.3):
			n = max(n/32*32, 32)
		}
		b.frees = append(b.frees, n)
	}
	b.farSizes(r)
	b.common = append(b.common, num.Float32)
	if b.traits.has(DTypes) {
		list := b.types.List()
		for range r.Between(1, 3) {
			b.common = append(b.common, one(r, list))
		}
	}
}

// newTypes makes the newest element type one of those that the program mostly uses, on the generation that has it.
func (b *builder) newTypes() {
	const newest = num.Float8e4m3fn
	if !b.on(NewTypes) || b.prog.Arch != ir.CoreV4 {
		return
	}
	set := typeSet(b.prog.Arch, true)
	b.types = set
	b.common = append(slices.DeleteFunc(b.common, func(t num.DType) bool { return !set.Has(t) }), newest)
}

func (b *builder) on(f Feature) bool { return b.traits.has(f) }

// sometimes is true with probability p in programs that have the feature. Most have not: what asks finds that out in place.
func (b *builder) sometimes(f Feature, p float64) bool {
	return b.traits[f/64]>>(f%64)&1 != 0 && b.happens(p)
}

// happens is Bool, kept out of line so that sometimes is not.
//
//go:noinline
func (b *builder) happens(p float64) bool { return b.Bool(p) }

// emit appends a finished instruction to the current block and follows what it does.
func (b *builder) emit(in *ir.Inst) {
	if in.Name == "" {
		in.Name = instNames.at(b.names)
		b.names++
	}
	b.block.Insts = append(roomFor(&b.lists, b.block.Insts), in)
	b.left--
	b.flow.step(in)
}

// newBlock returns an empty block with the next name of a function's blocks and room for n instructions.
func (b *builder) newBlock(n int) *ir.Block {
	b.blocks++
	return b.blockNamed(blockNames.at(b.blocks), n)
}

// blockNamed returns an empty block with room for n instructions.
func (b *builder) blockNamed(name string, n int) *ir.Block {
	bl := b.bodies.one()
	*bl = ir.Block{Name: name, Insts: b.lists.take(n)[:0]}
	return bl
}
