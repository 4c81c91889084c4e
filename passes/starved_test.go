package passes

import (
	"slices"
	"testing"
)

// What a level calls starved is a rule of one of its passes, and no other level's.
func TestStarved(t *testing.T) {
	for _, l := range levels {
		ps, err := Pipeline(l.name)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range l.starved {
			i := slices.IndexFunc(ps, func(p Pass) bool { return p.Name == s.pass })
			if i < 0 || !slices.ContainsFunc(ps[i].Rules, func(r *Rule) bool { return r.Name == s.rule }) {
				t.Errorf("%s: no rule %s of a pass %s", l.name, s.rule, s.pass)
			}
			if got := Starved(l.name, s.pass, s.rule, 0); got == "" || got != s.why {
				t.Errorf("%s: %s of %s: %q", l.name, s.rule, s.pass, got)
			}
			if got := Starved(l.name, s.pass, s.rule, AllFreedom); got != "" {
				t.Errorf("%s, free: %s of %s: %q", l.name, s.rule, s.pass, got)
			}
		}
	}
	for _, c := range [][3]string{{"O2", "non_ssa_legalization", "nonssa.redundant-load"}, {"O2-loops", "pre_sched", "nonssa.redundant-load"}, {"O9", "pre_sched", "x"}} {
		if got := Starved(c[0], c[1], c[2], 0); got != "" {
			t.Errorf("%v: %s", c, got)
		}
	}
}
