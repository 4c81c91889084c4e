package main

import (
	"fmt"
	"time"

	"birfuzz/fuzz"
	"birfuzz/reports"
)

// progress draws one line on a terminal, and is silent elsewhere; findings are announced everywhere.
type progress struct {
	env      *env
	announce bool
	last     time.Time
}

func newProgress(e *env, announce bool) *progress { return &progress{env: e, announce: announce} }

const redraw = 200 * time.Millisecond

func (p *progress) draw(r *fuzz.Report) {
	if !p.env.terminal || time.Since(p.last) < redraw {
		return
	}
	p.last = time.Now()
	fired := 0
	for _, c := range r.Rules {
		if c.Fired > 0 {
			fired++
		}
	}
	fmt.Fprintf(p.env.err, "\r\x1b[K%d programs, %s/s, %d of %d rules fired, %d findings", r.Programs, reports.Rate(r.Rate), fired, len(r.Rules), len(r.Findings))
}

// step draws the line of a command that does a known number of things, one of which is done now.
func (p *progress) step(done, total int, name string) {
	if !p.env.terminal {
		return
	}
	p.last = time.Now()
	fmt.Fprintf(p.env.err, "\r\x1b[K%d of %d, %s", done, total, name)
}

// found announces a finding as soon as it is filed.
func (p *progress) found(f *fuzz.Finding) {
	p.clear()
	if p.announce {
		fmt.Fprintln(p.env.out, reports.Line(f))
	}
}

// clear takes the line away, so that what is printed next stands alone.
func (p *progress) clear() {
	if p.env.terminal && !p.last.IsZero() {
		fmt.Fprint(p.env.err, "\r\x1b[K")
	}
}
