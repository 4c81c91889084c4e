package oracle

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"birfuzz/ir"
)

// HighWater is how many bytes of one partition of its on-chip memories a core needed at once, at most.
type HighWater struct{ SB, PSUM Room }

// Room is a number of bytes of a partition, in two ways of counting. Live ≤ Given.
type Room struct {
	Live  int64 // of what was live: it held a value that was read later
	Given int64 // of what had been given storage, from the first execution that touched it to the last
}

// maxObserved bounds the executed instructions of one observation; each may leave a stretch for every operand.
const maxObserved = 1 << 20

// ErrTooLong tells that a program executes more instructions than are observed.
var ErrTooLong = errors.New("the program runs too long")

// ObserveHighWater runs a program in order (semantics §2) and returns what each core needed at most, in core order.
//
// What is live is what the run shows: a location from the execution that writes a byte of it to the last one that reads this byte before it is
// written again, and while an instruction that touches it runs, both ends inside. A location is live as a whole, since that is how storage is
// given out, and counts with the bytes of its rows, whatever the number of rows. Time is a core's own executed instructions. Bytes that were
// written through another location, or by nobody, are nothing of its own that it must hold. What is pinned, or what the run-time or another
// core may touch at any time, is always live: a run of this program alone does not show when they do.
//
// An error means that the program cannot be run on the inputs, has no meaning for them, or runs too long (ErrTooLong).
func ObserveHighWater(p *ir.Program, in ir.Values) ([]HighWater, error) {
	t := &waterTracker{}
	if err := observe(t, p, in, DefaultMaxBytes/4); err != nil { // the shadow is four times as large
		return nil, err
	}
	return t.marks(), nil
}

// observe runs a program in order under a tracker, in at most so many bytes.
func observe(t tracker, p *ir.Program, in ir.Values, bytes int64) error {
	m := newMachine(t)
	if err := m.Prepare(p, Layout{MaxBytes: bytes}); err != nil {
		return err
	}
	out, err := m.Run(in, Way{Clear: true, MaxSteps: maxObserved})
	switch {
	case err != nil:
		return err
	case out.Fault != nil:
		return fmt.Errorf("the program has no meaning: %w", out.Fault)
	case out.Limited:
		return ErrTooLong
	}
	return nil
}

// waterTracker notes when on-chip locations are live.
type waterTracker struct {
	m    *Machine
	now  []int32     // executed instructions, by core
	born [][]int32   // by location and byte, row after row: when it was written through this location; 0: never
	held [][]stretch // by location, ascending and apart
}

// stretch is a time in which a location is live, both ends inside.
type stretch struct{ from, to int32 }

func (t *waterTracker) bind(m *Machine) {
	t.m = m
	t.now = make([]int32, len(m.cores))
	t.born, t.held = make([][]int32, len(m.locations)), make([][]stretch, len(m.locations))
	for i := range m.locations {
		if l := &m.locations[i]; l.loc.Type.OnChip() && l.loc.Type != ir.REG {
			t.born[i] = make([]int32, l.rows*l.rowBytes)
		}
	}
}

func (t *waterTracker) reset() {
	clear(t.now)
	for i := range t.born {
		clear(t.born[i])
		t.held[i] = t.held[i][:0]
	}
}

// before notes what an execution reads, then what it writes.
func (t *waterTracker) before(c *code, at []place) *Fault {
	t.now[c.core]++
	now := t.now[c.core]
	for i := range c.inst.Args {
		if i >= c.nout || c.writes != ir.Overwrites {
			t.read(&at[i], now)
		}
	}
	for i := range c.nout {
		t.write(&at[i], now)
	}
	return nil
}

// shadow returns the birth times of the bytes of the location of a place, nil if it is none that counts.
func (t *waterTracker) shadow(p *place) (*location, []int32) {
	if p.acc.loc == nil {
		return nil, nil
	}
	return p.acc.loc, t.born[p.acc.loc.id]
}

func (t *waterTracker) read(p *place, now int32) {
	l, born := t.shadow(p)
	if born == nil {
		return
	}
	from := now
	p.runs(func(at int) {
		for _, b := range born[l.byteAt(at):][:p.acc.run] {
			if b > 0 {
				from = min(from, b)
			}
		}
	})
	t.hold(l.id, stretch{from, now})
}

func (t *waterTracker) write(p *place, now int32) {
	l, born := t.shadow(p)
	if born == nil {
		return
	}
	p.runs(func(at int) {
		bytes := born[l.byteAt(at):][:p.acc.run]
		for i := range bytes {
			bytes[i] = now
		}
	})
	t.hold(l.id, stretch{now, now})
}

// byteAt returns which byte of the location, row after row, lies at an arena offset.
func (l *location) byteAt(at int) int {
	return (at-l.at)/l.st.pitch*l.rowBytes + (at-l.at)%l.st.pitch
}

// hold adds a stretch, which ends with the time that it is now.
func (t *waterTracker) hold(id int, s stretch) {
	list := t.held[id]
	for n := len(list); n > 0 && list[n-1].to >= s.from; n = len(list) {
		s.from = min(s.from, list[n-1].from)
		list = list[:n-1]
	}
	t.held[id] = append(list, s)
}

// marks adds up what was held, core by core.
func (t *waterTracker) marks() []HighWater {
	out := make([]HighWater, len(t.m.cores))
	for core := range out {
		out[core] = HighWater{t.room(core, ir.SB), t.room(core, ir.PSUM)}
	}
	return out
}

// room adds up what locations of a memory were live for.
func (t *waterTracker) room(core int, memory ir.MemType) Room {
	var live, given mark
	for i := range t.m.locations {
		l, held := &t.m.locations[i], t.held[i]
		switch {
		case l.core != core || l.loc.Type != memory:
		case always(l.loc):
			live.base += l.loc.RowBytes
			given.base += l.loc.RowBytes
		case len(held) > 0:
			for _, s := range held {
				live.add(s, l.loc.RowBytes)
			}
			given.add(stretch{held[0].from, held[len(held)-1].to}, l.loc.RowBytes)
		}
	}
	return Room{live.most(), given.most()}
}

// mark sums stretches of time with a weight.
type mark struct {
	base    int64 // what is there all the time
	changes []waterStep
}

// waterStep is what comes or goes before an execution.
type waterStep struct {
	at    int32
	bytes int64
}

func (m *mark) add(s stretch, bytes int64) {
	m.changes = append(m.changes, waterStep{s.from, bytes}, waterStep{s.to + 1, -bytes})
}

// most returns the largest sum at any time.
func (m *mark) most() int64 {
	slices.SortFunc(m.changes, func(a, b waterStep) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.bytes, b.bytes)) })
	sum, most := m.base, m.base
	for _, c := range m.changes {
		sum += c.bytes
		most = max(most, sum)
	}
	return most
}

// always tells whether a location is live all the time.
func always(l *ir.Loc) bool {
	return l.Pinned || l.RuntimeReserved || l.WrittenByAnotherCore || len(l.RemoteLocalTarget) > 0
}

func (t *waterTracker) input(*location, int)                 {}
func (t *waterTracker) after(*code, []place, *ran) *Fault    { return nil }
func (t *waterTracker) fence(int, *code)                     {}
func (t *waterTracker) barrier([]member)                     {}
func (t *waterTracker) exchange([]member, []transfer) *Fault { return nil }
func (t *waterTracker) environment(int, *location, int)      {}

var _ tracker = (*waterTracker)(nil)
