package gen

import (
	"math"
	"slices"

	"birfuzz/ir"
	"birfuzz/ir/num"
)

// settings draws the settings that decide about operands. Those that depend on operands are drawn by late.
func (d *draft) settings() bool {
	b := d.b
	d.guarded = b.willGuard(d.row)
	for _, id := range d.row.Params {
		if draw := settingDraws[id]; draw != nil {
			draw(d, id)
		}
	}
	if d.row.Flow == ir.FlowFold && len(d.row.Outs[0].Shape) == 2 && sizeOf(d.row.Outs[0].Shape[1]) == 0 {
		d.folds = 2
		if d.row.HasParam(ir.PAxis) {
			d.folds = 1 + int(d.in.Int(ir.PAxis))
		}
	}
	d.tame()
	return true
}

// setInt stores a setting of a draft.
func (d *draft) setInt(id ir.ParamID, v int64) {
	d.put(ir.Param{ID: id, I: v}, v == id.Spec().Def)
}

// setFloat stores a setting of a draft.
func (d *draft) setFloat(id ir.ParamID, v float64) {
	d.put(ir.Param{ID: id, F: v}, v == id.Spec().DefF)
}

// put stores a setting as ir.Inst.SetParam does, but in the draft's own memory: a list that many programs may share is copied at each change,
// that of a draft is not shared with anybody.
func (d *draft) put(p ir.Param, plain bool) {
	list := d.in.Params
	i := 0
	for i < len(list) && list[i].ID < p.ID {
		i++
	}
	has := i < len(list) && list[i].ID == p.ID
	switch {
	case has && plain:
		list = slices.Delete(list, i, i+1)
	case has:
		list[i] = p
	case !plain:
		list = list[:len(list)+1]
		copy(list[i+1:], list[i:])
		list[i] = p
	}
	d.in.Params = list
}

// settingDraws draws settings before operands, by setting; nil entries keep their default or are drawn late. The keys are settings, not
// instructions: a row gets what it lists.
var settingDraws = [ir.NumParams]func(*draft, ir.ParamID){
	ir.POp:          (*draft).drawOp,
	ir.PRegOp:       (*draft).drawOp,
	ir.PReduceOp:    (*draft).drawFold,
	ir.POp0:         (*draft).drawOp,
	ir.POp1:         (*draft).drawSecond,
	ir.PReverse0:    (*draft).drawFlag,
	ir.PReverse1:    (*draft).drawFlag,
	ir.PAxis:        func(d *draft, id ir.ParamID) { d.setInt(id, int64(d.b.Pick([]int{6, 3, 1, 1}))) },
	ir.PNegate:      (*draft).drawFlag,
	ir.PFunc:        (*draft).drawName,
	ir.PPoolFunc:    (*draft).drawName,
	ir.PScale:       func(d *draft, id ir.ParamID) { d.setFloat(id, one(&d.b.Rand, []float64{1, 1, 1, 2, 0.5, -1, 0.25})) },
	ir.PAcc:         (*draft).drawAcc,
	ir.PReduceCmd:   (*draft).drawAcc,
	ir.PReversePred: (*draft).drawFlag,
	ir.PCompareOp:   (*draft).drawName,
	ir.PCompareOp0:  (*draft).drawName,
	ir.PCompareOp1:  (*draft).drawName,
	ir.PFillValue:   func(d *draft, id ir.ParamID) { d.setFloat(id, d.b.dyadic()) },
	ir.PImmValue:    func(d *draft, id ir.ParamID) { d.setFloat(id, d.b.dyadic()) },
	ir.PMask:        (*draft).drawMask,
	ir.PTransposeOp: (*draft).drawTurn,
}

// usualOps are the operators of most programs; the others come now and then.
var usualOps = []ir.AluOp{ir.AluAdd, ir.AluAdd, ir.AluSubtract, ir.AluMult, ir.AluMax, ir.AluMin, ir.AluIsGT, ir.AluIsEqual, ir.AluBypass}

func (d *draft) alu() ir.AluOp {
	if d.b.Bool(0.65) {
		return one(&d.b.Rand, usualOps)
	}
	return ir.AluOp(d.b.IntN(int(ir.NumAluOps)))
}

// moves tells whether the row only moves: its operator setting is there for one value, the default.
func (d *draft) moves() bool { return d.row.Flow == ir.FlowMove }

func (d *draft) drawOp(id ir.ParamID) {
	if d.moves() {
		return
	}
	op := d.alu()
	if d.runs() && d.b.sometimes(LogicalScans, 0.4) {
		op = one(&d.b.Rand, []ir.AluOp{ir.AluLogicalAnd, ir.AluLogicalOr, ir.AluLogicalXor})
	}
	if op.Bitwise() {
		d.integers()
	}
	d.setInt(id, int64(op))
}

func (d *draft) drawFold(id ir.ParamID) {
	ops := []ir.AluOp{ir.AluAdd, ir.AluAdd, ir.AluAdd, ir.AluMult, ir.AluMax, ir.AluMin, ir.AluSubtract, ir.AluAverage, ir.AluLogicalAnd, ir.AluLogicalOr,
		ir.AluLogicalXor, ir.AluBitAnd, ir.AluBitOr, ir.AluBitXor}
	op := one(&d.b.Rand, ops)
	if op.Bitwise() {
		d.integers()
	}
	d.setInt(id, int64(op))
}

// drawSecond draws the second operator of a chain: of the class of the first.
func (d *draft) drawSecond(id ir.ParamID) {
	op0 := d.in.Alu(ir.POp0)
	for range 8 {
		op := d.alu()
		if op.Bitwise() != op0.Bitwise() && op != ir.AluBypass && op0 != ir.AluBypass {
			continue
		}
		if op.Bitwise() {
			d.integers()
		}
		d.setInt(id, int64(op))
		return
	}
}

// integers limits the operands to one type of integers, all of one width.
func (d *draft) integers() {
	ints := ir.DTypesOf(num.Int8, num.Int16, num.Int32, num.UInt8, num.UInt16, num.UInt32)
	if d.force == 0 {
		d.force = ir.DTypesOf(d.b.dtype(ints))
	}
}

func (d *draft) drawFlag(id ir.ParamID) { d.setInt(id, int64(d.b.Pick([]int{3, 1}))) }

func (d *draft) drawName(id ir.ParamID) { d.setInt(id, int64(d.b.IntN(len(id.Spec().Names)))) }

func (d *draft) drawTurn(id ir.ParamID) { d.setInt(id, int64(d.b.Pick([]int{3, 1}))) }

// drawMask draws lanes of a group of 32; 255 keeps a lane.
func (d *draft) drawMask(id ir.ParamID) {
	size := id.Spec().Len
	mask := d.b.shapes.take(size)
	keep, span := d.b.Bool(0.4), size
	if d.b.Bool(0.2) {
		span = d.b.Between(1, size)
	}
	for i := range mask {
		mask[i] = int64(d.b.IntN(span))
		if keep && d.b.Bool(0.2) {
			mask[i] = id.Spec().Max
		}
	}
	d.put(ir.Param{ID: id, L: mask}, false)
}

// tame keeps operators from numbers for which they have no result: a logical operator wants 0 or 1 of the one before it, and a shift count
// must be known. Rows that state no domains get no operator that needs one.
func (d *draft) tame() {
	if !d.row.HasParam(ir.POp) && !d.row.HasParam(ir.POp0) {
		return // POp1 comes with POp0
	}
	for _, id := range [...]ir.ParamID{ir.POp, ir.POp0, ir.POp1} {
		if op := d.in.Alu(id); op.Logical() && (d.row.DomainOf == nil || d.runs() && !d.b.on(LogicalScans)) {
			d.setInt(id, int64(ir.AluAdd))
		}
	}
	op0, op1 := d.in.Alu(ir.POp0), d.in.Alu(ir.POp1)
	if op1.Logical() && !(op0.Compares() || op0.Logical() || op0 == ir.AluBypass) {
		d.setInt(ir.POp0, int64(ir.AluIsGE))
	}
	if d.runs() && d.row.DomainOf != nil {
		d.tameRun()
	}
	if op1.Shifts() && op0 != ir.AluBypass {
		d.setInt(ir.PReverse1, 0)
	}
	if op1 == ir.AluBypass && d.row.HasParam(ir.POp1) {
		d.setInt(ir.PReverse1, 0)
	}
}

// runs tells whether the row's operators run along a row: they take their own results.
func (d *draft) runs() bool {
	return d.row.HasParam(ir.POp0) && (d.row.Flow == ir.FlowScan || d.row.Flow == ir.FlowFold)
}

// tameRun gives logical operators that run along a row 0 and 1 alone: where both of them take what the other returns, both compare or are logical.
func (d *draft) tameRun() {
	op0, op1 := d.in.Alu(ir.POp0), d.in.Alu(ir.POp1)
	if op1.Logical() && op0 == ir.AluBypass {
		d.setInt(ir.POp0, int64(ir.AluIsGE))
	}
	if op0.Logical() && len(d.row.Ins) > 2 && !op1.Logical() && !op1.Compares() {
		d.setInt(ir.POp1, int64(ir.AluIsGE))
	}
}

// dyadic draws a small number that float32, and nearly every narrower type, holds.
func (b *builder) dyadic() float64 {
	return one(&b.Rand, []float64{0, 1, 2, 3, -1, -2, 0.5, 0.25, 4, 1.5, -0.5, 8})
}

// operandOf draws a number that an operator takes as its second operand, or where reversed as its first.
func (b *builder) operandOf(op ir.AluOp) float64 {
	switch {
	case op.Logical():
		return float64(b.IntN(2))
	case op.Bitwise():
		return float64(b.IntN(8))
	default:
		return one(&b.Rand, []float64{1, 2, 3, 0.5, 4, 1.5, 2, -1, -2, 0.25})
	}
}

// late draws the settings that depend on the operands, and what only they allow.
func (d *draft) late() bool {
	for _, id := range d.row.Params {
		switch id {
		case ir.PConst0:
			d.setFloat(id, d.constantFor(ir.POp0))
		case ir.PConst1:
			d.setFloat(id, d.constantFor(ir.POp1))
		case ir.PConstant:
			d.setInt(id, d.element())
		case ir.PBase:
			d.setInt(id, int64(d.b.Between(-8, 8)))
		case ir.PChannelMultiplier:
			d.setInt(id, int64(d.b.Between(-2, 3)))
		case ir.PPattern:
			d.put(ir.Param{ID: id, LL: d.pattern()}, false)
		}
	}
	return d.accReady()
}

func (d *draft) constantFor(op ir.ParamID) float64 {
	if x := math.Abs(d.b.operandOf(d.in.Alu(op))); d.in.Alu(op) == ir.AluPow {
		return x
	}
	return d.b.operandOf(d.in.Alu(op))
}

// element draws the bits of one element: mostly a small number.
func (d *draft) element() int64 {
	if d.b.zero {
		return 0
	}
	t := d.args[0].DType
	bits := num.Encode(t, float32(d.b.dyadic()))
	if t.IsInt() && d.b.Bool(0.1) {
		bits = d.b.Uint64()
	}
	if w := 8 * t.Size(); w < 64 {
		bits &= 1<<w - 1
	}
	return int64(bits)
}

// pattern draws pairs whose counts make up a lane of the output.
func (d *draft) pattern() [][]int64 {
	n := int(d.args[0].Free())
	inner := d.b.divisor(n)
	if inner == 0 || d.b.Bool(0.5) {
		return d.b.tables.list(d.b.stride(-2, 3, n))
	}
	return d.b.tables.list(d.b.stride(-2, 3, n/inner), d.b.stride(-1, 2, inner))
}

// stride draws a pair of a pattern: a step from lo to hi, so many times.
func (b *builder) stride(lo, hi, times int) []int64 {
	return b.shapes.list(int64(b.Between(lo, hi)), int64(times))
}
