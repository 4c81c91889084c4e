package oracle

import (
	"birfuzz/ir"
	"birfuzz/ir/num"
)

// Copy implements ir.Machine.
func (x *exec) Copy(i int) {
	x.ran.how, x.ran.from = wroteCopy, i
	p, q := &x.at[0], x.input(i)
	switch {
	case p.acc.count() != q.acc.count():
		x.Fault("%d elements into %d", q.acc.count(), p.acc.count())
		return
	case q.acc.st == nil:
		x.copyImm(p, q)
	case p.acc.dtype != q.acc.dtype:
		x.copyCast(p, q)
	case !x.swapped: // in place a copy of equal bits changes nothing
		x.copyRaw(p, q)
	}
	if x.accumulates() {
		x.accumulate(x.view(p))
	}
}

// copyImm writes an immediate: an integer as it is, modulo the width, any other number through a cast.
func (x *exec) copyImm(p, q *place) {
	imm := x.c.inst.Args[q.acc.arg].Imm
	b := integer(imm, 8*p.acc.size)
	if p.acc.dtype.IsFloat() {
		b = num.Encode(p.acc.dtype, float32(imm))
	}
	num.Store(x.m.data[p.base:], p.acc.dtype, b)
}

// copyCast copies through float32. All is read before anything is written.
func (x *exec) copyCast(p, q *place) {
	if v, ok := x.alias(q); ok && v.Stride == v.Cols && !x.swapped {
		narrow(x.m.data, p, v.F)
		return
	}
	narrow(x.m.data, p, x.copyOf(q).F)
}

// copyRaw copies bytes between places that do not overlap.
func (x *exec) copyRaw(p, q *place) {
	a, b, data := p.acc, q.acc, x.m.data
	switch {
	case b.n == 0:
		scatter(data, p, data[q.base:q.base+b.run])
	case a.n == 0:
		gather(data[p.base:p.base+a.run], data, q)
	case a.n == 1 && b.n == 1 && a.run == b.run:
		to, from := p.base, q.base
		for range a.levels[0].num {
			copy(data[to:to+a.run], data[from:])
			to, from = to+a.levels[0].step, from+b.levels[0].step
		}
	default:
		s := x.bytes(b.count() * b.size)
		gather(s, data, q)
		scatter(data, p, s)
	}
}

// Pick implements ir.Machine.
func (x *exec) Pick() []int32 {
	if x.entries == nil {
		x.ran.how = wrotePick
		x.entries = x.picks.take(x.at[0].acc.count())
	}
	return x.entries
}

// Source implements ir.Machine.
func (x *exec) Source(i, e int) int32 {
	x.used |= 1 << i
	return x.c.bases[i] + int32(e)
}

// SetFill implements ir.Machine.
func (x *exec) SetFill(v float32) { x.ran.fill = v }

// finishPick moves what Eval picked. The sources are laid side by side in the output's dtype, so that an entry is an index into them.
func (x *exec) finishPick() {
	x.ran.pick = x.entries
	p := &x.at[0]
	a := p.acc
	src := x.sources(a)
	if x.accumulates() {
		x.accumulate(x.picked())
	}
	fill := num.Encode(a.dtype, x.ran.fill)
	if a.n == 0 {
		pick(x.m.data[p.base:p.base+a.run], src, x.entries, a.size, fill)
		return
	}
	dst := x.bytes(len(x.entries) * a.size)
	gather(dst, x.m.data, p)
	pick(dst, src, x.entries, a.size, fill)
	scatter(x.m.data, p, dst)
}

// sources returns the elements of the inputs that were used, side by side. Of a first input that was used alone they need no copy where they
// stand like that already.
func (x *exec) sources(a *access) []byte {
	if q := x.input(0); x.used == 1 && !x.swapped && q.acc.st != nil && q.acc.n == 0 && q.acc.dtype == a.dtype {
		return x.m.data[q.base : q.base+q.acc.run]
	}
	last := x.at[x.c.nout+len(x.c.bases)-1].acc
	src := x.bytes((int(x.c.bases[len(x.c.bases)-1]) + last.count()) * a.size)
	for i := range x.c.bases {
		if x.used>>i&1 != 0 {
			x.laySource(src[int(x.c.bases[i])*a.size:], x.input(i), a)
		}
	}
	return src
}

// laySource writes the elements of an input at the start of dst in the dtype of a.
func (x *exec) laySource(dst []byte, q *place, a *access) {
	if q.acc.dtype == a.dtype {
		gather(dst[:q.acc.count()*a.size], x.m.data, q)
		return
	}
	num.Narrow(dst, x.copyOf(q).F, a.dtype)
}

// picked returns the picked elements as float32, for the accumulator: before the cast, whatever the dtypes.
func (x *exec) picked() ir.View {
	a := x.at[0].acc
	out := x.copyOf(&x.at[0]) // ir.Keep
	for i := range x.c.bases {
		if x.used>>i&1 == 0 {
			continue
		}
		lo, src := x.c.bases[i], x.copyOf(x.input(i)).F
		for k, e := range x.entries {
			if e >= lo && int(e-lo) < len(src) {
				out.F[k] = src[e-lo]
			}
		}
	}
	for k, e := range x.entries {
		if e == ir.Fill {
			out.F[k] = x.ran.fill
		}
	}
	return ir.View{F: out.F, Rows: a.lanes, Cols: a.free, Stride: a.free}
}

// pick sets element k of dst to element entries[k] of src, or to the fill bits; of ir.Keep it leaves it as it is.
func pick(dst, src []byte, entries []int32, size int, fill uint64) {
	switch size {
	case 1:
		pickElems(dst, src, entries, byte(fill))
		return
	case 2:
		if d, s, ok := asPair(num.AsUint16, dst, src); ok {
			pickElems(d, s, entries, uint16(fill))
			return
		}
	case 4:
		if d, s, ok := asPair(num.AsUint32, dst, src); ok {
			pickElems(d, s, entries, uint32(fill))
			return
		}
	case 8:
		if d, s, ok := asPair(num.AsUint64, dst, src); ok {
			pickElems(d, s, entries, fill)
			return
		}
	}
	pickBytes(dst, src, entries, size, fill)
}

// asPair views both as elements, if both can be.
func asPair[T any](as func([]byte) ([]T, bool), dst, src []byte) (d, s []T, ok bool) {
	if d, ok = as(dst); ok {
		s, ok = as(src)
	}
	return d, s, ok
}

func pickElems[T any](dst, src []T, entries []int32, fill T) {
	dst = dst[:len(entries)]
	for k, e := range entries {
		if e >= 0 {
			dst[k] = src[e]
		} else if e == ir.Fill {
			dst[k] = fill
		}
	}
}

// pickBytes is pick where the bytes cannot be viewed as elements.
func pickBytes(dst, src []byte, entries []int32, size int, fill uint64) {
	for k, e := range entries {
		if e >= 0 {
			copy(dst[k*size:(k+1)*size], src[int(e)*size:])
		} else if e == ir.Fill {
			for b := range size {
				dst[k*size+b] = byte(fill >> (8 * b))
			}
		}
	}
}
