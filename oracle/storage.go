package oracle

import (
	"cmp"
	"fmt"
	"slices"

	"birfuzz/ir"
)

// Layout says how the locations of a program are put into memory.
type Layout struct {
	Joined   bool  // locations that may alias, not both allocated, are one storage; else they are apart (semantics §1)
	MaxBytes int64 // limit of all storages together, and of the scratch memory of one instruction; 0: DefaultMaxBytes
}

// DefaultMaxBytes is the limit of a program's memory where a Layout names none.
const DefaultMaxBytes = 512 << 20

// LimitError tells that a program is too large to be run. Nothing was allocated for it.
type LimitError struct{ Detail string }

// Error returns the detail.
func (e *LimitError) Error() string { return e.Detail }

func tooLarge(format string, args ...any) error { return &LimitError{fmt.Sprintf(format, args...)} }

// storageAlign is the alignment of storages in the arena: a cache line.
const storageAlign = 64

// maxAddress bounds addresses, so that sums of them cannot overflow.
const maxAddress = int64(1) << 40

// box is a rectangle of bytes: rows and byte columns of an on-chip memory, one row of DRAM.
type box struct{ row, rowEnd, col, colEnd int64 }

func (b *box) grow(c box) {
	b.row, b.rowEnd = min(b.row, c.row), max(b.rowEnd, c.rowEnd)
	b.col, b.colEnd = min(b.col, c.col), max(b.colEnd, c.colEnd)
}

// footprint is a placed location in the memory where it was placed.
type footprint struct {
	space, loc int32
	box
}

// atlas is the memory map of a program: locations, the storages that hold them, and where. Its slices are reused.
type atlas struct {
	locations []location
	storages  []storage
	locs      int              // locations that the program declares
	touched   []bool           // by declaration: an instruction names the location
	of        []int32          // (core, declaration) → location, see find
	globals   map[string]int32 // global name → location
	group     forest           // locations that share bytes
	class     forest           // locations that are aliases
	boxes     []box            // of each location, in the coordinates of its group
	bounds    []box            // of each group, at its root
	members   []int32          // of each group, at its root
	home      []int32          // root → storage
	marks     []footprint
	acc       []int32 // (core, engine) → storage of the accumulator, −1 where unused
	size      int     // bytes of all storages
	limit     int64
}

// chart lays out the locations of p for the given number of cores. accs has a bit for each engine whose accumulator is used.
func (a *atlas) chart(p *ir.Program, cores int, l Layout, accs ir.EngineSet) error {
	a.locations, a.of, a.marks = a.locations[:0], a.of[:0], a.marks[:0]
	if a.globals == nil {
		a.globals = map[string]int32{}
	}
	clear(a.globals)
	if a.limit = l.MaxBytes; a.limit <= 0 {
		a.limit = DefaultMaxBytes
	}
	a.locs = 0
	for _, f := range p.Cores {
		for range f.Locs {
			a.locs++
		}
	}
	a.touch(p)
	for core := range cores {
		if err := a.declare(p.Cores[min(core, len(p.Cores)-1)], core, len(p.Cores) > 1); err != nil {
			return err
		}
	}
	if err := a.join(p, cores, l.Joined); err != nil {
		return err
	}
	a.overlap()
	return a.place(cores, accs)
}

// touch notes which locations instructions name.
func (a *atlas) touch(p *ir.Program) {
	a.touched = slices.Grow(a.touched[:0], a.locs)[:a.locs]
	clear(a.touched)
	for in := range p.Insts {
		for i := range in.Args {
			if l := in.Args[i].Loc; l != nil && l.ID >= 0 && int(l.ID) < a.locs {
				a.touched[l.ID] = true
			}
		}
	}
}

// declare adds the locations of one core.
func (a *atlas) declare(f *ir.Func, core int, own bool) error {
	for l := range f.Locs {
		if want := len(a.of); own && int(l.ID) != want || !own && int(l.ID) != want-core*a.locs {
			return fmt.Errorf("location %q: the program is not numbered", l.Name)
		}
		rows, rowBytes, err := a.dims(l)
		if err != nil {
			return err
		}
		if l.Type.OnChip() && !a.touched[l.ID] { // nobody looks: memory kept free for someone else, however much, costs nothing
			rows, rowBytes = 0, 0
		}
		i, seen := int32(len(a.locations)), false
		if l.Global() {
			if i, seen = a.globals[l.Name]; !seen {
				i = int32(len(a.locations))
				a.globals[l.Name] = i
			}
		}
		a.of = append(a.of, i)
		if !seen {
			at := core
			if l.Global() {
				at = -1
			}
			a.locations = append(a.locations, location{id: int(i), name: l.Name, loc: l, core: at, rows: rows, rowBytes: rowBytes,
				konst: l.Set.Kind == ir.Const})
		} else if o := &a.locations[i]; o.rows != rows || o.rowBytes != rowBytes {
			return fmt.Errorf("location %q has %d×%d bytes here and %d×%d in another function", l.Name, rows, rowBytes, o.rows, o.rowBytes)
		}
	}
	return nil
}

// dims returns the rows and bytes a row of a location; DRAM and registers have one row.
func (a *atlas) dims(l *ir.Loc) (rows, rowBytes int, err error) {
	r, b := l.Rows, l.RowBytes
	if l.Type == ir.REG {
		r, b = 1, 4
	}
	if r < 0 || b < 0 {
		return 0, 0, fmt.Errorf("location %q: dims [%d,%d], want no negative size", l.Name, r, b)
	}
	if r > a.limit || b > a.limit || r > 0 && b > a.limit/r {
		return 0, 0, tooLarge("location %q: dims [%d,%d] exceed the limit of %d bytes", l.Name, r, b, a.limit)
	}
	if l.Allocated && max(l.Addr, l.Base, l.Bank) > maxAddress || min(l.Addr, l.Base, l.Bank) < 0 {
		return 0, 0, tooLarge("location %q: address %d, base %d, bank %d are out of range", l.Name, l.Addr, l.Base, l.Bank)
	}
	if !l.Type.OnChip() {
		r, b = 1, r*b
	}
	return int(r), int(b), nil
}

// find returns the index of the location that l means on a core; −1 if the program does not declare l.
func (a *atlas) find(l *ir.Loc, core int, shards bool) int32 {
	if l == nil || l.ID < 0 || int(l.ID) >= a.locs {
		return -1
	}
	i := int(l.ID)
	if shards {
		i += core * a.locs
	}
	k := a.of[i]
	if o := a.locations[k].loc; o != l && (o.Name != l.Name || !l.Global()) {
		return -1
	}
	return k
}

// join unites aliases and gives every location its box.
func (a *atlas) join(p *ir.Program, cores int, joined bool) error {
	n := len(a.locations)
	a.group.reset(n)
	a.class.reset(n)
	a.boxes = slices.Grow(a.boxes[:0], n)[:n]
	for i := range a.locations {
		a.boxes[i] = a.locations[i].box()
	}
	shards := cores > len(p.Cores)
	for core := range cores {
		for l := range p.Cores[min(core, len(p.Cores)-1)].Locs {
			i := a.find(l, core, shards)
			for _, x := range l.Alias {
				j := a.find(x.Loc, core, shards)
				if j < 0 {
					return fmt.Errorf("location %q: its alias is not declared", l.Name)
				}
				a.class.unite(i, j)
				if x.Kind == ir.MustAlias || joined && !(l.Allocated && x.Loc.Allocated) {
					a.group.unite(i, j)
				}
			}
			if l.Allocated {
				a.marks = append(a.marks, footprint{spaceOf(l, core), i, a.boxes[i]})
			}
		}
	}
	a.follow()
	return nil
}

// follow puts locations that are not allocated on byte 0 of an allocated alias, where there is one.
func (a *atlas) follow() {
	a.bounds = append(a.bounds[:0], a.boxes...)
	for i := len(a.locations) - 1; i >= 0; i-- { // backwards: the first one stands
		if a.locations[i].loc.Allocated {
			a.bounds[a.group.root(int32(i))] = a.boxes[i]
		}
	}
	for i := range a.locations {
		if l := &a.locations[i]; !l.loc.Allocated && !l.loc.Type.OnChip() {
			b := &a.boxes[i]
			b.col = a.bounds[a.group.root(int32(i))].col
			b.colEnd = b.col + int64(l.rowBytes)
		}
	}
}

// box returns the bytes of an allocated location in its memory, or of another from 0 on.
func (l *location) box() box {
	b := box{0, int64(l.rows), 0, int64(l.rowBytes)}
	if !l.loc.Allocated {
		return b
	}
	col := l.loc.Addr
	if l.loc.Type.OnChip() {
		b.row, b.rowEnd = l.loc.Base, l.loc.Base+b.rowEnd
	}
	if l.loc.Type == ir.PSUM {
		col += l.loc.Bank * ir.PSUMBankBytes
	}
	b.col, b.colEnd = col, col+b.colEnd
	return b
}

// spaceOf numbers the memories: Shared DRAM −1, then SBUF, PSUM and DRAM of each core.
func spaceOf(l *ir.Loc, core int) int32 {
	s, _ := ir.StorageOf(l)
	if s.Kind == ir.SharedSpace {
		return -1
	}
	return int32(core)*8 + int32(s.Kind)
}

// overlap unites placed locations that share bytes.
func (a *atlas) overlap() {
	slices.SortFunc(a.marks, func(x, y footprint) int {
		if c := cmp.Compare(x.space, y.space); c != 0 {
			return c
		}
		return cmp.Compare(x.col, y.col)
	})
	for i := range a.marks {
		x := &a.marks[i]
		for j := i + 1; j < len(a.marks) && a.marks[j].space == x.space && a.marks[j].col < x.colEnd; j++ {
			if y := &a.marks[j]; x.row < y.rowEnd && y.row < x.rowEnd && y.col < y.colEnd {
				a.group.unite(x.loc, y.loc)
			}
		}
	}
}

// place makes the storages: the bounding box of each group, in the order of its first location, then the accumulators.
func (a *atlas) place(cores int, accs ir.EngineSet) error {
	n := len(a.locations)
	a.bounds = append(a.bounds[:0], a.boxes...)
	a.members = append(a.members[:0], make([]int32, n)...)
	a.home = append(a.home[:0], make([]int32, n)...)
	for i := range n {
		r := a.group.root(int32(i))
		a.bounds[r].grow(a.boxes[i])
		a.members[r]++
		a.home[i] = -1
	}
	a.storages, a.size = a.storages[:0], 0
	for i := range n {
		r := a.group.root(int32(i))
		if a.home[r] < 0 {
			a.home[r] = int32(len(a.storages))
			if err := a.store(&a.locations[i], &a.bounds[r], a.members[r] > 1); err != nil {
				return err
			}
		} else if s := &a.storages[a.home[r]]; s.core != a.locations[i].core {
			s.core = -1
		}
	}
	a.accumulators(cores, accs)
	for i := range n {
		l, r := &a.locations[i], a.group.root(int32(i))
		l.st, l.class = &a.storages[a.home[r]], int(a.class.root(int32(i)))
		l.at = l.st.off + int(a.boxes[i].row-a.bounds[r].row)*l.st.pitch + int(a.boxes[i].col-a.bounds[r].col)
	}
	return nil
}

// store appends the storage of the group with bounds b, whose first location is l.
func (a *atlas) store(l *location, b *box, several bool) error {
	if several { // keeps the alignment that addresses have
		b.col, b.colEnd = b.col&^7, (b.colEnd+7)&^7
	}
	rows, pitch := b.rowEnd-b.row, b.colEnd-b.col
	if rows > 0 && pitch > (a.limit-int64(a.size))/rows {
		return tooLarge("location %q: with it the program needs more than the limit of %d bytes", l.name, a.limit)
	}
	kind := memoryStorage
	if l.loc.Type == ir.REG {
		kind = registerStorage
	}
	a.add(storage{kind: kind, core: l.core, rows: int(rows), pitch: int(pitch)})
	return nil
}

func (a *atlas) add(s storage) {
	s.id, s.off = len(a.storages), a.size
	a.size += (s.size() + storageAlign - 1) &^ (storageAlign - 1)
	a.storages = append(a.storages, s)
}

func (a *atlas) accumulators(cores int, accs ir.EngineSet) {
	a.acc = a.acc[:0]
	for core := range cores {
		for e := range ir.NumEngines {
			if !accs.Has(e) {
				a.acc = append(a.acc, -1)
				continue
			}
			a.acc = append(a.acc, int32(len(a.storages)))
			a.add(storage{kind: accumulatorStorage, core: core, rows: ir.Partitions, pitch: 4})
		}
	}
}

// accumulator returns the storage of an engine's accumulator.
func (a *atlas) accumulator(core int, e ir.Engine) *storage {
	return &a.storages[a.acc[core*int(ir.NumEngines)+int(e)]]
}

// forest is a union-find structure.
type forest []int32

func (f *forest) reset(n int) {
	*f = slices.Grow((*f)[:0], n)[:n]
	for i := range *f {
		(*f)[i] = int32(i)
	}
}

func (f forest) root(i int32) int32 {
	for f[i] != i {
		f[i] = f[f[i]]
		i = f[i]
	}
	return i
}

// unite keeps the smaller root, so that roots do not depend on the order of unions.
func (f forest) unite(i, j int32) {
	i, j = f.root(i), f.root(j)
	f[max(i, j)] = min(i, j)
}
