package ir

// inPlace checks every output against every memory input of its instruction: one that shares bytes with it must walk the same bytes with
// elements of the same size (semantics §1). Rows that shuffle lanes by a mask read everything before they write.
func (v *Verifier) inPlace(in *Inst, spec *Spec) {
	if spec.HasParam(PMask) {
		return
	}
	for o := range in.Outs() {
		for i := int(in.NOut); i < len(in.Args); i++ {
			if v.sharesWrongly(&in.Args[o], &in.Args[i]) {
				v.at.arg = o
				v.Addf(RuleInPlace, "the same start, pattern and element size, or no common byte", "an output over part of %s", in.argName(i))
				v.at.arg = noArg
			}
		}
	}
}

// maxRuns bounds the runs that an exact answer walks; beyond it two accesses whose extents meet count as overlapping.
const maxRuns = int64(1) << 20

// sharesWrongly tells whether two operands surely share bytes in another way than element on element, wherever their locations may lie.
func (v *Verifier) sharesWrongly(out, in *Operand) bool {
	if out.Kind != APOperand || in.Kind != APOperand {
		return false
	}
	x, y := out.Loc, in.Loc
	kin := x != y && x.Type.IsDRAM() && y.Type.IsDRAM() && v.families()
	switch {
	case x == y && out.N == in.N && out.AP == in.AP && out.DType.Size() == in.DType.Size() && out.Off.C == in.Off.C &&
		len(out.Off.Terms) == 0 && len(in.Off.Terms) == 0:
		return false
	case x != y && !kin && !SameStorage(x, y) || kin && v.family.apart(x, y): // most pairs
		return false
	}
	a, b, ok := walksTogether(out, in)
	if !ok {
		return false
	}
	same := out.DType.Size() == in.DType.Size()
	if !kin {
		return a.clashes(&b, same)
	}
	return v.family.together(x, y, func(p, q place) bool {
		w, u := p.move(a), q.move(b)
		return w.clashes(&u, same)
	})
}

// families tells whether the program has aliases, and readies v.family for them; no if they are wrong.
func (v *Verifier) families() bool {
	if !v.grouped {
		v.grouped = true
		v.aliased = v.prog.hasAliases() && v.family.Reset(v.prog)
		if v.aliased && len(v.prog.Cores) > 1 {
			v.family.AcrossCores()
		}
	}
	return v.aliased
}

// clashes tells whether two walks share bytes but are not one walk of elements of the same size.
func (w *Walk) clashes(v *Walk, sameSize bool) bool {
	if w.Space == v.Space && w.Base == v.Base && w.Run == v.Run && w.N == v.N && w.Levels == v.Levels {
		return !sameSize
	}
	if min(w.Bytes()/w.Run, v.Bytes()/v.Run) > maxRuns {
		wlo, whi := w.Extent()
		vlo, vhi := v.Extent()
		return w.Space == v.Space && wlo < vhi && vlo < whi
	}
	return w.Overlaps(v)
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
