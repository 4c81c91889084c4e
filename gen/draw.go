package gen

import (
	"math/bits"

	"birfuzz/ir"
	"birfuzz/ir/num"
)

// maxArgs is the largest number of operands of any row.
const maxArgs = 4

// maxParams is the largest number of settings of any row.
const maxParams = 12

// draft is an instruction in the making: what its row's letters stand for so far, and what its operands reach.
type draft struct {
	b       *builder
	row     *ir.Spec
	in      ir.Inst
	args    [maxArgs]ir.Operand
	touched [maxArgs]touch
	params  [maxParams]ir.Param
	size    [32]int32     // by letter: lanes or elements, 0 unknown
	same    [32]num.DType // by type letter
	force   ir.DTypeSet   // element types that the settings leave, 0 all
	folds   int           // innermost pairs that the instruction folds, 0 if it folds none
	shape   extent        // of the operand whose letter N was bound first
	guarded bool          // predicates will guard it: it may be skipped
}

// draft begins an instruction of a row, for which others may be begun until drafted is called.
func (b *builder) draft(row *ir.Spec) *draft {
	d := &b.drafts[b.depth]
	b.depth++
	d.start(b, row)
	return d
}

// drafted ends what draft began.
func (b *builder) drafted() { b.depth-- }

// start begins an instruction of a row.
func (d *draft) start(b *builder, row *ir.Spec) {
	n := len(row.Outs) + len(row.Ins)
	clear(d.args[:n])
	clear(d.touched[:n])
	d.in = ir.Inst{}
	d.in.Op, d.in.NOut, d.in.Args, d.in.Params = row.Op, uint8(len(row.Outs)), d.args[:n], d.params[:0]
	d.b, d.row = b, row
	d.size, d.same = [32]int32{}, [32]num.DType{}
	d.force, d.folds, d.shape, d.guarded = 0, 0, extent{}, false
}

// get returns what a letter stands for, 0 if that is open.
func (d *draft) get(letter byte) int {
	if n := sizeOf(letter); n > 0 {
		return n
	}
	return int(d.size[letter&31])
}

// bind gives an open letter its meaning.
func (d *draft) bind(letter byte, n int) {
	if letter != byte(ir.DimAny) {
		d.size[letter&31] = int32(n)
	}
}

// cap returns the largest size that a letter may take, at most n.
func (d *draft) cap(letter byte, n int) int {
	if m := int(shapesOf[d.row.Op].most[letter&31]); m > 0 && n > m {
		return m
	}
	return n
}

// draw draws one instruction, or a few that belong together. Some rows ask for more than the program offers at that moment: it tries others.
func (b *builder) draw() bool {
	for range 12 {
		row := b.deck.pick(&b.Rand)
		if row == nil {
			break
		}
		if b.try(row) {
			return true
		}
	}
	return b.prepareAny()
}

// try draws an instruction of the row. It reports false if operands or rules do not fit; instructions that prepared operands stay.
func (b *builder) try(row *ir.Spec) bool {
	if b.depth >= maxDepth {
		return false
	}
	d := b.draft(row)
	defer b.drafted()
	return d.settings() && d.engine() && d.operands() && d.late() && b.commit(d)
}

// engine draws one of the legal engines; now and then none. Who commands an accumulator must have one.
func (d *draft) engine() bool {
	b := d.b
	set := d.row.EnginesOf(&d.in, b.prog.Arch) &^ ir.Engines(ir.ALL)
	if d.usesAcc() {
		set &= ir.Engines(ir.Activation, ir.DVE)
	} else if b.Bool(0.04) {
		d.in.Engine = ir.Unassigned
		return true
	}
	n := 0
	for left := set; left != 0; left &= left - 1 {
		n++
		if b.IntN(n) == 0 {
			d.in.Engine = ir.Engine(bits.TrailingZeros64(uint64(left)))
		}
	}
	return n > 0
}

func (d *draft) usesAcc() bool { return d.row.State.State != ir.NoHidden || d.in.WritesAcc() }

// operands draws outputs that are read too, then inputs, then outputs that are only written.
func (d *draft) operands() bool {
	reads := d.row.WriteMode(&d.in) != ir.Overwrites
	if d.row.State.Reads && !d.lanesOfAcc() {
		return false
	}
	for i := range d.row.Outs {
		if reads && !d.updated(i) {
			return false
		}
	}
	for i := range d.row.Ins {
		s := &d.row.Ins[i]
		if s.Opt && !d.owed(i) && d.b.Bool(0.5) {
			d.in.Args = d.in.Args[:len(d.row.Outs)+i]
			break
		}
		if !d.input(i) {
			return false
		}
	}
	for i := range d.row.Outs {
		if !reads && !d.output(i) {
			return false
		}
	}
	return d.apart() && d.defined()
}

// owed tells whether input i, which may be absent, is the second operand of an operator that has two.
func (d *draft) owed(i int) bool {
	return i > 1 && d.row.HasParam(ir.POp1) && !d.in.Alu(ir.POp1).Unary()
}

// defined tells whether every input is of its domain, now that all operands are known: one may widen or narrow another's. It binds the inputs
// of the program to that.
func (d *draft) defined() bool {
	b := d.b
	for i := range d.in.Ins() {
		may := valuesOf(&d.in, i)
		if may.any() {
			continue
		}
		o, s := &d.in.Ins()[i], d.touched[int(d.in.NOut)+i].slot
		switch {
		case o.Kind == ir.ImmOperand && !may.holds(o.Imm):
			return false
		case o.Kind == ir.APOperand && (d.rewrites(s) || !b.canHold(s, may, o.DType)):
			return false
		case o.Kind == ir.APOperand:
			b.restrict(s, may)
		}
	}
	return true
}

// apart tells whether every output is clear of every input, or the same access.
func (d *draft) apart() bool {
	n := int(d.in.NOut)
	for i := range n {
		for j := n; j < len(d.in.Args); j++ {
			o, p := &d.args[i], &d.args[j]
			if o.Kind != ir.APOperand || p.Kind != ir.APOperand || d.touched[i].slot.root != d.touched[j].slot.root {
				continue
			}
			if overlap(o, p) && !sameWalk(o, p) {
				return false
			}
		}
	}
	return true
}

// sameWalk tells whether two accesses reach the same bytes in the same order with elements of one size.
func sameWalk(o, p *ir.Operand) bool {
	return o.Loc == p.Loc && o.DType.Size() == p.DType.Size() && o.N == p.N && o.AP == p.AP && o.Off.Equal(p.Off)
}

// commit checks the row's own rules, copies the draft out and follows what the instruction does.
func (b *builder) commit(d *draft) bool {
	b.faults.List = b.faults.List[:0]
	if d.row.Legal != nil {
		if d.row.Legal(&d.in, &b.faults); len(b.faults.List) > 0 {
			return false
		}
	}
	in := b.insts.one()
	*in = d.in
	in.Args = b.args.take(len(d.in.Args))
	copy(in.Args, d.in.Args)
	in.Params = nil
	if n := len(d.in.Params); n > 0 {
		in.Params = b.params.take(n)
		copy(in.Params, d.in.Params)
	}
	b.guard(d, in)
	if d.row.Lanewise || b.Bool(0.8) {
		in.Queue = ""
	} else {
		in.Queue = one(&b.Rand, []string{"q0", "q1"})
	}
	b.emit(in)
	d.settle(len(in.Pred) > 0)
	return true
}

// settle updates the slots that the instruction reads and writes.
func (d *draft) settle(maybe bool) {
	b := d.b
	n := int(d.in.NOut)
	for i := n; i < len(d.in.Args); i++ {
		if s := d.touched[i].slot; s != nil {
			s.used = true
		}
	}
	for i := range n {
		t := &d.touched[i]
		if t.slot == nil {
			continue
		}
		t.slot.define(t.rect, t.dense && !maybe)
		t.slot.root.stamp = b.names
		for w := t.slot.twin; w != nil; w = w.twin {
			w.define(t.rect, t.dense && !maybe)
		}
	}
	d.settleAcc(maybe)
}
