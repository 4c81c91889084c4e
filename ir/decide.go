package ir

import "slices"

// Decide returns the predicates of a list that still depend on an axis or on the core, and whether all others hold. The list is not
// changed.
func Decide(list []Predicate) (open []Predicate, hold bool) {
	for i := range list {
		switch p := &list[i]; {
		case !p.Expr.IsConst():
			open = append(open, *p)
		case !p.Cmp.Holds(p.Expr.C):
			return nil, false
		}
	}
	return open, true
}

// DeleteNever removes instructions that never run, with the bodies of loops among them: those whose predicates do not hold and loops
// without iterations. Edges to them go with them. Nothing is bridged, as Delete does: an instruction that is not there (semantics §2)
// has ordered nobody.
func (e *Edit) DeleteNever(gone map[*Inst]bool) {
	if len(gone) == 0 {
		return
	}
	e.touch()
	all := withBodies(gone)
	for in := range e.prog.Insts {
		in.Deps = slices.DeleteFunc(in.Deps, func(d Dep) bool { return all[d.On] })
		in.LoopDeps = slices.DeleteFunc(in.LoopDeps, func(d LoopDep) bool { return all[d.On] })
	}
	e.drop(all)
}
