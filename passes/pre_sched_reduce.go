package passes

import "birfuzz/ir"

var ruleSchedReduce = &Rule{
	Name: "presched.reduce-tensor",
	Doc: "Cuts a location of SB or DRAM down to the window of it that instructions touch: bytes before and behind it, and partitions behind it, go; every access is rebased. Internal and Local memory only, " +
		"the one location of its set, without address, alias or pin, that no other core knows; not what an indirect or collective instruction touches, nor on-chip memory at an offset with axes.",
}

// reduceTensorSize is reduce_tensor_size, which the documents name and call a scratchpad optimisation. What it is, is ours, by the one
// description that there is of a pass alike, shrink_ml (walrus.md §5): shrink each location to its touched window. It is sound since no
// instruction says anything of the bytes that go, and the others keep their distances: an access is the same rectangle, walked in the same
// order, in what is left. A location that nobody touches stays: its size is all that is known of what it is for (walrus.md §3.8,
// DynamicDMAScratchLoc).
func reduceTensorSize(c *Ctx) {
	p := c.Program()
	p.Number()
	r := tensorReducer{ctx: c, aliases: ir.NewFamilies(p), targets: remoteTargets(p)}
	for _, f := range p.Cores {
		for _, u := range usesOf(f) {
			r.location(u)
		}
	}
}

// tensorReducer is one execution of the cutting.
type tensorReducer struct {
	ctx     *Ctx
	aliases *ir.Families
	targets map[string]bool // names that other cores know
}

func (r *tensorReducer) location(u *locUses) {
	l := u.loc
	if l.Type != ir.SB && l.Type != ir.DRAM {
		return
	}
	w, whole := touchedWindow(u)
	if whole {
		return
	}
	if why := r.irreducible(u); why != "" {
		r.ctx.Refuse(ruleSchedReduce, u.insts[0], why)
		return
	}
	if r.ctx.Allow(ruleSchedReduce, u.insts[0]) {
		r.ctx.Edit().Change(func() { cut(u, w) })
	}
}

// irreducible tells why a location keeps its size, "" if it need not.
func (r *tensorReducer) irreducible(u *locUses) string {
	l := u.loc
	switch {
	case l.Set.Kind != ir.Internal || l.Set.Space != ir.Local:
		return "not Internal, Local memory"
	case l.Allocated || l.Pinned:
		return "has its place"
	case foreignLoc(l) || r.targets[l.Name]:
		return "others may touch it"
	case !r.aliases.Alone(l):
		return "has aliases"
	case len(l.Set.Locs) > 1:
		return "a piece of its set"
	}
	for _, in := range u.insts {
		switch {
		case picksRows(in.Spec()):
			return "indirect"
		case in.Spec().Effect != ir.Pure:
			return "a collective touches it"
		}
	}
	return ""
}

// touchedWindow returns the rows from the first on, and the bytes of every row, in which all accesses of a location lie, in whole elements of
// each of them; DRAM is one row. whole tells that this is all of the location, or that it is not known.
func touchedWindow(u *locUses) (w ir.Box, whole bool) {
	l := u.loc
	unit, first := int64(l.Set.DType.Size()), true
	for _, in := range u.insts {
		for i := range in.Args {
			o := &in.Args[i]
			if o.Loc != l {
				continue
			}
			b, ok := boxOf(o)
			if !ok {
				return w, true
			}
			unit = max(unit, int64(o.DType.Size()))
			if first {
				w, first = b, false
			}
			w.RowEnd, w.Col, w.ColEnd = max(w.RowEnd, b.RowEnd), min(w.Col, b.Col), max(w.ColEnd, b.ColEnd)
		}
	}
	rows, rowBytes := extentOf(l)
	w.Row, w.RowEnd = 0, min(w.RowEnd, rows)
	w.Col, w.ColEnd = max(w.Col, 0)/unit*unit, min(roundUp(w.ColEnd, unit), rowBytes)
	return w, rowBytes%unit != 0 || w == ir.Box{RowEnd: rows, ColEnd: rowBytes}
}

// extentOf returns the rows of a location, and their bytes, as ir.Box counts them.
func extentOf(l *ir.Loc) (rows, rowBytes int64) {
	if l.Type.OnChip() {
		return l.Rows, l.RowBytes
	}
	return 1, l.Bytes()
}

// boxOf returns the rectangle that holds a memory operand of a location without an address whatever the axes are; false where it is not
// known.
func boxOf(o *ir.Operand) (ir.Box, bool) {
	switch {
	case !o.IsAP() || o.Symbolic() && o.Loc.Type.OnChip():
		return ir.Box{}, false
	case o.Symbolic():
		w := o.Hull()
		lo, hi := w.Extent()
		return ir.Box{RowEnd: 1, Col: lo, ColEnd: hi}, true
	default:
		return o.Box(), true
	}
}

// cut leaves of a location the window w and lets every access go to the same bytes of what is left.
func cut(u *locUses, w ir.Box) {
	l := u.loc
	for _, in := range u.insts {
		for i := range in.Args {
			if o := &in.Args[i]; o.Loc == l {
				rebase(o, w)
			}
		}
	}
	rows, rowBytes := w.RowEnd, w.ColEnd-w.Col
	if !l.Type.OnChip() && w.Col%l.RowBytes == 0 && rowBytes%l.RowBytes == 0 { // whole rows go
		rows, rowBytes = rowBytes/l.RowBytes, l.RowBytes
	}
	l.Rows, l.RowBytes = rows, rowBytes
	s := l.Set
	s.Shape = []int64{l.Rows, l.RowBytes / int64(s.DType.Size())}
	s.PartDim = min(s.PartDim, len(s.Shape)-1)
}

// rebase rewrites an access of a location of which the window w will be left.
func rebase(o *ir.Operand, w ir.Box) {
	size := int64(o.DType.Size())
	if !o.Loc.Type.OnChip() {
		o.Off.C -= w.Col / size
		return
	}
	was, is := o.Pitch(), (w.ColEnd-w.Col)/size
	o.Off.C = o.Off.C/was*is + o.Off.C%was - w.Col/size
	o.AP[0].Step = int32(int64(o.AP[0].Step) / was * is)
}
