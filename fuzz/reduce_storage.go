package fuzz

import (
	"maps"
	"slices"

	"birfuzz/ir"
	"birfuzz/ir/num"
)

// storageReductions take locations away, make them plainer, and what is read and written of them.
func storageReductions() []reduction {
	return []reduction{
		{"plain locations", func(p *ir.Program) []int32 { return locsWith(p.Clone(), plainLoc) }, func(p *ir.Program, at []int32) bool {
			for l := range locsAt(p, at) {
				plainLoc(l)
			}
			return true
		}},
		{"one location for two", func(p *ir.Program) []int32 {
			twins := twinsOf(p)
			return locsWith(p, func(l *ir.Loc) bool { return twins[l] != nil })
		}, oneForTwo},
		retype(num.Float32, func(d ir.DType) bool { return d != num.Float32 }),
		retype(num.UInt8, func(d ir.DType) bool { return d.IsInt() && d != num.UInt8 }),
		each("contiguous accesses", func(in *ir.Inst) bool { return eachAccess(in, contiguous) }),
		each("accesses in place", func(in *ir.Inst) bool {
			return eachAccess(in, func(o *ir.Operand) bool { had := o.Symbolic(); o.Off.Terms = nil; return had })
		}),
		each("accesses from the start", func(in *ir.Inst) bool {
			return eachAccess(in, func(o *ir.Operand) bool { had := o.Off.C != 0; o.Off.C = 0; return had })
		}),
	}
}

// twinsOf returns, of the locations that are mentioned, the nearest of one function before each that is as large and mentioned too; what is given has
// none and is none.
func twinsOf(p *ir.Program) map[*ir.Loc]*ir.Loc {
	twins, unused := map[*ir.Loc]*ir.Loc{}, unusedIn(p)
	for _, f := range p.Cores {
		var before []*ir.Loc
		for l := range f.Locs {
			if unused(l) || given(l) || l.Type == ir.REG {
				continue
			}
			for _, other := range slices.Backward(before) {
				if other.Rows == l.Rows && other.RowBytes == l.RowBytes && other.Set.DType == l.Set.DType {
					twins[l] = other
					break
				}
			}
			before = append(before, l)
		}
	}
	return twins
}

// oneForTwo puts in the place of locations those before them that are as large, in all that mentions them. What would be copied onto itself becomes
// a constant.
func oneForTwo(p *ir.Program, at []int32) bool {
	twins := twinsOf(p)
	for in := range p.Insts {
		for i := range in.Args {
			if l := in.Args[i].Loc; l != nil && twins[l] != nil && contains(at, l.ID) {
				in.Args[i].Loc = twins[l]
			}
		}
		if moveAnywhere(in); moves(in) && in.Args[0].Equal(&in.Args[1]) {
			fillIn(in)
		}
	}
	return true
}

// locsWith returns the numbers of the locations with a property.
func locsWith(p *ir.Program, has func(*ir.Loc) bool) []int32 {
	var ids []int32
	for _, f := range p.Cores {
		for l := range f.Locs {
			if has(l) {
				ids = append(ids, l.ID)
			}
		}
	}
	return ids
}

// locsAt yields the locations with the given numbers, which ascend.
func locsAt(p *ir.Program, ids []int32) func(func(*ir.Loc) bool) {
	return func(yield func(*ir.Loc) bool) {
		for _, f := range p.Cores {
			for l := range f.Locs {
				if _, among := slices.BinarySearch(ids, l.ID); among && !yield(l) {
					return
				}
			}
		}
	}
}

// unusedIn returns the property of locations that no instruction of p mentions.
func unusedIn(p *ir.Program) func(*ir.Loc) bool {
	used := map[*ir.Loc]bool{}
	for in := range p.Insts {
		for i := range in.Args {
			used[in.Args[i].Loc] = true
		}
	}
	return func(l *ir.Loc) bool { return !used[l] }
}

// dropLocs removes locations that no instruction mentions, and the sets that are empty then.
func dropLocs(p *ir.Program, at []int32) bool {
	gone := map[*ir.Loc]bool{}
	for l := range locsAt(p, at) {
		gone[l] = true
	}
	for _, f := range p.Cores {
		for _, set := range f.Sets {
			set.Locs = slices.DeleteFunc(set.Locs, func(l *ir.Loc) bool { return gone[l] })
		}
		f.Sets = slices.DeleteFunc(f.Sets, func(set *ir.Set) bool { return len(set.Locs) == 0 })
		for l := range f.Locs {
			l.Alias = slices.DeleteFunc(l.Alias, func(a ir.Alias) bool { return gone[a.Loc] })
		}
	}
	dropData(p)
	return true
}

// dropData removes the data of constants that no core declares any more: a module that carries it would not be legal.
func dropData(p *ir.Program) {
	kept := ir.Values{}
	for _, f := range p.Cores {
		for l := range f.Locs {
			if v, ok := p.Consts[l.Name]; ok {
				kept[l.Name] = v
			}
		}
	}
	p.Consts = kept // a clone shares the map
}

// unplace takes back what an allocator did.
func unplace(p *ir.Program) bool {
	n := 0
	for _, f := range p.Cores {
		for l := range f.Locs {
			if l.Allocated {
				l.Allocated, l.Addr, l.Base, l.Bank = false, 0, 0, 0
				n++
			}
		}
	}
	return n > 0
}

// plainLocs is plainLoc for all locations.
func plainLocs(p *ir.Program) bool {
	changed := false
	for _, f := range p.Cores {
		for l := range f.Locs {
			changed = plainLoc(l) || changed
		}
	}
	return changed
}

// plainLoc takes away what is said of a location beside what it is and where it lies.
func plainLoc(l *ir.Loc) bool {
	had := len(l.Alias)+len(l.Extra)+len(l.RemoteLocalTarget)+len(l.Set.Extra) > 0 ||
		l.Pinned || l.WrittenByAnotherCore || l.UserAllocated || l.RuntimeReserved || l.Set.Class != plainClass
	l.Alias, l.Extra, l.RemoteLocalTarget, l.Set.Extra = nil, nil, nil, nil
	l.Pinned, l.WrittenByAnotherCore, l.UserAllocated, l.RuntimeReserved, l.Set.Class = false, false, false, false, plainClass
	return flatShape(l.Set) || had
}

// flatShape makes two dimensions of more.
func flatShape(s *ir.Set) bool {
	if len(s.Shape) <= 2 {
		return false
	}
	rest := int64(1)
	for _, d := range s.Shape[1:] {
		rest *= d
	}
	s.Shape, s.PartDim = []int64{s.Shape[0], rest}, min(s.PartDim, 1)
	return true
}

// plainClass is the class of tensors of which nothing is said (bir-json.md, tensor_class).
const plainClass = "Tensor"

// retype makes elements of tensors and of their accesses some type, where they have one that is not plain. It keeps their number.
func retype(to ir.DType, other func(ir.DType) bool) reduction {
	has := func(l *ir.Loc) bool { return l.Type != ir.REG && other(l.Set.DType) && l == l.Set.Locs[0] }
	return reduction{"types", func(p *ir.Program) []int32 { return locsWith(p, has) }, func(p *ir.Program, at []int32) bool {
		was := map[*ir.Set]ir.DType{}
		p.Consts = maps.Clone(p.Consts)
		for l := range locsAt(p, at) {
			was[l.Set] = l.Set.DType
			resizeElems(l.Set, to)
			for _, l := range l.Set.Locs {
				if v, ok := p.Consts[l.Name]; ok {
					p.Consts[l.Name] = converted(v, to)
				}
			}
		}
		for in := range p.Insts {
			retypeInst(in, was, to)
		}
		return true
	}}
}

// retypeInst has accesses of sets follow their new type, and so the constant that an instruction writes.
func retypeInst(in *ir.Inst, was map[*ir.Set]ir.DType, to ir.DType) {
	for i := range in.Args {
		o := &in.Args[i]
		if !o.IsAP() {
			continue
		}
		if d, ok := was[o.Loc.Set]; ok && d == o.DType {
			o.DType = to
			if i == 0 && in.Spec().HasParam(ir.PConstant) {
				in.SetInt(ir.PConstant, int64(num.Encode(to, num.Decode(d, uint64(in.Int(ir.PConstant))))))
			}
		}
	}
}

// resizeElems gives a set elements of another type, as many as before.
func resizeElems(s *ir.Set, to ir.DType) {
	from := int64(s.DType.Size())
	for _, l := range s.Locs {
		if from > 0 {
			l.RowBytes = l.RowBytes / from * int64(to.Size())
		}
	}
	s.DType = to
}

func eachAccess(in *ir.Inst, change func(*ir.Operand) bool) bool {
	changed := false
	for i := range in.Args {
		if o := &in.Args[i]; o.IsAP() {
			changed = change(o) || changed
		}
	}
	return changed
}

// contiguous makes of an access one of as many lanes and elements, each lane a run without gaps, the lanes one row apart; in DRAM, which has
// no rows, one behind the other.
func contiguous(o *ir.Operand) bool {
	lanes, free := o.Lanes(), o.Free()
	pitch := free
	if o.Loc.Type.OnChip() {
		pitch = o.Pitch()
	}
	plain := [ir.MaxPairs]ir.Pair{{Step: int32(pitch), Num: int32(lanes)}, {Step: 1, Num: int32(free)}}
	if o.N == 2 && o.AP == plain {
		return false
	}
	o.N, o.AP = 2, plain
	return true
}
