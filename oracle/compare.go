package oracle

import (
	"fmt"
	"strings"

	"birfuzz/ir"
	"birfuzz/ir/num"
)

// comparison is two runs on the same inputs, one of the program before the pass and one of the program after it. Both are of element grain
// when a check looks at them.
type comparison struct {
	before, after *outcome
	// The same with reads of Shared memory that do not count fences; nil where that cannot matter. It never does where the origins that count
	// them are equal, for they tell all that the others tell, and both who ask look for origins that are not.
	plain    *comparison
	contract ir.Contract
	exact    func() bool   // tells whether no addition rounded in either run; asked only where a sum may be folded in another order
	text     func() string // says which run this was, for details; nil: the only one
	sorter   *sorter
	fences   *flaw      // the deviation of the fences
	fenced   bool       // fences is set
	shuffled bool       // the runs passed the fences of several cores in another order
	shown    []shotPair // see published
	paired   bool       // shown is set
	last     shotPair   // see eachShot
}

// agree tells whether two outcomes of cell grain, seen through one lens, leave no question: nothing is different and nothing is in doubt.
func (c *comparison) agree() bool {
	a, b := c.before, c.after
	switch {
	case a.faulted || b.faulted || a.limited || b.limited || a.unsure != "" || b.unsure != "":
		return false
	case len(a.shots)-a.final != len(b.shots)-b.final || len(a.visible) != len(b.visible):
		return false
	case c.fenceDeviation() != nil || c.crossing() != nil || !usesWithin(a, b):
		return false
	}
	for i := range a.visible {
		if a.visible[i].name != b.visible[i].name || a.visible[i].size != b.visible[i].size {
			return false
		}
	}
	return c.sameShots()
}

// ask asks the checks of a set.
func (c *comparison) ask(set CheckSet, j *judgement) {
	for i := range checks {
		if checks[i].run == nil || !set.has(i) {
			continue
		}
		if d := checks[i].run(c); d != nil {
			if c.text != nil {
				d.detail += "\n  " + c.text()
			}
			j.fail(checks[i].Name, d)
		}
	}
}

func checkDeadlock(c *comparison) *flaw { return c.faultOf(DeadlockFault) }

func checkRace(c *comparison) *flaw { return c.faultOf(RaceFault) }

// faultOf describes the fault of after if it is of the kind. Where a fence was lost or crossed on the way, that is the finding, not what came
// of it.
func (c *comparison) faultOf(kind FaultKind) *flaw {
	if !c.after.faulted || c.after.fault.Kind != kind || c.fenceDeviation() != nil || c.crossing() != nil {
		return nil
	}
	return c.after.fault.flaw()
}

// checkAccumulation: no sum is used in part, and none leaves its group's states (semantics §4).
func checkAccumulation(c *comparison) *flaw {
	if c.after.faulted && c.after.fault.Kind == GroupFault {
		return c.after.fault.flaw()
	}
	u := c.splitBag()
	if u == nil {
		return nil
	}
	return &flaw{fmt.Sprintf("%s uses an accumulation of %d members that were never used together on that base before", u.where, c.after.used.size(u)),
		&Witness{Parties: []Party{{Inst: u.where}}}}
}

// checkUndefined: no fault, and no poison where there was none.
func checkUndefined(c *comparison) *flaw {
	if f := &c.after.fault; c.after.faulted {
		if f.Kind == DeadlockFault || f.Kind == RaceFault {
			return nil
		}
		return f.flaw()
	}
	return c.firstUnit(true, true, func(u *unitPair) *flaw {
		if u.a != poisonOrigin && u.b == poisonOrigin {
			return u.flaw("is undefined, and was defined before")
		}
		return nil
	})
}

func checkProvenance(c *comparison) *flaw {
	if c.contract.Arithmetic {
		return nil
	}
	if c.plain != nil {
		c = c.plain
	}
	return c.firstUnit(true, true, func(u *unitPair) *flaw {
		if u.a != poisonOrigin && u.b != poisonOrigin && u.a != u.b {
			return u.flaw(originText(u.a, u.b))
		}
		return nil
	})
}

func kindText(h uint64) string {
	return [...]string{"poison", "a constant", "a computed value", "a moved input"}[h&kindMask]
}

// originText says how two origins, of before and of now, differ: by what kind of history they have, where that differs.
func originText(a, b uint64) string {
	now, then := kindText(b), kindText(a)
	if now == then {
		return fmt.Sprintf("has another origin than before (%s both times)", now)
	}
	return fmt.Sprintf("has another origin than before: %s now, %s before", now, then)
}

// unitPair is one unit of visible memory whose origin is not the same in both runs, at one moment.
type unitPair struct {
	a, b uint64 // origins
	c    *comparison
	in   *shotPair
	at   int // byte in the location
}

// flaw says what is wrong with the unit.
func (u *unitPair) flaw(what string) *flaw {
	p := u.c.place(u.in, u.at)
	return &flaw{fmt.Sprintf("byte %d of %s%s %s", u.at, p.Location, u.c.momentText(u.in), what), &Witness{Place: p}}
}

// place returns a byte of visible memory, of which two shots were taken, and the element that holds it.
func (c *comparison) place(in *shotPair, at int) *Place {
	v := &c.before.visible[in.a.vis]
	d := ir.DType(v.dtype)
	size := max(d.Size(), 1)
	p := &Place{Core: -1, Location: v.name, Byte: int64(at / size * size), Bytes: int64(size), Element: int64(at / size), DType: d.String(), seen: in.at}
	p.When = strings.TrimPrefix(c.momentText(in), " at ")
	p.Then, p.Now = c.before.elementText(in.a, int(p.Byte), d), c.after.elementText(in.b, int(p.Byte), d)
	return p
}

// elementText is the element at a byte of a shot.
func (o *outcome) elementText(s *shot, at int, d ir.DType) string {
	data, size := o.data(s), d.Size()
	switch {
	case size == 0 || at+size > len(data):
		return ""
	case undefinedIn(o.unitsOf(s)[at/o.lens.unit:], max(size/o.lens.unit, 1)):
		return "undefined"
	}
	return numberText(num.Load(data[at:], d), d)
}

// firstUnit returns the first answer of f that is not nil, over the units that differ and are not open, of visible memory at publishing fences (if
// asked) and of the outputs at the end (if asked).
func (c *comparison) firstUnit(fences, end bool, f func(*unitPair) *flaw) *flaw {
	return c.eachShot(fences, end, func(p *shotPair) *flaw {
		x, y := c.before.unitsOf(p.a), c.after.unitsOf(p.b)
		for i := range min(len(x), len(y)) {
			if x[i] == y[i] || x[i] == openOrigin || y[i] == openOrigin {
				continue
			}
			u := unitPair{a: x[i], b: y[i], c: c, in: p, at: i * c.before.lens.unit}
			if d := f(&u); d != nil {
				return d
			}
		}
		return nil
	})
}
