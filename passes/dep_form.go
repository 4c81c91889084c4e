package passes

import (
	"slices"

	"birfuzz/ir"
)

// form is the set of bytes that an access touches, as a function of the iteration: runs of run bytes that start at
// base + Σ coef·trip over the loops around + Σ coef·value of the leaves + any sum of the levels' steps. A trip counts from 0.
type form struct {
	base, run int64
	fold      int64
	levels    [ir.MaxPairs]ir.Level // the first n; no slice, for there is a form for every access of a program
	n         int
	coef      []int64 // by loop around, bytes a trip; nil: all 0
	leaves    []leaf
}

// strides returns the levels.
func (f *form) strides() []ir.Level { return f.levels[:f.n] }

// leaf is a part of an offset that is no plain multiple of an axis: a floor division, a remainder, the core's number.
type leaf struct {
	coef   int64 // bytes
	lo, hi int64
	what   ir.Affine // the leaf by itself
	deep   int       // it has one value while the loops around before the deep-th stand still
}

// newLeaf returns a leaf of an offset: a term that adds coef bytes a unit.
func newLeaf(t *ir.Term, coef int64, loops []*ir.Inst) leaf {
	one := *t
	one.Coef = 1
	l := leaf{coef: coef, what: ir.Affine{Terms: []ir.Term{one}}}
	l.lo, l.hi = l.what.Range()
	for axis := range l.what.Axes {
		k := slices.IndexFunc(loops, func(in *ir.Inst) bool { return in.Loop == axis })
		l.deep = max(l.deep, k+1)
	}
	return l
}

// along returns what a trip of the i-th loop around adds.
func (f *form) along(i int) int64 {
	if f.coef == nil {
		return 0
	}
	return f.coef[i]
}

// still tells whether the bytes are the same in every iteration of the loops from the i-th on, and known.
func (f *form) still(i int) bool {
	for k := i; k < len(f.coef); k++ {
		if f.coef[k] != 0 {
			return false
		}
	}
	return len(f.leaves) == 0
}

// formOf returns the form of a memory operand in the given loops.
func formOf(o *ir.Operand, h home, loops []*ir.Inst) form {
	switch {
	case h.wild:
		return form{run: wildBytes, fold: h.fold}
	case !o.Symbolic():
		return walked(o, o.Off.C, h)
	case o.Loc.Type.OnChip():
		if row, ok := rowBound(o); ok {
			return symbolicForm(o, h, loops, row)
		}
	default:
		return symbolicForm(o, h, loops, 0)
	}
	return wholeOf(o.Loc, h)
}

// walked returns the form of an operand whose offset is off.
func walked(o *ir.Operand, off int64, h home) form {
	w := o.WalkAt(off)
	return form{base: w.Base + h.shift, run: w.Run, fold: h.fold, levels: w.Levels, n: w.N}
}

// wholeOf is all of a location.
func wholeOf(l *ir.Loc, h home) form {
	_, base := ir.StorageOf(l)
	f := form{base: base + h.shift, run: l.Bytes(), fold: h.fold}
	if l.Type.OnChip() {
		return rowsOf(f.base, l.RowBytes, l.Rows)
	}
	return f
}

// rowsOf returns the form of run bytes in each of some rows.
func rowsOf(base, run, rows int64) form {
	return form{base: base, run: run, fold: chipFold, levels: [ir.MaxPairs]ir.Level{{Step: chipFold, Num: rows}}, n: 1}
}

// rowBound returns the elements of a row of an on-chip operand, if no value of its offset makes the access leave the row in which its terms,
// each for itself, would put it. Only then is the flat address linear in the axes.
func rowBound(o *ir.Operand) (pitch int64, ok bool) {
	pitch = o.Pitch()
	if pitch <= 0 {
		return 0, false
	}
	lo := floorMod(o.Off.C, pitch)
	hi := lo
	for i := 1; i < int(o.N); i++ {
		hi += int64(o.AP[i].Step) * int64(o.AP[i].Num-1)
	}
	for i := range o.Off.Terms {
		t := &o.Off.Terms[i]
		one := *t
		one.Coef %= pitch
		from, to := ir.Affine{Terms: []ir.Term{one}}.Range()
		lo, hi = lo+from, hi+to
	}
	return pitch, lo >= 0 && hi < pitch
}

func floorMod(a, n int64) int64 { return (a%n + n) % n }

// symbolicForm takes an offset apart into what each loop and each leaf adds. pitch is the number of elements in a row of on-chip memory; 0:
// the operand is in DRAM.
func symbolicForm(o *ir.Operand, h home, loops []*ir.Inst, pitch int64) form {
	size := int64(o.DType.Size())
	bytes := func(elems int64) int64 {
		if pitch == 0 {
			return elems * size
		}
		return elems/pitch*chipFold + elems%pitch*size
	}
	rest := int64(0)
	if pitch > 0 {
		rest = floorMod(o.Off.C, pitch)
	}
	f := walked(o, rest, h)
	f.base += bytes(o.Off.C - rest)
	f.coef = make([]int64, len(loops))
	for i := range o.Off.Terms {
		t := &o.Off.Terms[i]
		if t.Kind != ir.AxisTerm {
			f.leaves = append(f.leaves, newLeaf(t, bytes(t.Coef), loops))
			continue
		}
		k := slices.IndexFunc(loops, func(l *ir.Inst) bool { return l.Loop == t.Axis })
		if k < 0 {
			return wholeOf(o.Loc, h)
		}
		f.base += bytes(t.Coef) * t.Axis.LB
		f.coef[k] += bytes(t.Coef) * t.Axis.Stride
	}
	return f
}

// hull returns the rectangle of rows and columns that holds the form in every iteration of the loops around, those before the from-th left
// at their first trip.
func (f *form) hull(loops []*ir.Inst, from int) ir.Box {
	lo, hi := f.base, f.base+f.run
	var up, down int64 // rows
	grow := func(step, first, last int64) {
		least, most := min(step*first, step*last), max(step*first, step*last)
		if step%f.fold == 0 {
			down, up = down+least/f.fold, up+most/f.fold
		} else {
			lo, hi = lo+least, hi+most
		}
	}
	for _, l := range f.strides() {
		grow(l.Step, 0, l.Num-1)
	}
	for i := from; i < len(f.coef); i++ {
		grow(f.coef[i], 0, loops[i].Loop.Trips()-1)
	}
	for _, l := range f.leaves {
		grow(l.coef, l.lo, l.hi)
	}
	row, end := ir.FloorDiv(lo, f.fold), ir.FloorDiv(hi-1, f.fold)
	b := ir.Box{Row: row + down, RowEnd: end + up + 1, Col: 0, ColEnd: f.fold}
	if row == end {
		b.Col, b.ColEnd = lo-row*f.fold, hi-row*f.fold
	}
	return b
}

// solid tells whether a form that does not move fills its hull: the same columns of some rows, one below the other.
func (f *form) solid() bool {
	if ir.FloorDiv(f.base, f.fold) != ir.FloorDiv(f.base+f.run-1, f.fold) {
		return false // it goes on at the beginning of the next row
	}
	return f.n == 0 || f.n == 1 && f.levels[0].Step == f.fold
}

// covers tells whether w holds all of v in equal iterations of the first common loops around both, whatever the iterations of the others.
// loops are those around v.
func (w *form) covers(v *form, common int, loops []*ir.Inst) bool {
	if !w.still(common) || len(v.leaves) > 0 {
		return false
	}
	for i := range common {
		if w.along(i) != v.along(i) {
			return false
		}
	}
	if v.still(common) {
		a, b := w.walk(), v.walk()
		return a.Covers(&b)
	}
	a, b := w.hull(nil, len(w.coef)), v.hull(loops, common)
	return w.solid() && a.Row <= b.Row && b.RowEnd <= a.RowEnd && a.Col <= b.Col && b.ColEnd <= a.ColEnd
}

// walk returns the form at the first trip of all loops.
func (f *form) walk() ir.Walk {
	return ir.Walk{Base: f.base, Run: f.run, N: f.n, Levels: f.levels}
}
