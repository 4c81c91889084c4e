package oracle

import "fmt"

// pair runs both programs, or remembers how they ran.
func (s *session) pair(w runWay, l lens, down bool) (*comparison, Verdict) {
	after := w
	after.down, after.order = down, s.order
	join := s.ahead(after, l)
	a, err := s.j.outcome(s.before, s.known, w, l)
	join()
	if err != nil {
		return nil, trouble("before", err)
	}
	b, err := s.j.outcome(s.after, s.next, after, s.added(l))
	if err != nil {
		if text := limitText(err); text != "" {
			return nil, Verdict{Kind: Unknown, Why: text}
		}
		s.found.fail(checks[0].Name, said(err.Error()))
		return nil, Verdict{Kind: Different}
	}
	c := &s.sides[0]
	if l.noNews {
		c = &s.sides[1]
	}
	*c = comparison{before: a, after: b, contract: s.contract, sorter: &s.j.sorter}
	return c, s.limits(a, b)
}

// ahead has the program after run in elements, if that can be done beside whatever follows, so that it is remembered when what it returns was
// called. A run that comes to nothing is not: it is made again, and says why.
func (s *session) ahead(w runWay, l lens) (join func()) {
	if w.grain != elementGrain || s.j.options.Beside == nil {
		return func() {}
	}
	return s.runAhead(w, s.added(l))
}

// runAhead is ahead where there is somebody to do it. It is apart because what runs meanwhile is allocated.
func (s *session) runAhead(w runWay, l lens) (join func()) {
	j := s.j
	if s.next.recall(w, &l) != nil {
		return func() {}
	}
	if j.twin == nil {
		j.twin = newElementLab()
	}
	o, err := j.fresh(w.grain), error(nil)
	wait := j.options.Beside(func() { err = j.runElements(j.twin, s.after, s.next.hash, w, l, o) })
	return func() {
		wait()
		_, _ = j.keep(s.next, w, o, err)
	}
}

// trouble is the verdict on a program before that cannot be run.
func trouble(which string, err error) Verdict {
	if text := limitText(err); text != "" {
		return Verdict{Kind: Unknown, Why: text}
	}
	return Verdict{Kind: Void, Why: "the program " + which + " cannot be run: " + err.Error()}
}

// crowdedText is why nothing is known of a run that outgrew its outcome.
const crowdedText = "the program passes more fences, or touches visible memory more often, than can be compared"

// limits judges runs that were given up.
func (s *session) limits(a, b *outcome) Verdict {
	most := s.j.options.MaxSteps
	if most <= 0 {
		most = DefaultMaxSteps
	}
	switch {
	case a.crowded || b.crowded:
		return Verdict{Kind: Unknown, Why: crowdedText}
	case a.limited:
		return Verdict{Kind: Unknown, Why: "the program before reached the limit of steps"}
	case !b.limited:
		return Verdict{}
	case a.steps*hangFactor <= most:
		s.found.fail(hangClass, said(fmt.Sprintf("does not end within %d steps; before, it took %d", most, a.steps)))
		return Verdict{Kind: Different}
	default:
		return Verdict{Kind: Unknown, Why: "the program after reached the limit of steps"}
	}
}
