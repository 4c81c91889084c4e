package fuzz

import (
	"slices"

	"birfuzz/ir"
	"birfuzz/ir/num"
)

// bypass takes an instruction out of a chain: whoever reads its result reads one of its inputs instead, where that has the same shape. It
// is what gets rid of copies and of arithmetic between the place of a failure and what is fed into it.
func (s *shrinker) bypass() {
	for arg := range 3 { // rows with more inputs have none of one shape with the output
		s.eachInst(func(p *ir.Program, in *ir.Inst) bool {
			if in.NOut != 1 || int(in.NOut)+arg >= len(in.Args) {
				return false
			}
			from, to := in.Args[0], in.Args[1+arg]
			if !from.IsAP() || !to.IsAP() || from.DType != to.DType || from.Lanes() != to.Lanes() || from.Free() != to.Free() {
				return false
			}
			return replaceReads(p, in, &from, &to) && deleteInsts(p, func(x *ir.Inst) bool { return x == in })
		})
	}
}

// replaceReads makes every later instruction that reads exactly from read to; it tells whether there was one.
func replaceReads(p *ir.Program, after *ir.Inst, from, to *ir.Operand) bool {
	found := false
	for in := range p.Insts {
		if in.ID <= after.ID {
			continue
		}
		for i := range in.Ins() {
			if o := &in.Ins()[i]; o.Equal(from) {
				*o = *to
				found = true
			}
		}
	}
	return found
}

// fillIn makes a constant of what an instruction computes, so that what feeds it can go. Constants of neighbours differ, for else two that
// change places would look the same; dropSettings makes them zero where that does no harm.
func (s *shrinker) fillIn() {
	fill, ok := fillOp()
	if !ok {
		return
	}
	s.eachInst(func(_ *ir.Program, in *ir.Inst) bool {
		if in.NOut != 1 || len(in.Args) == 1 || in.HasEffect() {
			return false
		}
		in.Op, in.Args, in.Params, in.Queue = fill, in.Args[:1:1], nil, ""
		in.Engine = ir.Unassigned
		in.SetInt(ir.PConstant, int64(num.Encode(in.Args[0].DType, float32(1+in.ID%4))))
		return true
	})
}

// fillOp finds the row that writes one constant into one output and reads nothing.
func fillOp() (ir.Op, bool) {
	for op := range ir.NumOps() {
		if s := ir.Op(op).Spec(); len(s.Outs) == 1 && len(s.Ins) == 0 && s.HasParam(ir.PConstant) {
			return ir.Op(op), true
		}
	}
	return 0, false
}

// everywhere tries a change on all instructions at once, and on each if that does not do.
func (s *shrinker) everywhere(change func(*ir.Inst) bool) {
	all := s.try(func(p *ir.Program) bool {
		n := 0
		for in := range p.Insts {
			if change(in) {
				n++
			}
		}
		return n > 0
	})
	if !all {
		s.eachInst(func(_ *ir.Program, in *ir.Inst) bool { return change(in) })
	}
}

// dropUnread deletes, in one go, every instruction without an effect whose results nobody reads, those that only feed such ones included.
func (s *shrinker) dropUnread() {
	s.try(func(p *ir.Program) bool {
		kept, read := map[*ir.Inst]bool{}, map[*ir.Loc]bool{}
		for grown := true; grown; {
			grown = false
			for in := range p.Insts {
				if kept[in] || !seen(in, read) {
					continue
				}
				kept[in], grown = true, true
				for i := range in.Ins() {
					read[in.Ins()[i].Loc] = true
				}
			}
		}
		return deleteInsts(p, func(in *ir.Inst) bool { return !kept[in] })
	})
}

// seen tells whether somebody outside, or one who reads these locations, can tell that in was there.
func seen(in *ir.Inst, read map[*ir.Loc]bool) bool {
	return in.HasEffect() || in.NOut == 0 || slices.ContainsFunc(in.Outs(), func(o ir.Operand) bool {
		return o.Loc == nil || o.Loc.Visible() || read[o.Loc]
	})
}

// dropMeetings deletes the fences of one number in all cores at once: where cores meet, none can stay away alone.
func (s *shrinker) dropMeetings() {
	if len(s.best.Cores) < 2 {
		return
	}
	for n := fences(s.best.Cores[0]) - 1; n >= 0; n-- {
		s.try(func(p *ir.Program) bool {
			gone := map[*ir.Inst]bool{}
			for _, f := range p.Cores {
				at := 0
				for in := range f.Insts {
					if in.Spec().Effect.Fence() {
						gone[in] = at == n
						at++
					}
				}
			}
			return deleteInsts(p, func(in *ir.Inst) bool { return gone[in] })
		})
	}
}

func fences(f *ir.Func) int {
	n := 0
	for in := range f.Insts {
		if in.Spec().Effect.Fence() {
			n++
		}
	}
	return n
}

// dropExtras removes what the file carried along and nobody here understands, then what says which instruction one stands for.
func (s *shrinker) dropExtras() {
	s.try(func(p *ir.Program) bool {
		n := len(p.Extra) + len(p.Attrs)
		p.Extra, p.Attrs = nil, nil
		for _, f := range p.Cores {
			n += len(f.Extra)
			f.Extra = nil
		}
		for in := range p.Insts {
			n += len(in.Extra)
			in.Extra = nil
		}
		return n > 0
	})
	s.everywhere(func(in *ir.Inst) bool {
		had := in.Source != "" || in.Iter != nil
		in.Source, in.Iter = "", nil
		return had
	})
}
