package fuzz

import (
	"slices"

	"birfuzz/ir"
)

// cutSizes makes a size smaller wherever it occurs: in every access pattern and in the shape of every location at once. It is the only
// reduction that keeps operands of one instruction in step.
func (s *shrinker) cutSizes() {
	for _, size := range sizesOf(s.best) {
		for _, to := range []int32{1, 2, 8, 32, size / 2} {
			if to < size && to > 0 && s.try(func(p *ir.Program) bool { return resize(p, size, to) }) {
				break
			}
		}
	}
}

// sizesOf returns the distinct counts above one that access patterns use, largest first.
func sizesOf(p *ir.Program) []int32 {
	var out []int32
	for in := range p.Insts {
		for i := range in.Args {
			for _, q := range in.Args[i].Pairs() {
				if q.Num > 1 && !slices.Contains(out, q.Num) {
					out = append(out, q.Num)
				}
			}
		}
	}
	slices.Sort(out)
	slices.Reverse(out)
	return out
}

// resize replaces a count by a smaller one in all accesses and shapes; row pitches follow. It gives up (false) on a program where an
// access of such a location is symbolic or starts inside it, for then there is no telling what the offset means.
func resize(p *ir.Program, from, to int32) bool {
	pitch := map[*ir.Loc][2]int64{} // bytes a row, before and after
	for _, f := range p.Cores {
		for l := range f.Locs {
			resizeLoc(l, int64(from), int64(to), pitch)
		}
	}
	for in := range p.Insts {
		for i := range in.Args {
			if o := &in.Args[i]; o.IsAP() && !resizeAccess(o, from, to, pitch) {
				return false
			}
		}
	}
	return true
}

func resizeLoc(l *ir.Loc, from, to int64, pitch map[*ir.Loc][2]int64) {
	size := int64(l.Set.DType.Size())
	was := l.RowBytes
	if l.Rows == from {
		l.Rows = to
	}
	if size > 0 && l.RowBytes == from*size {
		l.RowBytes = to * size
	}
	pitch[l] = [2]int64{was, l.RowBytes}
	l.Set.Shape = slices.Clone(l.Set.Shape)
	for i, d := range l.Set.Shape {
		if d == from {
			l.Set.Shape[i] = to
		}
	}
}

func resizeAccess(o *ir.Operand, from, to int32, pitch map[*ir.Loc][2]int64) bool {
	rows := pitch[o.Loc]
	changed := rows[0] != rows[1]
	for i := range o.Pairs() {
		q := &o.AP[i]
		if q.Num == from {
			q.Num = to
			changed = true
		}
		if size := int64(o.DType.Size()); int64(q.Step)*size == rows[0] {
			q.Step = int32(rows[1] / size)
		}
	}
	return !changed || !o.Symbolic() && o.Off.C == 0
}
