package ir

import (
	"fmt"
	"slices"
)

// Edit is the only way in which a pass changes a program. The first change takes a copy of the program as it was (Before); the program
// itself is then changed in place, so that a pass's own pointers stay good. A pass that changes nothing leaves no copy behind.
//
// Edges, waits and names are carried along: whoever waited for a deleted instruction waits for what that one waited for.
type Edit struct {
	prog   *Program
	before *Program
	count  int
	copies *Copies
}

// NewEdit starts editing p, which must be numbered.
func NewEdit(p *Program) *Edit { return NewEditIn(p, nil) }

// NewEditIn is NewEdit with a source of memory for the copy; nil: none.
func NewEditIn(p *Program, copies *Copies) *Edit { return &Edit{prog: p, copies: copies} }

// Program returns the program as it is now.
func (e *Edit) Program() *Program { return e.prog }

// Before returns the program as it was, nil while nothing has changed.
func (e *Edit) Before() *Program { return e.before }

// Count returns the number of changes made.
func (e *Edit) Count() int { return e.count }

func (e *Edit) touch() {
	if e.before == nil {
		e.before = e.copies.Clone(e.prog)
	}
	e.count++
}

// Delete removes instructions, with the bodies of loops among them. Edges of others to a removed one are replaced by its own edges, and
// its loop-carried ones likewise; its waits and updates must be empty.
func (e *Edit) Delete(gone map[*Inst]bool) {
	if len(gone) == 0 {
		return
	}
	e.touch()
	all := withBodies(gone)
	for in := range e.prog.Insts {
		if !all[in] {
			in.bridge(all)
		}
	}
	e.drop(all)
}

// withBodies returns the instructions and what stands in the loops among them.
func withBodies(insts map[*Inst]bool) map[*Inst]bool {
	all := map[*Inst]bool{}
	for in := range insts {
		all[in] = true
		if in.Loop != nil {
			for sub := range in.Loop.Insts {
				all[sub] = true
			}
		}
	}
	return all
}

// drop takes instructions, to which no edge leads, out of their blocks.
func (e *Edit) drop(gone map[*Inst]bool) {
	for _, f := range e.prog.Cores {
		for b := range f.AllBlocks {
			b.Insts = slices.DeleteFunc(b.Insts, func(in *Inst) bool { return gone[in] })
		}
	}
}

// bridge replaces edges to removed instructions by what those waited for.
func (in *Inst) bridge(gone map[*Inst]bool) {
	if slices.ContainsFunc(in.Deps, func(d Dep) bool { return gone[d.On] }) {
		in.Deps = through(in.Deps, gone)
	}
	in.LoopDeps = slices.DeleteFunc(in.LoopDeps, func(d LoopDep) bool { return gone[d.On] })
}

func through(deps []Dep, gone map[*Inst]bool) []Dep {
	var out []Dep
	seen := map[*Inst]bool{}
	var add func(Dep)
	add = func(d Dep) {
		if !gone[d.On] {
			out = AddDep(out, d)
			return
		}
		if seen[d.On] {
			return
		}
		seen[d.On] = true
		for _, up := range d.On.Deps {
			add(Dep{up.On, min(up.Kind, d.Kind)})
		}
	}
	for _, d := range deps {
		add(d)
	}
	return out
}

// AddDep adds an edge to a list by the edge-set rule: one edge a target, the stronger kind wins (walrus.md §1.3).
func AddDep(list []Dep, d Dep) []Dep {
	for i := range list {
		if list[i].On == d.On {
			list[i].Kind = max(list[i].Kind, d.Kind)
			return list
		}
	}
	return append(list, d)
}

// Reorder gives block b the instruction list order, which must be a permutation of what it holds.
func (e *Edit) Reorder(b *Block, order []*Inst) {
	if slices.Equal(b.Insts, order) {
		return
	}
	e.touch()
	if len(order) != len(b.Insts) {
		panic(fmt.Sprintf("reorder of block %s: %d instructions given, it holds %d", b.Name, len(order), len(b.Insts)))
	}
	b.Insts = order
}

// DeleteLocs removes locations that no instruction mentions, sets that become empty thereby, and what the tensor map says of either.
func (e *Edit) DeleteLocs(f *Func, gone map[*Loc]bool) {
	if len(gone) == 0 {
		return
	}
	e.touch()
	names := map[string]bool{}
	for l := range gone {
		names[l.Name], names[l.Set.Name] = true, true
	}
	for _, s := range f.Sets {
		s.Locs = slices.DeleteFunc(s.Locs, func(l *Loc) bool { return gone[l] })
	}
	f.Sets = slices.DeleteFunc(f.Sets, func(s *Set) bool { return len(s.Locs) == 0 && names[s.Name] })
	for l := range f.Locs {
		l.Alias = slices.DeleteFunc(l.Alias, func(a Alias) bool { return gone[a.Loc] })
	}
	e.prog.pruneTensorMap(names)
}

// Replace swaps the whole program for another one, as an external pass does. The program as it was is left alone, so it needs no copy.
func (e *Edit) Replace(p *Program) {
	if e.before == nil {
		e.before = e.prog
	}
	e.count++
	e.prog = p
}

// Change runs f, which changes instructions, locations or attributes in place.
func (e *Edit) Change(f func()) {
	e.touch()
	f()
}

// Done numbers the program again after changes. Whoever owns the edit calls it once, last.
func (e *Edit) Done() {
	if e.before != nil {
		e.prog.Number()
	}
}
