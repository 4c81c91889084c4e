package ir

import "slices"

// edges gives the edges of the function, while both loops still stand, the form that they have when one is left.
func (x *fusion) edges(f *Func) {
	for in := range f.Insts {
		if in != x.second {
			in.Deps = x.deps(in, in.Deps)
			in.LoopDeps = x.loopDeps(in, in, in.LoopDeps)
		}
	}
	for _, in := range x.bodies[1] {
		for _, d := range x.deps(in, x.second.Deps) {
			in.Deps = AddDep(in.Deps, d)
		}
		for _, d := range x.loopDeps(in, x.second, x.second.LoopDeps) {
			in.LoopDeps = addLoopDep(in.LoopDeps, d)
		}
	}
}

// deps returns the plain edges that in has in the place of those of a list. Who stands in a loop has nothing to wait for in having come there.
func (x *fusion) deps(in *Inst, list []Dep) []Dep {
	if !slices.ContainsFunc(list, func(d Dep) bool { return d.On == x.second || d.On == x.first }) {
		return list
	}
	var out []Dep
	for _, d := range list {
		on := []*Inst{d.On}
		switch {
		case d.On == x.second && x.side[in] == 2:
			on = nil
		case d.On == x.second:
			on = x.bodies[1]
		case d.On == x.first && x.side[in] == 2:
			on = x.bodies[0]
		}
		for _, o := range on {
			out = AddDep(out, Dep{o, d.Kind})
		}
	}
	return out
}

// loopDeps returns the loop-carried edges that in has in the place of those of a list, which stood on holder. One that led from one loop to the
// other, or from or to the second one as a whole, has no distance along the fused loop: it waits for that loop's whole run.
func (x *fusion) loopDeps(in, holder *Inst, list []LoopDep) []LoopDep {
	var out []LoopDep
	for _, d := range list {
		on := []*Inst{d.On}
		switch {
		case x.side[in] > 0 && x.side[d.On] > 0 && (holder == x.second || d.On == x.second || x.side[in] != x.side[d.On]):
			on[0] = x.first
		case d.On == x.second:
			on = x.bodies[1]
		}
		for _, o := range on {
			out = addLoopDep(out, LoopDep{o, d.Kind, d.Dist})
		}
	}
	return out
}

// addLoopDep adds a loop-carried edge to a list: one a target and distance, the stronger kind wins.
func addLoopDep(list []LoopDep, d LoopDep) []LoopDep {
	for i := range list {
		if list[i].On == d.On && slices.Equal(list[i].Dist, d.Dist) {
			list[i].Kind = max(list[i].Kind, d.Kind)
			return list
		}
	}
	return append(list, d)
}
