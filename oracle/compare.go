package oracle

import (
	"fmt"

	"birfuzz/ir"
)

// comparison is two runs on the same inputs, one of the program before the pass and one of the program after it. Both are of element grain
// when a check looks at them.
type comparison struct {
	before, after *outcome
	plain         *comparison // the same with reads of Shared memory that do not count fences; nil where that cannot matter
	contract      ir.Contract
	text          func() string // says which run this was, for details; nil: the only one
	sorter        *sorter
	atEnd         bool   // only what the program leaves is compared: in which order cores publish is open
	fences        string // the deviation of the fences
	fenced        bool   // fences is set
}

// agree tells whether two outcomes of cell grain, seen through one lens, leave no question: nothing is different and nothing is in doubt.
func (c *comparison) agree() bool {
	a, b := c.before, c.after
	switch {
	case a.faulted || b.faulted || a.limited || b.limited || a.unsure != "" || b.unsure != "":
		return false
	case len(a.shots) != len(b.shots) || a.final != b.final || len(a.visible) != len(b.visible):
		return false
	case c.fenceDeviation() != "" || c.crossing() != "" || !usesWithin(a, b):
		return false
	}
	for i := range a.visible {
		if a.visible[i].name != b.visible[i].name || a.visible[i].size != b.visible[i].size {
			return false
		}
	}
	for i := range a.shots {
		s, t := &a.shots[i], &b.shots[i]
		if s.moment != t.moment || s.vis != t.vis || s.state != t.state || s.value != t.value || s.origin != t.origin && !c.contract.Arithmetic {
			return false
		}
	}
	return true
}

// ask asks the checks of a set.
func (c *comparison) ask(set CheckSet, j *judgement) {
	for i := range checks {
		if checks[i].run == nil || !set.has(i) {
			continue
		}
		if d := checks[i].run(c); d != "" {
			if c.text != nil {
				d += "\n  " + c.text()
			}
			j.fail(checks[i].Name, d)
			j.failed[len(j.failed)-1].Witness = c.witness(checks[i].Name)
		}
	}
}

func checkDeadlock(c *comparison) string { return c.faultOf(DeadlockFault) }

func checkRace(c *comparison) string { return c.faultOf(RaceFault) }

// faultOf describes the fault of after if it is of the kind. Where a fence was lost or crossed on the way, that is the finding, not what came
// of it.
func (c *comparison) faultOf(kind FaultKind) string {
	if !c.after.faulted || c.after.fault.Kind != kind || c.fenceDeviation() != "" || c.crossing() != "" {
		return ""
	}
	return c.after.fault.Error()
}

func checkAccumulation(c *comparison) string {
	u := splitBag(c.before, c.after)
	if u == nil {
		return ""
	}
	return fmt.Sprintf("%s uses an accumulation of %d members that were never used together on that base before", u.where, c.after.used.size(u))
}

// checkUndefined: no fault, and no poison where there was none.
func checkUndefined(c *comparison) string {
	if f := &c.after.fault; c.after.faulted {
		if f.Kind == DeadlockFault || f.Kind == RaceFault {
			return ""
		}
		return f.Error()
	}
	return c.firstUnit(true, true, func(u *unitPair) string {
		if u.a != poisonOrigin && u.b == poisonOrigin {
			return u.place() + " is undefined, and was defined before"
		}
		return ""
	})
}

func checkProvenance(c *comparison) string {
	if c.contract.Arithmetic {
		return ""
	}
	if c.plain != nil {
		c = c.plain
	}
	return c.firstUnit(true, true, func(u *unitPair) string {
		if u.a != poisonOrigin && u.b != poisonOrigin && u.a != u.b {
			return fmt.Sprintf("%s has another origin than before: %s now, %s before", u.place(), kindText(u.b), kindText(u.a))
		}
		return ""
	})
}

func kindText(h uint64) string {
	return [...]string{"poison", "a constant", "a computed value", "a moved input"}[h&kindMask]
}

// unitPair is one unit of visible memory whose origin is not the same in both runs, at one moment.
type unitPair struct {
	a, b uint64 // origins
	name string
	at   int           // byte in the location
	when func() string // the moment
}

func (u *unitPair) place() string {
	return fmt.Sprintf("byte %d of %s%s", u.at, u.name, u.when())
}

// firstUnit returns the first answer of f that is not empty, over the units that differ, of visible memory at publishing fences (if asked) and of the
// outputs at the end (if asked).
func (c *comparison) firstUnit(fences, end bool, f func(*unitPair) string) string {
	return c.eachShot(fences, end, func(a, b *shot) string {
		x, y := c.before.unitsOf(a), c.after.unitsOf(b)
		for i := range min(len(x), len(y)) {
			if x[i] == y[i] {
				continue
			}
			u := unitPair{a: x[i], b: y[i], name: c.before.visible[a.vis].name, at: i * c.before.lens.unit, when: func() string { return c.momentText(a, b) }}
			if d := f(&u); d != "" {
				return d
			}
		}
		return ""
	})
}

// momentText names the fence at which two shots are compared.
func (c *comparison) momentText(a, b *shot) string {
	if int(max(a.moment, b.moment)) < 0 || c.isFinal(a) {
		return ""
	}
	o, s := c.before, a
	if b.moment > a.moment {
		o, s = c.after, b
	}
	if s.fence < 0 || int(s.fence) >= len(o.fences) {
		return ""
	}
	return " at " + o.fences[s.fence].text(int(s.moment))
}

func (c *comparison) isFinal(a *shot) bool {
	i := c.before.indexOf(a)
	return i >= c.before.final
}

// indexOf returns the index of a shot of this outcome, −1 if it is none.
func (o *outcome) indexOf(s *shot) int {
	for i := range o.shots {
		if &o.shots[i] == s {
			return i
		}
	}
	return -1
}

// eachShot pairs the contents of visible locations at every moment at which either run saw a change, and at the end. It stops at the first
// answer that is not empty.
func (c *comparison) eachShot(fences, end bool, f func(a, b *shot) string) string {
	if fences && !c.atEnd && !c.after.faulted && c.fenceDeviation() == "" {
		if d := c.eachPublished(f); d != "" {
			return d
		}
	}
	if !end || c.after.faulted {
		return ""
	}
	for i := c.before.final; i < len(c.before.shots); i++ {
		a := &c.before.shots[i]
		if b := c.after.finalOf(c.before.visible[a.vis].name); b != nil {
			if d := f(a, b); d != "" {
				return d
			}
		}
	}
	return ""
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

// eachPublished pairs the contents at publishing fences.
func (c *comparison) eachPublished(f func(a, b *shot) string) string {
	a, b := c.before, c.after
	now := make(map[string][2]*shot, len(a.visible))
	for i, k := 0, 0; i < a.final || k < b.final; {
		var name string
		switch {
		case k >= b.final || i < a.final && a.shots[i].moment <= b.shots[k].moment:
			name = a.visible[a.shots[i].vis].name
			now[name] = [2]*shot{&a.shots[i], now[name][1]}
			i++
		default:
			name = b.visible[b.shots[k].vis].name
			now[name] = [2]*shot{now[name][0], &b.shots[k]}
			k++
		}
		p := now[name]
		if p[0] == nil || p[1] == nil || sameMomentFollows(a, i, b, k, name, p) {
			continue
		}
		if d := f(p[0], p[1]); d != "" {
			return d
		}
	}
	return ""
}

// sameMomentFollows tells whether the other run's shot of the same moment and location is still to come.
func sameMomentFollows(a *outcome, i int, b *outcome, k int, name string, p [2]*shot) bool {
	moment := max(p[0].moment, p[1].moment)
	for ; i < a.final && a.shots[i].moment <= moment; i++ {
		if a.visible[a.shots[i].vis].name == name {
			return true
		}
	}
	for ; k < b.final && b.shots[k].moment <= moment; k++ {
		if b.visible[b.shots[k].vis].name == name {
			return true
		}
	}
	return false
}
