package fuzz_test

import (
	"slices"
	"testing"

	"birfuzz/gen"
	"birfuzz/ir"
	"birfuzz/ir/birtest"
	"birfuzz/oracle"
)

// unordered tells whether two instances of the function conflict and have no order in the closure of its edges, each instruction being a queue of
// its own: by comparing all pairs, element by element.
func unordered(f *ir.Func, xs []*instance) bool {
	want, before, last := conflicts(f, xs, false), make([]bits, len(xs)), map[*ir.Inst]int32{}
	later := make([][]int32, len(xs))
	for _, d := range drawnEdges(f, xs) {
		for _, p := range d.pairs {
			later[p[0]] = append(later[p[0]], p[1])
		}
	}
	for i, x := range xs {
		before[i] = newBits(len(xs))
		if j, ok := last[x.inst]; ok {
			later[i] = append(later[i], j)
		}
		last[x.inst] = int32(i)
		for _, j := range later[i] {
			before[i].set(j)
			before[i].join(before[j])
		}
		for k := range want[i] {
			if want[i][k]&^before[i][k] != 0 {
				return true
			}
		}
	}
	return false
}

// loseEdge takes one edge away; false if there is none.
func loseEdge(r *gen.Rand, p *ir.Program) bool {
	var with []*ir.Inst
	for in := range p.Insts {
		if len(in.Deps)+len(in.LoopDeps) > 0 {
			with = append(with, in)
		}
	}
	if len(with) == 0 {
		return false
	}
	in := with[r.IntN(len(with))]
	if i := r.IntN(len(in.Deps) + len(in.LoopDeps)); i < len(in.Deps) {
		in.Deps = slices.Delete(slices.Clone(in.Deps), i, i+1)
	} else {
		in.LoopDeps = slices.Delete(slices.Clone(in.LoopDeps), i-len(in.Deps), i-len(in.Deps)+1)
	}
	return true
}

// TestScheduleSeesLostEdges: on programs of windows in nests, with all edges that their conflicts call for but one, the check schedule fails
// exactly where comparing all pairs of instances does.
func TestScheduleSeesLostEdges(t *testing.T) {
	t.Parallel()
	n := 2000
	if birtest.Quick() {
		n = 200
	}
	set, _ := oracle.CheckNamed("schedule")
	j := oracle.NewJudge(oracle.Options{Checks: set})
	missing, implied := 0, 0
	for seed := range n {
		p := windowProgram(t, uint64(seed), 2+seed%7)
		if p == nil {
			continue
		}
		for in := range p.Insts {
			in.Engine = ir.Unassigned
		}
		q, _ := withEdges(t, p, "build_fdeps,anti_dependency_analyzer")
		for in := range q.Insts { // an order for its own sake would be owed as well
			in.Deps = slices.DeleteFunc(in.Deps, func(d ir.Dep) bool { return d.Kind == ir.Ordered })
			for i := range in.LoopDeps {
				in.LoopDeps[i].Kind = ir.Anti
			}
		}
		after := q.Clone()
		if !loseEdge(gen.New(uint64(seed)), after) {
			continue
		}
		xs := unrolled(after.Cores[0], maxInstances)
		if xs == nil {
			continue
		}
		want := unordered(after.Cores[0], xs)
		j.Start(q, []ir.Values{{}}) // whatever it computes
		if v := j.Next(q, after, ir.Contract{}, false); (v.Kind == oracle.Different) != want {
			t.Fatalf("seed %d: got %s, want it to fail: %v\n%s", seed, v, want, after)
		}
		if want {
			missing++
		} else {
			implied++
		}
	}
	t.Logf("%d lacked an order, %d edges were implied", missing, implied)
	if missing < n/8 || implied < n/40 {
		t.Errorf("too little was tried: %d lacked an order, %d edges were implied", missing, implied)
	}
}
