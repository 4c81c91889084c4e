package fuzz

import (
	"context"
	"slices"
	"strings"
	"testing"

	"birfuzz/passes"
)

// TestFindingNamesKnobs: what a level turned is in the line that reproduces a finding, else the pass would run otherwise there.
func TestFindingNamesKnobs(t *testing.T) {
	ps, err := passes.Pipeline("O1")
	if err != nil {
		t.Fatal(err)
	}
	turned := ps[slices.IndexFunc(ps, func(p passes.Pass) bool { return p.Name == "pre_sched" })]
	bug := planted("swap")
	turned.Rules, turned.Run, turned.Contract = bug.Rules, bug.Run, bug.Contract
	c := &Campaign{Seed: 4, Count: 200, Workers: 1, Findings: 1, NoShrink: true, Passes: []passes.Pass{turned}, Out: t.TempDir()}
	r, err := c.Run(context.Background())
	if err != nil || len(r.Findings) != 1 {
		t.Fatalf("%d findings, %v, want 1", len(r.Findings), err)
	}
	f := r.Findings[0]
	if f.Pass != "pre_sched" || f.Run != "pre_sched(level=1)" {
		t.Errorf("pass %q, run %q", f.Pass, f.Run)
	}
	for _, want := range []string{"; run: pre_sched(level=1)\n", "; Reproduce: birfuzz check -passes pre_sched\\(level=1\\) finding.bir\n"} {
		if !strings.Contains(f.Text(), want) {
			t.Errorf("the finding has no line %q:\n%s", want, f.Text())
		}
	}
}
