package ir

import (
	"slices"
	"strconv"
)

// legalMemset: constant is the bits of one element.
func legalMemset(in *Inst, c *Complain) {
	width := 8 * in.Args[0].DType.Size()
	if n := in.Int(PConstant); width < 64 && uint64(n)>>width != 0 {
		c.Addf(RuleSetting, "the bits of one "+in.Args[0].DType.String(), "constant %#x", uint64(n))
	}
}

// legalPattern: the pattern has as many elements as a lane of the output (nki-isa.md §3.20, §3.21).
func legalPattern(in *Inst, c *Complain) {
	pattern := in.Lists(PPattern)
	if len(pattern) > MaxPairs-1 {
		c.Addf(RuleSetting, "at most 4", "a pattern of %d pairs", len(pattern))
		return
	}
	n, want := int64(1), in.Args[0].Free()
	for _, p := range pattern {
		if p[1] < 1 || p[1] > maxElems {
			c.Addf(RuleSetting, "counts from 1", "a pattern with the pair %v", p)
			return
		}
		n = min(n*p[1], maxElems)
	}
	if n != want {
		c.Addf(RuleSetting, strconv.FormatInt(want, 10)+", the elements a lane of the output", "a pattern of %d elements", n)
	}
}

// flipsInnermost is the transpose_op that swaps the two innermost dimensions: what a transpose of two sizes does anyway.
const flipsInnermost = 1

// legalDMATranspose: the dialect gives a meaning to transposes of two sizes only.
func legalDMATranspose(in *Inst, c *Complain) {
	if op := in.Int(PTransposeOp); op > flipsInnermost {
		c.Addf(RuleSetting, "None or WZXY", "transpose_op %s", names(PTransposeOp.Spec().Names).of(int(op)))
	}
}

// legalStreamTranspose: whole blocks of 32×32 (nki-isa.md §3.4).
func legalStreamTranspose(in *Inst, c *Complain) {
	x := &in.Ins()[0]
	if x.Lanes()%quadrant != 0 || x.Free()%quadrant != 0 {
		c.Addf(RuleShape, "multiples of 32", "%d lanes of %d elements", x.Lanes(), x.Free())
	}
}

// legalStreamShuffle: 32 entries, each 255 or a lane that the input has in every group of 32 (nki-isa.md §3.27).
func legalStreamShuffle(in *Inst, c *Complain) {
	mask := in.List(PMask)
	if len(mask) != quadrant {
		c.Addf(RuleSetting, "32 entries", "a mask of %d", len(mask))
		return
	}
	if i := slices.IndexFunc(mask, func(m int64) bool { return m >= quadrant && m != keepLane }); i >= 0 {
		c.Addf(RuleSetting, "lanes 0 to 31, or 255", "mask entry %d", mask[i])
		return
	}
	lanes := in.Ins()[0].Lanes()
	for r := range in.Args[0].Lanes() {
		if m := mask[r%quadrant]; m != keepLane && r-r%quadrant+m >= lanes {
			c.Addf(RuleShape, "lanes below "+strconv.FormatInt(lanes, 10), "lane %d taken from lane %d", r, r-r%quadrant+m)
			return
		}
	}
}

// legalSelect: nki-isa.md §3.17.
func legalSelect(in *Inst, c *Complain) { notBothPSUM(in, c, 0, 1) }

// legalCopyPredicated: nki-isa.md §3.16.
func legalCopyPredicated(in *Inst, c *Complain) { notBothPSUM(in, c, 0, 1) }

// legalRangeSelect: positions are compared with a bound, but not for being another (nki-isa.md §3.18).
func legalRangeSelect(in *Inst, c *Complain) {
	for _, id := range [2]ParamID{PCompareOp0, PCompareOp1} {
		if cmp := Cmp(in.Int(id)); cmp == NotEqual {
			c.Addf(RuleSetting, "is_equal is_gt is_ge is_lt is_le", "%s %s", id.Spec().Key, cmp)
		}
	}
}

// legalActivation: a bias that is a number came with Gen3, and before that a reciprocal has none (nki-isa.md §2.2, §3.5).
func legalActivation(in *Inst, c *Complain) {
	ins := in.Ins()
	if c.Arch != Sunda || len(ins) < 2 {
		return
	}
	if ins[1].Kind == ImmOperand {
		c.Addf(RuleArch, "a column on "+c.Arch.String(), "an immediate bias")
	}
	if f := ActFunc(in.Int(PFunc)); f == FuncReciprocal {
		c.Addf(RuleArch, "no bias for "+f.String()+" on "+c.Arch.String(), "one")
	}
}

// legalPlainScatter: IndirectSave only moves.
func legalPlainScatter(in *Inst, c *Complain) { onlyOp(in, c, POp, AluBypass) }

// legalAddScatter: IndirectSaveAccumulate only adds.
func legalAddScatter(in *Inst, c *Complain) { onlyOp(in, c, PScatterOp, AluAdd) }

func onlyOp(in *Inst, c *Complain, id ParamID, want AluOp) {
	if op := in.Alu(id); op != want {
		c.Addf(RuleSetting, want.String(), "op %s", op)
	}
}

// legalMatmul: 4-byte operands go with 4-byte operands (nki-isa.md §3.1). K and M are lanes of an operand, so at most 128; Verify checks what
// depends on the generation.
func legalMatmul(in *Inst, c *Complain) {
	moving, stationary := &in.Ins()[0], &in.Ins()[1]
	if (moving.DType.Size() == 4) != (stationary.DType.Size() == 4) {
		c.Addf(RuleDType, "float32 and float32r only with each other", "%s with %s", moving.DType, stationary.DType)
	}
}
