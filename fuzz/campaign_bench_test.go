package fuzz

import (
	"testing"

	"birfuzz/oracle"
	"birfuzz/passes"
)

// BenchmarkCampaign is a campaign's work on one core at the levels that cost most: programs as the default generator draws them, inputs and
// all, through every pass of the level. The programs are pinned by their seed.
func BenchmarkCampaign(b *testing.B) {
	for _, level := range []string{"O2", "O2-loops"} {
		b.Run(level, func(b *testing.B) {
			ps, err := passes.Pipeline(level)
			if err != nil {
				b.Fatal(err)
			}
			t := NewTester(ps, oracle.Options{})
			for i := 0; b.Loop(); i++ {
				if r := t.Test(Generate(7, i%2000, nil)); r.Failed {
					b.Fatalf("program %d: %+v", i, r.Verdict)
				}
			}
			rate(b)
		})
	}
}
