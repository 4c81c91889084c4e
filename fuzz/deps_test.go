package fuzz_test

import (
	"fmt"
	"testing"

	"birfuzz/gen"
	"birfuzz/ir"
	"birfuzz/ir/birtest"
	"birfuzz/passes"
)

// maxInstances bounds the programs that are tried: the check is quadratic.
const maxInstances = 700

// edgeTally counts the edges of many programs.
type edgeTally struct {
	programs, skipped, instances, conflicts, edges, vain, relays int
}

// withEdges returns the program with all edges of the named passes, and whether the fact Deps was given.
func withEdges(t *testing.T, p *ir.Program, names string) (*ir.Program, bool) {
	t.Helper()
	ps, err := passes.Named(names)
	if err != nil {
		t.Fatal(err)
	}
	for in := range p.Insts {
		in.Deps, in.LoopDeps = nil, nil
	}
	p.Facts &^= ir.Deps
	passes.Run(p, ps, passes.Unlimited(), func(s *passes.Step) bool {
		if s.Failure != nil {
			t.Fatalf("%s: %v\n%s", s.Pass.Name, s.Failure, p)
		}
		p = s.After
		return true
	})
	return p, p.Facts.Has(ir.Deps)
}

// check tells what conflict of a function the closure of its edges does not order, "" if it orders all.
func (y *edgeTally) check(f *ir.Func, fences bool) string {
	xs := unrolled(f, maxInstances)
	if xs == nil {
		y.skipped++
		return ""
	}
	y.instances += len(xs)
	want := conflicts(f, xs, fences)
	before := make([]bits, len(xs))
	for i := range before {
		before[i] = newBits(len(xs))
	}
	edges := drawnEdges(f, xs)
	later := make([][]int32, len(xs))
	for _, d := range edges {
		meets := false
		for _, p := range d.pairs {
			if p[1] >= p[0] {
				return fmt.Sprintf("edge %s points forward", d.name)
			}
			later[p[0]] = append(later[p[0]], p[1])
			meets = meets || want[p[0]].has(p[1])
		}
		y.edges++
		switch {
		case meets || len(d.pairs) == 0:
		case d.kind == ir.Ordered && !fences:
			y.relays++
		default:
			y.vain++
		}
	}
	for i := range xs {
		for _, j := range later[i] {
			before[i].set(j)
			before[i].join(before[j])
		}
		for j := range int32(i) {
			if want[i].has(j) {
				if y.conflicts++; !before[i].has(j) {
					return fmt.Sprintf("%s %v must wait for %s %v", xs[i].inst.Name, xs[i].trips, xs[j].inst.Name, xs[j].trips)
				}
			}
		}
	}
	return ""
}

// all checks every core of a program.
func (y *edgeTally) all(t *testing.T, p *ir.Program, fences bool) {
	t.Helper()
	y.programs++
	for _, f := range p.Cores {
		if bad := y.check(f, fences); bad != "" {
			t.Fatalf("%s\n%s", bad, p)
		}
	}
}

// TestEdgesOrderConflicts: on generated programs, every pair of instances that touch a common byte, one of them writing, is ordered by the
// closure of the edges that build_fdeps and anti_dependency_analyzer draw; with order_constraints so is what fences order.
func TestEdgesOrderConflicts(t *testing.T) {
	t.Parallel()
	n := 1500
	if birtest.Quick() {
		n = 60
	}
	data, fences := edgeTally{}, edgeTally{}
	for seed := range n {
		r := gen.New(uint64(seed))
		c := gen.Default()
		if seed%2 == 0 {
			c = gen.Swarm(r)
		}
		c.Features[gen.Edges], c.Elems = 0, 32
		p := gen.Program(r, c)
		if p.Facts.Has(ir.Synced) {
			continue
		}
		q, complete := withEdges(t, p.Clone(), "build_fdeps,anti_dependency_analyzer")
		if !complete {
			t.Errorf("seed %d: the fact Deps is not given\n%s", seed, q)
		}
		if cs := ir.Verify(q, q.Facts); len(cs) > 0 {
			t.Fatalf("seed %d: illegal: %v\n%s", seed, cs, q)
		}
		data.all(t, q, false)
		q, _ = withEdges(t, p, "build_fdeps,anti_dependency_analyzer,order_constraints")
		fences.all(t, q, true)
	}
	t.Logf("bytes:  %+v", data)
	t.Logf("fences: %+v", fences)
	if data.programs < n/2 || data.conflicts < 10*n || data.edges == 0 {
		t.Errorf("too little was tried: %+v", data)
	}
}
