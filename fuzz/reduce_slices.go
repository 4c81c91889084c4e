package fuzz

import (
	"slices"

	"birfuzz/ir"
)

// publishers returns the numbers of the instructions that write memory which others see.
func publishers(p *ir.Program) []int32 {
	return instsWith(p, func(in *ir.Inst) bool {
		return slices.ContainsFunc(in.Outs(), func(o ir.Operand) bool { return o.Loc != nil && o.Loc.Visible() })
	})
}

// keepSlices leaves of a program some of its publishers and what they publish was made of. Of a large program one small part is to blame as a
// rule: to ask about parts alone costs less than to ask about the rest. It only goes by what is likely: whether enough is left, others decide.
// Tensors in DRAM that nobody mentions any more go at once, for they cost every run whether they are used or not.
func keepSlices(p *ir.Program, at []int32) bool {
	s := slicer{families: ir.NewFamilies(p), kept: make([]bool, p.NumInsts()), open: map[int32][]*ir.Operand{}}
	for _, f := range p.Cores {
		clear(s.open)
		s.acc = [ir.NumEngines]bool{}
		s.blocks(f.Blocks, at, 0)
	}
	if !deleteInsts(p, func(in *ir.Inst) bool { return !s.kept[in.ID] }) {
		return false
	}
	unused := unusedIn(p)
	dropLocs(p, locsWith(p, func(l *ir.Loc) bool { return !l.Type.OnChip() && unused(l) }))
	return true
}

// slicer walks a program backwards.
type slicer struct {
	families *ir.Families
	kept     []bool
	open     map[int32][]*ir.Operand // by family: reads whose writer has not been met
	acc      [ir.NumEngines]bool     // so of accumulators
}

// blocks walks blocks that stand in so many loops; it tells whether anything of them is kept.
func (s *slicer) blocks(bs []*ir.Block, at []int32, loops int) bool {
	kept := false
	for _, b := range slices.Backward(bs) {
		for _, in := range slices.Backward(b.Insts) {
			switch _, chosen := slices.BinarySearch(at, in.ID); {
			case in.Loop != nil:
				s.kept[in.ID] = s.blocks(in.Loop.Blocks, at, loops+1)
				if s.kept[in.ID] { // what one iteration reads, the one before may have written
					s.blocks(in.Loop.Blocks, at, loops+1)
				}
			case chosen || s.kept[in.ID] || s.wanted(in):
				s.keep(in, loops > 0 || len(in.Pred) > 0)
			}
			kept = kept || s.kept[in.ID]
		}
	}
	return kept
}

// wanted tells whether an instruction writes what is read later.
func (s *slicer) wanted(in *ir.Inst) bool {
	return in.WritesAcc() && s.acc[in.Engine] || slices.ContainsFunc(in.Outs(), func(o ir.Operand) bool {
		return o.Loc != nil && len(s.open[s.families.Of(o.Loc)]) > 0
	})
}

// keep keeps an instruction; maybe says that it does not run whenever what is behind it does.
func (s *slicer) keep(in *ir.Inst, maybe bool) {
	s.kept[in.ID] = true
	spec := in.Spec()
	mode := spec.WriteMode(in)
	for i := range in.Outs() {
		if out := &in.Args[i]; out.Loc != nil && !maybe && mode == ir.Overwrites {
			f := s.families.Of(out.Loc)
			s.open[f] = slices.DeleteFunc(s.open[f], func(read *ir.Operand) bool { return s.settles(out, read) })
		}
	}
	for i := range in.Args {
		if o := &in.Args[i]; o.Loc != nil && (i >= int(in.NOut) || mode != ir.Overwrites) {
			f := s.families.Of(o.Loc)
			s.open[f] = append(s.open[f], o)
		}
	}
	if in.WritesAcc() && !maybe {
		s.acc[in.Engine] = false
	}
	if in.ReadsAcc() {
		s.acc[in.Engine] = true
	}
}

// settles tells whether all that is read was written by a write.
func (s *slicer) settles(out, read *ir.Operand) bool {
	if out.Equal(read) {
		return true
	}
	return covers(out) && s.families.MustBeOne(out.Loc, read.Loc) && out.Loc.Bytes() >= read.Loc.Bytes()
}

// covers tells whether an access is of a whole location.
func covers(o *ir.Operand) bool {
	return o.Kind == ir.RegOperand || o.Count()*int64(o.DType.Size()) == o.Loc.Bytes()
}
