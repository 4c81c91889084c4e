package gen

import (
	"slices"

	"birfuzz/ir"
	"birfuzz/ir/num"
)

// rowSet sorts the rows of the op table by what the generator uses them for. It is derived from the table and never changes.
type rowSet struct {
	draw     []*ir.Spec // rows with data, drawn by weight
	move     []*ir.Spec // one input to one output, element by element
	elem     []*ir.Spec // one or two inputs and scalars to one output, element by element
	command  []*ir.Spec // those of elem that can do something to an accumulator
	fill     []*ir.Spec // constants to one output
	sums     []*ir.Spec // members of accumulations in PSUM
	loop     *ir.Spec
	local    []*ir.Spec        // fences of one core
	meet     []*ir.Spec        // fences of several cores that name the cores
	idle     []*ir.Spec        // no data, no effect
	sync     []*ir.Spec        // fences that wait for semaphores and update them
	end      []*ir.Spec        // fences of several cores that name none: the end of a core's program
	accGet   []*ir.Spec        // reads of an accumulator
	exchange []*ir.Spec        // exchanges between cores
	number   []*ir.Spec        // a register from one other or a number
	count    []*ir.Spec        // a register from two others or numbers
	within   bool              // there is a row that moves rectangles inside DRAM
	without  map[*ir.Spec]bool // rows that are in none of these
}

// rows is the classification of the op table.
var rows = classify(nil)

// classify sorts the rows of the op table but those that are left out.
func classify(without map[*ir.Spec]bool) *rowSet {
	k := &rowSet{without: without}
	for s := range ir.Ops {
		if !without[s] {
			k.add(s)
		}
	}
	return k
}

func (k *rowSet) add(s *ir.Spec) {
	data := len(s.Outs) > 0
	switch {
	case s.Effect == ir.Control:
		k.loop = s
	case s.Weight == 0:
	case s.Effect == ir.FenceLocal && !data && s.Sync() == ir.SyncMeans:
		k.sync = append(k.sync, s)
	case s.Effect == ir.FenceLocal && !data:
		k.local = append(k.local, s)
	case s.Flow == ir.FlowCores && s.HasParam(ir.PCollectiveKind):
		k.exchange = append(k.exchange, s)
	case s.Effect == ir.FenceCores && !data && s.HasParam(ir.PCores):
		k.meet = append(k.meet, s)
	case s.Effect == ir.FenceCores && !data:
		k.end = append(k.end, s)
	case s.Effect == ir.Pure && !data:
		k.idle = append(k.idle, s)
	case s.Effect == ir.Pure:
		k.data(s)
	}
}

func (k *rowSet) data(s *ir.Spec) {
	k.draw = append(k.draw, s)
	switch {
	case len(s.Outs) == 1 && s.Outs[0].Role == ir.Register:
		k.register(s)
	case s.Flow == ir.FlowMatmul:
		k.sums = append(k.sums, s)
	case s.State.Reads:
		k.accGet = append(k.accGet, s)
	case s.Flow == ir.FlowNone && len(s.Ins) == 0 && len(s.Outs) == 1:
		k.fill = append(k.fill, s)
	case isMove(s):
		k.move = append(k.move, s)
		k.within = k.within || s.Ins[0].Mem&s.Outs[0].Mem&ir.InDRAM != 0
	case isElementwise(s):
		k.elem = append(k.elem, s)
		if s.HasParam(ir.PAcc) || s.HasParam(ir.PReduceCmd) {
			k.command = append(k.command, s)
		}
	}
}

// register sorts a row that computes a register: from registers or numbers alone it can be had at any time.
func (k *rowSet) register(s *ir.Spec) {
	if slices.ContainsFunc(s.Ins, func(o ir.OperandSpec) bool { return o.Role != ir.RegOrImm }) {
		return
	}
	switch len(s.Ins) {
	case 1:
		k.number = append(k.number, s)
	case 2:
		k.count = append(k.count, s)
	}
}

// isMove tells whether the row moves a rectangle as it is: one data input, one data output of the same shape, all of it overwritten, and no
// rule beyond operands and types but the engine's.
func isMove(s *ir.Spec) bool {
	if s.Flow != ir.FlowMove || len(s.Ins) != 1 || len(s.Outs) != 1 || s.Writes != nil {
		return false
	}
	in, out := &s.Ins[0], &s.Outs[0]
	return in.Role == ir.Data && out.Role == ir.Data && in.Shape == out.Shape && in.Same == 0 && len(in.Shape) > 0 && in.Shape[0] != byte(ir.DimOne)
}

// isElementwise tells whether the row computes each element of one output, which it overwrites, from the same element of its inputs, and from
// scalars.
func isElementwise(s *ir.Spec) bool {
	if s.Flow != ir.FlowElem || len(s.Outs) != 1 || s.Writes != nil || s.State.State != ir.NoHidden {
		return false
	}
	out := &s.Outs[0]
	same := func(in ir.OperandSpec) bool {
		return in.Role == ir.Scalar || in.Role == ir.Data && in.Shape == out.Shape
	}
	return out.Role == ir.Data && !slices.ContainsFunc(s.Ins, func(in ir.OperandSpec) bool { return !same(in) })
}

// bank of rows that one program draws from, with running sums of their weights.
type deck struct {
	rows []*ir.Spec
	sums []int
}

// fill takes the rows that the generation has, each left out with probability off.
func (d *deck) fill(r *Rand, rows []*ir.Spec, arch ir.Arch, t *traits, off float64) {
	sum := 0
	d.rows, d.sums = d.rows[:0], d.sums[:0]
	for _, s := range rows {
		if s.Engines[arch] == 0 || r.Bool(off) || !t.allows(s) {
			continue
		}
		sum += s.Weight
		d.rows, d.sums = append(d.rows, s), append(d.sums, sum)
	}
}

// allows tells whether the program's features leave the row in.
func (t *traits) allows(s *ir.Spec) bool {
	if s.State.Reads && !t.has(Accumulators) {
		return false
	}
	h, mem := &shapesOf[s.Op], t.memories()|ir.InReg
	if h.registers && !t.has(Registers) {
		return false
	}
	for _, m := range h.mems {
		if m&mem == 0 {
			return false
		}
	}
	return true
}

// pick draws a row; nil if the deck is empty.
func (d *deck) pick(r *Rand) *ir.Spec {
	if len(d.rows) == 0 {
		return nil
	}
	k := r.IntN(d.sums[len(d.sums)-1])
	i := 0
	for d.sums[i] <= k {
		i++
	}
	return d.rows[i]
}

// sizeOf returns the size that a shape letter stands for, 0 if it is a variable.
func sizeOf(letter byte) int {
	switch ir.Dim(letter) {
	case ir.DimOne, ir.DimTwo, ir.DimSix, ir.DimEight:
		return int(letter - '0')
	default:
		return 0
	}
}

// typeSet returns the element types of a generation that a program may mix: the OCP form of float8 and the older ones exclude each other.
func typeSet(arch ir.Arch, ocp bool) ir.DTypeSet {
	var s ir.DTypeSet
	for d := num.Invalid + 1; d < num.NumDTypes; d++ {
		s |= ir.DTypesOf(d)
	}
	fn := ir.DTypesOf(num.Float8e4m3fn)
	if arch == ir.CoreV4 && ocp {
		return s &^ ir.DTypesOf(num.Float8e3, num.Float8e4, num.Float8e5)
	}
	return s &^ fn
}
