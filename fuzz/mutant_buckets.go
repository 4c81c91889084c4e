package fuzz

import (
	"context"
	"slices"
	"time"
)

// DefaultBucketTime is the time that a mutant's failures are counted for.
const DefaultBucketTime = 30 * time.Second

// bucketCount is how many findings a number of failures came to.
type bucketCount struct{ buckets, failures int }

// count goes on from a kill until as many programs have failed as the hunt wants, on seeds of their own, and counts how many findings campaigns
// make of them; those of several campaigns are told apart as those of one are. rarity is how many programs it took to the first failure. It gives
// up when the time is over: then there are fewer failures.
func (b *bench) count(ctx context.Context, m *Mutant, mutated executable, rarity int) (bucketCount, error) {
	var found []*Finding
	failures, programs := 0, 0
	end := time.Now().Add(DefaultBucketTime)
	for round := uint64(1); failures < b.hunt.Failures && time.Now().Before(end); round++ {
		if programs > 0 {
			rarity = (programs + failures) / max(failures, 1)
		}
		run := huntRun{seed: b.hunt.Seed + round, count: max(1, rarity) * (b.hunt.Failures - failures), limit: time.Until(end)}
		r, _, err := b.campaign(ctx, m, mutated, run)
		if err != nil {
			return bucketCount{}, err
		}
		programs += r.Programs
		found = append(found, r.Findings...)
		for _, f := range r.Findings {
			failures += 1 + f.Duplicates
		}
	}
	return bucketCount{buckets(found), failures}, nil
}

// buckets counts the causes that findings show. One that the end of the time cut off in the making has no shape that tells it from others: it is
// a cause of its own only where nothing else is blamed on the same code.
func buckets(found []*Finding) int {
	whole, cut := []*Finding{}, []*Finding{}
	for _, f := range found {
		if f.Rule != "" && f.Cure == "" {
			cut = append(cut, f)
		} else {
			whole = append(whole, f)
		}
	}
	kinds := united(whole)
	for _, f := range cut {
		if !slices.ContainsFunc(kinds, f.sameCode) {
			kinds = append(kinds, f)
		}
	}
	return len(kinds)
}
