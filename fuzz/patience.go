package fuzz

import (
	"sync/atomic"
	"time"

	"birfuzz/passes"
)

// patience decides how long a pass may take. Of external passes the first few hangs are waited for in full; after that, and while shrinking,
// the limit comes from the runs that ended: what has always answered in a millisecond need not be waited for ten seconds again and again. Of a
// command that has never answered nothing is known, so it may just be slow.
// It is shared by the workers of a campaign.
type patience struct {
	own   time.Duration // limit of our passes; 0: ownWait and more
	hangs atomic.Int64
}

const (
	fullWaits = 3                      // hangs that are waited for in full
	minWait   = 200 * time.Millisecond // the least that a hang is waited for after that
	firstWait = 2 * time.Second        // the same of a command that has never answered, while shrinking
	slack     = 8                      // how much slower than the slowest good run a run may be
)

// limit returns the time limit for a pipeline: 0, the commands' own, or a shorter one when short is set or enough runs have hung.
func (p *patience) limit(ps []passes.Pass, short bool) time.Duration {
	if !short && p.hangs.Load() < fullWaits {
		return 0
	}
	var wait time.Duration
	for i := range ps {
		c := ps[i].Command
		switch {
		case c == nil:
		case c.Longest() == 0 && short: // it has never answered
			wait = max(wait, min(firstWait, c.Timeout()))
		case c.Longest() == 0:
			wait = max(wait, c.Timeout())
		default:
			wait = max(wait, min(max(slack*c.Longest(), minWait), c.Timeout()))
		}
	}
	return wait
}

// saw counts a hang.
func (p *patience) saw(class string) {
	if class == passes.Hang {
		p.hangs.Add(1)
	}
}
