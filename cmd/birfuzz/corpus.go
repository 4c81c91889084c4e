package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"

	"birfuzz/fuzz"
	"birfuzz/ir"
	"birfuzz/reports"
)

// corpusFlag adds the flag that names the folder of programs from which a campaign draws.
func (f *flags) corpusFlag() *flags {
	f.StringVar(&f.corpus, "corpus", "", "draw from the programs in the folder `DIR` too, and keep there what shows anything new: first each\n"+
		"as it is, then fresh ones, changed ones and joined ones, most of those that bring most; see birfuzz corpus")
	return f
}

// openCorpus reads the folder of -corpus; nil if none is named. What cannot be used is said, and left out.
func (f *flags) openCorpus() (*fuzz.Corpus, error) {
	if f.corpus == "" {
		return nil, nil
	}
	c, err := openFolder(f.env, f.corpus)
	if err != nil {
		return nil, fmt.Errorf("-corpus: %w", err)
	}
	return c, nil
}

// openFolder reads a corpus, and says what of it cannot be used.
func openFolder(e *env, dir string) (*fuzz.Corpus, error) {
	c, err := fuzz.OpenCorpus(dir, func(path string) (*ir.Program, error) { return loadLegal(path, maxJudged) })
	if err != nil {
		return nil, err
	}
	for _, bad := range c.Bad {
		fmt.Fprintln(e.err, "left out:", bad)
	}
	return c, nil
}

// feed has a campaign draw from the corpus, if there is one.
func (w *work) feed(c *fuzz.Campaign) {
	if w.corpus == nil {
		return
	}
	first := 0
	if c.Resume != nil {
		first = c.Resume.Programs
	}
	c.Feed = fuzz.NewFeed(w.corpus, w.flags.seed, w.config, first)
}

// fed adds to a report what the corpus gave to a campaign, and got from it.
func (w *work) fed(total *fuzz.Report, c *fuzz.Campaign) {
	if c.Feed != nil {
		total.Corpus = c.Feed.Count().After(total.Corpus)
	}
}

// corpusVerbs are what `birfuzz corpus` does.
var corpusVerbs = map[string]func(ctx context.Context, f *flags, dirs []string) ([]fuzz.FolderCount, error){
	"stat": statCorpus, "merge": mergeCorpus, "minimise": minimiseCorpus,
}

// runCorpus looks at, joins and thins out folders of programs.
func runCorpus(ctx context.Context, e *env, args []string) error {
	f := newFlags(e).passFlags()
	rest, err := f.parse(args)
	if err != nil {
		return err
	}
	if len(rest) == 0 || corpusVerbs[rest[0]] == nil {
		return errors.New("want stat DIR…, merge DIR FROM… or minimise DIR…")
	}
	verb, dirs := rest[0], rest[1:]
	need := 1
	if verb == "merge" {
		need = 2
	}
	if len(dirs) < need {
		return fmt.Errorf("%s: got %d folders, want %d at least", verb, len(dirs), need)
	}
	for i, dir := range dirs {
		if _, err := os.ReadDir(dir); err != nil && !(verb == "merge" && i == 0 && os.IsNotExist(err)) {
			return err
		}
	}
	if verb == "merge" {
		if from := sameFolder(dirs[0], dirs[1:]); from != "" {
			return fmt.Errorf("merge: %s is %s, want other folders to take programs from", from, dirs[0])
		}
	}
	ctx, stop := signal.NotifyContext(ctx, interrupts...)
	defer stop()
	list, err := corpusVerbs[verb](ctx, f, dirs)
	if err != nil {
		return err
	}
	return reports.Corpus(e.out, list, f.json)
}

// sameFolder returns the first of some names that is another one for a folder; "" if none is.
func sameFolder(dir string, others []string) string {
	own, err := os.Stat(dir)
	if err != nil {
		return "" // it does not exist yet
	}
	for _, other := range others {
		if st, err := os.Stat(other); err == nil && os.SameFile(own, st) {
			return other
		}
	}
	return ""
}

// measureFolder reads a folder and runs its programs through the passes of every level that the flags name.
func measureFolder(ctx context.Context, f *flags, dir string) (*fuzz.Corpus, *fuzz.Report, error) {
	c, err := openFolder(f.env, dir)
	if err != nil {
		return nil, nil, err
	}
	var facts ir.Facts
	for _, e := range c.Entries() {
		facts |= e.Program.Facts
	}
	var total *fuzz.Report
	for _, level := range f.levels() {
		m, err := f.campaign(level, facts|fuzz.DrawnFacts)
		if err != nil {
			return nil, nil, err
		}
		m.NoShrink, m.Out, m.Duration = true, "", 0 // what was not run shows nothing, and would be thinned out
		bar := newProgress(f.env, false)
		m.Progress = bar.draw
		r, err := c.Measure(ctx, m)
		bar.clear()
		switch {
		case err != nil:
			return nil, nil, err
		case ctx.Err() != nil:
			return nil, nil, errors.New("interrupted; nothing was changed in " + dir)
		case r.Programs < len(c.Entries()):
			return nil, nil, fmt.Errorf("ended after %d of %s's %d programs, as -stop-after or passes that hang have it; nothing was changed there", r.Programs, dir, len(c.Entries()))
		case total == nil:
			total = r
		default:
			total.Merge(r)
		}
	}
	return c, total, nil
}

func statCorpus(ctx context.Context, f *flags, dirs []string) (list []fuzz.FolderCount, err error) {
	for _, dir := range dirs {
		c, r, err := measureFolder(ctx, f, dir)
		if err != nil {
			return nil, err
		}
		list = append(list, c.Count(r))
	}
	return list, nil
}

// mergeCorpus adds to the first folder what the others show that it does not.
func mergeCorpus(ctx context.Context, f *flags, dirs []string) (list []fuzz.FolderCount, err error) {
	into, r, err := measureFolder(ctx, f, dirs[0])
	if err != nil {
		return nil, err
	}
	total := 0
	for _, dir := range dirs[1:] {
		from, _, err := measureFolder(ctx, f, dir)
		if err != nil {
			return nil, err
		}
		added, err := into.Merge(from)
		if err != nil {
			return nil, err
		}
		total += added
	}
	n := into.Count(r)
	n.Added = total
	return []fuzz.FolderCount{n}, nil
}

// minimiseCorpus deletes of each folder the programs without which it shows the same.
func minimiseCorpus(ctx context.Context, f *flags, dirs []string) (list []fuzz.FolderCount, err error) {
	for _, dir := range dirs {
		c, r, err := measureFolder(ctx, f, dir)
		if err != nil {
			return nil, err
		}
		if r.Broken > 0 {
			return nil, brokenDown(r)
		}
		_, gone := c.Cover()
		if err := c.Remove(gone); err != nil {
			return nil, err
		}
		n := c.Count(r)
		n.Removed = len(gone)
		list = append(list, n)
	}
	return list, nil
}
