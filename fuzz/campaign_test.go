package fuzz

import (
	"bytes"
	"context"
	"testing"

	"birfuzz/ir/birtest"
	"birfuzz/passes"
)

// reportBytes runs a campaign and returns its report without the figures that time decides.
func reportBytes(t *testing.T, workers, count int, extra ...passes.Pass) []byte {
	t.Helper()
	ps, err := passes.Pipeline("O2")
	if err != nil {
		t.Fatal(err)
	}
	c := &Campaign{Seed: 5, Count: count, Workers: workers, Level: "O2", Passes: append(ps, extra...)}
	r, err := c.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	r.Seconds, r.Rate = 0, 0
	var b bytes.Buffer
	if err := r.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Findings {
		b.WriteString(f.Text())
	}
	return b.Bytes()
}

// TestSameSeedSameBytes: one report for 1, 2 and 4 workers, findings and reproducers included.
func TestSameSeedSameBytes(t *testing.T) {
	wrong := wrongServer(t, "swap")
	count, crews := 60, []int{1, 2, 4}
	if birtest.Quick() {
		count, crews = 2, []int{4}
	}
	want := reportBytes(t, 1, count, wrong)
	for _, workers := range crews {
		if got := reportBytes(t, workers, count, wrong); !bytes.Equal(got, want) {
			t.Errorf("%d workers: the report differs\n%s\nwant\n%s", workers, got, want)
		}
	}
}

// TestOwnPassesKeepMeaning is the main job in small: the project's own passes on generated programs, at every level.
func TestOwnPassesKeepMeaning(t *testing.T) {
	count := 150
	if birtest.Quick() {
		count = 3
	}
	for _, level := range passes.Levels() {
		ps, err := passes.Pipeline(level)
		if err != nil {
			t.Fatal(err)
		}
		r, err := (&Campaign{Seed: 3, Count: count, Level: level, Passes: ps}).Run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r.Findings {
			t.Errorf("%s: %s by %s %s\n%s", level, f.Class, f.Pass, f.Rule, f.Text())
		}
		if r.Void > 0 {
			t.Errorf("%s: %d void programs", level, r.Void)
		}
	}
}
