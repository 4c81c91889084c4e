package fuzz

import (
	"context"
	"testing"

	"birfuzz/passes"
)

// BenchmarkCoverage runs as many programs by the generator alone and on a corpus that grows from nothing, and reports how many features each
// shows: all of them, and those of refused rewrites.
func BenchmarkCoverage(b *testing.B) {
	ps, err := passes.Pipeline("O2-loops")
	if err != nil {
		b.Fatal(err)
	}
	programs := 2000
	if testing.Short() {
		programs = 100
	}
	run := func(b *testing.B, feed *Feed) {
		shown := Covered{}
		for b.Loop() {
			c := &Campaign{Seed: 1, Count: programs, Level: "O2-loops", Passes: ps, Feed: feed}
			c.Merged = func(m Merged) error {
				shown.Add(Coverage(&m.Case, &m.Result))
				return nil
			}
			if _, err := c.Run(context.Background()); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(programs), "programs")
		b.ReportMetric(float64(len(shown)), "features")
		for k, n := range shown.Kinds() {
			b.ReportMetric(float64(n), FeatureKind(k).String())
		}
	}
	b.Run("generator", func(b *testing.B) { run(b, nil) })
	b.Run("corpus", func(b *testing.B) {
		corpus, err := OpenCorpus(b.TempDir(), loadText)
		if err != nil {
			b.Fatal(err)
		}
		run(b, NewFeed(corpus, 1, nil, 0))
	})
}
