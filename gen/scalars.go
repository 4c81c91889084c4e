package gen

import (
	"birfuzz/ir"
	"birfuzz/ir/num"
)

// immediate makes the i-th input a number of its domain.
func (d *draft) immediate(i int) bool {
	b, s := d.b, &d.row.Ins[i]
	n := d.needOf(s)
	t := num.Float32
	if !n.types.Has(t) {
		t = b.dtype(n.types)
	}
	o := &d.args[int(d.in.NOut)+i]
	*o = ir.Operand{Kind: ir.ImmOperand, DType: t}
	may := valuesOf(&d.in, i)
	for range 8 {
		if o.Imm = b.operandOf(d.opAt(i)); may.holds(o.Imm) && round(t, o.Imm) == o.Imm {
			return true
		}
	}
	o.Imm = 1
	return may.holds(1)
}

// opAt returns the operator that takes input i as its scalar: the first two scalars of a chain go with its operators in order.
func (d *draft) opAt(i int) ir.AluOp {
	id := ir.POp0
	if i > 1 {
		id = ir.POp1
	}
	if !d.row.HasParam(id) {
		return ir.AluAdd
	}
	return d.in.Alu(id)
}

// index makes the i-th input a column of rows of the instruction's table, or −1.
func (d *draft) index(i int) bool {
	s, at := &d.row.Ins[i], int(d.in.NOut)+i
	n := d.needOf(s)
	t := d.b.dtype(n.types)
	if t == num.Invalid {
		return false
	}
	d.args[at] = ir.Operand{Kind: ir.APOperand, DType: t}
	d.table()
	n.may = valuesOf(&d.in, i)
	return d.restricted(i, n, t)
}

// table draws how many rows of its table the instruction may name: some of those that the access reaches.
func (d *draft) table() {
	for i := range d.in.Args {
		list, k := d.row.Outs, i
		if i >= int(d.in.NOut) {
			list, k = d.row.Ins, i-int(d.in.NOut)
		}
		if list[k].Role == ir.Table && d.b.sometimes(Partial, 0.3) {
			n := d.b.Between(1, int(d.args[i].AP[0].Num))
			d.args[i].AP[0].Num = int32(n)
			d.touched[i].rect.r1 = d.touched[i].rect.r0 + n
		}
	}
}

// register makes the i-th input a register that holds a number, or a number.
func (d *draft) register(i int) bool {
	b, s := d.b, &d.row.Ins[i]
	o := &d.args[int(d.in.NOut)+i]
	if r := b.findRegister(); r != nil && !(i > 0 && d.partial()) && (s.Role == ir.Register || b.Bool(0.6)) {
		*o = ir.Operand{Kind: ir.RegOperand, DType: num.Int32, Loc: r.loc}
		d.touched[int(d.in.NOut)+i] = touch{slot: r}
		return true
	}
	if s.Role == ir.Register {
		return false
	}
	*o = ir.Operand{Kind: ir.ImmOperand, DType: num.Int32, Imm: float64(b.Between(1, 7))}
	return true
}

// partial tells whether the operator on registers has no result for some second operands: those are immediates.
func (d *draft) partial() bool {
	op := d.in.Alu(ir.PRegOp)
	return d.row.HasParam(ir.PRegOp) && (op.Shifts() || op == ir.AluDivide || op == ir.AluMod)
}

// findRegister returns a register that holds a number, nil if none does.
func (b *builder) findRegister() *slot {
	if len(b.regs) == 0 {
		return nil
	}
	k := b.IntN(len(b.regs))
	for range b.regs {
		if r := b.regs[k]; !r.def.empty() {
			return r
		}
		k = (k + 1) % len(b.regs)
	}
	return nil
}

// registerOut makes output i a register. An instruction that may be skipped writes only one that holds a number already.
func (d *draft) registerOut(i int) bool {
	b := d.b
	var r *slot
	if b.parallel() {
		return false
	} else if d.guarded {
		if r = b.findRegister(); r == nil {
			return false
		}
	} else if len(b.regs) > 0 && (len(b.regs) >= 4 || b.Bool(0.5)) {
		r = one(&b.Rand, b.regs)
	} else {
		r = b.newRegister()
	}
	d.args[i] = ir.Operand{Kind: ir.RegOperand, DType: num.Int32, Loc: r.loc}
	d.touched[i] = touch{slot: r, rect: r.all(), dense: true}
	return true
}

// newRegister declares a register.
func (b *builder) newRegister() *slot {
	n := len(b.regs)
	r := b.newSlot(ir.REG, ir.Internal, 1, 4, num.Int32, regNames.at(n), regSets.at(n))
	r.loc.Set.Shape = []int64{1}
	b.slots = b.slots[:len(b.slots)-1]
	b.regs = append(b.regs, r)
	return r
}

// drawAcc draws what the instruction does to its engine's accumulator. Adding needs one that holds numbers: accReady looks.
func (d *draft) drawAcc(id ir.ParamID) {
	if !d.guarded && (d.b.commands || d.b.sometimes(Accumulators, 0.4)) && !d.b.parallel() {
		d.setInt(id, int64(d.b.Between(int(ir.AccZero), int(ir.AccZeroAccumulate))))
	}
}

// accReady tells whether the accumulator that the instruction reads holds a number for each of its lanes.
func (d *draft) accReady() bool {
	if !d.in.ReadsAcc() {
		return true
	}
	return d.args[0].Lanes() <= int64(d.b.acc[d.in.Engine])
}

// lanesOfAcc binds the lanes of an instruction that reads its engine's accumulator to those that hold a number.
func (d *draft) lanesOfAcc() bool {
	n := d.b.acc[d.in.Engine]
	if n > 1 && d.b.sometimes(Partial, 0.3) {
		n = d.b.Between(1, n)
	}
	d.bind(d.row.Outs[0].Shape[0], n)
	return n > 0
}

// readAcc draws an instruction that reads an accumulator.
func (b *builder) readAcc() bool { return len(b.rows.accGet) > 0 && b.try(one(&b.Rand, b.rows.accGet)) }

// settleAcc follows what the instruction leaves in the accumulator.
func (d *draft) settleAcc(maybe bool) {
	switch d.in.Acc() {
	case ir.AccZero, ir.AccZeroAccumulate:
		if n := int(d.args[0].Lanes()); !maybe && n > d.b.acc[d.in.Engine] {
			d.b.acc[d.in.Engine] = n
		}
	}
}

// beforeCount returns, before a loop, a register that its trips will count with; nil if there is to be none.
func (b *builder) beforeCount() *slot {
	if !b.sometimes(Carried, 0.6) || b.parallel() || len(b.rows.count) == 0 || len(b.rows.number) == 0 || b.left < b.reserve+5 {
		return nil
	}
	if r := b.findRegister(); r != nil {
		return r
	}
	b.try(one(&b.Rand, b.rows.number))
	return b.findRegister()
}

// count draws an instruction that computes a register from itself.
func (b *builder) count(r *slot) {
	if b.depth >= maxDepth || b.left < 1 {
		return
	}
	d := &b.drafts[b.depth]
	b.depth++
	defer func() { b.depth-- }()
	for range 4 { // some operators are none for registers
		d.start(b, one(&b.Rand, b.rows.count))
		if !d.settings() || !d.engine() {
			continue
		}
		d.guarded = false
		d.args[0] = ir.Operand{Kind: ir.RegOperand, DType: num.Int32, Loc: r.loc}
		d.args[1] = d.args[0]
		d.args[2] = ir.Operand{Kind: ir.ImmOperand, DType: num.Int32, Imm: float64(b.Between(1, 7))}
		d.touched[0], d.touched[1] = touch{slot: r, rect: r.all(), dense: true}, touch{slot: r}
		if d.late() && b.commit(d) {
			return
		}
	}
}
