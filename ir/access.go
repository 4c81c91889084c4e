package ir

// Space is one flat range of byte addresses: what two accesses must share to touch the same byte.
type Space struct {
	Kind SpaceKind
	Loc  *Loc // OwnSpace: the location; it stands for all that must alias it
}

// SpaceKind says which memory a Space is.
type SpaceKind uint8

// The kinds. Allocated locations live in the memory itself, others in storage of their own (semantics §1).
const (
	OwnSpace SpaceKind = iota
	SBUFSpace
	PSUMSpace
	DRAMSpace
	SharedSpace
)

// rowPitch is the distance between the flat addresses of two neighbouring partitions of SBUF or PSUM. It exceeds every partition.
const rowPitch = int64(1) << 20

// Walk is an access in bytes: Levels, outermost first, around a contiguous Run, from flat address Base. Levels with one trip are dropped and
// neighbours that continue each other are merged, so equal footprints walked in the same order have equal Walks.
// In on-chip memory a flat address is row·2^20 + byte in the partition.
type Walk struct {
	Space  Space
	Base   int64
	Run    int64
	N      int
	Levels [MaxPairs]Level
}

// Level is one loop of a walk: Num trips, Step bytes apart.
type Level struct {
	Step int64
	Num  int64
}

// StorageOf returns the space in which a location lives and the flat address of its first byte there.
func StorageOf(l *Loc) (Space, int64) {
	switch {
	case !l.Allocated:
		return Space{OwnSpace, l}, 0
	case l.Type == SB:
		return Space{Kind: SBUFSpace}, l.Base*rowPitch + l.Addr
	case l.Type == PSUM:
		return Space{Kind: PSUMSpace}, l.Base*rowPitch + l.Bank*PSUMBankBytes + l.Addr
	case l.Set.Space == Shared:
		return Space{Kind: SharedSpace}, l.Addr
	default:
		return Space{Kind: DRAMSpace}, l.Addr
	}
}

// WalkAt returns the walk of a memory operand whose element offset is off (o.Off.C for a physical one).
func (o *Operand) WalkAt(off int64) (w Walk) {
	size := int64(o.DType.Size())
	space, base := StorageOf(o.Loc)
	w.Space, w.Run = space, size
	if !o.Loc.Type.OnChip() {
		w.Base = base + off*size
		for _, p := range o.Pairs() {
			w.push(Level{int64(p.Step) * size, int64(p.Num)})
		}
		w.merge()
		return w
	}
	pitch := max(o.Pitch(), 1)
	w.Base = base + off*size
	if uint64(off) >= uint64(pitch) { // most accesses start in row 0
		w.Base = base + off/pitch*rowPitch + off%pitch*size
	}
	for i, p := range o.Pairs() {
		step := int64(p.Step) * size
		if i == 0 {
			step = rowStep(int64(p.Step), pitch)
		}
		w.push(Level{step, int64(p.Num)})
	}
	w.merge()
	return w
}

// rowStep returns how far apart in flat addresses rows lie that are step elements apart: one row, mostly.
func rowStep(step, pitch int64) int64 {
	if step == pitch {
		return rowPitch
	}
	return step / pitch * rowPitch
}

// Walk returns the walk of a physical memory operand.
func (o *Operand) Walk() Walk { return o.WalkAt(o.Off.C) }

func (w *Walk) push(l Level) {
	if l.Num == 1 {
		return
	}
	if w.N > 0 {
		if up := &w.Levels[w.N-1]; up.Step == l.Step*l.Num {
			*up = Level{l.Step, up.Num * l.Num}
			return
		}
	}
	w.Levels[w.N] = l
	w.N++
}

// merge folds the innermost level into the run where it is contiguous.
func (w *Walk) merge() {
	for w.N > 0 && w.Levels[w.N-1].Step == w.Run {
		w.Run *= w.Levels[w.N-1].Num
		w.N--
	}
}

// Extent returns the first byte of the walk and the one past its last.
func (w *Walk) Extent() (lo, hi int64) {
	hi = w.Run
	for _, l := range w.Levels[:w.N] {
		hi += l.Step * (l.Num - 1)
	}
	return w.Base, w.Base + hi
}

// Bytes returns the number of bytes walked, repeats counted.
func (w *Walk) Bytes() int64 {
	n := w.Run
	for _, l := range w.Levels[:w.N] {
		n *= l.Num
	}
	return n
}

// Runs yields the start of every contiguous run, in walk order.
func (w *Walk) Runs(yield func(int64) bool) { w.runs(0, w.Base, yield) }

func (w *Walk) runs(i int, at int64, yield func(int64) bool) bool {
	if i == w.N {
		return yield(at)
	}
	for k := int64(0); k < w.Levels[i].Num; k++ {
		if !w.runs(i+1, at+k*w.Levels[i].Step, yield) {
			return false
		}
	}
	return true
}

// Overlaps tells, exactly, whether the two walks share a byte. Their spaces must be equal for that; locations that alias are the
// caller's business (see Conflict).
func (w *Walk) Overlaps(v *Walk) bool {
	if w.Space != v.Space || w.Bytes() == 0 || v.Bytes() == 0 {
		return false
	}
	if w.Base == v.Base {
		return true
	}
	alo, ahi := w.Extent()
	blo, bhi := v.Extent()
	if ahi <= blo || bhi <= alo {
		return false
	}
	if w.N == 0 && v.N == 0 {
		return true
	}
	if w.Bytes()/w.Run > v.Bytes()/v.Run {
		w, v = v, w
	}
	s := v.sorted()
	for at := range w.Runs {
		if s.touches(0, s.Base, at, at+w.Run) {
			return true
		}
	}
	return false
}

// sorted returns the walk with its levels by descending step: the same set of bytes.
func (w *Walk) sorted() Walk {
	s := *w
	for i := 1; i < s.N; i++ {
		for j := i; j > 0 && s.Levels[j].Step > s.Levels[j-1].Step; j-- {
			s.Levels[j], s.Levels[j-1] = s.Levels[j-1], s.Levels[j]
		}
	}
	return s
}

// touches tells whether the part of a sorted walk from level i on, started at base, has a byte in [lo, hi).
func (w *Walk) touches(i int, base, lo, hi int64) bool {
	if i == w.N {
		return base < hi && lo < base+w.Run
	}
	inner := w.Run
	for _, l := range w.Levels[i+1 : w.N] {
		inner += l.Step * (l.Num - 1)
	}
	step, n := w.Levels[i].Step, w.Levels[i].Num
	if step == 0 {
		return w.touches(i+1, base, lo, hi)
	}
	first := max(0, FloorDiv(lo-inner-base, step)+1)
	last := min(n-1, FloorDiv(hi-1-base, step))
	for k := first; k <= last; k++ {
		if w.touches(i+1, base+k*step, lo, hi) {
			return true
		}
	}
	return false
}

// SameStorage tells whether two locations can share bytes: one location, one storage by name, an alias, or overlapping placements.
func SameStorage(a, b *Loc) bool {
	if a == b {
		return true
	}
	for _, x := range a.Alias {
		if x.Loc == b {
			return true
		}
	}
	for _, x := range b.Alias {
		if x.Loc == a {
			return true
		}
	}
	if a.Global() && b.Global() && a.Name == b.Name {
		return true
	}
	if !a.Allocated || !b.Allocated {
		return false
	}
	sa, _ := StorageOf(a)
	sb, _ := StorageOf(b)
	return sa == sb && placedOverlap(a, b)
}

func placedOverlap(a, b *Loc) bool {
	if !a.Type.OnChip() {
		return a.Addr < b.Addr+b.Bytes() && b.Addr < a.Addr+a.Bytes()
	}
	ca, cb := a.Addr, b.Addr
	if a.Type == PSUM {
		ca, cb = ca+a.Bank*PSUMBankBytes, cb+b.Bank*PSUMBankBytes
	}
	return a.Base < b.Base+b.Rows && b.Base < a.Base+a.Rows && ca < cb+b.RowBytes && cb < ca+a.RowBytes
}

// Overlap tells whether two memory or register operands can touch a common byte: exactly for physical accesses, conservatively where an
// offset is symbolic (the hull over all values of its axes), and where of two aliases one has no address.
func Overlap(a, b *Operand) bool {
	if a.Kind == RegOperand && b.Kind == RegOperand {
		return a.Loc == b.Loc
	}
	if a.Kind != APOperand || b.Kind != APOperand || !SameStorage(a.Loc, b.Loc) {
		return false
	}
	wa, wb := a.Hull(), b.Hull()
	if a.Loc != b.Loc && (wa.Space.Kind == OwnSpace) != (wb.Space.Kind == OwnSpace) {
		return true // an alias without an address of one with an address: Families knows where it lies
	}
	if a.Loc != b.Loc && wa.Space.Kind == OwnSpace {
		wb.Space = wa.Space // aliases and global names: byte 0 on byte 0
	}
	return wa.Overlaps(&wb)
}

// Hull returns the walk of a physical operand; of a symbolic one, a contiguous range that holds the walk for every value of its offset.
func (o *Operand) Hull() Walk {
	if !o.Symbolic() {
		return o.Walk()
	}
	lo, hi := o.Off.Range()
	w, v := o.WalkAt(lo), o.WalkAt(hi)
	from, _ := w.Extent()
	_, to := v.Extent()
	if o.Loc.Type.OnChip() { // a column offset may wrap to the next row: take whole rows
		_, base := StorageOf(o.Loc)
		from, to = from/rowPitch*rowPitch, (to/rowPitch+1)*rowPitch
		from = max(from, base/rowPitch*rowPitch)
	}
	return Walk{Space: w.Space, Base: from, Run: to - from}
}

// Covers tells whether a physical write through w leaves no byte of v's footprint as it was: both walks contiguous runs or equal.
func (w *Walk) Covers(v *Walk) bool {
	if w.Space != v.Space {
		return false
	}
	if w.Base == v.Base && w.Run == v.Run && w.N == v.N && w.Levels == v.Levels {
		return true
	}
	s := w.sorted()
	for at := range v.Runs {
		if !s.contains(0, s.Base, at, at+v.Run) {
			return false
		}
	}
	return true
}

// contains tells whether one run of a sorted walk holds all of [lo, hi).
func (w *Walk) contains(i int, base, lo, hi int64) bool {
	if i == w.N {
		return base <= lo && hi <= base+w.Run
	}
	step, n := w.Levels[i].Step, w.Levels[i].Num
	if step == 0 {
		return w.contains(i+1, base, lo, hi)
	}
	inner := w.Run
	for _, l := range w.Levels[i+1 : w.N] {
		inner += l.Step * (l.Num - 1)
	}
	first := max(0, FloorDiv(hi-inner-base-1, step)+1)
	for k := first; k <= min(n-1, FloorDiv(lo-base, step)); k++ {
		if w.contains(i+1, base+k*step, lo, hi) {
			return true
		}
	}
	return false
}
