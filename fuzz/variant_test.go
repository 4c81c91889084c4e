package fuzz_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"birfuzz/fuzz"
	"birfuzz/ir/birtest"
	"birfuzz/oracle"
	"birfuzz/passes"
)

// TestVariantCampaign: variants of programs go through a pipeline to the same end as the programs, with every change granted and judged.
func TestVariantCampaign(t *testing.T) {
	t.Parallel()
	n := 250
	if birtest.Quick() {
		n = 30
	}
	ps, err := passes.Pipeline("O2")
	if err != nil {
		t.Fatal(err)
	}
	c := fuzz.Campaign{Seed: 9, Count: n, Workers: 1, Level: "O2", Passes: ps, Variants: 1}
	r, err := c.Run(context.Background())
	if err != nil || len(r.Findings) > 0 || r.Verdicts.Same < n*9/10 {
		t.Fatalf("%v, %+v of %d, findings %d", err, r.Verdicts, n, len(r.Findings))
	}
	fired := map[string]int{}
	for _, rule := range r.Rules {
		if strings.HasPrefix(rule.Rule, "variant.") {
			fired[rule.Rule] = rule.Fired
		}
	}
	if len(fired) != 6 || slices.Contains([]int{fired["variant.swap"], fired["variant.copy"], fired["variant.peel"], fired["variant.pad"]}, 0) {
		t.Errorf("%v", fired)
	}
}

// TestVary: one case in so many gets the pass, with a seed of its own, in front of what it has; the same case always the same.
func TestVary(t *testing.T) {
	ps, err := passes.Pipeline("O1")
	if err != nil {
		t.Fatal(err)
	}
	varied, seeds := 0, map[string]bool{}
	for i := range 400 {
		var c, d fuzz.Case
		c.Vary(3, i, ps, 8)
		d.Vary(3, i, ps, 8)
		if passes.Spellings(c.Passes) != passes.Spellings(d.Passes) {
			t.Fatalf("case %d: %s and %s", i, passes.Spellings(c.Passes), passes.Spellings(d.Passes))
		}
		if c.Passes != nil {
			varied++
			seeds[c.Passes[0].Spelling()] = true
			if len(c.Passes) != len(ps)+1 {
				t.Errorf("%d passes for %d", len(c.Passes), len(ps))
			}
		}
	}
	if varied < 30 || varied > 80 || len(seeds) < varied-3 {
		t.Errorf("%d of 400 varied, %d seeds", varied, len(seeds))
	}
}

// TestVariantFinding: a pass that is wrong about variants alone is found, and the finding names it and not the variant.
func TestVariantFinding(t *testing.T) {
	t.Parallel()
	wrong := passes.Pass{Name: "reads-names", Rules: []*passes.Rule{{Name: "reads-names.drop", Doc: "Drops what comes from a copy."}}}
	wrong.Run = func(c *passes.Ctx) error {
		for in := range c.Program().Insts {
			if in.NOut == 1 && in.Args[0].Loc != nil && strings.HasSuffix(in.Args[0].Loc.Name, "_c") && c.Allow(wrong.Rules[0], in) {
				c.Edit().Change(func() { in.Args[0].AP[1].Num = max(1, in.Args[0].AP[1].Num/2) })
				return nil
			}
		}
		return nil
	}
	c := fuzz.Campaign{Seed: 2, Count: 60, Workers: 1, Passes: []passes.Pass{wrong}, Findings: 1, NoShrink: true}
	if r, err := c.Run(context.Background()); err != nil || len(r.Findings) > 0 {
		t.Fatalf("%v, %d findings without variants", err, len(r.Findings))
	}
	c.Variants = 1
	r, err := c.Run(context.Background())
	if err != nil || len(r.Findings) != 1 || r.Findings[0].Pass != wrong.Name {
		t.Fatalf("%v, %+v", err, r.Findings)
	}
}

// TestVariantReproduces: the variant that a finding names is the one that the command line makes.
func TestVariantReproduces(t *testing.T) {
	named, err := passes.Named("variant(seed=12)", fuzz.VariantPass(0))
	if err != nil {
		t.Fatal(err)
	}
	one, two := fuzz.NewTester(named, oracle.Options{}), fuzz.NewTester([]passes.Pass{fuzz.VariantPass(12)}, oracle.Options{})
	for i := range 20 {
		c := fuzz.Generate(4, i, nil)
		a, b := one.Test(c), two.Test(c)
		if len(a.Tally) != len(b.Tally) || a.Verdict.Kind != b.Verdict.Kind {
			t.Fatalf("case %d: %v and %v", i, a.Verdict, b.Verdict)
		}
	}
}
