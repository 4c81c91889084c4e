package main

import (
	"testing"

	"birfuzz/ir"
	"birfuzz/passes"
)

// A list of passes that cannot work in its order is an error before anything is run. It says which flag asked for it.
func TestInOrder(t *testing.T) {
	needs := passes.Pass{Name: "needs", Contract: ir.Contract{Needs: ir.Grouped}}
	gives := passes.Pass{Name: "gives", Contract: ir.Contract{Gives: ir.Grouped}}
	foreign := passes.Pass{Name: "foreign", Command: &passes.Command{}}
	const want = "pass 1, needs: needs the facts Grouped, which neither the program nor an earlier pass gives"
	for _, c := range []struct {
		passes string // the flag
		list   []passes.Pass
		facts  ir.Facts
		want   string
	}{
		{"x", []passes.Pass{gives, needs}, 0, ""},
		{"x", []passes.Pass{needs}, ir.Grouped, ""},
		{"x", []passes.Pass{foreign, needs}, 0, ""},
		{"x", []passes.Pass{needs, gives}, ir.Deps, "-passes: " + want},
		{"", []passes.Pass{needs, gives}, 0, "level O2: " + want},
	} {
		f := &flags{passes: c.passes}
		got := ""
		if err := f.inOrder(c.list, "O2", c.facts); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// The facts of given programs are those of any of them: the others are declined.
func TestFactsOfWork(t *testing.T) {
	w := &work{given: []*given{{program: &ir.Program{Facts: ir.Deps}}, {program: &ir.Program{Facts: ir.Placed}}}}
	if got := w.facts(); got != ir.Deps|ir.Placed {
		t.Errorf("got %s", got)
	}
	if got := (&work{}).facts(); got == 0 {
		t.Error("drawn programs have no facts")
	}
}
