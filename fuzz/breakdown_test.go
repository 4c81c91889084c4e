package fuzz

import (
	"context"
	"strings"
	"testing"

	"birfuzz/oracle"
	"birfuzz/passes"
)

// TestBreakdown: a program on which birfuzz itself breaks down, when it is made or when it is judged, is counted as unknown, with why, and the
// campaign goes on.
func TestBreakdown(t *testing.T) {
	cases := benchCases(6)
	c := &Campaign{Seed: 1, Count: len(cases), Workers: 2, Passes: []passes.Pass{touch(0)}, Source: func(i int) Case {
		switch i {
		case 2:
			panic("the generator is at fault")
		case 4:
			return Case{Name: "no program"}
		}
		return cases[i]
	}}
	r, err := c.Run(context.Background())
	if err != nil || r.Programs != 6 || r.Verdicts.Same != 4 || r.Verdicts.Unknown != 2 || r.Broken != 2 {
		t.Fatalf("%v, %+v, %d broken", err, r.Verdicts, r.Broken)
	}
	for i, want := range []string{
		"program 2: unknown: birfuzz itself broke down: panic: the generator is at fault (breakdown_test.go:", "no program: unknown: birfuzz itself broke down: panic: ",
	} {
		if !strings.HasPrefix(r.Unjudged[i], want) {
			t.Errorf("got %q, want %q", r.Unjudged[i], want)
		}
	}
}

// TestBreakdownWhileWatched: who judges a step does so in the goroutine of the passes, and its panic comes out of the other one.
func TestBreakdownWhileWatched(t *testing.T) {
	p := benchCases(1)[0].Program
	broke := guarded(func() {
		watch(p, []passes.Pass{touch(0)}, passes.Unlimited(), ownWait, func(*passes.Step) bool { panic("the judge is at fault") })
	})
	if !strings.HasPrefix(broke, "panic: the judge is at fault (breakdown_test.go:") {
		t.Errorf("got %q", broke)
	}
}

// TestBreakdownOfBlame: a program that failed before birfuzz broke down on it is a finding all the same, with nobody to blame.
func TestBreakdownOfBlame(t *testing.T) {
	c := plantedCampaign("swap")
	c.NoShrink = true
	r := NewReport("", c.Passes, 0)
	tester := NewTester(c.Passes, c.Oracle)
	for i := range c.Count {
		o := outcome{index: i, c: Generate(c.Seed, i, nil)}
		if o.result = tester.Test(o.c); !o.result.Failed {
			continue
		}
		o.brokeDown("who blames is at fault")
		if err := c.merge(context.Background(), r, o); err != nil {
			t.Fatal(err)
		}
		if r.Broken != 1 || len(r.Findings) != 1 || r.Verdicts.Unknown != 0 || len(r.Unjudged) != 1 || !strings.HasSuffix(r.Unjudged[0], "who blames is at fault") {
			t.Errorf("%d broken, %d findings, %+v, %q", r.Broken, len(r.Findings), r.Verdicts, r.Unjudged)
		}
		return
	}
	t.Fatal("nothing failed")
}

// TestBreakdownOfAFinding: what breaks down while a finding is made small leaves the finding as it was found.
func TestBreakdownOfAFinding(t *testing.T) {
	c := plantedCampaign("swap")
	c.Findings, c.NoShrink = 1, true
	c.Oracle = oracle.Options{}
	r := NewReport("", c.Passes, 0)
	tester := NewTester(c.Passes, c.Oracle)
	for i := range c.Count {
		o := outcome{index: i, c: Generate(c.Seed, i, nil)}
		if o.result = tester.Test(o.c); !o.result.Failed {
			continue
		}
		f := newFinding(o.c, "", c.Oracle, o.result, Blame{})
		f.explain = func() { panic("who explains is at fault") }
		c.reduce(context.Background(), r, f, o)
		if r.Broken != 1 || f.Detail == "" || len(r.Unjudged) != 1 {
			t.Errorf("%d broken, %q", r.Broken, r.Unjudged)
		}
		return
	}
	t.Fatal("nothing failed")
}
