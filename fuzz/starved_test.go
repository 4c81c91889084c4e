package fuzz

import (
	"testing"

	"birfuzz/gen"
	"birfuzz/passes"
)

// TestStarvedRulesFindNothing: a rule of which a level says that it never finds anything there does not.
func TestStarvedRulesFindNothing(t *testing.T) {
	n := 300
	if testing.Short() {
		n = 20
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
					if why := passes.Starved(level, s.Pass.Name, x.Rule.Name); why != "" && x.Fired > 0 {
						t.Errorf("%s at %s: %s fired in %s, though %s", c.Name, level, x.Rule.Name, s.Pass.Name, why)
					}
				}
				return true
			})
		}
	}
}
