package fuzz

import (
	"maps"
	"slices"

	"birfuzz/ir"
)

// sizeReductions make sizes smaller wherever they occur: in every access pattern and in the shape of every location at once. Nothing else keeps
// the operands of one instruction in step. A place is a size.
func sizeReductions() []reduction {
	return []reduction{
		cutSizes(func(int64) int64 { return 1 }),
		cutSizes(func(int64) int64 { return 32 }), // which rows that shuffle want
		cutSizes(func(int64) int64 { return 8 }),  // and those that search
		cutSizes(func(int64) int64 { return 2 }),
		cutSizes(func(n int64) int64 { return n / 2 }),
	}
}

func cutSizes(to func(int64) int64) reduction {
	return reduction{"sizes", func(p *ir.Program) []int32 {
		return slices.DeleteFunc(sizesOf(p), func(n int32) bool { return to(int64(n)) >= int64(n) || to(int64(n)) < 1 })
	}, func(p *ir.Program, at []int32) bool {
		sizes := map[int64]int64{}
		for _, n := range at {
			sizes[int64(n)] = to(int64(n))
		}
		resize(p, sizes)
		return true
	}}
}

// sizesOf returns the distinct numbers that access patterns, and locations in rows and elements, have of something, ascending.
func sizesOf(p *ir.Program) []int32 {
	var out []int32
	for in := range p.Insts {
		for i := range in.Args {
			for _, q := range in.Args[i].Pairs() {
				out = append(out, q.Num)
			}
		}
	}
	for _, f := range p.Cores {
		for l := range f.Locs {
			for _, n := range []int64{l.Rows, l.RowBytes / int64(max(l.Set.DType.Size(), 1))} {
				if n == int64(int32(n)) {
					out = append(out, int32(n))
				}
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// resize replaces sizes by smaller ones in all accesses and shapes. Row pitches follow, and so do offsets as far as there is telling what they
// mean: the row and the element at which an access begins, unless that is beyond the end now.
func resize(p *ir.Program, sizes map[int64]int64) {
	pitch := map[*ir.Loc][2]int64{} // bytes a row, before and after
	shaped := map[*ir.Set]bool{}
	for _, f := range p.Cores {
		for l := range f.Locs {
			was := l.RowBytes
			resizeLoc(l, sizes)
			pitch[l] = [2]int64{was, l.RowBytes}
			if !shaped[l.Set] {
				shaped[l.Set] = true
				l.Set.Shape = slices.Clone(l.Set.Shape) // clones share it
				for i, d := range l.Set.Shape {
					l.Set.Shape[i] = resized(d, sizes)
				}
			}
		}
	}
	cutData(p)
	for in := range p.Insts {
		for i := range in.Args {
			if o := &in.Args[i]; o.IsAP() {
				resizeAccess(o, sizes, pitch[o.Loc])
			}
		}
	}
}

// cutData leaves of the data of constants as much as they hold now.
func cutData(p *ir.Program) {
	p.Consts = maps.Clone(p.Consts) // a clone shares the map
	for _, f := range p.Cores {
		for l := range f.Locs {
			if v, ok := p.Consts[l.Name]; ok && l.Bytes() < int64(len(v.Data)) {
				v.Data, v.Shape = v.Data[:l.Bytes()], l.Set.Shape
				p.Consts[l.Name] = v
			}
		}
	}
}

func resized(n int64, sizes map[int64]int64) int64 {
	if to, ok := sizes[n]; ok {
		return to
	}
	return n
}

func resizeLoc(l *ir.Loc, sizes map[int64]int64) {
	l.Rows = resized(l.Rows, sizes)
	if size := int64(l.Set.DType.Size()); size > 0 && l.RowBytes%size == 0 {
		l.RowBytes = resized(l.RowBytes/size, sizes) * size
	}
}

// resizeAccess makes an access smaller; rows are the bytes of one in its location, before and after.
func resizeAccess(o *ir.Operand, sizes map[int64]int64, rows [2]int64) {
	size := int64(o.DType.Size())
	for i := range o.Pairs() {
		q := &o.AP[i]
		q.Num = int32(resized(int64(q.Num), sizes))
		if int64(q.Step)*size == rows[0] {
			q.Step = int32(rows[1] / size)
		}
	}
	was, now := rows[0]/size, rows[1]/size
	if was == now || was == 0 || now == 0 {
		return
	}
	moved := func(n int64) int64 { return n/was*now + min(n%was, now-1) }
	o.Off.C = moved(o.Off.C)
	for i := range o.Off.Terms {
		o.Off.Terms[i].Coef = moved(o.Off.Terms[i].Coef)
	}
	o.Off.Terms = slices.DeleteFunc(o.Off.Terms, func(t ir.Term) bool { return t.Coef == 0 })
}
