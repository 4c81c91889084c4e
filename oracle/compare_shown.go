package oracle

import (
	"cmp"
	"slices"
)

// moments are one publishing fence in both runs: how many others were passed before it.
type moments struct{ before, after int32 }

// atTheEnd is behind all fences.
var atTheEnd = moments{-1, -1}

// shotPair is what both runs showed of a visible location at one fence, or at the end.
type shotPair struct {
	a, b *shot // of before and after
	at   moments
}

// eachShot pairs the contents of visible locations at every fence at which either run saw a change, and at the end. It stops at the first answer that
// is not nil.
func (c *comparison) eachShot(fences, end bool, f func(*shotPair) *flaw) *flaw {
	if fences && !c.after.faulted && c.fenceDeviation() == nil {
		shown := c.published()
		for i := range shown {
			if d := f(&shown[i]); d != nil {
				return d
			}
		}
	}
	if !end || c.after.faulted {
		return nil
	}
	for i := c.before.final; i < len(c.before.shots); i++ {
		a := &c.before.shots[i]
		if b := c.after.finalOf(c.before.visible[a.vis].name); b != nil {
			c.last = shotPair{a, b, atTheEnd}
			if d := f(&c.last); d != nil {
				return d
			}
		}
	}
	return nil
}

// finalOf returns what an output held at the end, nil where the program has no such output.
func (o *outcome) finalOf(name string) *shot {
	for i := o.final; i < len(o.shots); i++ {
		if o.visible[o.shots[i].vis].name == name {
			return &o.shots[i]
		}
	}
	return nil
}

// pairing is the scratch memory of published.
type pairing struct {
	shown [2][]shotPair // as seen, and without counting fences
	met   []moments
	a, b  shotLists
	last  []shotPair // by location of before
}

// published pairs the contents at publishing fences, in the order of before, those of a location that are paired already left out.
func (c *comparison) published() []shotPair {
	if c.paired {
		return c.shown
	}
	p := &c.sorter.pairs
	p.met = c.meetings(p.met[:0])
	p.a.fill(c.before)
	p.b.fill(c.after)
	p.last = resize(p.last, len(c.before.visible))
	clear(p.last)
	keep := &p.shown[0]
	if c.before.lens.noNews {
		keep = &p.shown[1]
	}
	*keep = (*keep)[:0]
	for _, at := range p.met {
		k := 0
		for i := range c.before.visible { // both are in name order
			for k < len(c.after.visible) && c.after.visible[k].name < c.before.visible[i].name {
				k++
			}
			if k == len(c.after.visible) || c.after.visible[k].name != c.before.visible[i].name {
				continue
			}
			x := shotPair{p.a.latest(i, at.before), p.b.latest(k, at.after), at}
			if x.a != nil && x.b != nil && (x.a != p.last[i].a || x.b != p.last[i].b) {
				*keep, p.last[i] = append(*keep, x), x
			}
		}
	}
	c.shown, c.paired = *keep, true
	return c.shown
}

// meetings pairs the publishing fences, which agree, core by core: groups of cores that have nothing to do with each other meet in any order, so who
// was first is no part of the meaning.
func (c *comparison) meetings(all []moments) []moments {
	a, b, s := c.before, c.after, c.sorter
	for core := int32(0); ; core++ {
		s.fa, s.fb = fencesOf(a, core, s.fa), fencesOf(b, core, s.fb)
		if len(s.fa) == 0 { // every core comes to its end
			break
		}
		for i := range min(len(s.fa), len(s.fb)) {
			if x, y := &a.fences[s.fa[i]], &b.fences[s.fb[i]]; x.publishes && y.publishes {
				all = append(all, moments{x.moment, y.moment})
			}
		}
	}
	slices.SortFunc(all, func(x, y moments) int { return cmp.Compare(x.before, y.before) })
	return all
}

// shotLists are the shots of a run at fences by visible location, each list in the order of moments.
type shotLists struct {
	end  []int // by location, in list
	list []*shot
}

// fill lists the shots of a run.
func (s *shotLists) fill(o *outcome) {
	s.end, s.list = resize(s.end, len(o.visible)), s.list[:0]
	clear(s.end)
	for i := range o.final {
		s.list = append(s.list, &o.shots[i])
		s.end[o.shots[i].vis]++
	}
	for v := 1; v < len(s.end); v++ {
		s.end[v] += s.end[v-1]
	}
	slices.SortFunc(s.list, func(x, y *shot) int { return cmp.Or(cmp.Compare(x.vis, y.vis), cmp.Compare(x.moment, y.moment)) })
}

// latest returns the last shot of a location that was there at a moment; nil if none was.
func (s *shotLists) latest(v int, moment int32) *shot {
	list := s.list[:s.end[v]]
	if v > 0 {
		list = list[s.end[v-1]:]
	}
	n, _ := slices.BinarySearchFunc(list, moment+1, func(x *shot, m int32) int { return cmp.Compare(x.moment, m) })
	if n == 0 {
		return nil
	}
	return list[n-1]
}

// sameShots tells whether all that both runs showed hashes alike; their fences agree.
func (c *comparison) sameShots() bool {
	a, b := c.before, c.after
	for i := range a.visible {
		if a.visible[i].name != b.visible[i].name || a.visible[i].size != b.visible[i].size {
			return false
		}
	}
	first := 0
	if c.shuffled {
		first = a.final
		for i := range c.published() {
			if p := &c.shown[i]; !c.alike(p.a, p.b) {
				return false
			}
		}
	} else if a.final != b.final {
		return false
	}
	for i := first; i < len(a.shots); i++ {
		s, t := &a.shots[i], &b.shots[i-a.final+b.final]
		if s.moment != t.moment && i < a.final || s.vis != t.vis || !c.alike(s, t) {
			return false
		}
	}
	return true
}

// alike tells whether two shots of a location have the same hashes.
func (c *comparison) alike(s, t *shot) bool {
	return s.state == t.state && s.value == t.value && (s.origin == t.origin || c.contract.Arithmetic)
}

// momentText names the fence at which two shots are compared; empty: the end.
func (c *comparison) momentText(p *shotPair) string {
	for i := range c.before.fences {
		if e := &c.before.fences[i]; e.publishes && e.moment == p.at.before {
			return " at " + e.text(int(e.moment))
		}
	}
	return ""
}
