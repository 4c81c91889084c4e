package fuzz

import (
	"fmt"
	"maps"
	"slices"

	"birfuzz/ir"
)

// moveAnywhere makes of an instruction that moves bits, and whose row does not reach the memory of its operands, one of a row that does: what was
// loaded and then saved is carried from DRAM to DRAM.
func moveAnywhere(in *ir.Inst) {
	if !moves(in) || reaches(in.Spec(), in) {
		return
	}
	if s := mover(in); s != nil {
		become(in, s.Op, 1)
	}
}

// mover finds the simplest row that moves bits from where the first input of an instruction lives to where its output does, nil if there is none.
func mover(in *ir.Inst) *ir.Spec {
	var best *ir.Spec
	for s := range ir.Ops {
		if s.Flow == ir.FlowMove && s.Effect == ir.Pure && len(s.Outs) == 1 && len(s.Ins) == 1 && reaches(s, in) && (best == nil || simpler(s, best)) {
			best = s
		}
	}
	return best
}

// reaches tells whether the operands of an instruction, an output and an input, live where the row wants them.
func reaches(s *ir.Spec, in *ir.Inst) bool {
	for i, want := range []*ir.OperandSpec{&s.Outs[0], &s.Ins[0]} {
		if o := &in.Args[i]; !o.IsAP() || want.Role != ir.Data || !want.Mem.Holds(o.Loc.Type) {
			return false
		}
	}
	return true
}

// transfersOfWholes finds the instructions that move bits between two locations of one size, of which the first, or the second, is nobody
// else's.
func transfersOfWholes(first bool) func(p *ir.Program) []int32 {
	return func(p *ir.Program) []int32 {
		writers := map[*ir.Loc]int{}
		for in := range p.Insts {
			for i := range in.Outs() {
				writers[in.Args[i].Loc]++
			}
		}
		return instsWith(p, func(in *ir.Inst) bool {
			if !moves(in) {
				return false
			}
			to, from := in.Args[0].Loc, in.Args[1].Loc
			own := from
			if !first {
				if own = to; writers[own] > 1 && given(from) {
					return false // nobody writes what is given
				}
			}
			return to != from && !given(own) && !own.Visible() && to.Rows == from.Rows && to.RowBytes == from.RowBytes && to.Set.DType == from.Set.DType
		})
	}
}

// moves tells whether an instruction moves bits from one access to another and does nothing else.
func moves(in *ir.Inst) bool {
	return in.Spec().Flow == ir.FlowMove && !in.HasEffect() && in.NOut == 1 && len(in.Args) == 2 && in.Args[0].IsAP() && in.Args[1].IsAP()
}

// writeInPlace has what transfers carry on written where they carry it to, in the place of where it comes from.
func writeInPlace(p *ir.Program, at []int32) bool {
	return inPlace(p, at, func(in *ir.Inst) (was, is *ir.Loc) { return in.Args[1].Loc, in.Args[0].Loc })
}

// readInPlace has what transfers carry on read where they carry it from, in the place of where they carry it to.
func readInPlace(p *ir.Program, at []int32) bool {
	return inPlace(p, at, func(in *ir.Inst) (was, is *ir.Loc) { return in.Args[0].Loc, in.Args[1].Loc })
}

// inPlace drops transfers and puts one of the two locations of each in the place of the other, under all its names.
func inPlace(p *ir.Program, at []int32, choose func(*ir.Inst) (was, is *ir.Loc)) bool {
	gone := map[*ir.Inst]bool{}
	for _, in := range slices.Collect(instsAt(p, at)) {
		was, is := choose(in)
		gone[in] = was != is // it may be by what was done before
		for other := range p.Insts {
			for i := range other.Args {
				if other.Args[i].Loc == was {
					other.Args[i].Loc = is
				}
			}
			moveAnywhere(other)
		}
		for _, f := range p.Cores {
			for l := range f.Locs {
				for i := range l.Alias {
					if l.Alias[i].Loc == was {
						l.Alias[i].Loc = is
					}
				}
			}
		}
	}
	return deleteInsts(p, func(in *ir.Inst) bool { return gone[in] })
}

// giveInPlace is writeInPlace where what is carried on to DRAM was worked out on the chip: constants take the place of that.
func giveInPlace(p *ir.Program, at []int32) bool {
	written := map[*ir.Loc]bool{}
	for in := range instsAt(p, at) {
		if to := in.Args[0].Loc; to.Type.IsDRAM() && in.Args[1].Loc.Type.OnChip() {
			written[to] = true
		}
	}
	return len(written) > 0 && withFeeders(p, func() bool {
		if !writeInPlace(p, at) {
			return false
		}
		p.Number()
		giveConstants(p, instsWith(p, func(in *ir.Inst) bool {
			return in.NOut == 1 && !in.HasEffect() && written[in.Args[0].Loc] && !moves(in) && !moveFirst(in)
		}))
		return true
	})
}

// moveFirst has an instruction move its first input, if that is as large as its output.
func moveFirst(in *ir.Inst) bool {
	if len(in.Args) < 2 || !in.Args[1].IsAP() || in.Args[0].Count() != in.Args[1].Count() {
		return false
	}
	s := mover(in)
	if s != nil {
		become(in, s.Op, 1)
	}
	return s != nil
}

// publishedMoves returns the numbers of the instructions that move bits on the chip which others only carry on.
func publishedMoves(p *ir.Program) []int32 {
	carried, used := map[*ir.Loc]bool{}, map[*ir.Loc]bool{}
	for in := range p.Insts {
		for i := range in.Ins() {
			if moves(in) {
				carried[in.Ins()[i].Loc] = true
			} else {
				used[in.Ins()[i].Loc] = true
			}
		}
	}
	return instsWith(p, func(in *ir.Inst) bool {
		to := in.Args[:min(len(in.Args), 1)]
		return moves(in) && to[0].Loc.Type.OnChip() && carried[to[0].Loc] && !used[to[0].Loc]
	})
}

// useAtOnce computes with what instructions moved, and drops those that carried it on: arithmetic minds what it reads, and nobody need see it.
func useAtOnce(p *ir.Program, at []int32) bool {
	return useMoved(p, at, func(*ir.Inst) bool { return false })
}

// useMoved is useAtOnce, and drops others with those that carried on.
func useMoved(p *ir.Program, at []int32, others func(*ir.Inst) bool) bool {
	used := map[*ir.Loc]bool{}
	for in := range instsAt(p, at) {
		if s := simplestRow(in, 1, computes); s != nil {
			become(in, s.Op, 1)
			used[in.Args[0].Loc] = true
		}
	}
	return len(used) > 0 && deleteInsts(p, func(in *ir.Inst) bool { return moves(in) && used[in.Args[1].Loc] || others(in) })
}

// computes tells whether a row works out its results, from whatever values.
func computes(s *ir.Spec) bool { return s.Flow != ir.FlowMove && s.Ins[0].Domain.Kind == ir.AnyValue }

// useSums is useAtOnce where a sum is moved: it goes without what the sum begins with, for arithmetic minds that too.
func useSums(p *ir.Program, at []int32) bool {
	sums := map[*ir.Loc]bool{}
	for in := range instsAt(p, at) {
		sums[in.Args[1].Loc] = true
	}
	return useMoved(p, at, func(in *ir.Inst) bool {
		return in.NOut == 1 && !in.HasEffect() && sums[in.Args[0].Loc] && in.Spec().WriteMode(in) == ir.Overwrites
	})
}

// publishedSums returns those of publishedMoves that move what other instructions add to.
func publishedSums(p *ir.Program) []int32 {
	sums := map[*ir.Loc]bool{}
	for in := range p.Insts {
		if in.NOut == 1 && in.Spec().WriteMode(in) == ir.Adds {
			sums[in.Args[0].Loc] = true
		}
	}
	moved := publishedMoves(p)
	return instsWith(p, func(in *ir.Inst) bool { return contains(moved, in.ID) && sums[in.Args[1].Loc] })
}

// transfersOfResults returns the numbers of the instructions that write to DRAM what others have made.
func transfersOfResults(p *ir.Program) []int32 {
	made := map[*ir.Loc]bool{}
	for in := range p.Insts {
		for i := range in.Outs() {
			made[in.Args[i].Loc] = true
		}
	}
	return instsWith(p, func(in *ir.Inst) bool {
		if in.NOut != 1 || len(in.Args) == 1 || in.HasEffect() || !in.Args[0].IsAP() || !in.Args[0].Loc.Type.IsDRAM() {
			return false
		}
		l := in.Args[1].Loc
		return l != nil && (made[l] || l.Set.Space == ir.Shared) && in.Args[0].Count()*int64(in.Args[0].DType.Size()) <= maxGiven
	})
}

// maxGiven bounds the bytes of a constant that comes into a program.
const maxGiven = 1 << 12

// given tells whether a location holds data before the program begins.
func given(l *ir.Loc) bool { return l.Set.Kind == ir.ExternalInput || l.Set.Kind == ir.Const }

// giveConstants has instructions that write to DRAM take it from constants of as many different elements, so that what feeds them can go.
func giveConstants(p *ir.Program, at []int32) bool {
	p.Consts = maps.Clone(p.Consts) // a clone shares the map
	if p.Consts == nil {
		p.Consts = ir.Values{}
	}
	for _, f := range p.Cores {
		for in := range f.Insts {
			if !contains(at, in.ID) {
				continue
			}
			from := in.Args[0]
			from.Loc, from.Off = newConstant(p, f, &in.Args[0]), ir.Affine{}
			contiguous(&from)
			in.Args = append(in.Args[:1:1], from)
			if s := mover(in); s != nil {
				become(in, s.Op, 1)
			}
		}
	}
	return true
}

// newConstant declares a constant in f that holds as many different elements as an access has, and others than the next one does.
func newConstant(p *ir.Program, f *ir.Func, like *ir.Operand) *ir.Loc {
	taken := map[string]bool{}
	for _, f := range p.Cores {
		for l := range f.Locs {
			taken[l.Name], taken[l.Set.Name] = true, true
		}
	}
	n, name, set := 0, "c0", "c0_set"
	for taken[name] || taken[set] {
		n++
		name, set = fmt.Sprint("c", n), fmt.Sprintf("c%d_set", n)
	}
	size, shape := int64(like.DType.Size()), []int64{like.Lanes(), like.Free()}
	s := &ir.Set{Name: set, Kind: ir.Const, Class: plainClass, DType: like.DType, Shape: shape}
	s.Locs = []*ir.Loc{{Name: name, Set: s, Type: ir.DRAM, Rows: shape[0], RowBytes: shape[1] * size}}
	f.Sets = append(f.Sets[:len(f.Sets):len(f.Sets)], s)
	differing := plainValues[len(plainValues)-1]
	p.Consts[name] = filled(ir.Tensor{DType: like.DType, Shape: shape, Data: make([]byte, like.Count()*size)}, func(i int) float32 { return differing(n + i) })
	return s.Locs[0]
}
