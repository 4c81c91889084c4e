package fuzz

// crew are workers, who do one thing at a time each.
type crew struct {
	busy chan struct{} // one for each worker who does something
}

func newCrew(workers int) *crew { return &crew{make(chan struct{}, max(workers, 1))} }

func (c *crew) size() int { return cap(c.busy) }

// take waits until a worker has nothing to do, who has from then on.
func (c *crew) take() { c.busy <- struct{}{} }

// release lets a worker go who was taken.
func (c *crew) release() { <-c.busy }

// beside has a worker who has nothing to do call f, or calls it itself if there is none, and returns what waits for the call to end. A panic of f
// comes out of that.
func (c *crew) beside(f func()) (join func()) {
	select {
	case c.busy <- struct{}{}:
	default:
		f()
		return func() {}
	}
	done := make(chan string, 1)
	go func() {
		defer c.release()
		done <- guarded(f)
	}()
	return func() {
		if broke := <-done; broke != "" {
			panic(broken(broke))
		}
	}
}
