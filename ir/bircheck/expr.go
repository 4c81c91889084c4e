package bircheck

import "slices"

// interval is the values that an expression can take, or a superset of them.
type interval struct{ lo, hi float64 }

func (a interval) plus(b interval) interval { return interval{a.lo + b.lo, a.hi + b.hi} }

func (a interval) times(n int64) interval {
	x, y := a.lo*float64(n), a.hi*float64(n)
	return interval{min(x, y), max(x, y)}
}

// maxDepth bounds expressions in one another, and so the recursion here.
const maxDepth = 64

// expr checks an expression and tells whether it may be evaluated.
func (c *checker) expr(e *expr) bool {
	v, ok := c.bounds(e, 0)
	if ok && (v.lo < -maxValue || v.hi > maxValue) {
		c.add("expression", "values from %g to %g, want at most 2^48", v.lo, v.hi)
		return false
	}
	return ok
}

func (c *checker) bounds(e *expr, depth int) (interval, bool) {
	if e == nil || depth > maxDepth {
		c.add("expression", "nothing, or expressions more than 64 deep")
		return interval{}, false
	}
	switch e.Kind {
	case "AffExprKind":
		v := interval{float64(e.C), float64(e.C)}
		return c.sum(v, e.Terms, depth, func(t *expr) (*expr, int64) { return t.Idx, t.Coeff })
	case "SumKind":
		return c.sum(interval{}, e.Terms, depth, func(t *expr) (*expr, int64) { return t, 1 })
	case "MultKind":
		v, ok := c.bounds(e.Var, depth+1)
		return v.times(e.Scale), ok
	case "AffIVKind":
		return c.axis(e.Axis)
	case "FloorDivKind", "ModuloKind":
		return c.quotient(e, depth)
	case "ShardIDKind":
		return interval{0, float64(e.UB - 1)}, c.shard(e.UB)
	}
	c.add("expression", "expression kind %q", e.Kind)
	return interval{}, false
}

func (c *checker) sum(v interval, terms []expr, depth int, part func(*expr) (*expr, int64)) (interval, bool) {
	ok := true
	for i := range terms {
		t, n := part(&terms[i])
		w, good := c.bounds(t, depth+1)
		v, ok = v.plus(w.times(n)), ok && good
	}
	return v, ok
}

func (c *checker) axis(name string) (interval, bool) {
	for _, l := range c.loops {
		if l.Name == name {
			return interval{float64(l.LB), float64(l.last())}, true
		}
	}
	c.add("scope", "axis %q of no loop around it", name)
	return interval{}, false
}

func (c *checker) quotient(e *expr, depth int) (interval, bool) {
	v, ok := c.bounds(e.Numer, depth+1)
	if e.Denom < 1 || e.Denom > maxInt {
		c.add("expression", "denominator %d", e.Denom)
		return v, false
	}
	if e.Kind == "ModuloKind" {
		return interval{0, float64(e.Denom - 1)}, ok
	}
	d := float64(e.Denom)
	return interval{v.lo/d - 1, v.hi / d}, ok
}

// shard checks the bound of a ShardID: the number of cores.
func (c *checker) shard(n int64) bool {
	cores := int64(len(c.module.Functions))
	switch {
	case n < 1 || n > 64:
		c.add("shard", "a ShardID of %d cores, want 1 to 64", n)
		return false
	case cores > 1 && n != cores:
		c.add("shard", "a ShardID of %d cores in a module of %d functions", n, cores)
	case c.shards != 0 && c.shards != n:
		c.add("shard", "a ShardID of %d cores, and of %d elsewhere", n, c.shards)
	case c.facts["Split"]:
		c.add("fact", "a ShardID in a module that is Split")
	}
	c.shards = n
	return true
}

// floorDiv rounds towards minus infinity.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// point is one value for the core; the loops hold those of their axes.
type point struct {
	loops []*loopAxis
	shard int64
}

// value evaluates a sound expression.
func (p *point) value(e *expr) int64 {
	switch e.Kind {
	case "AffExprKind":
		v := e.C
		for i := range e.Terms {
			v += e.Terms[i].Coeff * p.value(e.Terms[i].Idx)
		}
		return v
	case "SumKind":
		v := int64(0)
		for i := range e.Terms {
			v += p.value(&e.Terms[i])
		}
		return v
	case "MultKind":
		return e.Scale * p.value(e.Var)
	case "AffIVKind":
		return p.loops[slices.IndexFunc(p.loops, func(l *loopAxis) bool { return l.Name == e.Axis })].value
	case "FloorDivKind":
		return floorDiv(p.value(e.Numer), e.Denom)
	case "ModuloKind":
		n := p.value(e.Numer)
		return n - e.Denom*floorDiv(n, e.Denom)
	default: // ShardIDKind
		return p.shard
	}
}

// names calls f for every axis of an expression, and with "" for a ShardID.
func (e *expr) names(f func(axis string)) {
	switch {
	case e == nil:
		return
	case e.Kind == "AffIVKind":
		f(e.Axis)
	case e.Kind == "ShardIDKind":
		f("")
	}
	for i := range e.Terms {
		e.Terms[i].names(f)
	}
	e.Idx.names(f)
	e.Numer.names(f)
	e.Var.names(f)
}

// maxPoints bounds the values that are tried of one expression; beyond it each axis takes its ends and its middle only [ours].
const maxPoints = 1 << 18

// each tries every value that the expressions can take together, until f returns false; it tells whether f never did.
func (c *checker) each(es []*expr, f func(p *point) bool) bool {
	p := &point{loops: c.loops}
	var used []*loopAxis
	shards, total := int64(1), int64(1)
	for _, e := range es {
		e.names(func(axis string) {
			if axis == "" {
				shards = max(c.shards, 1)
				return
			}
			i := slices.IndexFunc(c.loops, func(l *loopAxis) bool { return l.Name == axis })
			if i >= 0 && !slices.Contains(used, c.loops[i]) {
				used = append(used, c.loops[i])
				total = min(total*c.loops[i].steps(), maxPoints+1)
			}
		})
	}
	few := total > maxPoints/shards
	if few && !fewEnough(used, shards) {
		c.add("expression", "an offset over %d axes and %d cores, want at most %d ends and middles of axes to try", len(used), shards, maxPoints)
		return false
	}
	for p.shard = 0; p.shard < shards; p.shard++ {
		if !p.every(used, few, f) {
			return false
		}
	}
	return true
}

// fewEnough tells whether the ends and the middle of each axis, for every core, are few enough to try.
func fewEnough(axes []*loopAxis, shards int64) bool {
	n := shards
	for _, l := range axes {
		if n *= min(l.steps(), 3); n > maxPoints {
			return false
		}
	}
	return n <= maxPoints
}

func (p *point) every(used []*loopAxis, few bool, f func(*point) bool) bool {
	if len(used) == 0 {
		return f(p)
	}
	l := used[0]
	n := l.steps()
	try := func(k int64) bool {
		l.value = l.LB + k*l.stride()
		return p.every(used[1:], few, f)
	}
	if few && n > 3 {
		return try(0) && try(n/2) && try(n-1)
	}
	for k := range n {
		if !try(k) {
			return false
		}
	}
	return true
}

func (l *loopAxis) stride() int64 {
	if l.Stride == nil {
		return 1
	}
	return *l.Stride
}

// sound tells whether the loop's numbers may be computed with.
func (l *loopAxis) sound() bool {
	return l.LB >= -maxInt && l.LB <= maxInt && l.UB >= -maxInt && l.UB <= maxInt && l.stride() >= 1 && l.stride() <= maxInt
}

// trips is ceil((ub−lb)/stride), never negative.
func (l *loopAxis) trips() int64 {
	if !l.sound() || l.UB <= l.LB {
		return 0
	}
	return (l.UB - l.LB + l.stride() - 1) / l.stride()
}

// steps is how many values of the axis are tried: the first at least, so that a body that never runs is looked at all the same [ours].
func (l *loopAxis) steps() int64 { return max(l.trips(), 1) }

// last is the last of those values.
func (l *loopAxis) last() int64 {
	if !l.sound() {
		return l.LB
	}
	return l.LB + (l.steps()-1)*l.stride()
}
