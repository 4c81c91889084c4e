package gen

import (
	"birfuzz/ir"
	"birfuzz/ir/num"
)

// relay is a DMA copy between two scratch tensors of DRAM that nobody else names, of which some instruction reads the copy. Whether it may as
// well read the source is what passes ask.
type relay struct {
	*builder
	rows, free int // of the source
	dtype      num.DType
}

// drawRelay draws a relay: one whose reader may read the source, or one that differs from that in one thing.
func (b *builder) drawRelay() {
	r := relay{builder: b, dtype: one(&b.Rand, b.common)}
	r.rows, r.free = b.sizes(0, 0)
	r.rows = max(min(r.rows, ir.Partitions/4), 2)
	if room := b.left - b.reserve; room > 7 && !b.parallel() && b.mayLoop() && b.Bool(0.5) {
		one(&b.Rand, []func(relay){relay.earlier, relay.perhaps, relay.moving, relay.filling})(r)
	} else if room > 5 {
		one(&b.Rand, []func(relay){relay.elsewhere, relay.stale, relay.patched, relay.beyond})(r)
	}
}

// tensor declares scratch DRAM of that many times the rows of the source.
func (r relay) tensor(times int) *slot {
	s := r.internal(ir.DRAM, times*r.rows, r.free*r.dtype.Size(), r.dtype)
	s.fixed = true
	return s
}

// input returns a new input of that many times the rows of the source.
func (r relay) input(times int) *slot { return r.newInput(times*r.rows, r.free, r.dtype) }

// filled returns scratch DRAM with the values of an input, nil if that fails.
func (r relay) filled(times int) *slot {
	x := r.input(times)
	if x == nil {
		return nil
	}
	if s := r.tensor(times); r.put(x, s, nil) {
		return s
	}
	return nil
}

// copied returns a filled source and a copy of all of it. It reports false if that fails.
func (r relay) copied() (s, d *slot, ok bool) {
	if s = r.filled(1); s == nil {
		return nil, nil, false
	}
	d = r.tensor(1)
	return s, d, r.put(s, d, nil)
}

// ends returns what a loop of copies goes between: a filled source and an empty copy, of so many times the rows of the source, and a filled
// result of as many rows. It reports false if that fails.
func (r relay) ends(source, copies int) (s, d, t *slot, ok bool) {
	if s, t = r.filled(source), r.filled(1); s == nil || t == nil {
		return nil, nil, nil, false
	}
	return s, r.tensor(copies), t, true
}

// part returns rows of the tensor from r0 on, as many as the source has.
func (r relay) part(s *slot, r0 int) rect { return rect{r0, r0 + r.rows, 0, s.width} }

// read draws a reader of what is written of the copy.
func (r relay) read(d *slot) { r.moved(d, ir.InSB|ir.InDRAM, r.dtype) }

// seal keeps all other instructions from the tensors, mostly.
func (r relay) seal(list ...*slot) {
	if r.Bool(0.8) {
		for _, s := range list {
			s.hidden = true
		}
	}
}

// elsewhere copies some rows to other rows, and reads some of those.
func (r relay) elsewhere() {
	s := r.filled(2)
	if s == nil {
		return
	}
	d := r.tensor(2)
	at := r.part(d, r.IntN(r.rows+1))
	if !r.lay(r.cut(s, r.part(s, r.IntN(r.rows+1))), d, at, nil) {
		return
	}
	if r.Bool(0.5) {
		at.r0 += r.IntN(r.rows)
	}
	r.read(r.cut(d, at))
	d.used = true
	r.seal(s, d)
}

// stale writes the source again before the copy is read, or after.
func (r relay) stale() {
	s, d, ok := r.copied()
	if !ok {
		return
	}
	if r.Bool(0.3) {
		r.read(d)
	}
	r.overwrite(s)
	r.read(d)
	r.seal(s, d)
}

// overwrite gives all of a tensor, or its last rows, new values.
func (b *builder) overwrite(s *slot) {
	r0 := 0
	if b.Bool(0.3) {
		r0 = b.IntN(s.rows)
	}
	if x := b.newInput(s.rows-r0, s.width/s.dtype.Size(), s.dtype); x != nil {
		b.lay(x, s, rect{r0, s.rows, 0, s.width}, nil)
	}
}

// patched gives the copy, or a part of it, a second writer.
func (r relay) patched() {
	s, d, ok := r.copied()
	if !ok {
		return
	}
	r.overwrite(d)
	r.read(d)
	r.seal(s, d)
}

// beyond reads more than was copied, and more than the source has; only what was copied goes on.
func (r relay) beyond() {
	s := r.filled(1)
	if s == nil {
		return
	}
	d, w := r.tensor(2), r.tensor(2)
	if !r.put(s, d, nil) {
		return
	}
	if r.put(r.cut(d, d.all()), w, nil) {
		w.def = d.def
		r.read(w)
	}
	d.hidden, w.hidden = true, true
}

// trips opens a loop of two or three trips, and a window over an input of which each trip sees other rows.
func (r relay) trips() (n *nest, window *slot) {
	l := &ir.Loop{Axis: axisNames.at(r.blocks), Stride: 1, UB: int64(r.Between(2, 3))}
	x := r.input(int(l.UB))
	if x == nil {
		return nil, nil
	}
	n = r.open(l, nil)
	return n, r.over(x, l)
}

// over opens a window over a tensor that moves on by the rows of the source each trip.
func (r relay) over(x *slot, l *ir.Loop) *slot {
	w := r.newWindow(x, 0, ir.Term{Kind: ir.AxisTerm, Axis: l, Coef: int64(r.rows) * x.loc.RowBytes}, x.width)
	w.rows, w.def = r.rows, rect{0, r.rows, 0, x.width}
	return w
}

// inLoop draws a loop whose body each trip sees other rows of an input. The result is read behind the loop.
func (r relay) inLoop(result *slot, body func(l *ir.Loop, window *slot)) {
	outer := r.block
	n, w := r.trips()
	if n == nil {
		return
	}
	body(n.loop, w)
	r.leave(n)
	r.block = outer
	if !result.def.empty() {
		r.read(result)
	}
}

// when is the condition that the trip is, or is not, the first.
func when(l *ir.Loop, c ir.Cmp) []ir.Predicate {
	e := ir.Affine{C: -l.LB, Terms: []ir.Term{{Coef: 1, Kind: ir.AxisTerm, Axis: l}}}
	return []ir.Predicate{{Expr: e, Cmp: c}}
}

// earlier reads the copy that the trip before made.
func (r relay) earlier() {
	s, d, t, ok := r.ends(1, 1)
	if !ok {
		return
	}
	first := r.Bool(0.5)
	r.inLoop(t, func(l *ir.Loop, w *slot) {
		if first {
			r.put(w, s, nil)
		}
		r.put(r.cut(d, d.all()), t, when(l, ir.IsGT))
		if !r.put(s, d, nil) {
			t.def, t.hidden = rect{}, true // it got what nobody wrote
		}
		if !first {
			r.put(w, s, nil)
		}
	})
	r.seal(s, d)
}

// looped draws a loop of copies from a filled source to an empty copy, of so many times the rows of the source. Where not every trip surely copies
// all, nobody else reads the copy.
func (r relay) looped(source, copies int, sure bool, body func(l *ir.Loop, window, s, d, t *slot)) {
	s, d, t, ok := r.ends(source, copies)
	if !ok {
		return
	}
	r.inLoop(t, func(l *ir.Loop, w *slot) { body(l, w, s, d, t) })
	if sure {
		r.seal(s, d)
		return
	}
	d.hidden = true
	r.seal(s)
}

// perhaps copies in the first trip only.
func (r relay) perhaps() {
	r.looped(1, 1, false, func(l *ir.Loop, w, s, d, t *slot) {
		if r.put(s, d, when(l, ir.IsEqual)) {
			r.put(r.cut(d, d.all()), t, nil)
		}
		r.put(w, s, nil)
	})
}

// moving copies other rows of the source each trip.
func (r relay) moving() {
	r.looped(3, 1, true, func(l *ir.Loop, _, s, d, t *slot) {
		if r.put(r.over(s, l), d, nil) {
			r.put(d, t, nil)
		}
	})
}

// filling copies to other rows each trip, and reads those of the first.
func (r relay) filling() {
	r.looped(1, 3, false, func(l *ir.Loop, w, s, d, t *slot) {
		r.put(w, s, nil)
		to := r.over(d, l)
		if r.lay(s, to, to.all(), nil) {
			r.put(r.cut(d, r.part(d, 0)), t, nil)
		}
	})
}
