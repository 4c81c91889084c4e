package oracle

import (
	"encoding/binary"

	"birfuzz/ir"
	"birfuzz/ir/num"
)

// lines walks the outer levels of an access. A line is what lies inside them: its run, or, where elements are not contiguous, its innermost
// level.
type lines struct {
	outer []level
	at    [ir.MaxPairs]int // of the levels around the innermost outer one
	off   int              // arena offset of the line
	left  int              // lines to go, this one included
	row   int              // of these, in the innermost outer level
	apart int              // bytes from one of those to the next
	num   int              // elements of a line
	step  int              // bytes from one to the next
}

// lines begins the walk.
func (p *place) lines() lines {
	a := p.acc
	w := lines{outer: a.levels[:a.n], off: p.base, left: 1, num: a.run / a.size, step: a.size}
	if w.num == 1 && a.n > 0 {
		inner := a.levels[a.n-1]
		w.outer, w.num, w.step = a.levels[:a.n-1], inner.num, inner.step
	}
	for _, l := range w.outer {
		w.left *= l.num
		w.row, w.apart = l.num, l.step
	}
	return w
}

// next goes to the next line.
func (w *lines) next() {
	w.left--
	w.off += w.apart
	if w.row--; w.row == 0 {
		w.carry()
	}
}

// carry goes from behind the innermost outer level to its next turn.
func (w *lines) carry() {
	i := len(w.outer) - 1
	w.row = w.outer[i].num
	w.off -= w.apart * w.row
	for i--; i >= 0; i-- {
		l := w.outer[i]
		w.off += l.step
		if w.at[i]++; w.at[i] < l.num {
			return
		}
		w.off -= l.step * l.num
		w.at[i] = 0
	}
}

// widen reads the elements of p as float32, in walk order.
func widen(dst []float32, data []byte, p *place) {
	d := p.acc.dtype
	for w := p.lines(); w.left > 0; w.next() {
		num.WidenStrided(dst[:w.num], data[w.off:], w.step, d)
		dst = dst[w.num:]
	}
}

// narrow casts src into the elements of p, in walk order.
func narrow(data []byte, p *place, src []float32) {
	d := p.acc.dtype
	for w := p.lines(); w.left > 0; w.next() {
		num.NarrowStrided(data[w.off:], w.step, src[:w.num], d)
		src = src[w.num:]
	}
}

// gather reads the bytes of the elements of p, in walk order.
func gather(dst, data []byte, p *place) {
	size := p.acc.size
	for w := p.lines(); w.left > 0; w.next() {
		n := w.num * size
		if w.step == size {
			copy(dst[:n], data[w.off:])
		} else {
			copyElems(dst[:n], size, data[w.off:], w.step, w.num, size)
		}
		dst = dst[n:]
	}
}

// scatter writes the bytes of the elements of p, in walk order.
func scatter(data []byte, p *place, src []byte) {
	size := p.acc.size
	for w := p.lines(); w.left > 0; w.next() {
		n := w.num * size
		if w.step == size {
			copy(data[w.off:w.off+n], src)
		} else {
			copyElems(data[w.off:], w.step, src[:n], size, w.num, size)
		}
		src = src[n:]
	}
}

// copyElems copies n elements of the given size from src to dst, where they lie so many bytes apart.
func copyElems(dst []byte, dstStep int, src []byte, srcStep, n, size int) {
	to, from := 0, 0
	order := binary.NativeEndian
	switch size {
	case 1:
		for range n {
			dst[to] = src[from]
			to, from = to+dstStep, from+srcStep
		}
	case 2:
		for range n {
			order.PutUint16(dst[to:], order.Uint16(src[from:]))
			to, from = to+dstStep, from+srcStep
		}
	case 4:
		for range n {
			order.PutUint32(dst[to:], order.Uint32(src[from:]))
			to, from = to+dstStep, from+srcStep
		}
	default:
		for range n {
			order.PutUint64(dst[to:], order.Uint64(src[from:]))
			to, from = to+dstStep, from+srcStep
		}
	}
}
