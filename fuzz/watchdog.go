package fuzz

import (
	"fmt"
	"sync/atomic"
	"time"

	"birfuzz/ir"
	"birfuzz/oracle"
	"birfuzz/passes"
)

// How long a pass of ours may take for one program: what no sound pass comes near to, on a busy machine either. External passes have limits of
// their own, which end their processes.
const (
	ownWait     = 10 * time.Second
	ownWaitInst = 5 * time.Millisecond // more, for each instruction
)

// maxStuck is how many passes of ours may hang before a campaign ends: nothing can stop a goroutine that never returns, each takes a core away
// from the rest of the campaign.
const maxStuck = 3

// watchdog runs a pipeline in a goroutine of its own and gives up on it when one of our passes does not come to its end. The goroutine cannot
// be ended: it is abandoned, with the program that it works on. Should its pass return after all, it finds itself abandoned and goes.
type watchdog struct {
	start time.Time
	since atomic.Int64 // when the running pass began, in ns after start; or watchIdle or watchGone
	broke string       // what the goroutine panicked with; written before it ends
	at    int          // index of the running pass; written by the goroutine while since is watchIdle
}

const (
	watchIdle = 0  // no pass of ours runs: the step is judged, or a foreign process runs
	watchGone = -1 // the goroutine was abandoned
)

// watch is passes.Run with a limit for each of our passes. It returns the index of the pass that did not end, or -1.
func watch(p *ir.Program, ps []passes.Pass, o passes.Options, limit time.Duration, visit func(*passes.Step) bool) (stuck int) {
	w := watchdog{start: time.Now()}
	done := make(chan struct{})
	go func() {
		defer close(done)
		w.broke = guarded(func() {
			w.enter(ps, 0)
			passes.Run(p, ps, o, func(s *passes.Step) bool {
				if !w.leave() || !visit(s) {
					return false
				}
				w.enter(ps, s.Index+1)
				return true
			})
		})
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for {
		select {
		case <-done:
			if w.broke != "" {
				panic(broken(w.broke))
			}
			return -1
		case <-timer.C:
			rest := w.giveUp(limit)
			if rest <= 0 {
				return w.at
			}
			timer.Reset(rest)
		}
	}
}

// enter notes that pass number i begins.
func (w *watchdog) enter(ps []passes.Pass, i int) {
	if i < len(ps) && ps[i].Command == nil {
		w.at = i
		w.since.Store(max(int64(time.Since(w.start)), 1))
	}
}

// leave notes that the pass has ended, and tells whether somebody still waits for it.
func (w *watchdog) leave() bool {
	began := w.since.Load()
	return began != watchGone && w.since.CompareAndSwap(began, watchIdle)
}

// giveUp abandons the goroutine if its pass has run for longer than the limit; else it returns how long it may go on.
func (w *watchdog) giveUp(limit time.Duration) time.Duration {
	began := w.since.Load()
	if began == watchIdle {
		return limit
	}
	rest := limit - (time.Since(w.start) - time.Duration(began))
	if rest <= 0 && !w.since.CompareAndSwap(began, watchGone) {
		return limit // it ended just now
	}
	return rest
}

// ownLimit returns how long a pass of ours may take for the program.
func (p *patience) ownLimit(n int) time.Duration {
	if p.own > 0 {
		return p.own
	}
	return ownWait + time.Duration(n)*ownWaitInst
}

// hung turns a result into that of a pass that did not end. The steps before it are run again: what it works on is not to be touched.
func (r *Result) hung(c Case, ps []passes.Pass, o passes.Options, at int, limit time.Duration) {
	p := c.Program.Clone()
	o.Copies = nil // the pass left behind may still make some
	passes.Run(p, ps[:at], o, func(s *passes.Step) bool {
		p = s.After
		return true
	})
	detail := fmt.Sprintf("the pass did not end within %v; what ran it is left behind and goes on", limit)
	r.Verdict = oracle.Verdict{Kind: oracle.Different, Class: passes.Hang, Failed: []oracle.Failure{{Check: passes.Hang, Detail: detail}}}
	r.Step, r.Pass, r.Before, r.After, r.Failed = at, &ps[at], p, nil, true
}

// stuck tells whether the result is that of a pass of ours that did not end: to run it again would leave one more goroutine behind.
func (r *Result) stuck() bool {
	return r.Failed && r.Verdict.Class == passes.Hang && r.Pass.Command == nil
}
