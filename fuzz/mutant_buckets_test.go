package fuzz

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"
)

// together are two mutants each, of one pass and of different functions: two bugs in one build. Both show in a few programs.
var together = [][2]string{
	{"presched-no-anti", "presched-reduce-first-access"},
	{"dce-killer-adds", "dce-store-partial"}, // of one rule
}

// TestTwoMutants: two bugs planted together are more findings than either of them alone.
func TestTwoMutants(t *testing.T) {
	t.Parallel()
	const programs = 150
	b := benchForTest(t)
	count := func(t *testing.T, m *Mutant, number int) int {
		e := executable{binary: b.shared.binary, number: number}
		r, _, err := b.campaign(context.Background(), m, e, huntRun{seed: 1, count: programs, limit: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r.Findings {
			t.Logf("%s: %s %s %s %v %v, %d more, cure %s", m.Name, f.Class, f.Pass, f.Rule, f.Core, f.Also, f.Duplicates, f.Cure)
		}
		return buckets(r.Findings)
	}
	for i, pair := range together {
		first, second := b.mutants[pair[0]], b.mutants[pair[1]]
		both := *first
		both.Name, both.Rules = first.Name+"+"+second.Name, slices.Concat(first.Rules, second.Rules)
		t.Run(both.Name, func(t *testing.T) {
			one, other, two := count(t, first, b.number[first]), count(t, second, b.number[second]), count(t, &both, pairNumber+i)
			if one == 0 || other == 0 || two <= max(one, other) {
				t.Errorf("%d findings, want more than alone, %d and %d", two, one, other)
			}
		})
	}
}

// TestBuckets: what the end of the time cut off is a bucket of its own only where nothing else is blamed on the same code.
func TestBuckets(t *testing.T) {
	mk := func(rule, shape string, cure Cure) *Finding {
		return &Finding{Class: "value", Pass: "p", Rule: rule, Core: strings.Fields(shape), Cure: cure}
	}
	for _, x := range []struct {
		found []*Finding
		want  int
	}{
		{nil, 0},
		{[]*Finding{mk("r", "cores", ""), mk("r", "loop", CureRewrite)}, 1},
		{[]*Finding{mk("r", "cores", ""), mk("r", "loop", ""), mk("s", "", "")}, 2},
		{[]*Finding{mk("r", "cores", CureRule), mk("r", "loop", CureRewrite)}, 2},
		{[]*Finding{mk("r", "cores", CureRule), mk("r", "loop", CureRewrite), mk("r", "", CureNone)}, 1},
		{[]*Finding{mk("", "cores", ""), mk("", "loop", "")}, 2}, // a claim, which no rule makes, is never cut off
	} {
		if got := buckets(x.found); got != x.want {
			t.Errorf("%d findings are %d buckets, want %d", len(x.found), got, x.want)
		}
	}
}
