package gen

import (
	"maps"
	"slices"

	"birfuzz/ir"
)

// Splice returns a program that does what a does and what b does; nil if they do not go together, or not in the way that was drawn. It takes one
// number from r, which decides all with a and b, and leaves both alone. Both must be legal, and so is what is returned; it has the facts that
// both have, less those that joining may break.
//
// The two go together if they are of one generation and of one form (as many functions, the same core's, told apart by ShardIDs or not), and
// none is Synced: then a schedule of one says nothing of both. The code of b comes behind that of a; or, where neither has fences, it is put
// into some block of a, in one piece or one instruction here and one there. They have no storage in common: b's names that a has too become
// others. Where both have addresses, the bytes of b may lie on those of a, so b comes behind; and in DRAM they may not.
func (v *Varier) Splice(r *Rand, a, b *ir.Program) *ir.Program {
	own := r.split()
	if a.Arch != b.Arch || len(a.Cores) != len(b.Cores) || a.CoreID != b.CoreID || (a.Facts|b.Facts)&(ir.Synced|ir.Virtual|ir.Split) != 0 {
		return nil
	}
	s := splice{newPatch(own.split(), a.Clone()), newPatch(own.split(), b.Clone())}
	if !s.agree() {
		return nil
	}
	s.b.rename(namesOf(a))
	if !s.mingle() || own.Bool(0.3) || !s.within() {
		s.behind()
	}
	p := s.join()
	v.Tried++
	if len(v.verifier.Verify(p, p.Facts)) > 0 {
		v.Refused++
		return nil
	}
	return p
}

// splice is two programs that are to become one.
type splice struct{ a, b *patch }

// agree tells whether the two can be one program, in whatever way.
func (s *splice) agree() bool {
	if len(s.a.prog.Cores) == 1 && s.a.several != s.b.several || s.b.remote() {
		return false
	}
	if s.a.inDRAM() && s.b.inDRAM() {
		return false
	}
	for _, f := range s.a.prog.Cores { // behind an end nothing runs
		if !s.a.open(f) {
			return false
		}
	}
	return true
}

// remote tells whether the program names a location in a way that renaming does not reach.
func (w *patch) remote() bool {
	return w.has(func(l *ir.Loc) bool { return len(l.RemoteLocalTarget) > 0 })
}

// placed tells whether a location has an address.
func (w *patch) placed() bool {
	return w.has(func(l *ir.Loc) bool { return l.Allocated })
}

// inDRAM tells whether a location in DRAM has an address.
func (w *patch) inDRAM() bool {
	return w.has(func(l *ir.Loc) bool { return l.Allocated && l.Type.IsDRAM() })
}

func (w *patch) has(ok func(*ir.Loc) bool) bool {
	for _, f := range w.prog.Cores {
		for l := range f.Locs {
			if ok(l) {
				return true
			}
		}
	}
	return false
}

// open makes a function one behind which code may follow: an end at its very end goes. It reports false if there is another one outside loops.
func (w *patch) open(f *ir.Func) bool {
	if last := f.Blocks[len(f.Blocks)-1]; len(last.Insts) > 1 {
		if end := last.Insts[len(last.Insts)-1]; end.Spec().Ends && !w.several {
			e := ir.NewEdit(w.prog)
			e.Delete(map[*ir.Inst]bool{end: true})
		}
	}
	for _, b := range f.Blocks {
		if slices.ContainsFunc(b.Insts, func(in *ir.Inst) bool { return in.Spec().Ends }) {
			return false
		}
	}
	return true
}

// rename gives everything whose name is taken another one, the same wherever the name stands.
func (w *patch) rename(taken map[string]bool) {
	w.names = namesOf(w.prog)
	maps.Copy(w.names, taken)
	now := map[string]string{}
	change := func(prefix string, name *string) {
		if !taken[*name] {
			return
		}
		if now[*name] == "" {
			now[*name] = w.fresh(prefix)
		}
		*name = now[*name]
	}
	consts := ir.Values{}
	for _, f := range w.prog.Cores {
		for _, s := range f.Sets {
			change("ws", &s.Name)
			for _, l := range s.Locs {
				data, has := w.prog.Consts[l.Name]
				if change("w", &l.Name); has {
					consts[l.Name] = data
				}
			}
		}
		for b := range f.AllBlocks {
			change("WBlock", &b.Name)
		}
		for in := range f.Insts {
			change("W-", &in.Name)
			if in.Source != "" {
				change("W-", &in.Source)
			}
			if in.Loop != nil {
				change("w", &in.Loop.Axis)
			}
		}
	}
	w.prog.Consts = consts
}

// mingle tells whether the instructions of the two may stand between each other: one core runs them in blocks without fences and without
// hidden state, and not both have addresses.
func (s *splice) mingle() bool {
	if s.a.several || s.b.several || s.a.placed() && s.b.placed() || len(s.b.prog.Cores[0].Blocks) != 1 {
		return false
	}
	calm := func(w *patch) bool {
		return !slices.ContainsFunc(w.sites, func(x spot) bool {
			return x.in.Spec().Effect.Fence() || x.in.HasSync() || usesAcc(x.in) || x.in.Spec().State.State != ir.NoHidden
		})
	}
	return calm(s.a) && calm(s.b)
}

// within puts the instructions of b into a block of a: one that surely runs, and of a loop only where they may run again. It reports false if
// there is none.
func (s *splice) within() bool {
	piece := s.b.prog.Cores[0].Blocks[0].Insts
	again := !slices.ContainsFunc(piece, func(in *ir.Inst) bool { return !s.b.again(in) })
	guarded := map[*ir.Loop]bool{}
	for i := range s.a.sites {
		if in := s.a.sites[i].in; in.Loop != nil {
			guarded[in.Loop] = len(in.Pred) > 0 || in.Loop.Trips() == 0
		}
	}
	at := s.a.pick(func(x *spot) bool {
		return !slices.ContainsFunc(x.around, func(l *ir.Loop) bool { return guarded[l] }) && (again || len(x.around) == 0)
	})
	if at == nil {
		return false
	}
	if len(at.around) > 0 {
		s.b.cutLoopEdges(piece)
	}
	serial(at.around)
	if s.a.Bool(0.5) {
		at.block.Insts = slices.Insert(at.block.Insts, at.at, piece...)
	} else {
		at.block.Insts = s.a.shuffled(at.block.Insts, piece)
	}
	return true
}

// shuffled returns a list of all instructions of both lists, those of each in their order.
func (w *patch) shuffled(x, y []*ir.Inst) []*ir.Inst {
	out := make([]*ir.Inst, 0, len(x)+len(y))
	for len(x) > 0 && len(y) > 0 {
		if w.IntN(len(x)+len(y)) < len(x) {
			out, x = append(out, x[0]), x[1:]
		} else {
			out, y = append(out, y[0]), y[1:]
		}
	}
	return append(append(out, x...), y...)
}

// behind puts the code of b behind that of a, core by core: in blocks of its own, or in the last block of a.
func (s *splice) behind() {
	joined := s.a.Bool(0.5)
	for i, f := range s.a.prog.Cores {
		blocks := s.b.prog.Cores[i].Blocks
		if last := f.Blocks[len(f.Blocks)-1]; joined {
			last.Insts = append(last.Insts, blocks[0].Insts...)
			blocks = blocks[1:]
		}
		f.Blocks = append(f.Blocks, blocks...)
	}
}

// join gives a what b declares, and the facts that hold of both.
func (s *splice) join() *ir.Program {
	p, q := s.a.prog, s.b.prog
	for i, f := range p.Cores {
		g := q.Cores[i]
		f.Sets = append(f.Sets, g.Sets...)
		f.Attrs = slices.DeleteFunc(slices.Clone(f.Attrs), func(a string) bool { return !g.HasAttr(a) })
	}
	if len(q.Consts) > 0 {
		consts := maps.Clone(q.Consts)
		maps.Copy(consts, p.Consts)
		p.Consts = consts
	}
	if p.Facts &= q.Facts; p.Facts.Has(ir.Deps) && !s.apart() {
		p.Facts &^= ir.Deps
	}
	p.Number()
	return p
}

// apart tells whether no instruction of b touches anything that one of a does, and that none runs in a loop of a.
func (s *splice) apart() bool {
	hidden := func(w *patch) bool {
		return slices.ContainsFunc(w.sites, func(x spot) bool { return usesAcc(x.in) })
	}
	looped := slices.ContainsFunc(s.a.sites, func(x spot) bool { return x.in.Loop != nil })
	return !looped && !(s.a.placed() && s.b.placed()) && !(hidden(s.a) && hidden(s.b))
}
