package ir

import "slices"

// Insertion is new instructions around one that stands in a block.
type Insertion struct{ Before, After []*Inst }

// Insert puts new instructions before and after those of block b that are keys of at, in the order given; other keys are not looked at. Names
// must be new.
func (e *Edit) Insert(b *Block, at map[*Inst]Insertion) {
	if !slices.ContainsFunc(b.Insts, func(in *Inst) bool { _, ok := at[in]; return ok }) {
		return
	}
	e.touch()
	out := make([]*Inst, 0, len(b.Insts)+2*len(at))
	for _, in := range b.Insts {
		x := at[in]
		out = append(append(append(out, x.Before...), in), x.After...)
	}
	b.Insts = out
}

// AddSets declares new sets in f, after those it has. Names of sets and locations must be new.
func (e *Edit) AddSets(f *Func, sets ...*Set) {
	if len(sets) == 0 {
		return
	}
	e.touch()
	f.Sets = append(f.Sets, sets...)
}

// AddLoc declares a location in the set of another one, behind it. Its name must be new.
func (e *Edit) AddLoc(l, behind *Loc) {
	e.touch()
	l.Set = behind.Set
	l.Set.Locs = slices.Insert(l.Set.Locs, slices.Index(l.Set.Locs, behind)+1, l)
}
