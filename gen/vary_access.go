package gen

import (
	"slices"

	"birfuzz/ir"
)

// broadcast has an instruction read one element of a run again and again.
func (w *patch) broadcast() bool {
	s := w.pick(func(s *spot) bool { return w.computes(s.in) && anyInputs(s.in) && len(s.in.Ins()) > 0 })
	if s == nil {
		return false
	}
	in := s.in
	o := &in.Ins()[w.IntN(len(in.Ins()))]
	if !o.IsAP() || o.N < 2 || slices.ContainsFunc(in.Outs(), func(out ir.Operand) bool { return out.Loc != nil && w.root(out.Loc) == w.root(o.Loc) }) {
		return false
	}
	pair := &o.AP[w.Between(1, int(o.N)-1)]
	if pair.Num < 2 || pair.Step == 0 {
		return false
	}
	pair.Step = 0
	return true
}

// reread has an instruction read what an earlier one of its block read or wrote: that is defined ever since.
func (w *patch) reread() bool {
	s := w.pick(func(s *spot) bool { return s.at > 0 && w.loose(s.in) && len(s.in.Ins()) > 0 })
	if s == nil {
		return false
	}
	o := &s.in.Ins()[w.IntN(len(s.in.Ins()))]
	if !o.IsAP() {
		return false
	}
	var list []*ir.Operand
	for _, from := range s.block.Insts[:s.at] {
		if len(from.Pred) > 0 || from.Loop != nil || from.HasSync() {
			continue
		}
		for i := range from.Args {
			if x := &from.Args[i]; w.fits(x, o) && (i >= int(from.NOut) || from.Spec().WriteMode(from) == ir.Overwrites) {
				list = append(list, x)
			}
		}
	}
	if len(list) == 0 {
		return false
	}
	*o = *one(&w.Rand, list)
	o.Off = o.Off.Add(ir.Affine{}, 1) // terms of its own
	serial(s.around)
	return true
}

// fits tells whether an access may stand in the place of another one, as far as its shape goes.
func (w *patch) fits(x, o *ir.Operand) bool {
	return x.IsAP() && x.DType == o.DType && x.Lanes() == o.Lanes() && x.Free() == o.Free() && !x.Equal(o) && !(w.several && x.Loc.Global())
}

// plain tells whether a location is one of the program's own, without an address or an alias, and the only piece of its set.
func plain(l *ir.Loc) bool {
	s := l.Set
	return s.Kind == ir.Internal && s.Space == ir.Local && len(s.Locs) == 1 && !l.Allocated && !l.Pinned && len(l.Alias) == 0 && l.Type != ir.REG &&
		!l.WrittenByAnotherCore && !l.UserAllocated && !l.RuntimeReserved && len(l.RemoteLocalTarget) == 0 && len(l.Extra) == 0
}

// reuse puts what a location is used for into another one of its form, of which all uses are over. Neither has another name: one side may name an
// alias alone, so that it does not show in the location.
func (w *patch) reuse() bool {
	f := one(&w.Rand, w.prog.Cores)
	uses, names := map[*ir.Loc]*span{}, map[int32]int{}
	for l := range f.Locs {
		names[w.root(l)]++
	}
	for i := range w.sites {
		if s := &w.sites[i]; s.fn == f {
			for k := range s.in.Args {
				if l := s.in.Args[k].Loc; l != nil && plain(l) && names[w.root(l)] == 1 {
					uses[l] = uses[l].with(s)
				}
			}
		}
	}
	var pairs [][2]*ir.Loc
	for x := range f.Locs {
		for y := range f.Locs {
			if a, b := uses[x], uses[y]; a != nil && b != nil && x != y && a.last.ID < b.first.ID && !a.loops(b) && sameForm(x, y) {
				pairs = append(pairs, [2]*ir.Loc{x, y})
			}
		}
	}
	if len(pairs) == 0 {
		return false
	}
	pair := one(&w.Rand, pairs)
	for in := range f.Insts {
		for k := range in.Args {
			if in.Args[k].Loc == pair[1] {
				in.Args[k].Loc = pair[0]
			}
		}
	}
	return true
}

// sameForm tells whether two locations have one shape, type and memory.
func sameForm(x, y *ir.Loc) bool {
	return x.Type == y.Type && x.Rows == y.Rows && x.RowBytes == y.RowBytes && x.Set.DType == y.Set.DType
}

// span is where a location is used, in program order, and in which outermost loops.
type span struct {
	first, last *ir.Inst
	outer       []*ir.Loop
}

// with adds a use, which stands behind all that the span has. A nil span has none.
func (p *span) with(s *spot) *span {
	if p == nil {
		p = &span{first: s.in}
	}
	p.last = s.in
	if len(s.around) > 0 {
		p.outer = append(p.outer, s.around[0])
	}
	return p
}

// loops tells whether a loop uses the locations of both.
func (p *span) loops(q *span) bool {
	return slices.ContainsFunc(p.outer, func(l *ir.Loop) bool { return slices.Contains(q.outer, l) })
}

// relay moves what an instruction reads to a new location, and has it read that.
func (w *patch) relay() bool {
	s := w.pick(func(s *spot) bool { return w.loose(s.in) && len(s.in.Pred) == 0 && len(s.in.Ins()) > 0 })
	if s == nil {
		return false
	}
	o := &s.in.Ins()[w.IntN(len(s.in.Ins()))]
	if !o.IsAP() || w.spread(s.in, o) || !injective(o) || o.Loc.Type.OnChip() && len(s.fn.Attrs) > 0 { // attributes say that all has been allocated
		return false
	}
	to := w.like(o.Loc)
	moved := *o
	moved.Loc = to
	in := &ir.Inst{Name: w.fresh("V-"), NOut: 1, Args: []ir.Operand{moved, *o}}
	if !w.mover(in) {
		return false
	}
	s.fn.Sets = append(s.fn.Sets, to.Set)
	o.Loc = to
	s.block.Insts = slices.Insert(s.block.Insts, s.at, in)
	return true
}

// injective tells whether an access meets no element twice.
func injective(o *ir.Operand) bool {
	pairs := slices.Clone(o.Pairs())
	if o.Loc.Type.OnChip() { // the first counts rows
		pairs = pairs[1:]
	}
	slices.SortFunc(pairs, func(p, q ir.Pair) int { return int(p.Step - q.Step) })
	reach := int64(0) // of the pairs so far
	for _, p := range pairs {
		if p.Num > 1 && int64(p.Step) <= reach {
			return false
		}
		reach += int64(p.Num-1) * int64(p.Step)
	}
	return true
}

// spread tells whether an instruction touches the location of an operand in another operand too: what it would see there depends on both.
func (w *patch) spread(in *ir.Inst, o *ir.Operand) bool {
	n := 0
	for i := range in.Args {
		if l := in.Args[i].Loc; l != nil && w.root(l) == w.root(o.Loc) {
			n++
		}
	}
	return n > 1
}

// mover makes an instruction, whose operands are given, one that moves.
func (w *patch) mover(in *ir.Inst) bool {
	var list []*ir.Spec
	for _, row := range rows.move {
		if row.Engines[w.prog.Arch] != 0 && takes(row, in) {
			list = append(list, row)
		}
	}
	if len(list) == 0 {
		return false
	}
	row := one(&w.Rand, list)
	in.Op = row.Op
	if w.Bool(0.9) {
		in.Engine = one(&w.Rand, row.Engines[w.prog.Arch].List())
	}
	return in.Engine != ir.ALL
}

// like returns a new location of the form of another one, which is the program's own.
func (w *patch) like(l *ir.Loc) *ir.Loc {
	name := w.fresh("v")
	m := &ir.Loc{Name: name, Type: l.Type, Rows: l.Rows, RowBytes: l.RowBytes}
	if !l.Type.OnChip() {
		m.Type = ir.DRAM
	}
	m.Set = &ir.Set{Name: w.fresh(name + "_set"), Kind: ir.Internal, Class: "Tensor", DType: l.Set.DType, Shape: l.Set.Shape, PartDim: l.Set.PartDim, Locs: []*ir.Loc{m}}
	return m
}
