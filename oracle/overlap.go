package oracle

import (
	"fmt"

	"birfuzz/ir"
)

// clash says how an output and the inputs of one instruction share bytes (semantics §1).
type clash uint8

const (
	apart   clash = iota // they do not
	inPlace              // an input starts at the output's first byte, with its pattern and element size
	illegal              // they overlap in another way: a fault
	depends              // on the values of offsets: ask again when executed
)

// clash compares the output of x with its inputs.
func (c *compiler) clash(x *code) clash {
	for i := range x.acc {
		if x.acc[i].bad != "" {
			return apart // a fault of another kind
		}
	}
	if x.moves {
		for i := x.nout; i < len(x.inst.Args) && x.nout > 0; i++ {
			if x.acc[i].st == x.acc[0].st {
				return depends
			}
		}
		return apart
	}
	return overlaps(x, x.at)
}

// overlaps returns the worst way in which the output and an input overlap.
func overlaps(x *code, at []place) clash {
	worst := apart
	if x.nout == 0 {
		return worst
	}
	for i := range x.in(at) {
		worst = max(worst, at[0].against(&x.in(at)[i]))
	}
	if worst == illegal && x.spec.HasParam(ir.PMask) { // StreamShuffle reads all before it writes
		return inPlace
	}
	return worst
}

// maxRuns bounds the runs that are compared one by one.
const maxRuns = 1 << 20

// against compares an output with an input.
func (p *place) against(q *place) clash {
	a, b := p.acc, q.acc
	if a.st != b.st || b.st == nil || p.base >= q.base+b.span || q.base >= p.base+a.span {
		return apart
	}
	if p.base == q.base && a.size == b.size && a.run == b.run && a.n == b.n && a.levels == b.levels {
		return inPlace
	}
	v, w := p.walk(), q.walk()
	if min(v.Bytes()/v.Run, w.Bytes()/w.Run) > maxRuns || v.Overlaps(&w) {
		return illegal
	}
	return apart
}

// walk returns the place as a walk over the arena.
func (p *place) walk() ir.Walk {
	w := ir.Walk{Base: int64(p.base), Run: int64(p.acc.run), N: p.acc.n}
	for i, l := range p.acc.levels[:p.acc.n] {
		w.Levels[i] = ir.Level{Step: int64(l.step), Num: int64(l.num)}
	}
	return w
}

// clashFault describes an illegal overlap.
func clashFault(x *code, at []place) *Fault {
	for i := range x.in(at) {
		if q := &x.in(at)[i]; at[0].against(q) == illegal {
			return &Fault{Kind: OverlapFault, Detail: fmt.Sprintf("output %q overlaps input %d, %q, and does not start at its first byte with its pattern",
				at[0].acc.loc.name, i, q.acc.loc.name)}
		}
	}
	return nil
}
