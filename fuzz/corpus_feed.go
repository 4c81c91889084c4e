package fuzz

import (
	"context"
	"fmt"
	"sync"

	"birfuzz/gen"
	"birfuzz/ir"
	"birfuzz/oracle"
)

// feedEpoch is how many cases of a campaign are drawn from one state of the corpus. Those of an epoch see what was added before the epoch before it
// began: by then all of that has been merged, whatever the number of workers, and no worker has to wait.
const feedEpoch = 32

// Feed gives a campaign its cases by what a corpus holds, and adds to the corpus what its cases show. The first cases are the programs that the
// corpus holds already, each once. Then a program is drawn as without a corpus (Generate), or it is one of the corpus varied (gen.Varier.Vary), or
// two joined (gen.Varier.Splice), the second being of the corpus too or a fresh small one, and at times varied on top. What has brought most
// features a program of late is drawn most, and each of the three at least once in a dozen times: fresh programs bring most at first, and what is made
// of others when the generator has shown nearly all that it can. A parent is one of the latest of the corpus, or the one that was the first to
// show some feature of a pass, so that what is rare has as many children as what is common; now and then it is any.
//
// Equal seeds, configurations and corpora at the start give equal cases, whatever the number of workers.
type Feed struct {
	seed   uint64
	config *gen.Config // of fresh programs; nil: swarm
	start  int         // number of the first case
	corpus *Corpus
	replay []*Entry

	mu     sync.Mutex
	drawn  map[int]drawing // of cases that were not merged yet
	done   int             // cases merged
	stages []stage         // by epoch
	moved  chan struct{}   // closed when stages grows
	firsts []*Entry        // the first to show a feature, for each that a rule of a pass shows
	yields []yield         // of fresh, varied and spliced cases
	count  FeedCount
}

// drawing says how a case came about.
type drawing struct {
	way            way
	tried, refused int
}

// way is where a case comes from.
type way uint8

const (
	replayed way = iota
	fresh
	variedOne
	spliced
)

// stage is what the cases of an epoch are drawn from: the state of the corpus when all cases before the epoch had been merged.
type stage struct {
	entries int   // so many of the corpus
	firsts  int   // so many of the feed's firsts
	odds    []int // of fresh, varied and spliced cases
}

// yield is how many cases of a way there were of late, and how many features they were the first to show.
type yield struct{ cases, news int }

// odds returns the odds of fresh, varied and spliced cases by what they brought.
func odds(by []yield) []int {
	out, sum := make([]int, len(by)), 0
	for i, y := range by {
		out[i] = 1 + 1000*y.news/max(y.cases, 1)
		sum += out[i]
	}
	for i := range out {
		out[i] = max(out[i], sum/10)
	}
	return out
}

// NewFeed returns a feed for one campaign, whose first case has that number; config is of fresh programs, nil: swarm. The corpus is the feed's until
// the campaign ends.
func NewFeed(c *Corpus, seed uint64, config *gen.Config, first int) *Feed {
	return &Feed{seed: seed, config: config, start: first, corpus: c, replay: c.entries[:len(c.entries):len(c.entries)],
		drawn: map[int]drawing{}, stages: []stage{{entries: len(c.entries), odds: []int{1, 1, 1}}}, moved: make(chan struct{}), yields: make([]yield, 3)}
}

// Count returns what the feed did so far. It is for when the campaign has ended.
func (f *Feed) Count() FeedCount {
	n := f.count
	n.Dir, n.Programs, n.Unusable, n.Features = f.corpus.dir, len(f.corpus.entries), len(f.corpus.Bad), f.corpus.covered.byKind()
	return n
}

// Case draws case number i of the campaign. It waits until as many cases are merged as it depends on, and gives up, returning a case without a
// program, when ctx is done.
func (f *Feed) Case(ctx context.Context, i int) Case {
	at := i - f.start
	if at < len(f.replay) {
		f.note(i, drawing{way: replayed})
		return f.corpus.Case(f.replay[at], f.seed)
	}
	st, ok := f.stage(ctx, at/feedEpoch)
	if !ok {
		return Case{}
	}
	r := gen.New(f.seed).Fork(fmt.Sprint("corpus ", i))
	d := drawing{way: fresh + way(r.Pick(st.odds))}
	defer func() { f.note(i, d) }() // also where birfuzz breaks down on what it draws: the case is merged all the same
	if d.way != fresh && st.entries > 0 {
		if p, name := f.made(r, &st, &d); p != nil {
			return Case{Name: fmt.Sprintf("seed %d program %d, %s", f.seed, i, name), Program: p, Inputs: Inputs(f.seed, p)}
		}
	}
	d.way = fresh
	return Generate(f.seed, i, f.config)
}

// made draws a program by way of others; nil if those do not fit.
func (f *Feed) made(r *gen.Rand, st *stage, d *drawing) (p *ir.Program, name string) {
	var v gen.Varier
	defer func() { d.tried, d.refused = v.Tried, v.Refused }()
	x := f.parent(r, st)
	if d.way == variedOne {
		return v.Vary(r, x.Program), "varied from " + x.Name
	}
	const partners = 6 // many do not go together
	for range partners {
		y := f.parent(r, st)
		if r.Bool(0.3) {
			y = &Entry{Name: "a fresh one", Program: f.small(r, x.Program.Arch)}
		}
		if x.Insts+y.Program.NumInsts() > maxCorpusInsts {
			continue
		}
		if p = v.Splice(r, x.Program, y.Program); p == nil {
			continue
		}
		if r.Bool(0.4) {
			if q := v.Vary(r, p); q != nil {
				p = q
			}
		}
		return p, "spliced from " + x.Name + " and " + y.Name
	}
	return nil, ""
}

// small draws a fresh program of a generation.
func (f *Feed) small(r *gen.Rand, arch ir.Arch) *ir.Program {
	cfg := gen.Swarm(r)
	if f.config != nil {
		cfg = *f.config
	}
	const most = 24
	cfg.MaxInsts = max(cfg.MinInsts, min(cfg.MaxInsts, most))
	clear(cfg.Arch[:])
	cfg.Arch[arch] = 1
	return gen.Program(r, cfg)
}

// parent draws an entry: the first to show something, one of the latest eighth, or any.
func (f *Feed) parent(r *gen.Rand, st *stage) *Entry {
	f.mu.Lock()
	defer f.mu.Unlock()
	if st.firsts > 0 && r.Bool(0.6) {
		return f.firsts[r.IntN(st.firsts)]
	}
	from := 0
	if r.Bool(0.7) {
		from = st.entries - (st.entries+7)/8
	}
	return f.corpus.entries[r.Between(from, st.entries-1)]
}

// stage returns what the cases of an epoch are drawn from; false if ctx is done before it is known.
func (f *Feed) stage(ctx context.Context, epoch int) (stage, bool) {
	epoch = max(epoch-1, 0)
	f.mu.Lock()
	for len(f.stages) <= epoch {
		moved := f.moved
		f.mu.Unlock()
		select {
		case <-moved:
		case <-ctx.Done():
			return stage{}, false
		}
		f.mu.Lock()
	}
	defer f.mu.Unlock()
	return f.stages[epoch], true
}

func (f *Feed) note(i int, d drawing) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.drawn[i] = d
}

// Merged takes down what a case showed, and adds it to the corpus if that is new. Cases come in order. What fails is a finding, what cannot be
// judged or is very large would only cost time: neither is added.
func (f *Feed) Merged(o *Merged) error {
	features := Coverage(&o.Case, &o.Result)
	f.mu.Lock()
	defer f.mu.Unlock()
	d := f.drawn[o.Index]
	delete(f.drawn, o.Index)
	f.tally(d, o.Result.Verdict.Kind)
	news, before := f.corpus.covered.newOf(features), len(f.corpus.entries)
	var err error
	switch {
	case d.way == replayed:
		e := f.replay[o.Index-f.start]
		e.Features = joined(e.Features, features)
		f.corpus.covered.Add(features)
		f.first(e, news)
	case o.Result.Verdict.Kind == oracle.Same && o.Case.Program.NumInsts() <= maxCorpusInsts:
		if err = f.corpus.Add(o.Case.Program, features); len(f.corpus.entries) > before {
			f.count.Added++
			f.first(f.corpus.entries[before], news)
		}
		f.yields[d.way-fresh].news += len(news)
	}
	if f.done++; f.done%feedEpoch == 0 {
		f.nextStage()
	}
	return err
}

// first notes which entry was the first to show features.
func (f *Feed) first(e *Entry, news []Feature) {
	for _, x := range news {
		if k := x.Kind(); k == RuleFired || k == RuleRefused {
			f.firsts = append(f.firsts, e)
		}
	}
}

// nextStage takes down what the cases of the epoch after the next are drawn from.
func (f *Feed) nextStage() {
	f.stages = append(f.stages, stage{len(f.corpus.entries), len(f.firsts), odds(f.yields)})
	for i := range f.yields { // what was long ago counts little
		f.yields[i].cases -= f.yields[i].cases / 4
		f.yields[i].news -= f.yields[i].news / 4
	}
	close(f.moved)
	f.moved = make(chan struct{})
}

func (f *Feed) tally(d drawing, k oracle.Kind) {
	f.count.Tried += d.tried
	f.count.Refused += d.refused
	if d.way != replayed {
		f.yields[d.way-fresh].cases++
	}
	switch d.way {
	case replayed:
		f.count.Replayed++
	case fresh:
		f.count.Fresh++
	case variedOne:
		f.count.Varied++
	case spliced:
		f.count.Spliced++
	}
	if k == oracle.Void && d.way >= variedOne {
		f.count.Void++
	}
}
