package oracle

import (
	"cmp"
	"fmt"
	"slices"

	"birfuzz/ir"
)

// sorter is the scratch memory of the comparisons that sort or count.
type sorter struct {
	a, b   []touch
	fa, fb []int32
	pairs  pairing
	idMap  [2][ir.NumSemaphores]int16 // semaphores of before to those of after, and back; 0: not met, else the id + 1
}

// text names a fence event for a reader.
func (e *fenceEvent) text(moment int) string {
	if e.name == "" {
		return fmt.Sprintf("the end of core %d", e.core)
	}
	return fmt.Sprintf("fence %s (%s, number %d)", e.name, e.kind, moment)
}

// fenceDeviation compares the executed fences of every core (semantics §3.4), once.
func (c *comparison) fenceDeviation() *flaw {
	if !c.fenced {
		c.fenced = true
		if c.sorter == nil {
			c.sorter = &sorter{}
		}
		c.sorter.idMap = [2][ir.NumSemaphores]int16{}
		c.fences = c.compareFences()
	}
	return c.fences
}

func (c *comparison) compareFences() *flaw {
	a, b := c.before, c.after
	cores := int32(-1)
	for _, o := range [2]*outcome{a, b} {
		for i := range o.fences {
			cores = max(cores, o.fences[i].core)
		}
	}
	for core := int32(0); core <= cores; core++ {
		c.sorter.fa, c.sorter.fb = fencesOf(a, core, c.sorter.fa), fencesOf(b, core, c.sorter.fb)
		if d := c.compareCore(core); d != nil {
			return d
		}
	}
	return nil
}

// fencesOf lists the indices of the fences of one core.
func fencesOf(o *outcome, core int32, list []int32) []int32 {
	list = list[:0]
	for i := range o.fences {
		if o.fences[i].core == core {
			list = append(list, int32(i))
		}
	}
	return list
}

// compareCore compares the fences of one core. Where after came to a fault or a limit, it has to agree up to there, and with the fence at
// which it stopped.
func (c *comparison) compareCore(core int32) *flaw {
	fa, fb, b := c.sorter.fa, c.sorter.fb, c.after
	for i := range min(len(fa), len(fb)) {
		x, y := &c.before.fences[fa[i]], &b.fences[fb[i]]
		c.shuffled = c.shuffled || x.moment != y.moment
		if !c.sameFence(x, y) {
			return fencesFlaw(core, i, x, y, fmt.Sprintf("core %d passes %s where it passed %s before", core, y.text(i), x.text(i)))
		}
	}
	switch {
	case len(fb) > len(fa):
		y := &b.fences[fb[len(fa)]]
		return fencesFlaw(core, len(fa), nil, y, fmt.Sprintf("core %d passes %s more than before", core, y.text(len(fa))))
	case b.faulted || b.limited:
		if x := len(fb); b.stop.kind != "" && b.stop.core == core && x < len(fa) && !c.sameFence(&c.before.fences[fa[x]], &b.stop) {
			was := &c.before.fences[fa[x]]
			return fencesFlaw(core, x, was, &b.stop,
				fmt.Sprintf("core %d stands at %s where it passed %s before (%s)", core, b.stop.text(x), was.text(x), b.fault.Error()))
		}
	case len(fb) < len(fa):
		x := &c.before.fences[fa[len(fb)]]
		return fencesFlaw(core, len(fb), x, nil, fmt.Sprintf("core %d no longer passes %s", core, x.text(len(fb))))
	}
	return nil
}

// fencesFlaw is a flaw at fence number n of a core; nil stands for no fence.
func fencesFlaw(core int32, n int, before, after *fenceEvent, detail string) *flaw {
	p := &FencePair{Core: int(core), Number: n}
	if before != nil {
		p.Before = before.text(n)
	}
	if after != nil {
		p.After = after.text(n)
	}
	return &flaw{detail, &Witness{Fence: p}}
}

// sameFence tells whether two executed fences agree: opcode, engine, cores and, until semaphores order the program, sync_info up to one
// renumbering of the module.
func (c *comparison) sameFence(x, y *fenceEvent) bool {
	if x.key != y.key || x.engine != y.engine && x.engine != uint8(ir.Unassigned) && y.engine != uint8(ir.Unassigned) {
		return false
	}
	if c.before.lens.coresOnly {
		return true
	}
	if x.waits != y.waits || x.hi-x.lo != y.hi-y.lo {
		return false
	}
	for k := range x.hi - x.lo {
		s, t := syncOf(c.before, x, k), syncOf(c.after, y, k)
		if s.value != t.value || !c.sameID(s.id, t.id) {
			return false
		}
	}
	return true
}

// syncOf returns a wait or update of a fence.
func syncOf(o *outcome, e *fenceEvent, k int32) syncEvent { return o.syncs[e.lo+k] }

// sameID tells whether semaphore a of before may be semaphore b of after: whoever met one of them met the other.
func (c *comparison) sameID(a, b int64) bool {
	if min(a, b) < 0 || max(a, b) >= ir.NumSemaphores {
		return a == b
	}
	m := &c.sorter.idMap
	if m[0][a] == 0 && m[1][b] == 0 {
		m[0][a], m[1][b] = int16(b+1), int16(a+1)
	}
	return m[0][a] == int16(b+1)
}

// crossing finds an access to visible memory that stands on the other side of a fence than before.
func (c *comparison) crossing() *flaw {
	s := c.sorter
	a, b := unlike(c.before.touches, c.after.touches)
	s.a, s.b = surplus(append(s.a[:0], a...), append(s.b[:0], b...))
	for i := range s.b {
		y := &s.b[i]
		for j := range s.a {
			if x := &s.a[j]; x.core == y.core && x.key == y.key && x.write == y.write {
				return c.crossed(x, y)
			}
		}
	}
	return nil
}

// crossed describes an access that moved.
func (c *comparison) crossed(x, y *touch) *flaw {
	verb := "reads"
	if y.write {
		verb = "writes"
	}
	n, side := x.interval, "behind"
	if y.interval < x.interval {
		n, side = y.interval, "in front of"
	}
	fence, pair := "a fence", &FencePair{Core: int(x.core), Number: int(n)}
	if list := fencesOf(c.before, x.core, c.sorter.fa); int(n) < len(list) {
		fence = c.before.fences[list[n]].text(int(n))
		pair.Before = fence
	}
	w := &Witness{Fence: pair, Parties: []Party{{Core: int(y.core), Inst: y.inst, Access: fmt.Sprintf("%s %s %s it", verb, y.loc, side)}}}
	return &flaw{fmt.Sprintf("%s %s %s now %s %s; before, %s did on the other side", y.inst, verb, y.loc, side, fence, x.inst), w}
}

// unlike leaves out how two lists of touches begin and end alike: a step seldom moves more than a few.
func unlike(a, b []touch) ([]touch, []touch) {
	for len(a) > 0 && len(b) > 0 && a[0].like(&b[0]) {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1].like(&b[len(b)-1]) {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return a, b
}

// like tells whether two accesses are the same on the same side of every fence.
func (x *touch) like(y *touch) bool {
	return x.core == y.core && x.interval == y.interval && x.key == y.key && x.write == y.write
}

// surplus sorts two lists of touches and leaves in each what the other does not have.
func surplus(a, b []touch) (onlyA, onlyB []touch) {
	slices.SortFunc(a, compareTouches)
	slices.SortFunc(b, compareTouches)
	na, nb, i, k := 0, 0, 0, 0
	for i < len(a) || k < len(b) {
		order := 0
		switch {
		case i == len(a):
			order = 1
		case k == len(b):
			order = -1
		default:
			order = compareTouches(a[i], b[k])
		}
		switch {
		case order < 0:
			a[na] = a[i]
			na, i = na+1, i+1
		case order > 0:
			b[nb] = b[k]
			nb, k = nb+1, k+1
		default:
			i, k = i+1, k+1
		}
	}
	return a[:na], b[:nb]
}

func compareTouches(x, y touch) int {
	if c := cmp.Compare(x.core, y.core); c != 0 {
		return c
	}
	if c := cmp.Compare(x.interval, y.interval); c != 0 {
		return c
	}
	if c := cmp.Compare(x.key, y.key); c != 0 {
		return c
	}
	switch {
	case x.write == y.write:
		return 0
	case y.write:
		return -1
	default:
		return 1
	}
}

// checkFences: the same fences in the same order, no access to visible memory on the other side of one, and no news let in earlier or later.
func checkFences(c *comparison) *flaw {
	if d := c.fenceDeviation(); d != nil {
		return d
	}
	if d := c.crossing(); d != nil {
		if c.after.faulted {
			d.detail += " (" + c.after.fault.Error() + ")"
		}
		return d
	}
	if c.after.faulted || c.plain == nil || c.contract.Arithmetic {
		return nil
	}
	return c.lateNews()
}

// lateNews finds a byte whose origin differs in nothing but how many fences had been passed when Shared memory was read.
func (c *comparison) lateNews() *flaw {
	return c.eachShot(true, true, func(in *shotPair) *flaw {
		p, q := shotLike(c.before, c.plain.before, in.a, in.at.before), shotLike(c.after, c.plain.after, in.b, in.at.after)
		if p == nil || q == nil {
			return nil
		}
		x, y := c.before.unitsOf(in.a), c.after.unitsOf(in.b)
		px, py := c.plain.before.unitsOf(p), c.plain.after.unitsOf(q)
		for i := range min(len(x), len(y), len(px), len(py)) {
			if x[i] != y[i] && px[i] == py[i] && tells(x[i]) && tells(y[i]) {
				u := unitPair{a: x[i], b: y[i], c: c, in: in, at: i * c.before.lens.unit}
				return u.flaw("comes from Shared memory read on the other side of a fence")
			}
		}
		return nil
	})
}

// shotLike returns the shot of the plain run that shows, at that moment, what s shows in the full one.
func shotLike(full, plain *outcome, s *shot, moment int32) *shot {
	name := full.visible[s.vis].name
	if moment < 0 {
		return plain.finalOf(name)
	}
	var last *shot
	for i := range plain.final {
		if t := &plain.shots[i]; plain.visible[t.vis].name == name && t.moment <= moment {
			last = t
		}
	}
	return last
}
