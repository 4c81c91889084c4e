package ir

// inPlace checks every output against every memory input of its instruction: one that shares bytes with it must walk the same bytes with
// elements of the same size (semantics §1). Rows that shuffle lanes by a mask read everything before they write.
func (v *Verifier) inPlace(in *Inst, spec *Spec) {
	if spec.HasParam(PMask) {
		return
	}
	for o := range in.Outs() {
		for i := int(in.NOut); i < len(in.Args); i++ {
			if sharesWrongly(&in.Args[o], &in.Args[i]) {
				v.at.arg = o
				v.Addf(RuleInPlace, "the same start, pattern and element size, or no common byte", "an output over part of %s", in.argName(i))
				v.at.arg = noArg
			}
		}
	}
}

// maxRuns bounds the runs that an exact answer walks; beyond it two accesses whose extents meet count as overlapping.
const maxRuns = int64(1) << 20

// sharesWrongly tells whether two operands surely share bytes in another way than element on element.
func sharesWrongly(out, in *Operand) bool {
	if out.Kind != APOperand || in.Kind != APOperand || !mayShare(out.Loc, in.Loc) {
		return false
	}
	if out.Loc == in.Loc && out.N == in.N && out.AP == in.AP && out.DType.Size() == in.DType.Size() && out.Off.C == in.Off.C &&
		len(out.Off.Terms) == 0 && len(in.Off.Terms) == 0 {
		return false
	}
	if !SameStorage(out.Loc, in.Loc) {
		return false
	}
	a, b, ok := walksTogether(out, in)
	if !ok {
		return false
	}
	if a.Space.Kind == OwnSpace {
		b.Space = a.Space // aliases: byte 0 on byte 0
	}
	if a.Base == b.Base && a.Run == b.Run && a.N == b.N && a.Levels == b.Levels {
		return out.DType.Size() != in.DType.Size()
	}
	if min(a.Bytes()/a.Run, b.Bytes()/b.Run) > maxRuns {
		alo, ahi := a.Extent()
		blo, bhi := b.Extent()
		return alo < bhi && blo < ahi
	}
	return a.Overlaps(&b)
}

// mayShare rejects, cheaply, most pairs of locations that SameStorage does.
func mayShare(a, b *Loc) bool {
	return a == b || a.Allocated && b.Allocated || len(a.Alias)+len(b.Alias) > 0
}

// walksTogether returns the walks of two operands at one moment; not ok where their symbolic offsets move against each other, which only
// the oracle sees.
func walksTogether(out, in *Operand) (a, b Walk, ok bool) {
	if !out.Symbolic() && !in.Symbolic() {
		return out.Walk(), in.Walk(), true
	}
	d := in.Off.Add(out.Off, -1)
	if !d.IsConst() {
		return a, b, false
	}
	lo, _ := out.Off.Range()
	if lo+d.C < 0 {
		return a, b, false
	}
	return out.WalkAt(lo), in.WalkAt(lo + d.C), true
}
