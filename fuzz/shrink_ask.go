package fuzz

import "birfuzz/ir"

// asked are the candidates that were asked about. All its methods are called from one goroutine.
type asked struct {
	still   func(*ir.Program) bool
	slots   chan struct{} // one for each question that is not answered yet
	answers map[uint64]*answer
}

// answer is what becomes of a question.
type answer struct {
	done  chan struct{} // closed when it is there
	holds bool
	broke string // on what birfuzz itself broke down, see guarded
}

func newAsked(still func(*ir.Program) bool, workers int) *asked {
	return &asked{still, make(chan struct{}, workers), map[uint64]*answer{}}
}

func (a *asked) workers() int { return cap(a.slots) }

// about asks about a candidate, unless that was done already, once a worker has nothing else to do.
func (a *asked) about(c *candidate) *answer {
	if was, ok := a.answers[c.hash]; ok {
		return was
	}
	a.slots <- struct{}{}
	return a.start(c)
}

// start is about with a slot that was taken before.
func (a *asked) start(c *candidate) *answer {
	if was, ok := a.answers[c.hash]; ok {
		a.release()
		return was
	}
	w := &answer{done: make(chan struct{})}
	a.answers[c.hash] = w
	go func() {
		defer a.release()
		defer close(w.done) // before the slot is free, see idle
		w.broke = guarded(func() { w.holds = a.still(c.program) })
	}()
	return w
}

// idle waits until the answer is there or a worker has nothing to do. In the second case it returns true and takes a slot.
func (a *asked) idle(w *answer) bool {
	select {
	case <-w.done:
		return false
	case a.slots <- struct{}{}:
	}
	select {
	case <-w.done:
		a.release()
		return false
	default:
		return true
	}
}

func (a *asked) release() { <-a.slots }

// wait returns when no question is open.
func (a *asked) wait() {
	for range a.workers() {
		a.slots <- struct{}{}
	}
}

func (w *answer) wait() bool {
	<-w.done
	if w.broke != "" {
		panic(broken(w.broke))
	}
	return w.holds
}
