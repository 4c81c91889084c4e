package oracle

import (
	"fmt"

	"birfuzz/ir"
)

// groupState is where a byte of PSUM stands in the state machine of accumulation groups (semantics §4).
type groupState uint8

const (
	closed groupState = iota // nobody accumulates there
	blank                    // the same, and a Memset or a start left zero bits: an add may begin a chain
	open                     // a chain was begun and not stopped
)

// groups follows accumulation groups in a program whose groups are legalised (fact Grouped): closed → open (start, or an add on zeros) → open
// (add)* → closed (stop). It knows every byte of PSUM by its place, whatever the location; what else happens to the data is followed elsewhere.
type groups struct {
	on    bool
	psum  []bool       // by storage
	state []groupState // parallel to the arena
}

// bind prepares for the program that m holds.
func (g *groups) bind(m *Machine) {
	if g.on = m.program.Facts.Has(ir.Grouped); !g.on {
		return
	}
	g.psum = resize(g.psum, len(m.storages))
	clear(g.psum)
	for i := range m.locations {
		if l := &m.locations[i]; l.loc.Type == ir.PSUM {
			g.psum[l.st.id] = true
		}
	}
	g.state = resize(g.state, m.size)
}

// reset begins a run.
func (g *groups) reset() {
	if g.on {
		clear(g.state)
	}
}

// before checks what an instruction reads and writes, and moves the bytes on.
func (g *groups) before(c *code, at []place) *Fault {
	if !g.on {
		return nil
	}
	for k := c.nout; k < len(c.inst.Args); k++ {
		if p := &at[k]; g.holds(p) && g.some(p, open) {
			return groupFault("reads %s, in which a sum is still open", p)
		}
	}
	if c.nout == 0 || !g.holds(&at[0]) {
		return nil
	}
	p := &at[0]
	if !c.spec.HasParam(ir.PStop) {
		if g.some(p, open) {
			return groupFault("writes to %s, in which a sum is still open", p)
		}
		if writesZeros(c) {
			g.set(p, blank)
		} else {
			g.set(p, closed)
		}
		return nil
	}
	return g.member(c, p)
}

// member moves the bytes on that a matmul writes.
func (g *groups) member(c *code, p *place) *Fault {
	switch start := c.inst.Flag(ir.PStart); {
	case start && g.some(p, open):
		return groupFault("starts a sum in %s, in which another is still open", p)
	case !start && g.some(p, closed):
		return groupFault("adds to %s, where no sum was started and nothing cleared", p)
	case c.inst.Flag(ir.PStop):
		g.set(p, closed)
	default:
		g.set(p, open)
	}
	return nil
}

// cleared notes what the start at hand cleared beside its output: the chains there are gone.
func (g *groups) cleared(out *place, list []zeroed) {
	if !g.on {
		return
	}
	was := g.state[out.base]
	for i := range list {
		p := &list[i]
		for r := range p.rows {
			row := g.state[p.at+r*p.l.st.pitch:][:p.bytes]
			for k := range row {
				row[k] = blank
			}
		}
	}
	g.set(out, was)
}

// holds tells whether a place is in PSUM.
func (g *groups) holds(p *place) bool { return p.acc.loc != nil && g.psum[p.acc.st.id] }

// some tells whether any byte of a place is in the state.
func (g *groups) some(p *place, s groupState) bool {
	found := false
	p.runs(func(at int) {
		for _, b := range g.state[at : at+p.acc.run] {
			found = found || b == s
		}
	})
	return found
}

// set puts every byte of a place into the state.
func (g *groups) set(p *place, s groupState) {
	p.runs(func(at int) {
		for i := at; i < at+p.acc.run; i++ {
			g.state[i] = s
		}
	})
}

func groupFault(format string, p *place) *Fault {
	return &Fault{Kind: GroupFault, Detail: fmt.Sprintf(format, p.acc.loc.name)}
}
