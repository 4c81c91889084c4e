package fuzz

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"birfuzz/gen"
	"birfuzz/ir"
	"birfuzz/ir/birtest"
	"birfuzz/oracle"
	"birfuzz/passes"
)

func loadText(path string) (*ir.Program, error) {
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return ir.Parse(path, string(src))
}

func mustOpen(t *testing.T, dir string) *Corpus {
	t.Helper()
	c, err := OpenCorpus(dir, loadText)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// onCorpus runs a campaign on a corpus and returns its report without the figures that time decides, and the feed's counts.
func onCorpus(t *testing.T, dir string, seed uint64, workers, count int) ([]byte, FeedCount) {
	t.Helper()
	level := "O2"
	if birtest.Quick() {
		level = "O0"
	}
	ps, err := passes.Pipeline(level)
	if err != nil {
		t.Fatal(err)
	}
	c := &Campaign{Seed: seed, Count: count, Workers: workers, Level: level, Passes: ps, Feed: NewFeed(mustOpen(t, dir), seed, nil, 0)}
	r, err := c.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Findings {
		t.Errorf("%s: %s by %s %s\n%s", f.Program, f.Class, f.Pass, f.Rule, f.Text())
	}
	r.Seconds, r.Rate = 0, 0
	var b bytes.Buffer
	if err := r.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), c.Feed.Count()
}

// contents returns the names and texts of a folder's files.
func contents(t *testing.T, dir string) string {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(f.Name() + "\n" + string(text))
	}
	return b.String()
}

// TestCorpusSameBytes: one seed and one corpus give one report and one corpus, for 1, 2 and 4 workers, from nothing and from what an earlier
// campaign left; programs of every origin are drawn, and hardly any is refused or has no meaning.
func TestCorpusSameBytes(t *testing.T) {
	t.Parallel()
	count, crews := 8*feedEpoch, []int{1, 2, 4}
	if birtest.Quick() {
		count, crews = 3*feedEpoch, []int{1, 4}
	}
	var want [2]string
	for _, workers := range crews {
		var sum FeedCount
		dir := t.TempDir()
		for round := range want {
			report, n := onCorpus(t, dir, uint64(round), workers, count)
			got := string(report) + contents(t, dir)
			if want[round] == "" {
				want[round] = got
			}
			if got != want[round] {
				t.Errorf("%d workers, round %d: another report or corpus", workers, round)
			}
			sum = *n.After(&sum)
			if (n.Replayed > 0) != (round > 0) {
				t.Errorf("round %d: %d programs of the corpus were run", round, n.Replayed)
			}
		}
		if sum.Void > 0 || sum.Varied < 2 || sum.Spliced < 2 || sum.Fresh < 10 || sum.Refused > sum.Tried/2 || sum.Added == 0 {
			t.Errorf("%d workers: %+v", workers, sum)
		}
	}
}

// TestFeedEnds: a campaign whose workers wait for cases to be merged ends when it is told to.
func TestFeedEnds(t *testing.T) {
	ps, err := passes.Pipeline("O1")
	if err != nil {
		t.Fatal(err)
	}
	stop := errors.New("enough")
	c := &Campaign{Seed: 1, Workers: 4, Level: "O1", Passes: ps, Feed: NewFeed(mustOpen(t, t.TempDir()), 1, nil, 0)}
	c.Merged = func(m Merged) error {
		if m.Index == feedEpoch+3 {
			return stop
		}
		return nil
	}
	if _, err := c.Run(context.Background()); !errors.Is(err, stop) {
		t.Errorf("got %v", err)
	}
}

// TestFeedBreakdown: a case that birfuzz breaks down on while it is drawn shows nothing, and the campaign goes on.
func TestFeedBreakdown(t *testing.T) {
	feed := NewFeed(mustOpen(t, t.TempDir()), 1, &gen.Config{MinInsts: -9, MaxInsts: -9}, 0) // nothing can be drawn
	c := &Campaign{Seed: 1, Count: feedEpoch + 2, Workers: 2, Passes: []passes.Pass{touch(0)}, Feed: feed}
	r, err := c.Run(context.Background())
	if err != nil || r.Broken != c.Count || r.Verdicts.Unknown != c.Count {
		t.Fatalf("%v, %+v, %d broken", err, r.Verdicts, r.Broken)
	}
	if n := feed.Count(); n.Fresh != c.Count || n.Added > 0 || n.Programs > 0 {
		t.Errorf("%+v", n)
	}
}

// measured opens a folder and runs its programs.
func measured(t *testing.T, dir string) *Corpus {
	t.Helper()
	ps, err := passes.Pipeline("O1")
	if err != nil {
		t.Fatal(err)
	}
	c := mustOpen(t, dir)
	if _, err := c.Measure(context.Background(), &Campaign{Seed: 1, Level: "O1", Passes: ps}); err != nil {
		t.Fatal(err)
	}
	return c
}

// TestCorpusFolder: a corrupt file is named and left alone; merged, two folders show what both show; the cover is smaller, shows the same, and
// cannot do without any of its programs.
func TestCorpusFolder(t *testing.T) {
	if birtest.Quick() {
		t.Skip("runs campaigns")
	}
	a, b := t.TempDir(), t.TempDir()
	onCorpus(t, a, 1, 2, feedEpoch)
	onCorpus(t, b, 2, 2, feedEpoch)
	bad := filepath.Join(b, "bad.bir")
	if err := WriteFile(bad, "func {"); err != nil {
		t.Fatal(err)
	}
	ca, cb := measured(t, a), measured(t, b)
	if len(cb.Bad) != 1 || !strings.Contains(cb.Bad[0].Error(), "bad.bir:1") {
		t.Errorf("complaints: %v", cb.Bad)
	}
	all := Covered{}
	for _, c := range []*Corpus{ca, cb} {
		for f := range c.covered {
			all[f] = true
		}
	}
	had := len(ca.Entries())
	added, err := ca.Merge(cb)
	if err != nil || added == 0 || len(ca.Entries()) != had+added {
		t.Errorf("%d of %d programs merged, %v", added, len(cb.Entries()), err)
	}
	if more, err := ca.Merge(cb); err != nil || more > 0 {
		t.Errorf("merged again, %d programs are new, %v", more, err)
	}
	again := measured(t, a)
	if len(again.covered.newOf(features(all))) > 0 || len(again.Entries()) != had+added {
		t.Errorf("the merged folder of %d programs lacks %d features", len(again.Entries()), len(again.covered.newOf(features(all))))
	}
	kept, gone := again.Cover()
	if len(kept)+len(gone) != had+added || len(gone) == 0 {
		t.Errorf("%d kept, %d gone of %d", len(kept), len(gone), had+added)
	}
	for i := range kept {
		rest := Covered{}
		for k, e := range kept {
			if k != i {
				rest.Add(e.Features)
			}
		}
		whole := len(rest.newOf(features(all)))
		if rest.Add(kept[i].Features); len(rest.newOf(features(all))) > 0 || i == 0 && whole == 0 {
			t.Fatalf("without entry %d %d features are missing, with it %d", i, whole, len(rest.newOf(features(all))))
		}
	}
	if err := again.Remove(gone); err != nil {
		t.Fatal(err)
	}
	if small := measured(t, a); len(small.covered.newOf(features(all))) > 0 || len(small.Entries()) != len(kept) {
		t.Errorf("%d programs, want %d", len(small.Entries()), len(kept))
	}
	if _, err := os.Stat(bad); err != nil {
		t.Error(err)
	}
}

func features(c Covered) []Feature {
	var list []Feature
	for f := range c {
		list = append(list, f)
	}
	slices.Sort(list)
	return list
}

// TestCoverage: what a case shows is told by kind and by count, and nothing else.
func TestCoverage(t *testing.T) {
	rule := &passes.Rule{Name: "p.r"}
	pass := &passes.Pass{Name: "p", Rules: []*passes.Rule{rule}}
	shown := func(fired, refused int, why string, runs int, facts ir.Facts) []Feature {
		c := Case{Program: &ir.Program{Facts: facts}}
		n := passes.Count{Rule: rule, Fired: fired, Refused: refused, Why: []passes.Reason{{Why: why, N: refused}}}
		return Coverage(&c, &Result{Tally: []Tally{{Pass: pass, Rules: []passes.Count{n}}}, Judged: oracle.Tally{Runs: runs}})
	}
	base := shown(3, 2, "x", 4, 0)
	for name, c := range map[string]struct {
		list []Feature
		same bool
		kind FeatureKind
	}{
		"three or four times":   {shown(4, 2, "x", 4, 0), true, 0},
		"five times":            {shown(5, 2, "x", 4, 0), false, RuleFired},
		"never":                 {shown(0, 2, "x", 4, 0), true, 0},
		"another reason":        {shown(3, 2, "y", 4, 0), false, RuleRefused},
		"another fact":          {shown(3, 2, "x", 4, ir.Deps), false, FactsHeld},
		"runs of another order": {shown(3, 2, "x", 40, 0), false, Judging},
	} {
		set := Covered{}
		set.Add(base)
		var news []Feature
		for _, f := range c.list {
			if !set[f] {
				news = append(news, f)
			}
		}
		if (len(news) == 0) != c.same || !c.same && (len(news) != 1 || news[0].Kind() != c.kind) {
			t.Errorf("%s: new %v", name, news)
		}
	}
}

// TestFeedKeepsOrEnds: a program that cannot be kept ends the campaign, and is not counted: whoever goes on makes it again.
func TestFeedKeepsOrEnds(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "kept")
	corpus, err := OpenCorpus(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dir, nil, 0o666); err != nil { // in the place of the folder: binds everybody
		t.Fatal(err)
	}
	ps, err := passes.Pipeline("O0")
	if err != nil {
		t.Fatal(err)
	}
	r, err := (&Campaign{Seed: 1, Count: 5, Workers: 1, Passes: ps, Feed: NewFeed(corpus, 1, nil, 0)}).Run(context.Background())
	if err == nil || r.Programs != 0 {
		t.Errorf("%d programs counted, %v, want none and an error", r.Programs, err)
	}
}
