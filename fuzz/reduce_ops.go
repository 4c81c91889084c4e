package fuzz

import (
	"cmp"
	"slices"

	"birfuzz/ir"
	"birfuzz/ir/num"
)

// opReductions put simpler instructions in the place of others, or none.
func opReductions() []reduction {
	return []reduction{
		bypass(0), bypass(1), bypass(2), // rows with more inputs have none of one shape with the output
		{"results in place", transfersOfWholes(true), writeInPlace},
		{"constants in place", transfersOfWholes(true), giveInPlace},
		{"operands in place", transfersOfWholes(false), readInPlace},
		{"uses for publications", publishedMoves, useAtOnce},
		{"uses for published sums", publishedSums, useSums},
		feederless(each("constants for results", fillIn)),
		feederless(reduction{"constants for transfers", transfersOfResults, giveConstants}),
		each("one input for several", oneInput),
		each("copies for results", func(in *ir.Inst) bool { return simplerRow(in, 1) }),
		each("copies of second inputs", func(in *ir.Inst) bool { return copyOf(in, 1) }),
		each("rows of two inputs", func(in *ir.Inst) bool { return simplerRow(in, 2) }),
	}
}

// bypass takes instructions out of a chain: whoever reads the result of one reads its input number arg instead, where that has the same shape.
// It is what gets rid of copies and of arithmetic between the place of a failure and what is fed into it.
func bypass(arg int) reduction {
	return reduction{"bypass", func(p *ir.Program) []int32 {
		return instsWith(p, func(in *ir.Inst) bool { return passable(in, arg) })
	}, func(p *ir.Program, at []int32) bool {
		gone, families := map[*ir.Inst]bool{}, ir.NewFamilies(p)
		for _, in := range slices.Backward(slices.Collect(instsAt(p, at))) {
			if replaceReads(p, families, in, &in.Args[0], &in.Args[1+arg]) {
				gone[in] = true
			}
		}
		return deleteInsts(p, func(in *ir.Inst) bool { return gone[in] })
	}}
}

func passable(in *ir.Inst, arg int) bool {
	if in.NOut != 1 || 1+arg >= len(in.Args) {
		return false
	}
	from, to := &in.Args[0], &in.Args[1+arg]
	return from.IsAP() && to.IsAP() && from.Lanes() == to.Lanes() && from.Free() == to.Free()
}

// replaceReads makes every later instruction that reads exactly from, under whichever of its names, read to; it tells whether there was one.
func replaceReads(p *ir.Program, families *ir.Families, after *ir.Inst, from, to *ir.Operand) bool {
	found := false
	for in := range p.Insts {
		if in.ID <= after.ID {
			continue
		}
		for i := range in.Ins() {
			o := &in.Ins()[i]
			if o.Loc == nil || !families.MustBeOne(o.Loc, from.Loc) {
				continue
			}
			named := *o
			if named.Loc = from.Loc; named.Equal(from) {
				*o = *to
				found = true
			}
		}
		moveAnywhere(in)
	}
	return found
}

// fillIn makes a constant of what an instruction computes, so that what feeds it can go. Constants of neighbours differ, for else two that
// change places would look the same; the settings are made plain later where that does no harm.
func fillIn(in *ir.Inst) bool {
	fill, ok := fillOp()
	if !ok || in.NOut != 1 || len(in.Args) == 1 || in.HasEffect() {
		return false
	}
	become(in, fill, 0)
	in.SetInt(ir.PConstant, int64(num.Encode(in.Args[0].DType, float32(1+in.ID%4))))
	return true
}

// oneInput has an instruction read the first of its inputs in the place of the others of that shape.
func oneInput(in *ir.Inst) bool {
	changed := false
	ins := in.Ins()
	for i := 1; i < len(ins); i++ {
		a, b := &ins[0], &ins[i]
		if a.IsAP() && b.IsAP() && !a.Equal(b) && a.DType == b.DType && a.Lanes() == b.Lanes() && a.Free() == b.Free() {
			*b, changed = *a, true
		}
	}
	return changed
}

// fillOp finds the row that writes one constant into one output and reads nothing.
func fillOp() (ir.Op, bool) {
	for s := range ir.Ops {
		if len(s.Outs) == 1 && len(s.Ins) == 0 && s.HasParam(ir.PConstant) {
			return s.Op, true
		}
	}
	return 0, false
}

// become makes of an instruction one of another row, which reads the first inputs of it.
func become(in *ir.Inst, op ir.Op, inputs int) {
	in.Op, in.Params, in.Queue, in.Engine = op, nil, "", ir.Unassigned
	in.Args = in.Args[: int(in.NOut)+inputs : int(in.NOut)+inputs]
}

// simplerRow makes of an instruction one of the simplest row with so many inputs that its operands suit, if that is simpler than its own.
func simplerRow(in *ir.Inst, inputs int) bool {
	own := in.Spec()
	if in.NOut != 1 || in.HasEffect() || len(in.Args) < 1+inputs {
		return false
	}
	best := simplestRow(in, inputs, func(*ir.Spec) bool { return true })
	if best == nil || !simpler(best, own) {
		return false
	}
	become(in, best.Op, inputs)
	return true
}

// copyOf makes of an instruction that computes from several inputs a copy of one of them.
func copyOf(in *ir.Inst, arg int) bool {
	if in.NOut != 1 || in.HasEffect() || len(in.Args) <= 1+arg {
		return false
	}
	was := in.Args
	in.Args = []ir.Operand{was[0], was[1+arg]}
	if simplerRow(in, 1) {
		return true
	}
	in.Args = was
	return false
}

// simplestRow finds the simplest row of some kind with so many inputs that the operands of an instruction suit, nil if there is none.
func simplestRow(in *ir.Inst, inputs int, kind func(*ir.Spec) bool) *ir.Spec {
	var best *ir.Spec
	for s := range ir.Ops {
		if len(s.Ins) == inputs && kind(s) && (best == nil || simpler(s, best)) && suits(s, in, inputs) {
			best = s
		}
	}
	return best
}

// simpler orders rows by how much there is to know about them: few inputs, bits that are only moved, no conditions, few settings.
func simpler(a, b *ir.Spec) bool {
	number := func(is bool) int {
		if is {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(len(a.Ins), len(b.Ins)), cmp.Compare(number(a.Flow != ir.FlowMove), number(b.Flow != ir.FlowMove)),
		cmp.Compare(number(a.Legal != nil), number(b.Legal != nil)), cmp.Compare(len(a.Params), len(b.Params)), cmp.Compare(a.Op, b.Op)) < 0
}

// suits tells whether the output and the first inputs of an instruction are of the kind that the row wants: all of one shape, and data.
func suits(s *ir.Spec, in *ir.Inst, inputs int) bool {
	if s.Effect != ir.Pure || s.State.State != ir.NoHidden || len(s.Outs) != 1 {
		return false
	}
	out := &in.Args[0]
	for i := range 1 + inputs {
		want, o := &s.Outs[0], &in.Args[i]
		if i > 0 {
			want = &s.Ins[i-1]
		}
		if want.Role != ir.Data || want.Shape != s.Outs[0].Shape || !o.IsAP() || !want.Mem.Holds(o.Loc.Type) || !want.Types.Has(o.DType) {
			return false
		}
		if o.Lanes() != out.Lanes() || o.Free() != out.Free() {
			return false
		}
	}
	return true
}
