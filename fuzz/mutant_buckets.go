package fuzz

import (
	"context"
	"time"
)

// DefaultBucketTime is the time that a mutant's failures are counted for.
const DefaultBucketTime = 30 * time.Second

// bucketCount is how many findings a number of failures came to.
type bucketCount struct{ buckets, failures int }

// count goes on from a kill until as many programs have failed as the hunt wants, on seeds of their own, and counts how many findings campaigns
// make of them; those of several campaigns are told apart as those of one are. rarity is how many programs it took to the first failure. It gives up when the time is over: then there are fewer failures.
func (b *bench) count(ctx context.Context, m *Mutant, mutated executable, rarity int) (bucketCount, error) {
	var kinds []*Finding
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
		for _, f := range r.Findings {
			failures += 1 + f.Duplicates
			kinds = counted(kinds, f, func(old *Finding) bool { return old.sameCause(f) })
		}
	}
	return bucketCount{len(kinds), failures}, nil
}
