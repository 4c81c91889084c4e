package oracle

import (
	"slices"

	"birfuzz/ir"
)

// meeting is a barrier or collective that is being held; its slices are reused.
type meeting struct {
	members []member   // in core order
	numbers []int      // of the members' cores, in the whole
	ranks   []int      // of a collective's group: index in members, or absent
	moves   []transfer // of a collective
	parcels []parcel   // of a collective, one a member
}

// meet completes the barrier or collective that t has come to, if all its members have arrived.
func (m *Machine) meet(t *thread) *Fault {
	if t.state != meets {
		return nil
	}
	if !m.assemble(t, t.code()) {
		return nil
	}
	return m.hold(t)
}

// hold holds the meeting of m.met, at which the threads of its members stand; t is one of them.
func (m *Machine) hold(t *thread) *Fault {
	c, g := t.code(), &m.met
	if m.track != nil {
		for _, p := range g.members {
			m.track.fence(p.core, p.c)
		}
	}
	var f *Fault
	if c.kind == meetCollective {
		f = m.exchange(t.core.meetings)
	} else if m.track != nil {
		m.track.barrier(g.members)
	}
	if f != nil {
		if f.Inst == "" {
			f.Core, f.Inst = t.core.id, c.inst.Name
		}
		return f
	}
	for _, p := range g.members {
		u := &m.cores[p.core].thread
		m.outside(u)
		u.state = ready
		u.core.meetings++
		m.leave(u, p.c)
	}
	return nil
}

// assemble lists the members of the meeting at c, in core order, and tells whether all of them stand at one that agrees with it.
func (m *Machine) assemble(t *thread, c *code) bool {
	g := &m.met
	g.members, g.numbers = g.members[:0], g.numbers[:0]
	for i := range m.cores {
		if !m.takesPart(i, t.core.id, c) {
			continue
		}
		u := &m.cores[i].thread
		if u.state != meets || !agree(c, u.code()) {
			return false
		}
		g.members = append(g.members, member{core: i, c: u.code()})
		g.numbers = append(g.numbers, m.number(i))
	}
	return m.present(c)
}

// takesPart tells whether core i is a member of the meeting that core self has come to with c.
func (m *Machine) takesPart(i, self int, c *code) bool {
	if i == self {
		return true
	}
	if c.kind == meetCollective {
		groups := c.inst.Lists(ir.PReplicaGroups)
		for _, g := range groups {
			if slices.Contains(g, int64(self)) {
				return slices.Contains(g, int64(i))
			}
		}
		return len(groups) == 0
	}
	cores := c.inst.List(ir.PCores)
	return len(cores) == 0 || slices.Contains(cores, int64(i))
}

// present tells whether the module holds all cores that a barrier names. In the module of one core of several the others are the world
// outside, which always comes.
func (m *Machine) present(c *code) bool {
	if c.kind == meetCollective || m.lone() {
		return true
	}
	for _, k := range c.inst.List(ir.PCores) {
		if k >= int64(len(m.cores)) {
			return false
		}
	}
	return true
}

// agree tells whether two cores stand at one meeting: the same row with the same settings.
func agree(a, b *code) bool {
	if a.spec != b.spec || len(a.inst.Params) != len(b.inst.Params) {
		return false
	}
	for i := range a.inst.Params {
		p, q := &a.inst.Params[i], &b.inst.Params[i]
		if p.ID != q.ID || p.I != q.I || !slices.Equal(p.L, q.L) || !slices.EqualFunc(p.LL, q.LL, slices.Equal) {
			return false
		}
	}
	return true
}

// lone tells whether the module is the code of one core of several.
func (m *Machine) lone() bool { return len(m.program.Cores) == 1 && m.program.CoreID != ir.NoCore }

// outside rewrites Shared memory after a meeting of a lone core: the other cores did something there (semantics §3.3).
func (m *Machine) outside(t *thread) {
	if !m.lone() {
		return
	}
	for i := range m.locations {
		l := &m.locations[i]
		if l.loc.Set.Space != ir.Shared {
			continue
		}
		h := worldSeed(t.core.meetings, l.name)
		for r := range l.rows {
			row := m.row(l, r)
			for b := range row {
				row[b] = worldByte(h, r*l.rowBytes+b)
			}
		}
		if m.track != nil {
			m.track.environment(t.core.id, l, t.core.meetings)
		}
	}
}

// worldSeed starts the fixed function of (meeting, location, byte) that stands for what other cores write.
func worldSeed(meeting int, name string) uint64 {
	h := uint64(meeting)*0x9E3779B97F4A7C15 + 0xD6E8FEB86659FD93
	for i := range len(name) {
		h = (h ^ uint64(name[i])) * 0x100000001B3
	}
	return h
}

// worldByte returns one byte of it, below 0x40: whatever dtype such bytes are read as, they are a finite number that is not negative.
func worldByte(seed uint64, i int) byte {
	h := (seed ^ uint64(i)) * 0xBF58476D1CE4E5B9
	return byte((h^h>>31)*0x94D049BB133111EB>>58) & 0x3F
}
