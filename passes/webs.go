package passes

import "birfuzz/ir"

// sharedRenaming is the Shared of the rules that give webs names of their own.
const sharedRenaming = "a web of accesses with a name of its own"

// webs groups the accesses of a location: a definition belongs with every use that it reaches, in this trip of a loop or a later one, and what
// belongs together by way of others is one web. An instruction that reads a location and overwrites it stands in two webs, it may be.
type webs struct {
	deps *dependences
	root []int32 // by side, of the location at hand: another of its web, itself at last
}

// side is what an instruction does to a location: twice its ID for the read, one more for the write.
func side(in *ir.Inst, write bool) int32 {
	if write {
		return 2*in.ID + 1
	}
	return 2 * in.ID
}

func newWebs(p *ir.Program) *webs {
	return &webs{deps: newDependences(p, ir.NewFamilies(p), byStorage), root: make([]int32, 2*p.NumInsts())}
}

// web is the accesses of one location that belong together, in program order.
type web []webAccess

// webAccess is the reads or the writes of an instruction.
type webAccess struct {
	inst  *ir.Inst
	write bool
}

// of returns the webs of a location, by their first instructions.
//
// A use waits for a definition that reaches it by a Flow edge (newDependences: a write ends another one only if it covers all of it and surely
// runs). The edge says nothing of the location that it is for: where two instructions have several locations in common their webs may be
// larger than need be, never smaller.
func (w *webs) of(u *locUses) []web {
	var list []webAccess
	for _, in := range u.insts {
		r, d := reads(in, u.loc), writes(in, u.loc)
		w.root[side(in, false)], w.root[side(in, true)] = side(in, false), side(in, true)
		if d && in.Spec().WriteMode(in) != ir.Overwrites { // reads what it writes
			w.join(side(in, false), side(in, true))
		}
		if r {
			list = append(list, webAccess{in, false})
		}
		if d {
			list = append(list, webAccess{in, true})
		}
	}
	if w.deps.cut { // too many dependences to know
		return []web{list}
	}
	w.follow(u)
	var groups []web
	index := map[int32]int{}
	for _, a := range list {
		r := w.find(side(a.inst, a.write))
		if _, ok := index[r]; !ok {
			index[r] = len(groups)
			groups = append(groups, nil)
		}
		groups[index[r]] = append(groups[index[r]], a)
	}
	return groups
}

// follow joins definitions with their uses.
func (w *webs) follow(u *locUses) {
	defines := map[int32]bool{}
	for _, in := range u.insts {
		if writes(in, u.loc) {
			defines[in.ID] = true
		}
	}
	for _, in := range u.insts {
		for _, e := range w.deps.of(in.ID) {
			switch {
			case e.kind != ir.Flow:
			case w.deps.nodes[e.on].inst.Loop != nil: // a definition somewhere in that loop
				for _, def := range u.insts {
					w.join(side(in, false), side(def, true))
				}
			case defines[e.on]:
				w.join(side(in, false), side(w.deps.nodes[e.on].inst, true))
			}
		}
	}
}

func (w *webs) find(i int32) int32 {
	for w.root[i] != i {
		w.root[i] = w.root[w.root[i]]
		i = w.root[i]
	}
	return i
}

func (w *webs) join(a, b int32) {
	if x, y := w.find(a), w.find(b); x != y {
		w.root[max(x, y)] = min(x, y)
	}
}
