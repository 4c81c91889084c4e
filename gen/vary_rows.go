package gen

import (
	"slices"

	"birfuzz/ir"
	"birfuzz/ir/num"
)

// setting gives an instruction another value of one of its settings.
func (w *patch) setting() bool {
	s := w.pick(func(s *spot) bool {
		return w.computes(s.in) && slices.ContainsFunc(s.in.Spec().Params, func(id ir.ParamID) bool { return settingVaries[id] != nil })
	})
	if s == nil {
		return false
	}
	id := one(&w.Rand, s.in.Spec().Params)
	vary := settingVaries[id]
	if vary == nil {
		return false
	}
	had := make([]values, len(s.in.Ins()))
	for i := range min(len(had), len(s.in.Spec().Ins)) {
		had[i] = valuesOf(s.in, i)
	}
	if !vary(w, s.in, id) {
		return false
	}
	for i := range min(len(had), len(s.in.Spec().Ins)) {
		if now := valuesOf(s.in, i); !now.any() && now != had[i] {
			return false
		}
	}
	return true
}

// settingVaries redraw settings, by setting; nil: those that say where bytes come from or go to, and those of accumulators and fences.
var settingVaries = [ir.NumParams]func(*patch, *ir.Inst, ir.ParamID) bool{
	ir.POp:                (*patch).varyOperator,
	ir.POp0:               (*patch).varyOperator,
	ir.POp1:               (*patch).varyOperator,
	ir.PReduceOp:          (*patch).varyOperator,
	ir.PConst0:            (*patch).varyNumber,
	ir.PConst1:            (*patch).varyNumber,
	ir.PScale:             (*patch).varyNumber,
	ir.PFillValue:         (*patch).varyNumber,
	ir.PImmValue:          (*patch).varyNumber,
	ir.PReverse0:          (*patch).flip,
	ir.PReverse1:          (*patch).flip,
	ir.PNegate:            (*patch).flip,
	ir.PReversePred:       (*patch).flip,
	ir.PStop:              (*patch).flip,
	ir.PFunc:              (*patch).varyName,
	ir.PPoolFunc:          (*patch).varyName,
	ir.PCompareOp:         (*patch).varyName,
	ir.PCompareOp0:        (*patch).varyName,
	ir.PCompareOp1:        (*patch).varyName,
	ir.PBase:              (*patch).varyStep,
	ir.PChannelMultiplier: (*patch).varyStep,
	ir.PConstant:          (*patch).varyBits,
}

var operators = [...]ir.ParamID{ir.POp, ir.POp0, ir.POp1, ir.PReduceOp}

// picky tells whether an operator of an instruction has results for some numbers only: 0 and 1, or counts.
func picky(in *ir.Inst) bool {
	return slices.ContainsFunc(operators[:], func(id ir.ParamID) bool { return in.Alu(id).Logical() || in.Alu(id).Shifts() })
}

// varyOperator draws an operator. A picky one needs a row that says which inputs it is picky about.
func (w *patch) varyOperator(in *ir.Inst, id ir.ParamID) bool {
	if in.Spec().Flow == ir.FlowMove || in.Spec().DomainOf == nil && picky(in) {
		return false
	}
	op := ir.AluOp(w.IntN(int(ir.NumAluOps)))
	if w.Bool(0.6) {
		op = one(&w.Rand, usualOps)
	}
	in.SetInt(id, int64(op))
	return in.Spec().DomainOf != nil && !(in.Spec().HasParam(ir.POp1) && picky(in)) || !picky(in)
}

// varied are constants that are exact, that round, that overflow, and that vanish.
var varied = []float64{0, 1, 2, 3, -1, -2, 0.5, 0.25, 4, 1.5, -0.5, 8, 100, 0.1, -1e6, 1e30, 1e-30}

func (w *patch) varyNumber(in *ir.Inst, id ir.ParamID) bool {
	in.SetFloat(id, one(&w.Rand, varied))
	return true
}

func (w *patch) flip(in *ir.Inst, id ir.ParamID) bool {
	in.SetInt(id, 1-in.Int(id))
	return id == ir.PStop || !picky(in)
}

func (w *patch) varyName(in *ir.Inst, id ir.ParamID) bool {
	in.SetInt(id, int64(w.IntN(len(id.Spec().Names))))
	return true
}

func (w *patch) varyStep(in *ir.Inst, id ir.ParamID) bool {
	in.SetInt(id, int64(w.Between(-8, 8)))
	return true
}

func (w *patch) varyBits(in *ir.Inst, id ir.ParamID) bool {
	t := in.Args[0].DType
	in.SetInt(id, int64(num.Encode(t, float32(one(&w.Rand, varied)))))
	return true
}

// row makes an instruction one of another row, with the same operands.
func (w *patch) row() bool {
	s := w.pick(func(s *spot) bool { return w.computes(s.in) && s.in.Int(ir.PZeroRegion) < 0 && !picky(s.in) })
	if s == nil {
		return false
	}
	in := s.in
	var list []*ir.Spec
	for _, row := range rows.draw {
		if row.Op != in.Op && row.Engines[w.prog.Arch] != 0 && row.Writes == nil && row.State.State == ir.NoHidden && takes(row, in) {
			list = append(list, row)
		}
	}
	if len(list) == 0 {
		return false
	}
	row, had := one(&w.Rand, list), *in
	in.Op, in.Params = row.Op, nil
	if set := row.Engines[w.prog.Arch]; !set.Has(in.Engine) && in.Engine != ir.Unassigned {
		in.Engine = one(&w.Rand, set.List())
	}
	if arch := w.prog.Arch; in.Engine != had.Engine || in.Transfers(arch) != had.Transfers(arch) {
		w.prog.Facts &^= ir.Deps // its queue may have been part of the order
	}
	if row.Flow == ir.FlowMatmul && w.Bool(0.5) {
		in.SetInt(ir.PStop, 0)
	}
	for _, id := range operators {
		if row.HasParam(id) && row.Flow != ir.FlowMove {
			in.SetInt(id, int64(one(&w.Rand, usualOps)))
		}
	}
	return anyInputs(in)
}

// takes tells whether a row has the operands of an instruction, as far as places and types go.
func takes(row *ir.Spec, in *ir.Inst) bool {
	ins := in.Ins()
	if len(row.Outs) != int(in.NOut) || len(ins) > len(row.Ins) || len(ins) < len(row.Ins) && !row.Ins[len(ins)].Opt {
		return false
	}
	for i := range in.Args {
		o, s := &in.Args[i], (*ir.OperandSpec)(nil)
		if i < int(in.NOut) {
			s = &row.Outs[i]
		} else {
			s = &row.Ins[i-int(in.NOut)]
		}
		switch {
		case o.Kind == ir.ImmOperand && s.Role == ir.Scalar:
		case o.Kind == ir.APOperand && (s.Role == ir.Scalar || s.Role == ir.Data) && s.Mem.Holds(o.Loc.Type) && s.Types.Has(o.DType):
		default:
			return false
		}
	}
	return true
}

// engine has an instruction run on another engine.
func (w *patch) engine() bool {
	s := w.pick(func(s *spot) bool {
		return w.computes(s.in) && len(s.in.Spec().EnginesOf(s.in, w.prog.Arch).List()) > 1
	})
	if s == nil {
		return false
	}
	had := s.in.Engine
	s.in.Engine = one(&w.Rand, s.in.Spec().EnginesOf(s.in, w.prog.Arch).List())
	if w.Bool(0.1) {
		s.in.Engine = ir.Unassigned
	}
	return s.in.Engine != had && s.in.Engine != ir.ALL
}

// queue puts a transfer into another queue.
func (w *patch) queue() bool {
	s := w.pick(func(s *spot) bool { return w.computes(s.in) && s.in.Transfers(w.prog.Arch) })
	if s == nil {
		return false
	}
	had := s.in.Queue
	s.in.Queue = one(&w.Rand, []string{"", "q0", "q1", "q2"})
	return s.in.Queue != had
}

// retype has an instruction take the bits of operands of one type for another of its size.
func (w *patch) retype() bool {
	s := w.pick(func(s *spot) bool { return w.computes(s.in) && anyInputs(s.in) })
	if s == nil {
		return false
	}
	in := s.in
	at := w.IntN(len(in.Args))
	had := in.Args[at].DType
	if in.Args[at].Kind != ir.APOperand {
		return false
	}
	var list []ir.DType
	for t := num.Invalid + 1; t < num.NumDTypes; t++ {
		if t != had && t.Size() == had.Size() {
			list = append(list, t)
		}
	}
	if len(list) == 0 {
		return false
	}
	t, all := one(&w.Rand, list), w.Bool(0.7)
	for i := range in.Args {
		if o := &in.Args[i]; o.Kind == ir.APOperand && o.DType == had && (all || i == at) {
			o.DType = t
		}
	}
	return anyInputs(in)
}
