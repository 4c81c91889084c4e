package ir

// Copies makes clones in the memory of earlier ones that nobody needs any more: a long pipeline over many programs then needs memory for a few
// of them only. It is not for concurrent use. The zero value is ready; a nil one makes new clones and takes none back.
type Copies struct {
	lent  []lease
	spare []*cloner
}

// maxSpareInsts bounds the instructions of a clone whose memory is kept: a rare program with very many would else hold it for good.
const maxSpareInsts = 1 << 13

// lease is a clone that was not given back yet.
type lease struct {
	program *Program
	memory  *cloner
}

// Clone returns a deep copy of a numbered program, see Program.Clone.
func (c *Copies) Clone(p *Program) *Program {
	if c == nil {
		return p.Clone()
	}
	var m *cloner
	if n := len(c.spare); n > 0 {
		m, c.spare = c.spare[n-1], c.spare[:n-1]
	} else {
		m = &cloner{}
	}
	q := *p
	q.Cores = m.clone(p.Cores)
	c.lent = append(c.lent, lease{&q, m})
	return &q
}

// Return gives a clone back: neither it nor any part of it may be used again. Any other program is left alone.
func (c *Copies) Return(p *Program) {
	if c == nil {
		return
	}
	for i, l := range c.lent {
		if l.program == p {
			if len(l.memory.insts.all) <= maxSpareInsts {
				c.spare = append(c.spare, l.memory)
			}
			last := len(c.lent) - 1
			c.lent[i], c.lent[last] = c.lent[last], lease{}
			c.lent = c.lent[:last]
			return
		}
	}
}

// Keep leaves all clones that were not given back to those who have them.
func (c *Copies) Keep() {
	clear(c.lent)
	c.lent = c.lent[:0]
}
