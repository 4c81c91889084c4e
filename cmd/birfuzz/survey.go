package main

import (
	"sync"

	"birfuzz/fuzz"
	"birfuzz/gen"
	"birfuzz/reports"
)

// surveyed is how many programs a survey counts where -count says nothing.
const surveyed = 10_000

// survey counts what the programs of a campaign are made of, and prints it. Something that no program has is a finding.
func survey(f *flags, c *gen.Config) error {
	total := f.count
	if total <= 0 {
		total = surveyed
	}
	workers := fuzz.Workers(f.workers)
	parts := make([]gen.Survey, workers)
	var all sync.WaitGroup
	for k := range parts {
		all.Go(func() {
			for i := k * total / workers; i < (k+1)*total/workers; i++ { // in order, so that the parts add up to one survey
				r, cfg := fuzz.Drawing(f.seed, i, c)
				parts[k].Draw(r, cfg)
			}
		})
	}
	all.Wait()
	var s gen.Survey
	for k := range parts {
		s.Add(&parts[k])
	}
	if c == nil {
		usual := gen.Default()
		c = &usual
	}
	missing := s.Missing(c)
	if err := reports.Survey(f.env.out, &s, c, missing, f.json); err != nil {
		return err
	}
	if len(missing) > 0 {
		return errFindings
	}
	return nil
}
