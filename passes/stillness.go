package passes

import "birfuzz/ir"

// stillness follows one core in program order and knows where everything stands still: all engines have come to one place, and every transfer
// issued before is complete. There semaphores may be set back. Only what surely happens counts, so what it says holds in every iteration and
// whatever predicates are.
type stillness struct {
	arch   ir.Arch
	flying ir.EngineSet // engines with transfers that nobody is known to have waited for
	loose  bool         // the same of instructions without engine
	rest   rest
}

// rest is how still a core stands.
type rest uint8

const (
	working rest = iota
	resting      // all is complete, and every engine knows
	cleared      // and the semaphores have been set back since, which nobody knows but the engine that did it
	closed       // and every engine knows that too
)

// newStillness begins at the start of a core, where semaphores are 0 and nothing runs.
func newStillness(arch ir.Arch) stillness { return stillness{arch: arch, rest: closed} }

// joins tells whether every engine of the core surely comes to the instruction before any goes on.
func joins(in *ir.Inst) bool {
	return len(in.Pred) == 0 && (in.Engine == ir.ALL || in.Spec().Sync() == ir.SyncJoins)
}

// next moves on past an instruction that is no loop. The answer is why semaphores are set back where they may not be; "" if they are not.
func (s *stillness) next(in *ir.Inst) (why string) {
	sure, wide := len(in.Pred) == 0, joins(in)
	if s.rest == cleared && !wide {
		why = "an engine may go on beside a reset of semaphores"
	}
	was := s.rest
	s.rest = working
	if wide && in.Engine == ir.ALL {
		s.flying, s.loose = 0, false
	}
	switch quiet := s.flying == 0 && !s.loose; {
	case in.Spec().Resets:
		if !(was == closed || sure && was == resting || wide && quiet) {
			return "a reset of semaphores that others may be using"
		}
		if s.rest = cleared; wide {
			s.rest = closed
		}
	case wide && quiet:
		if s.rest = resting; was >= cleared {
			s.rest = closed
		}
	case sure && in.Spec().Sync() == ir.SyncDrains:
		s.flying &^= ir.Engines(in.Engine)
	case in.Transfers(s.arch) && in.Engine == ir.Unassigned:
		s.loose = true
	case in.Transfers(s.arch):
		s.flying |= ir.Engines(in.Engine)
	}
	return why
}

// stretches cuts a function where it stands still and its semaphores are 0: a stretch runs from its first instruction to its last, once or in
// every iteration of the loops around it, and begins with all semaphores at 0. So semaphores count in each stretch by itself, and what two
// stretches do is ordered. why says what keeps the function from being cut like that.
func stretches(f *ir.Func, arch ir.Arch) (list [][]*ir.Inst, why string) {
	c := stretchCutter{still: newStillness(arch)}
	c.blocks(f.Blocks)
	c.cut()
	return c.list, c.why
}

type stretchCutter struct {
	still stillness
	open  []*ir.Inst
	list  [][]*ir.Inst
	why   string
}

func (c *stretchCutter) blocks(bs []*ir.Block) {
	for _, b := range bs {
		for _, in := range b.Insts {
			switch {
			case in.Loop == nil:
				c.open = append(c.open, in)
				c.fault(c.still.next(in))
				if c.still.rest == closed {
					c.cut()
				}
			case in.Loop.Trips() > 0:
				c.closed()
				c.blocks(in.Loop.Blocks)
				c.closed()
			}
		}
	}
}

// closed is the beginning or the end of a loop's body.
func (c *stretchCutter) closed() {
	if c.still.rest != closed {
		c.fault("a loop without a reset of semaphores before it and at its end: lower_control makes them")
	}
	c.cut()
}

func (c *stretchCutter) fault(why string) {
	if c.why == "" {
		c.why = why
	}
}

func (c *stretchCutter) cut() {
	if len(c.open) > maxStretch {
		c.fault("too many instructions between two resets")
	}
	if len(c.open) > 0 {
		c.list = append(c.list, c.open)
		c.open = nil
	}
}
