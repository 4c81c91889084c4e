package fuzz

import (
	"context"
	"slices"
	"testing"

	"birfuzz/gen"
	"birfuzz/ir/birtest"
	"birfuzz/passes"
)

// crowded is a configuration of programs for which SBUF, and often PSUM, has room for a few tiles only: little room and large tiles.
func crowded() *gen.Config {
	c := gen.Default()
	c.Elems, c.Short = 2048, 0
	c.Features[gen.Pressure], c.Features[gen.Placement] = 1, 0 // tiles that have their places leave none for what is reserved
	return &c
}

// TestPressure: programs near capacity are spilled, and stay right.
func TestPressure(t *testing.T) {
	n := 120
	if birtest.Quick() {
		n = 2
	}
	for _, level := range []string{"", "O2"} {
		ps := named(t, "linear_scan_allocator")
		if level != "" {
			var err error
			if ps, err = passes.Pipeline(level); err != nil {
				t.Fatal(err)
			}
		}
		p := pressure{passes: ps, config: crowded()}
		p.campaign(t, 11, n)
		t.Logf("%q: %d programs, %d spilled, %d locations, %d programs without room", level, n, p.programs, p.spills, p.declined)
		if p.programs < n/10 { // of a handful none need
			t.Errorf("%q: %d of %d programs spilled, want a tenth", level, p.programs, n)
		}
	}
}

// pressure counts what allocators spill.
type pressure struct {
	passes                     []passes.Pass
	config                     *gen.Config
	programs, spills, declined int
}

// campaign judges n programs and counts those that spilled.
func (p *pressure) campaign(t *testing.T, seed uint64, n int) {
	t.Helper()
	c := Campaign{Seed: seed, Count: n, Passes: p.passes, Config: p.config}
	r, err := c.Run(context.Background())
	if v := r.Verdicts; err != nil || r.Programs != n || v.Different+v.Undefined > 0 || v.Same < n*9/10 { // a few may be too large to judge
		t.Errorf("%d programs, %+v, %v", r.Programs, r.Verdicts, err)
	}
	for _, f := range r.Findings {
		t.Errorf("%s", f.Text())
	}
	for i := range n {
		passes.Run(Generate(seed, i, p.config).Program, p.passes, passes.Unlimited(), p.count)
	}
}

func (p *pressure) count(s *passes.Step) bool {
	i := slices.IndexFunc(s.Tally, func(c passes.Count) bool { return c.Rule.Name == "lsa.spill" })
	if i < 0 {
		return true
	}
	if n := s.Tally[i].Fired; n > 0 {
		p.programs++
		p.spills += n
	}
	if s.Declined != "" {
		p.declined++
	}
	return true
}
