package fuzz

import (
	"testing"

	"birfuzz/gen"
	"birfuzz/ir/birtest"
	"birfuzz/passes"
)

// TestStarvedRulesNeverFire: a rule of which a level says that it leaves it nothing never fires there. It may look, and refuse.
func TestStarvedRulesNeverFire(t *testing.T) {
	n := 100
	if birtest.Quick() {
		n = 10
	}
	cfg := gen.Default()
	for _, level := range passes.Levels() {
		ps, err := passes.Pipeline(level)
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			c := Generate(13, i, &cfg)
			passes.Run(c.Program, ps, passes.Unlimited(), func(s *passes.Step) bool {
				for _, x := range s.Tally {
					if why := passes.Starved(level, s.Pass.Name, x.Rule.Name, 0); why != "" && x.Fired > 0 {
						t.Errorf("%s at %s: %s fired in %s, though %s", c.Name, level, x.Rule.Name, s.Pass.Name, why)
					}
				}
				return true
			})
		}
	}
}

// TestMergeStarved: after several levels a rule counts as starved only if each level that has it leaves it nothing.
func TestMergeStarved(t *testing.T) {
	with := func(why string) *Report {
		r := NewReport("", nil, 0)
		r.rule("p", "r").Starved = why
		return r
	}
	for _, c := range []struct {
		first, second *Report
		want          string
	}{
		{with("why"), with("why"), "why"},
		{with("why"), with(""), ""},
		{with(""), with("why"), ""},
		{NewReport("", nil, 0), with("why"), "why"},
		{with("why"), NewReport("", nil, 0), "why"},
	} {
		if c.first.Merge(c.second); c.first.rule("p", "r").Starved != c.want {
			t.Errorf("got %q, want %q", c.first.rule("p", "r").Starved, c.want)
		}
	}
}
