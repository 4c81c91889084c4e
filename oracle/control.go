package oracle

import (
	"fmt"
	"slices"

	"birfuzz/ir"
)

// threadState says why a thread is not running.
type threadState uint8

const (
	ready   threadState = iota
	meets               // at a barrier or collective
	stopped             // at its end
)

// thread is where a core executes. In order it walks the code; other ways to run put it where the next job is (see laneRun).
type thread struct {
	core  *core
	state threadState
	pc    int
	axes  []int64 // values of the loops by depth
	rank  int32   // not in order: which instance of the core this is, in program order
}

// limitReached ends a run that takes too long.
var limitReached = &Fault{Detail: "the limit of steps was reached"}

func (t *thread) reset(c *core) {
	t.core, t.state, t.pc, t.rank = c, ready, 0, 0
	t.axes = slices.Grow(t.axes[:0], c.depth)[:c.depth]
}

// begin puts every core at its start.
func (m *Machine) begin() {
	for i := range m.cores {
		c := &m.cores[i]
		c.meetings = 0
		clear(c.sems)
		c.thread.reset(c)
	}
}

// schedule runs every core to its next meeting, in core order, until all have ended.
func (m *Machine) schedule() *Fault {
	for {
		moved := false
		for i := range m.cores {
			t := &m.cores[i].thread
			if t.state != ready {
				continue
			}
			moved = true
			if f := m.advance(t); f != nil {
				return f
			}
			if f := m.meet(t); f != nil {
				return f
			}
		}
		if !moved {
			return m.stuck()
		}
	}
}

// stuck returns the fault of cores that wait for each other; nil if all have ended.
func (m *Machine) stuck() *Fault {
	for i := range m.cores {
		if t := &m.cores[i].thread; t.state == meets {
			return &Fault{Kind: DeadlockFault, Core: t.core.id, Inst: t.code().inst.Name, Detail: "the other cores do not come to this barrier"}
		}
	}
	return nil
}

func (t *thread) code() *code { return &t.core.code[t.pc] }

// advance runs a thread until it stands at a meeting or has ended.
func (m *Machine) advance(t *thread) *Fault {
	for t.state == ready {
		if t.pc == len(t.core.code) {
			t.state = stopped
			if m.track != nil {
				m.track.fence(t.core.id, nil)
			}
			return nil
		}
		c := t.code()
		if m.steps += c.weight; m.steps > m.way.MaxSteps {
			return limitReached
		}
		if len(c.preds) > 0 && !m.holds(c, t.axes) {
			t.pc = c.pc + 1
			if c.kind == loopBegin {
				t.pc = c.jump
			}
			continue
		}
		if f := m.step(t, c); f != nil {
			if f.Inst == "" {
				f.Core, f.Inst = t.core.id, c.inst.Name
			}
			return f
		}
	}
	return nil
}

// step executes one code, and moves the thread past it unless it stands at a meeting.
func (m *Machine) step(t *thread, c *code) *Fault {
	switch c.kind {
	case loopBegin:
		m.enter(t, c)
		return nil
	case loopEnd:
		m.repeat(t, c)
		return nil
	}
	for _, s := range c.inst.Wait {
		if t.core.sems[s.ID] < s.Value {
			return &Fault{Kind: DeadlockFault, Detail: fmt.Sprintf("semaphore %d is %d when it must be at least %d", s.ID, t.core.sems[s.ID], s.Value)}
		}
	}
	switch c.kind {
	case meetBarrier, meetCollective:
		t.state = meets
		return nil
	}
	if f := m.effect(t, c); f != nil {
		return f
	}
	m.leave(t, c)
	return nil
}

// effect does what a code that is no loop and no meeting does beside its waits and updates.
func (m *Machine) effect(t *thread, c *code) *Fault {
	switch c.kind {
	case runInst:
		return m.x.run(t, c)
	case localFence, haltCore:
		m.fence(t, c)
	}
	return nil
}

// fence executes a fence of one core.
func (m *Machine) fence(t *thread, c *code) {
	if m.track != nil {
		m.track.fence(t.core.id, c)
	}
	if c.kind == haltCore {
		t.state = stopped
	}
	if c.spec.Resets {
		clear(t.core.sems)
	}
}

// leave makes the updates of a completed code and goes on to the next.
func (m *Machine) leave(t *thread, c *code) {
	for _, s := range c.inst.Update {
		t.core.sems[s.ID] += s.Value
	}
	t.pc = c.pc + 1
}

// enter begins a loop.
func (m *Machine) enter(t *thread, c *code) {
	l := c.inst.Loop
	n := l.Trips()
	if n == 0 {
		t.pc = c.jump
		return
	}
	t.axes[c.depth] = l.LB
	if m.downward(l) {
		t.axes[c.depth] = l.LB + (n-1)*l.Stride
	}
	t.pc = c.pc + 1
}

// repeat begins the next trip of a loop, or leaves it.
func (m *Machine) repeat(t *thread, c *code) {
	l, v := c.inst.Loop, &t.axes[c.depth]
	t.pc = c.pc + 1
	if m.downward(l) {
		if *v -= l.Stride; *v >= l.LB {
			t.pc = c.jump
		}
	} else if *v += l.Stride; *v < l.UB {
		t.pc = c.jump
	}
}

func (m *Machine) downward(l *ir.Loop) bool { return l.Parallel && m.way.Downward }
