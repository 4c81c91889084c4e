package fuzz

import (
	"cmp"
	"context"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"birfuzz/gen"
	"birfuzz/oracle"
	"birfuzz/passes"
)

// Campaign is a run over many cases. The zero value of every field but Passes has a sensible meaning.
type Campaign struct {
	Seed     uint64
	Count    int           // number of generated programs; 0 with a Duration is no limit
	Duration time.Duration // stop after that long; 0 is no limit
	Workers  int           // 0 is one a CPU
	Findings int           // stop at so many findings; 0 is no limit
	Level    string        // name of the pipeline, for findings
	Passes   []passes.Pass
	Freedom  passes.Freedom // what of Passes is drawn anew for some of the programs (Case.Free); 0: nothing
	Variants int            // one program in so many is changed into another of the same meaning first (Case.Vary); 0: none
	Config   *gen.Config    // nil: swarm
	Oracle   oracle.Options
	Out      string             // folder for reproducers; empty: none are written
	NoShrink bool               // file findings as they were found
	Known    *Known             // findings that are silenced; nil: none
	Options  []string           // the command line, for findings
	Stuck    int                // passes of ours that hang already, from earlier campaigns of this process
	Resume   *Report            // what an earlier run came to, which this one goes on with; nil: it begins anew
	Journal  *Stretch           // where the campaign writes down how far it is; nil: nowhere
	Progress func(r *Report)    // called now and then from the merging goroutine
	Found    func(*Finding)     // called for each new finding, after it was written
	Source   func(i int) Case   // where cases come from; nil: Generate
	Feed     *Feed              // where cases come from in the place of Source: a corpus that grows by what they show
	Merged   func(Merged) error // called for each case in index order, from the merging goroutine; an error ends the campaign

	patience patience
	cut      bool // a finding was cut off in the making: what is merged from then on is not written down
}

// Run runs the campaign. Workers take cases by index and results are merged in index order, so any number of workers gives one report.
// It returns when the cases are spent, the time is up or ctx is done; the error says what kept it from filing a finding.
func (c *Campaign) Run(ctx context.Context) (*Report, error) {
	start := time.Now()
	if c.Duration > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, c.Duration)
		defer cancel()
	}
	work, stop := context.WithCancel(ctx)
	defer stop()
	report := c.begin()
	earlier := report.Seconds
	if c.enough(report) { // an earlier run ended for that
		stop()
	}
	results := c.start(work, report.Programs)
	ended := make(chan struct{})
	go c.hurry(work, ended)
	var failed error
	for o := range inOrder(results, report.Programs) {
		failed = c.step(ctx, report, o)
		report.finish(earlier + time.Since(start).Seconds())
		if failed != nil || c.enough(report) {
			break
		}
		if c.Progress != nil {
			c.Progress(report)
		}
	}
	report.finish(earlier + time.Since(start).Seconds())
	stop()
	for range results { // until the last worker has left
	}
	close(ended)
	c.closeCommands()
	return report, cmp.Or(failed, report.recount(), c.Journal.close())
}

// begin returns the report that the run adds to.
func (c *Campaign) begin() *Report {
	report := NewReport(c.Level, c.Passes, c.Freedom)
	report.Schedule = c.Oracle.Schedule.String()
	if c.Resume != nil {
		report.restore(c.Resume)
		for _, f := range report.Findings {
			if f.Reproducer != "" { // the folder may have been moved
				f.Reproducer = filepath.Join(c.Out, filepath.Base(f.Reproducer))
			}
		}
	}
	report.Expired = c.Known.Expired()
	return report
}

// enough tells whether there are as many findings as are wanted, or more passes hang than the machine can bear.
func (c *Campaign) enough(r *Report) bool {
	r.Exhausted = r.Stuck > 0 && c.Stuck+r.Stuck >= maxStuck
	return c.Findings > 0 && len(r.Findings) >= c.Findings || r.Exhausted
}

// hurry ends the processes of external passes again and again from when ctx is done until the campaign has ended: neither a worker nor the
// shrinker then waits for one that hangs. What they report of it is not counted.
func (c *Campaign) hurry(ctx context.Context, ended <-chan struct{}) {
	const pause = 20 * time.Millisecond
	select {
	case <-ctx.Done():
	case <-ended:
		return
	}
	for {
		c.closeCommands()
		select {
		case <-ended:
			return
		case <-time.After(pause):
		}
	}
}

// closeCommands ends every process of the external passes.
func (c *Campaign) closeCommands() {
	for i := range c.Passes {
		if cmd := c.Passes[i].Command; cmd != nil {
			cmd.Close()
		}
	}
}

// Workers returns how many programs are worked on at a time where n are asked for: one a CPU where n is 0.
func Workers(n int) int {
	if n <= 0 {
		return runtime.GOMAXPROCS(0)
	}
	return n
}

// outcome is what a worker hands to the merger.
type outcome struct {
	index  int
	c      Case
	result Result
	blame  Blame
	broke  string // how birfuzz itself broke down on it; "": it did not
}

// start runs the workers from case number first on; the channel is closed when they are done.
func (c *Campaign) start(ctx context.Context, first int) <-chan outcome {
	n := Workers(c.Workers)
	// The window bounds how far a fast worker may run ahead of a slow case.
	jobs, results := make(chan int), make(chan outcome, 64*n)
	go func() {
		defer close(jobs)
		for i := first; c.Count == 0 || i < c.Count; i++ {
			select {
			case jobs <- i:
			case <-ctx.Done():
				return
			}
		}
	}()
	var wg sync.WaitGroup
	for range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			c.worker(ctx, jobs, results)
		}()
	}
	go func() { wg.Wait(); close(results) }()
	return results
}

func (c *Campaign) worker(ctx context.Context, jobs <-chan int, results chan<- outcome) {
	t := c.tester()
	for i := range jobs {
		o := outcome{index: i}
		if why := guarded(func() { c.try(ctx, t, &o) }); why != "" {
			o.brokeDown(why)
			t = c.tester() // nobody knows what the old one is left with
		}
		if ctx.Err() != nil {
			return // what the case came to may be the doing of closeCommands
		}
		select {
		case results <- o:
		case <-ctx.Done():
			return
		}
	}
}

// tester returns a tester for one worker.
func (c *Campaign) tester() *Tester {
	t := NewTester(c.Passes, c.Oracle)
	t.patience = &c.patience
	return t
}

// try makes the case of an outcome and judges it.
func (c *Campaign) try(ctx context.Context, t *Tester, o *outcome) {
	o.c = c.source(ctx, o.index)
	if ctx.Err() != nil {
		return // who waits for others to be merged gets no case then
	}
	o.c.Free(c.Seed, o.index, c.Passes, c.Freedom)
	o.c.Vary(c.Seed, o.index, c.Passes, c.Variants)
	o.result = t.Test(o.c)
	if o.result.Failed && ctx.Err() == nil {
		o.blame = t.FindBlame(o.c, o.result)
	}
}

func (c *Campaign) source(ctx context.Context, i int) Case {
	switch {
	case c.Feed != nil:
		return c.Feed.Case(ctx, i)
	case c.Source != nil:
		return c.Source(i)
	}
	return Generate(c.Seed, i, c.Config)
}

// inOrder yields the outcomes by ascending index from next on, without gaps.
func inOrder(results <-chan outcome, next int) func(func(outcome) bool) {
	return func(yield func(outcome) bool) {
		waiting := map[int]outcome{}
		for o := range results {
			waiting[o.index] = o
			for {
				ready, ok := waiting[next]
				if !ok {
					break
				}
				delete(waiting, next)
				next++
				if !yield(ready) {
					return
				}
			}
		}
	}
}
