package bircheck

import (
	"cmp"
	"slices"
)

// overlaps checks every output against every input: over a common byte they start at the same byte with the same pattern and element size
// (semantics §1). Operands whose offsets move against each other are left to the oracle, which sees each moment.
func (q *question) overlaps() {
	for i := range q.ops {
		for k := range q.ops {
			out, in := &q.ops[i], &q.ops[k]
			if !out.out || in.out || !out.memory() || !in.memory() || !sharing(out.loc, in.loc) {
				continue
			}
			off, gap, still := q.gap(out, in)
			if !still {
				continue
			}
			x, y := out.ground(off), in.ground(off+gap)
			if x.space == y.space && x.meets(&y) && !x.equal(&y) {
				q.add("overlap", "%s lies over part of %s", out.rule.name, in.rule.name)
			}
		}
	}
}

// sharing tells whether two locations can have a byte in common.
func sharing(x, y *location) bool {
	return x == y || x.Allocated && y.Allocated && x.memory() == y.memory() || x.head() == y.head()
}

// gap returns an offset of x and how much further the one of y is; not still where that changes.
func (q *question) gap(x, y *access) (off, gap int64, still bool) {
	first, still := true, true
	q.each(append(x.exprs(), y.exprs()...), func(p *point) bool {
		o, g := x.offset(p), y.offset(p)-x.offset(p)
		if first {
			off, gap, first = o, g, false
		}
		still = g == gap
		return still
	})
	return off, gap, still
}

// ground is the bytes of an access in the order in which it meets them: from byte `from` of a space, levels (step and count, outermost first)
// around runs of `run` bytes. Levels of one trip are left out and levels that go on where the inner one ends are joined.
type ground struct {
	space  any // the location that stands for it, or the name of a memory
	from   int64
	run    int64
	levels [][2]int64
	size   int64
}

// rowStep is the distance of two rows of SB or PSUM in a ground: more than a row has.
const rowStep = int64(1) << 41

func (a *access) ground(off int64) ground {
	l := a.loc
	g := ground{space: l.head(), run: a.size, size: a.size}
	var levels [][2]int64
	for i, p := range a.Pattern {
		step := p[0] * a.size
		if i == 0 && l.onChip() && p[0] != 0 {
			step = rowStep
		}
		if p[1] > 1 {
			levels = append(levels, [2]int64{step, p[1]})
		}
	}
	if l.onChip() {
		pitch := l.rowBytes() / a.size
		row := floorDiv(off, pitch)
		g.from = row*rowStep + (off-row*pitch)*a.size
	} else {
		g.from = off * a.size
	}
	if l.Allocated {
		g.space, g.from = l.memory(), g.from+l.Base*rowStep+l.Addr
		if l.Type == "PSUM" {
			g.from += l.Bank * bankBytes
		}
		if l.memory() == "DRAM" {
			g.space = l.set.space()
			g.from -= l.Base * rowStep
		}
	}
	g.join(levels)
	return g
}

// join stores the levels in their shortest form.
func (g *ground) join(levels [][2]int64) {
	for i := len(levels) - 1; i >= 0; i-- {
		l := levels[i]
		n := len(g.levels)
		switch {
		case n == 0 && l[0] == g.run:
			g.run *= l[1]
		case n > 0 && l[0] == g.levels[n-1][0]*g.levels[n-1][1]:
			g.levels[n-1][1] *= l[1]
		default:
			g.levels = append(g.levels, l)
		}
	}
	slices.Reverse(g.levels)
}

func (g *ground) equal(o *ground) bool {
	return g.from == o.from && g.run == o.run && g.size == o.size && slices.Equal(g.levels, o.levels)
}

// maxRuns bounds the runs that are laid side by side; of larger grounds only the ends are compared [ours].
const maxRuns = 1 << 20

// meets tells whether two grounds of one space have a byte in common.
func (g *ground) meets(o *ground) bool {
	glo, ghi := g.ends()
	olo, ohi := o.ends()
	if ghi <= olo || ohi <= glo {
		return false
	}
	if min(g.count(), o.count()) > maxRuns {
		return true
	}
	a, b := g, o
	if a.count() > b.count() {
		a, b = b, a
	}
	runs := a.runs()
	return b.any(b.levels, b.from, func(lo int64) bool {
		i, _ := slices.BinarySearchFunc(runs, lo-a.run+1, cmp.Compare[int64]) // the first run that ends behind lo
		return i < len(runs) && runs[i] < lo+b.run
	})
}

func (g *ground) ends() (lo, hi int64) {
	hi = g.from + g.run
	for _, l := range g.levels {
		hi += l[0] * (l[1] - 1)
	}
	return g.from, hi
}

func (g *ground) count() int64 {
	n := int64(1)
	for _, l := range g.levels {
		n *= l[1]
	}
	return n
}

// runs returns where the runs start, ascending.
func (g *ground) runs() []int64 {
	out := make([]int64, 0, g.count())
	g.any(g.levels, g.from, func(at int64) bool {
		out = append(out, at)
		return false
	})
	slices.Sort(out)
	return out
}

// any tells whether f holds of the start of some run.
func (g *ground) any(levels [][2]int64, at int64, f func(int64) bool) bool {
	if len(levels) == 0 {
		return f(at)
	}
	for i := range levels[0][1] {
		if g.any(levels[1:], at+i*levels[0][0], f) {
			return true
		}
	}
	return false
}
