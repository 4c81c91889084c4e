package passes

import (
	"slices"

	"birfuzz/ir"
)

// accesses is who touches what in a program, in program order, grouped by storage.
//
// Locations that alias, directly or through others, are one family. Placed locations that merely overlap are not: to a read, bytes last
// written through another location are poison (semantics §1), so no value passes between them and following names is exact.
type accesses struct {
	insts    []*ir.Inst // by ID
	blockOf  []int32    // by instruction ID
	blocks   []blockInfo
	aliases  *ir.Families
	families []family // by the ID of the family's first location; those of other locations are empty
	list     []access
	boxes    []ir.Box // by access, made when first asked for; the zero Box is none
	first    []int32  // by instruction ID: where its accesses begin in list
	outs     []int32  // by instruction ID: entry of the first output, which the others follow; none if one is not a place
	fences   []int32  // IDs of the fences, ascending
	gone     []bool   // by instruction ID: it was removed, and its accesses with it
	reading  *accessIndex
	writing  *accessIndex
	synced   bool // semaphores say what runs before what (semantics §2); program order does so only within an engine
}

// blockInfo is a block and the instructions in it and in its loops: IDs first..last.
type blockInfo struct {
	block       *ir.Block
	fn          *ir.Func
	inLoop      bool
	first, last int32
}

// family is a group of locations that may share bytes by name.
type family struct {
	head, tail int32 // its accesses in program order, as a list
	count      int32 // of the accesses that there were at first
	block      int32 // the block that holds all accesses; noBlock or manyBlocks
	shared     bool  // one of it is Shared memory
	global     bool  // one of it is one storage for all cores that name it
	foreign    bool  // another core or the run-time may touch one of it at any time
	kept       bool  // dont_touch_memloc: what is written here is not ours to judge
}

const (
	none       = int32(-1)
	noBlock    = int32(-1)
	manyBlocks = int32(-2)
)

// access is one memory or register operand of an instruction.
type access struct {
	inst   int32
	index  int32 // in the list of all accesses
	prev   int32 // the access of its family before it
	next   int32 // the one after it
	arg    uint8
	reads  bool
	writes bool
}

// newAccesses looks at every operand of a numbered program.
func newAccesses(p *ir.Program) *accesses {
	aliases, n := ir.NewFamilies(p), p.NumInsts()
	a := &accesses{
		insts: make([]*ir.Inst, n), blockOf: make([]int32, n), gone: make([]bool, n), first: make([]int32, n), outs: make([]int32, n),
		aliases: aliases, families: make([]family, aliases.Len()), list: make([]access, 0, 4*n),
		synced: (p.Facts | p.Assumed()).Has(ir.Synced),
	}
	for i := range a.families {
		a.families[i] = family{head: none, tail: none, block: noBlock}
	}
	for _, f := range p.Cores {
		a.mark(f)
		for _, b := range f.Blocks {
			a.block(b, f, false)
		}
	}
	return a
}

// mark notes what the families of a function's locations are.
func (a *accesses) mark(f *ir.Func) {
	for l := range f.Locs {
		fam := a.family(l)
		fam.shared = fam.shared || l.Set.Space == ir.Shared
		fam.global = fam.global || l.Global()
		fam.foreign = fam.foreign || foreignLoc(l)
		fam.kept = fam.kept || keptLoc(l)
	}
}

// family returns the family of a location.
func (a *accesses) family(l *ir.Loc) *family { return &a.families[a.aliases.Of(l)] }

// keptLoc is dont_touch_memloc, as far as the location itself says so: the host, another core or the run-time may look at it.
func keptLoc(l *ir.Loc) bool {
	return l.Set.Kind != ir.Internal || l.Set.Space == ir.Shared || l.Type == ir.Input || l.Type == ir.Output ||
		foreignLoc(l)
}

// foreignLoc tells whether someone outside this program text may read or write the location at any time.
func foreignLoc(l *ir.Loc) bool {
	return l.WrittenByAnotherCore || l.RuntimeReserved || len(l.RemoteLocalTarget) > 0
}

// block lists a block and what stands in its loops, and returns the ID of the last instruction.
func (a *accesses) block(b *ir.Block, f *ir.Func, inLoop bool) (last int32) {
	id := int32(len(a.blocks))
	a.blocks = append(a.blocks, blockInfo{block: b, fn: f, inLoop: inLoop})
	for i, in := range b.Insts {
		if i == 0 {
			a.blocks[id].first = in.ID
		}
		a.inst(in, id)
		last = in.ID
		if in.Loop != nil {
			for _, inner := range in.Loop.Blocks {
				last = max(last, a.block(inner, f, true))
			}
		}
	}
	a.blocks[id].last = last
	return last
}

// inst lists the operands of in. Inputs come before outputs: whoever walks the list meets what an instruction reads before what it writes.
func (a *accesses) inst(in *ir.Inst, block int32) {
	spec := in.Spec()
	a.insts[in.ID], a.blockOf[in.ID], a.first[in.ID] = in, block, int32(len(a.list))
	if spec.Effect.Fence() {
		a.fences = append(a.fences, in.ID)
	}
	indirect := picksRows(spec)
	for i := int(in.NOut); i < len(in.Args); i++ {
		a.add(in, i, block, true, false, indirect)
	}
	a.outs[in.ID] = none
	if slices.ContainsFunc(in.Outs(), func(o ir.Operand) bool { return o.Loc == nil }) {
		return // illegal, but a foreign pass may have made it
	}
	a.outs[in.ID] = int32(len(a.list))
	reads := in.NOut > 0 && spec.WriteMode(in) != ir.Overwrites
	for i := range int(in.NOut) {
		a.add(in, i, block, reads, true, indirect)
	}
}

// picksRows tells whether instructions of the row are indirect: what they touch depends on data.
func picksRows(s *ir.Spec) bool {
	for i := range s.Outs {
		if s.Outs[i].Role == ir.Table {
			return true
		}
	}
	for i := range s.Ins {
		if s.Ins[i].Role == ir.Table {
			return true
		}
	}
	return false
}

func (a *accesses) add(in *ir.Inst, arg int, block int32, reads, writes, indirect bool) {
	loc := in.Args[arg].Loc
	if loc == nil {
		return
	}
	e := int32(len(a.list))
	fam := a.family(loc)
	a.list = append(a.list, access{inst: in.ID, index: e, arg: uint8(arg), reads: reads, writes: writes})
	a.link(fam, e, fam.tail)
	fam.count++
	fam.kept = fam.kept || indirect
	fam.block = sameBlock(fam.block, block)
}

// link puts access e into the list of a family, behind the access prev; none: first.
func (a *accesses) link(fam *family, e, prev int32) {
	x := &a.list[e]
	x.prev, x.next = prev, fam.head
	if prev != none {
		x.next = a.list[prev].next
		a.list[prev].next = e
	} else {
		fam.head = e
	}
	if x.next != none {
		a.list[x.next].prev = e
	} else {
		fam.tail = e
	}
}

// unlink takes access e, which must stand in the list of the family, out of it.
func (a *accesses) unlink(fam *family, e int32) {
	x := &a.list[e]
	if x.prev != none {
		a.list[x.prev].next = x.next
	} else {
		fam.head = x.next
	}
	if x.next != none {
		a.list[x.next].prev = x.prev
	} else {
		fam.tail = x.prev
	}
}

// accessesOf returns the accesses of an instruction. They stand together in the list of all.
func (a *accesses) accessesOf(id int32) []access {
	from := a.first[id]
	to := from
	for to < int32(len(a.list)) && a.list[to].inst == id {
		to++
	}
	return a.list[from:to]
}

func sameBlock(have, b int32) int32 {
	if have == noBlock || have == b {
		return b
	}
	return manyBlocks
}

// operand returns the operand of an access.
func (a *accesses) operand(e *access) *ir.Operand { return &a.insts[e.inst].Args[e.arg] }

// familyOfAccess returns the family of an access.
func (a *accesses) familyOfAccess(e *access) *family {
	return a.family(a.operand(e).Loc)
}

// remove takes an instruction and its accesses out.
func (a *accesses) remove(id int32) {
	a.gone[id] = true
	for i := range a.accessesOf(id) {
		e := a.first[id] + int32(i)
		a.unlink(a.familyOfAccess(&a.list[e]), e)
		if a.reading != nil {
			a.reading.remove(e)
			a.writing.remove(e)
		}
	}
}

// indexed tells whether accesses like e are looked up rather than walked: many of one location that has no aliases.
func (a *accesses) indexed(e *access) bool {
	loc := a.operand(e).Loc
	return a.family(loc).count > crowd && a.aliases.Alone(loc)
}

// index makes the two indexes when first needed.
func (a *accesses) index() {
	if a.reading == nil {
		a.reading = newAccessIndex(a, func(e *access) bool { return e.reads })
		a.writing = newAccessIndex(a, func(e *access) bool { return e.writes })
	}
}

// readBetween tells whether one of the instructions from first to last reads a byte of e, and whether that is known: if it is not, too many
// accesses would have to be looked at.
func (a *accesses) readBetween(e *access, first, last int32) (read, known bool) {
	if a.indexed(e) {
		a.index()
		known = a.reading.each(a.aliases.Of(a.operand(e).Loc), 0, a.columnsOf(e), first, last, func(i int32) bool {
			read = a.touches(&a.list[i], e)
			return !read
		})
		return read, known
	}
	i := e.next
	if first <= e.inst {
		i = a.familyOfAccess(e).head
	}
	for range maxLook {
		if i == none || a.list[i].inst > last {
			return false, true
		}
		if x := &a.list[i]; x.reads && x.inst >= first && a.touches(x, e) {
			return true, true
		}
		i = a.list[i].next
	}
	return false, false
}

// touches tells whether two accesses of one family may share a byte: exactly for physical accesses of one location, conservatively else.
func (a *accesses) touches(x, y *access) bool {
	p, q := a.operand(x), a.operand(y)
	switch {
	case p.Loc != q.Loc: // aliases
		return true
	case p.Kind != ir.APOperand || q.Kind != ir.APOperand || p.Symbolic() || q.Symbolic():
		return ir.Overlap(p, q)
	case p.Off.C == q.Off.C && p.DType == q.DType:
		return true // they share their first element
	}
	return a.box(x).Meets(a.box(y)) && ir.Overlap(p, q)
}

// box returns the bounding rectangle of a physical access.
func (a *accesses) box(e *access) *ir.Box {
	if a.boxes == nil {
		a.boxes = make([]ir.Box, len(a.list))
	}
	b := &a.boxes[e.index]
	if *b == (ir.Box{}) {
		*b = a.operand(e).Box()
	}
	return b
}

// covers tells whether a full write through w leaves no byte of v as it was, both in one execution of one block.
func (a *accesses) covers(w, v *access) bool {
	p, q := a.operand(w), a.operand(v)
	if p.Loc != q.Loc || p.Kind != q.Kind {
		return false
	}
	if p.Equal(q) {
		return true
	}
	if p.Kind != ir.APOperand || p.Symbolic() || q.Symbolic() {
		return false
	}
	if !a.box(w).Meets(a.box(v)) {
		return false
	}
	pw, qw := p.Walk(), q.Walk()
	return pw.Covers(&qw)
}
