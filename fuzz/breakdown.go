package fuzz

import (
	"fmt"

	"birfuzz/oracle"
	"birfuzz/passes"
)

// broken is what a goroutine panics with after another one that worked for it broke down: that one's panic, in words.
type broken string

// guarded runs f and says with what it panicked, and where; "" if it did not. A program on which birfuzz itself breaks down must not take a
// campaign with it. Passes that break down do not come so far (passes.Run).
func guarded(f func()) (broke string) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case broken:
			broke = string(r)
		default:
			broke = fmt.Sprintf("panic: %v (%s)", r, passes.PanicSite())
		}
	}()
	f()
	return ""
}

// brokeDown turns an outcome into one of which nothing is known, unless it had failed before: then nobody is blamed.
func (o *outcome) brokeDown(why string) {
	if o.c.Name == "" {
		o.c.Name = fmt.Sprintf("program %d", o.index)
	}
	o.broke, o.blame = why, Blame{}
	if o.result.Failed {
		return
	}
	o.result = Result{Step: -1, Verdict: oracle.Verdict{Kind: oracle.Unknown, Why: "birfuzz itself broke down: " + why}}
}
