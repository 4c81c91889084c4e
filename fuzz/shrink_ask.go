package fuzz

import "birfuzz/ir"

// asked are the candidates that were asked about. All its methods are called from one goroutine.
type asked struct {
	*crew   // who answers
	still   func(*ir.Program) bool
	answers map[uint64]*answer
}

// answer is what becomes of a question.
type answer struct {
	done  chan struct{} // closed when it is there
	holds bool
	broke string // on what birfuzz itself broke down, see guarded
}

func newAsked(still func(*ir.Program) bool, c *crew) *asked {
	return &asked{c, still, map[uint64]*answer{}}
}

// about asks about a candidate, unless that was done already, once a worker has nothing else to do.
func (a *asked) about(c *candidate) *answer {
	if was, ok := a.answers[c.hash]; ok {
		return was
	}
	a.take()
	return a.start(c)
}

// start is about with a worker who was taken before.
func (a *asked) start(c *candidate) *answer {
	if was, ok := a.answers[c.hash]; ok {
		a.release()
		return was
	}
	w := &answer{done: make(chan struct{})}
	a.answers[c.hash] = w
	go func() {
		defer a.release()
		defer close(w.done) // before the worker is free, see idle
		w.broke = guarded(func() { w.holds = a.still(c.program) })
	}()
	return w
}

// idle waits until the answer is there or a worker has nothing to do. In the second case it returns true and has taken the worker.
func (a *asked) idle(w *answer) bool {
	select {
	case <-w.done:
		return false
	case a.busy <- struct{}{}:
	}
	select {
	case <-w.done:
		a.release()
		return false
	default:
		return true
	}
}

// wait returns when no question is open.
func (a *asked) wait() {
	for range a.size() {
		a.take()
	}
	for range a.size() {
		a.release()
	}
}

func (w *answer) wait() bool {
	<-w.done
	if w.broke != "" {
		panic(broken(w.broke))
	}
	return w.holds
}
