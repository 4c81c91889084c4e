package oracle

import (
	"birfuzz/ir"
)

// Observed is what a run did with a location of a core.
type Observed struct {
	Core     int // −1: one location for all cores
	Location string
	Live     [][2]int32 // when it held a value that was read later, both ends inside, in executed instructions of its core; on-chip locations alone
	Touched  int64      // bytes of it that some instruction read or wrote
}

// Observe runs a program in order and returns what became of each location that an instruction names, in the order of declaration. What is live is
// told at ObserveHighWater, and so are the errors.
func Observe(p *ir.Program, in ir.Values) ([]Observed, error) {
	t := &useTracker{}
	if err := observe(t, p, in, DefaultMaxBytes/8); err != nil {
		return nil, err
	}
	return t.observed(), nil
}

// useTracker notes, beside when locations are live, which of their bytes are touched.
type useTracker struct {
	waterTracker
	touched [][]bool // by location and byte, row after row; nil: none was
}

func (t *useTracker) reset() {
	t.waterTracker.reset()
	t.touched = make([][]bool, len(t.m.locations))
}

func (t *useTracker) before(c *code, at []place) *Fault {
	for i := range c.inst.Args {
		p := &at[i]
		l := p.acc.loc
		if l == nil {
			continue
		}
		if t.touched[l.id] == nil {
			t.touched[l.id] = make([]bool, l.rows*l.rowBytes)
		}
		p.runs(func(x int) {
			bytes := t.touched[l.id][l.byteAt(x):][:p.acc.run]
			for k := range bytes {
				bytes[k] = true
			}
		})
	}
	return t.waterTracker.before(c, at)
}

// observed sums up.
func (t *useTracker) observed() []Observed {
	var out []Observed
	for i := range t.m.locations {
		l := &t.m.locations[i]
		if t.touched[i] == nil {
			continue
		}
		o := Observed{Core: l.core, Location: l.name}
		for _, b := range t.touched[i] {
			if b {
				o.Touched++
			}
		}
		for _, s := range t.held[i] {
			o.Live = append(o.Live, [2]int32{s.from, s.to})
		}
		out = append(out, o)
	}
	return out
}

var _ tracker = (*useTracker)(nil)
