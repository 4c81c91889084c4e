package oracle

import (
	"fmt"

	"birfuzz/ir"
	"birfuzz/ir/num"
)

// scratchBytes bounds the scratch memory that an element of an operand may need.
const scratchBytes = 32

// operands compiles the operands of an instruction and its use of the accumulator.
func (c *compiler) operands(x *code) error {
	in, o := x.inst, c.core
	lo, blo := len(o.accs), len(o.bases)
	if x.nout > 1 || x.nout > len(in.Args) {
		return fmt.Errorf("%d outputs, want at most 1", x.nout)
	}
	elems, entries := int64(0), int64(0)
	for i := range in.Args {
		o.accs = append(o.accs, access{arg: i})
		a := &o.accs[len(o.accs)-1]
		if err := c.operand(a, &in.Args[i]); err != nil {
			return fmt.Errorf("operand %d: %w", i, err)
		}
		x.moves = x.moves || a.symbol
		elems += int64(a.count())
		if i >= x.nout {
			o.bases = append(o.bases, int32(entries))
			entries += int64(a.count())
		}
	}
	if elems > c.m.limit/scratchBytes || entries > 1<<31-1 {
		return tooLarge("%d elements in all operands, more than fit into the limit of %d bytes", elems, c.m.limit)
	}
	if in.ReadsAcc() || in.WritesAcc() {
		if len(in.Args) == 0 {
			return fmt.Errorf("the accumulator is used without an output")
		}
		x.accum, x.adds = len(o.accs)-lo, in.ReadsAcc()
		o.accs = append(o.accs, c.accumulator(x, o.accs[lo].lanes))
	}
	x.acc, x.bases = o.accs[lo:], o.bases[blo:]
	x.writes, x.region = x.spec.WriteMode(in), regionOf(in)
	x.weight += elems / stepElems
	if x.spec.Flow == ir.FlowMatmul && len(x.acc) == 3 {
		x.weight += int64(x.acc[0].count()) / stepElems * int64(x.acc[1].lanes) * stepElems / stepProducts
	}
	alo := len(o.at)
	for i := range x.acc {
		o.at = append(o.at, place{&x.acc[i], x.acc[i].base})
	}
	x.at = o.at[alo:]
	x.clash = c.clash(x)
	return nil
}

// accumulator is the access to the accumulator: the first lanes of its engine's, one float32 each.
func (c *compiler) accumulator(x *code, lanes int) access {
	st := c.m.accumulator(c.core.id, accEngine(x.inst, c.arch))
	a := access{arg: noAcc, st: st, dtype: num.Float32, size: 4, lanes: lanes, free: 1, run: 4 * lanes, span: 4 * lanes, base: st.off, laneStep: 4, view: true}
	if lanes > ir.Partitions {
		a.bad = fmt.Sprintf("%d lanes, an accumulator has %d", lanes, ir.Partitions)
	}
	return a
}

// operand compiles one operand. An error means that the operand does not hold together; a.bad, that executing it is a fault.
func (c *compiler) operand(a *access, o *ir.Operand) error {
	a.dtype, a.size, a.lanes, a.free = o.DType, o.DType.Size(), 1, 1
	if a.size == 0 {
		return fmt.Errorf("no dtype")
	}
	if o.Kind == ir.ImmOperand {
		return nil
	}
	i := c.m.find(o.Loc, c.core.id, c.shards)
	if i < 0 {
		return fmt.Errorf("its location is not declared in this function")
	}
	a.loc = &c.m.locations[i]
	a.st = a.loc.st
	switch o.Kind {
	case ir.RegOperand:
		if a.size > a.loc.rowBytes {
			return fmt.Errorf("register of %d bytes accessed as %v", a.loc.rowBytes, o.DType)
		}
		a.base, a.run, a.span, a.laneStep = a.loc.at, a.size, a.size, a.size
		return nil
	case ir.APOperand:
		return c.memory(a, o)
	default:
		return fmt.Errorf("no operand")
	}
}

// memory compiles an access to memory: its walk in bytes of the arena, and its bounds.
func (c *compiler) memory(a *access, o *ir.Operand) error {
	if o.N == 0 || int(o.N) > ir.MaxPairs {
		return fmt.Errorf("%d pairs, want 1 to %d", o.N, ir.MaxPairs)
	}
	if err := sizes(a, o); err != nil {
		return err
	}
	a.rowElems = int64(a.loc.rowBytes / a.size)
	onChip := a.loc.loc.Type.OnChip()
	span, contiguous := int64(0), int64(1)
	for i := len(o.Pairs()) - 1; i >= 0; i-- {
		p := o.AP[i]
		step, reach := int64(p.Step), int64(p.Step)*int64(p.Num-1)
		switch {
		case step < 0:
			a.bad = fmt.Sprintf("step %d is negative", step)
			return nil
		case p.Num == 1:
		case i == 0 && onChip:
			if a.rowElems == 0 || step%a.rowElems != 0 {
				a.bad = fmt.Sprintf("first step %d, want a multiple of the row of %d elements", step, a.rowElems)
				return nil
			}
			a.laneStep = int(step/a.rowElems) * a.st.pitch
			a.rowSpan = reach / a.rowElems
		case i == 0:
			a.laneStep = int(step) * a.size
			span += reach
		default:
			span += reach
			if step != contiguous {
				contiguous = -1
			}
			contiguous *= int64(p.Num)
		}
	}
	a.colSpan = span
	if span >= a.rowElems || a.rowSpan >= int64(a.loc.rows) {
		a.bad = fmt.Sprintf("%d rows and %d elements a row reach past the location's %d rows of %d", a.rowSpan+1, span+1, a.loc.rows, a.rowElems)
		return nil
	}
	a.walk(o, onChip)
	a.runs = contiguous == int64(a.free)
	a.view = a.runs && (a.dtype == num.Float32 || a.dtype == num.Float32r) && a.laneStep%4 == 0
	return c.start(a, o)
}

// sizes sets lanes and free, bounded so that no product of counts and steps overflows.
func sizes(a *access, o *ir.Operand) error {
	free := int64(1)
	for i, p := range o.Pairs() {
		if p.Num <= 0 {
			return fmt.Errorf("pair %d has %d elements, want at least 1", i, p.Num)
		}
		if i > 0 {
			if free *= int64(p.Num); free > 1<<31 {
				return tooLarge("more than 2^31 elements a lane")
			}
		}
	}
	if free*int64(o.AP[0].Num) > 1<<31 {
		return tooLarge("more than 2^31 elements")
	}
	a.lanes, a.free = int(o.AP[0].Num), int(free)
	return nil
}

// walk sets the merged levels and the run.
func (a *access) walk(o *ir.Operand, onChip bool) {
	a.n, a.run = 0, a.size
	for i, p := range o.Pairs() {
		l := level{int(p.Step) * a.size, int(p.Num)}
		if i == 0 && onChip {
			l.step = a.laneStep
		}
		a.push(l)
	}
	for a.n > 0 && a.levels[a.n-1].step == a.run {
		a.n--
		a.run *= a.levels[a.n].num
		a.levels[a.n] = level{} // equal walks are equal arrays
	}
	a.span = a.run
	for _, l := range a.levels[:a.n] {
		a.span += l.step * (l.num - 1)
	}
}

func (a *access) push(l level) {
	if l.num == 1 {
		return
	}
	if a.n > 0 {
		if up := &a.levels[a.n-1]; up.step == l.step*l.num {
			*up = level{l.step, up.num * l.num}
			return
		}
	}
	a.levels[a.n] = l
	a.n++
}

// start sets where the access begins.
func (c *compiler) start(a *access, o *ir.Operand) error {
	var err error
	if a.off, err = c.affine(&o.Off); err != nil {
		return err
	}
	if a.symbol = !a.off.constant(); a.symbol {
		return nil
	}
	base, ok := a.resolve(a.off.c)
	if !ok {
		a.bad = a.outside(a.off.c)
	}
	a.base = base
	return nil
}

// resolve returns the arena offset at which the access begins when it starts off elements into its location, and whether all of it is
// inside the location. Nothing outside may be touched.
func (a *access) resolve(off int64) (base int, ok bool) {
	if off < 0 {
		return 0, false
	}
	row, col := int64(0), off
	if a.loc.loc.Type.OnChip() {
		row, col = off/a.rowElems, off%a.rowElems
	}
	if row >= int64(a.loc.rows)-a.rowSpan || col >= a.rowElems-a.colSpan {
		return 0, false
	}
	return a.loc.at + int(row)*a.st.pitch + int(col)*a.size, true
}

func (a *access) outside(off int64) string {
	return fmt.Sprintf("%q is accessed from element %d on, over %d rows and %d elements a row; it has %d rows of %d elements",
		a.loc.name, off, a.rowSpan+1, a.colSpan+1, a.loc.rows, a.rowElems)
}
