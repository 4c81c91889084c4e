package birjson

import (
	"birfuzz/ir"
)

// edges is what an instruction waits for, kept until all instructions of the function are known.
type edges struct {
	in            *ir.Inst
	deps, carried value
}

// linkEdges reads the edges of the function's instructions.
func (r *reader) linkEdges() {
	place := make([]edgePlace, len(r.named))
	for i, e := range r.scope.edges {
		if e.deps.given() {
			for it := r.list(e.deps); it.next(); {
				r.edge(e.in, it.val, place, int32(i)+1)
			}
		}
		if e.carried.given() {
			for it := r.list(e.carried); it.next(); {
				e.in.LoopDeps = append(e.in.LoopDeps, r.carriedEdge(it.val))
			}
		}
	}
}

// edgePlace says where, in the edges of the instruction that owner numbers, the edge to one target stands. It spares a search through the
// list for every new edge, which a long list would make quadratic.
type edgePlace struct{ owner, at int32 }

// edge adds one edge by the edge-set rule: one edge a target, the stronger kind wins (walrus.md §1.3; see ir.AddDep).
func (r *reader) edge(in *ir.Inst, v value, place []edgePlace, owner int32) {
	on, kind := r.target(v)
	if r.err != nil {
		return
	}
	if on == in {
		r.fail(v, "instruction %q depends on itself", in.Name)
		return
	}
	if p := &place[on.ID]; p.owner != owner {
		*p = edgePlace{owner, int32(len(in.Deps))}
		in.Deps = append(in.Deps, ir.Dep{On: on, Kind: kind})
	} else {
		in.Deps[p.at].Kind = max(in.Deps[p.at].Kind, kind)
	}
}

// target reads a name, which is a Flow edge, or [name, kind].
func (r *reader) target(v value) (*ir.Inst, ir.EdgeKind) {
	if r.data[v.pos] == '"' {
		return r.instNamed(v), ir.Flow
	}
	part, ok := r.parts(v, 2, "a name or [name, kind]")
	if !ok {
		return nil, 0
	}
	return r.instNamed(part[0]), r.edgeKind(part[1])
}

// carriedEdge reads [name, kind, [distances]].
func (r *reader) carriedEdge(v value) (d ir.LoopDep) {
	if part, ok := r.parts(v, 3, "[name, kind, [distances]]"); ok {
		d = ir.LoopDep{On: r.instNamed(part[0]), Kind: r.edgeKind(part[1]), Dist: r.ints(part[2], -maxInt, maxInt)}
	}
	return d
}

// parts returns the elements of a list of n ≤ 3.
func (r *reader) parts(v value, n int, want string) (part [3]value, ok bool) {
	if r.data[v.pos] != '[' {
		r.mismatch(v, want)
		return part, false
	}
	i := 0
	for it := r.list(v); it.next(); i++ {
		if i < n {
			part[i] = it.val
		}
	}
	if i != n {
		r.fail(v, "got a list of %d, want %s", i, want)
	}
	return part, r.err == nil
}

func (r *reader) edgeKind(v value) ir.EdgeKind {
	return word(r.doc, v, ir.ParseEdgeKind, "an edge kind (Ordered, Anti, Output, Flow)")
}

func (r *reader) instNamed(v value) *ir.Inst {
	name := r.text(v, "the name of an instruction")
	in, ok := r.named[string(name)]
	if !ok {
		r.fail(v, "no instruction %q", name)
	}
	return in
}
