package oracle

import (
	"fmt"

	"birfuzz/ir"
	"birfuzz/ir/num"
)

// exec executes one instruction at a time. It is the ir.Machine that Eval sees: it gathers, casts and aliases operands, and scatters results.
type exec struct {
	m    *Machine
	eval ir.Eval
	c    *code
	at   []place
	ran  ran

	out     ir.View // wroteValues: what Eval filled, if it took Out
	bits    ir.Bits // wroteValues: what Eval filled, if it took OutBits
	scratch bool    // out, or bits, is not the output's own memory
	swapped bool    // an input stands where the output goes
	used    uint64  // inputs of which Eval asked for Pick entries, one bit each
	entries []int32 // the entries, once Pick was called
	fault   *Fault

	f32   pool[float32]
	raw   pool[byte]
	picks pool[int32]
}

// pool hands out scratch memory for one instruction. It grows until the largest instruction fits, and then allocates nothing.
type pool[T any] struct {
	buf  []T
	used int
}

func (p *pool[T]) take(n int) []T {
	if len(p.buf)-p.used < n { // what was handed out before keeps its old memory
		p.buf = make([]T, p.used+n+p.used/4)
	}
	s := p.buf[p.used : p.used+n : p.used+n]
	p.used += n
	return s
}

// bytes returns n bytes of scratch memory that start on a multiple of 8.
func (x *exec) bytes(n int) []byte { return x.raw.take((n + 7) &^ 7)[:n] }

// recycle takes all scratch memory back.
func (x *exec) recycle() {
	x.f32.used, x.raw.used, x.picks.used = 0, 0, 0
}

// run executes c on behalf of t.
func (x *exec) run(t *thread, c *code) *Fault {
	at, f := x.m.places(t, c)
	if f != nil {
		return f
	}
	way := c.clash
	if way == depends {
		way = overlaps(c, at)
	}
	if way == illegal {
		return clashFault(c, at)
	}
	if x.m.track != nil {
		if f := x.m.track.before(c, at); f != nil {
			return f
		}
	}
	if c.region != noRegion {
		x.m.clearRegion(c, &at[0])
	}
	if x.m.replay != nil {
		return x.m.replay.again(c, at)
	}
	x.recycle()
	x.c, x.at, x.swapped, x.fault = c, at, way == inPlace, nil
	x.ran = ran{poisoned: x.ran.poisoned[:0]}
	x.used, x.entries, x.scratch = 0, nil, false
	x.out, x.bits = ir.View{}, ir.Bits{}
	x.eval.Inst = c.inst
	c.spec.Eval(&x.eval)
	if x.fault != nil {
		return x.fault
	}
	x.finish()
	if x.m.track != nil {
		return x.m.track.after(c, at, &x.ran)
	}
	return nil
}

// places returns where the operands of c are now.
func (m *Machine) places(t *thread, c *code) ([]place, *Fault) {
	for i := range c.acc {
		a := &c.acc[i]
		detail := a.bad
		if a.symbol && detail == "" {
			off := m.value(a.off, t.axes)
			base, ok := a.resolve(off)
			if !ok {
				detail = a.outside(off)
			}
			c.at[i].base = base
		}
		if detail != "" {
			return nil, &Fault{Kind: RangeFault, Detail: detail}
		}
	}
	return c.at, nil
}

// finish writes what Eval computed: accumulator first, then the cast into the output.
func (x *exec) finish() {
	switch {
	case x.ran.how == wrotePick:
		x.finishPick()
	case x.bits.B != nil:
		if x.scratch {
			scatter(x.m.data, &x.at[0], x.bits.B)
		}
		if x.accumulates() {
			x.accumulate(x.view(&x.at[0]))
		}
	case x.out.F != nil:
		if x.accumulates() {
			x.accumulate(x.out)
		}
		if x.scratch {
			narrow(x.m.data, &x.at[0], x.out.F)
		}
	}
}

func (x *exec) accumulates() bool { return x.c.accum != noAcc && x.c.inst.WritesAcc() }

// accumulate does the accumulator command on the results before the cast.
func (x *exec) accumulate(results ir.View) {
	p := &x.at[x.c.accum]
	sums := x.f32.take(p.acc.lanes)
	widen(sums, x.m.data, p)
	ir.Accumulate(sums, x.c.inst.Acc(), results)
	narrow(x.m.data, p, sums)
}

// input returns the place of input i.
func (x *exec) input(i int) *place { return &x.at[x.c.nout+i] }

// Has implements ir.Machine.
func (x *exec) Has(i int) bool { return x.c.nout+i < len(x.c.inst.Args) }

// In implements ir.Machine.
func (x *exec) In(i int) ir.View {
	p := x.input(i)
	if p.acc.st != nil {
		return x.view(p)
	}
	f := x.f32.take(1)
	f[0] = float32(x.c.inst.Args[p.acc.arg].Imm)
	return ir.View{F: f, Rows: 1, Cols: 1, Stride: 1}
}

// view returns the elements of a place as float32: where they stand if that is possible, else a copy.
func (x *exec) view(p *place) ir.View {
	if v, ok := x.alias(p); ok {
		return v
	}
	return x.copyOf(p)
}

// alias returns the memory of float32 rows itself.
func (x *exec) alias(p *place) (ir.View, bool) {
	a := p.acc
	if !a.view || p.base&3 != 0 || x.m.floats == nil {
		return ir.View{}, false
	}
	return ir.View{F: x.m.floats[p.base/4 : (p.base+a.span)/4], Rows: a.lanes, Cols: a.free, Stride: a.laneStep / 4}, true
}

// copyOf returns the elements of a place as float32 in scratch memory.
func (x *exec) copyOf(p *place) ir.View {
	a := p.acc
	f := x.f32.take(a.count())
	widen(f, x.m.data, p)
	return ir.View{F: f, Rows: a.lanes, Cols: a.free, Stride: a.free}
}

// InBits implements ir.Machine.
func (x *exec) InBits(i int) ir.Bits {
	p := x.input(i)
	if p.acc.st != nil {
		return x.bitsOf(p)
	}
	b := x.bytes(8)
	width := 8 * p.acc.size
	num.Store(b, num.UInt64, integer(x.c.inst.Args[p.acc.arg].Imm, width))
	return ir.Bits{B: b, Rows: 1, Cols: 1, Width: width}
}

// bitsOf returns the elements of a place as they stand: where they stand if each lane is one run, else a copy.
func (x *exec) bitsOf(p *place) ir.Bits {
	if p.acc.runs {
		return x.bitsAt(p)
	}
	b := x.bitsFor(p)
	gather(b.B, x.m.data, p)
	return b
}

// bitsAt returns the memory of a place whose lanes are runs.
func (x *exec) bitsAt(p *place) ir.Bits {
	a := p.acc
	return ir.Bits{B: x.m.data[p.base : p.base+a.span], Rows: a.lanes, Cols: a.free, Stride: a.laneStep, Width: 8 * a.size}
}

// bitsFor returns scratch memory for the elements of a place.
func (x *exec) bitsFor(p *place) ir.Bits {
	a := p.acc
	return ir.Bits{B: x.bytes(a.count() * a.size), Rows: a.lanes, Cols: a.free, Stride: a.free * a.size, Width: 8 * a.size}
}

// integer returns an immediate as an integer of w bits, modulo 2^w.
func integer(imm float64, w int) uint64 { return uint64(int64(imm)) & (1<<(w-1)<<1 - 1) }

// Old implements ir.Machine. A matmul reads each old number once, before it writes there, so it needs no copy.
func (x *exec) Old(i int) ir.View {
	if x.c.spec.Flow == ir.FlowMatmul {
		return x.view(&x.at[i])
	}
	return x.copyOf(&x.at[i])
}

// OldBits implements ir.Machine.
func (x *exec) OldBits(i int) ir.Bits { return x.bitsOf(&x.at[i]) }

// Out implements ir.Machine. There is one output. Results go to its memory where they need no cast and no element is still to be read when
// another is written; of an element-wise row that holds in place too.
func (x *exec) Out(int) ir.View {
	if x.out.F != nil {
		return x.out
	}
	p := &x.at[0]
	a := p.acc
	x.ran.how = wroteValues
	if v, ok := x.alias(p); ok && a.dtype == num.Float32 && x.writesInPlace() {
		x.out = v
		return v
	}
	x.scratch = true
	x.out = ir.View{F: x.f32.take(a.count()), Rows: a.lanes, Cols: a.free, Stride: a.free}
	return x.out
}

// OutBits implements ir.Machine. Results go to memory as those of Out do.
func (x *exec) OutBits(int) ir.Bits {
	if x.bits.B != nil {
		return x.bits
	}
	p := &x.at[0]
	x.ran.how = wroteValues
	if p.acc.runs && x.writesInPlace() {
		x.bits = x.bitsAt(p)
	} else {
		x.scratch = true
		x.bits = x.bitsFor(p)
	}
	return x.bits
}

// writesInPlace tells whether no element is still to be read when another is written.
func (x *exec) writesInPlace() bool { return !x.swapped || x.c.spec.Flow == ir.FlowElem }

// Acc implements ir.Machine.
func (x *exec) Acc() []float32 {
	if x.c.accum == noAcc {
		x.Fault("the instruction reads no accumulator")
		return make([]float32, ir.Partitions)
	}
	return x.view(&x.at[x.c.accum]).F
}

// Poison implements ir.Machine.
func (x *exec) Poison(r, c int) {
	x.ran.poisoned = append(x.ran.poisoned, int32(r*x.at[0].acc.free+c))
}

// Fault implements ir.Machine. The first fault stands.
func (x *exec) Fault(format string, args ...any) {
	if x.fault == nil {
		x.fault = &Fault{Kind: ValueFault, Detail: fmt.Sprintf(format, args...)}
	}
}
