package passes

import (
	"fmt"
	"time"

	"birfuzz/ir"
)

// Ctx is what one execution of a pass sees: the program, and the question it must ask before every rewrite.
type Ctx struct {
	pass     *Pass
	edit     *ir.Edit
	fuel     int                      // rewrites still granted; negative: no limit
	refuse   func(*Rule, string) bool // Options.Refuse
	timeout  time.Duration
	tally    []Count
	events   []Event
	granted  int
	dropped  ir.Facts
	declined string
}

// Program returns the program as it is now.
func (c *Ctx) Program() *ir.Program { return c.edit.Program() }

// Edit returns the only way to change the program.
func (c *Ctx) Edit() *ir.Edit { return c.edit }

// Knob returns the value of one of the pass's knobs.
func (c *Ctx) Knob(name string) int64 {
	for i := range c.pass.Knobs {
		if c.pass.Knobs[i].Name == name {
			return c.pass.Knobs[i].Value
		}
	}
	panic(fmt.Sprintf("knob %s is none of pass %s", name, c.pass.Name))
}

// Allow asks whether the rewrite of kind r at instruction at (nil: the whole program) may be made, and counts it. A pass that gets false
// leaves the place as it is. r must be one of the pass's rules. Asked again under the same names, the answer is the same while fuel lasts.
func (c *Ctx) Allow(r *Rule, at *ir.Inst) bool { return c.allow(r, at, instName(at)) }

// AllowLoc is Allow for a rewrite that is made to a location rather than at an instruction.
func (c *Ctx) AllowLoc(r *Rule, l *ir.Loc) bool { return c.allow(r, nil, l.Name) }

func (c *Ctx) allow(r *Rule, at *ir.Inst, place string) bool {
	if why := c.against(r, place); why != "" {
		c.Refuse(r, at, why)
		if r.Must {
			c.Decline(r.Name + " is " + why)
		}
		return false
	}
	n := c.count(r)
	n.Considered++
	n.Fired++
	c.granted++
	if c.fuel > 0 {
		c.fuel--
	}
	c.events = append(c.events, Event{Rule: r, Inst: place})
	return true
}

// against says what beside the pass's own guards forbids a rewrite, "" if nothing does: fuel, who runs the pass, chaos by the place's name.
func (c *Ctx) against(r *Rule, place string) string {
	switch {
	case c.fuel == 0:
		return OutOfFuel
	case c.refuse != nil && c.refuse(r, place):
		return SwitchedOff
	case c.pass.Chaos != 0 && !r.Must && chaosRefuses(c.pass.Chaos, r, place):
		return RefusedByChaos
	}
	return ""
}

// Refuse counts a rewrite that the pass's own guard forbids, and why. why should be one of few constant texts: it is a key of statistics.
func (c *Ctx) Refuse(r *Rule, _ *ir.Inst, why string) {
	n := c.count(r)
	n.Considered++
	n.Refused++
	for i := range n.Why {
		if n.Why[i].Why == why {
			n.Why[i].N++
			return
		}
	}
	n.Why = append(n.Why, Reason{why, 1})
}

// Decline says that the pass does not do its work on this program, and why: its Contract's facts are not given.
func (c *Ctx) Decline(why string) {
	if c.declined == "" {
		c.declined = why
	}
}

// Drop withdraws facts that what the pass did to this program no longer upholds, beyond what its Contract always drops.
func (c *Ctx) Drop(f ir.Facts) { c.dropped |= f }

// Logf records a line, the event text of the vendor's log where there is one.
func (c *Ctx) Logf(format string, args ...any) {
	c.events = append(c.events, Event{Text: fmt.Sprintf(format, args...)})
}

func (c *Ctx) count(r *Rule) *Count {
	for i := range c.tally {
		if c.tally[i].Rule == r {
			return &c.tally[i]
		}
	}
	panic(fmt.Sprintf("rule %s is none of pass %s", r.Name, c.pass.Name))
}
