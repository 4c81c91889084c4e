package oracle

import (
	"fmt"
	"slices"

	"birfuzz/ir"
)

// maxSlice bounds the instances of a witness's slice, and maxPath those of its path.
const (
	maxSlice = 12
	maxPath  = 64
)

// Explain adds to the failures of a verdict on the step from before to after who made the difference: it runs both programs once more at
// element grain, the way in which the failure showed, and follows the first place that is not as before back through what the program after the
// pass did. inputs are those that the judge was given, c is the pass's contract. It returns the witness of the verdict: that of its class; nil
// where the words say it all.
//
// Instances before and after the pass are matched by what they stand for (ir.Inst.Source and Iter). One that stands for none of before, as all
// do behind an external pass that renames, differs if no instance of before ever made that value.
func Explain(v *Verdict, before, after *ir.Program, c ir.Contract, inputs []ir.Values) *Witness {
	if len(v.Failed) == 0 {
		return nil
	}
	w := v.Failed[0].Witness
	from := v.Failed[0]
	for _, f := range v.Failed { // the class may know no place where another check does: an accumulation, a contract
		if dataChecks[f.Check] && f.Witness != nil && (from.Witness == nil || from.Witness.Place == nil && f.Witness.Place != nil) {
			from = f
		}
	}
	if after == nil || v.way.set >= len(inputs) || !follows(&from) {
		return w
	}
	if w == nil {
		w = &Witness{}
	}
	x := newInquiry(v, before, after, c, inputs[v.way.set], from.Check == provenanceCheck)
	if x == nil {
		return w
	}
	x.answer(w, from.Witness)
	return w
}

// follows tells whether a failure is one that can be followed back: a place, a fault, or a race of cores that ran in order.
func follows(f *Failure) bool {
	switch {
	case f.Witness == nil:
		return false
	case dataChecks[f.Check], f.Check == fencesCheck && f.Witness.Place != nil:
		return true
	}
	return f.Check == raceCheck && len(f.Witness.Parties) == 1
}

// inquiry follows a difference back.
type inquiry struct {
	before, after *retrace
	witness       *Witness
	path          []deed
	numbers       bool // origins agree and numbers do not: numbers are followed
}

// newInquiry runs both programs; nil where that cannot be done.
func newInquiry(v *Verdict, before, after *ir.Program, c ir.Contract, in ir.Values, noNews bool) *inquiry {
	s := session{change: change{before: before, after: after, contract: c}}
	l := s.lensOf()
	l.unit, l.noNews = min(unitOf(before), unitOf(after)), noNews
	w := v.way
	w.down, w.order = false, Schedule{}
	x := &inquiry{before: retraceOf(before, in, w, l)}
	if x.before == nil {
		return nil
	}
	x.after = retraceOf(after, in, v.way, s.added(l))
	if x.after == nil {
		return nil
	}
	return x
}

// answer fills in the witness; seen is that of the check that saw a difference in data.
func (x *inquiry) answer(w, seen *Witness) {
	x.witness = w
	if seen == nil {
		return
	}
	if w.Place == nil {
		w.Place = seen.Place
	}
	switch {
	case seen.Place != nil:
		x.fromPlace(seen.Place)
	case x.after.failed && x.after.out.fault.Kind == RaceFault:
		x.fromRace()
	case x.after.failed:
		x.fromFault()
	case len(seen.Parties) == 1:
		x.fromUse(seen.Parties[0].Inst)
	}
}

// fromUse begins at an instance that used what it should not have, the first one of that name that reads something else than before.
func (x *inquiry) fromUse(name string) {
	for i := range x.after.events {
		w := deed{event: int32(i)}
		if x.after.events[i].c.inst.Name != name {
			continue
		}
		if reads := x.after.allReads(w.event); slices.ContainsFunc(reads, x.readsOther) {
			if next := x.step(w, reads); next.event < 0 {
				return
			}
		}
	}
}

// fromPlace begins at a byte of visible memory.
func (x *inquiry) fromPlace(p *Place) {
	last, was := x.after.lastWriter(p, p.seen.after), x.before.lastWriter(p, p.seen.before)
	if last.event < 0 {
		if was.event >= 0 {
			party := x.before.party(was.event)
			x.witness.Was = &party
		}
		return
	}
	if x.numbers = was.event >= 0 && x.before.origin(was) == x.after.origin(last); !x.differs(last) {
		x.path = []deed{last}
		x.blame(last, "it writes it last, and makes what it made before", was)
		return
	}
	x.follow(last)
}

// fromFault begins at the instance that came to a fault, which wrote nothing.
func (x *inquiry) fromFault() {
	at := int32(len(x.after.events) - 1)
	x.step(deed{event: at}, x.after.allReads(at))
}

// fromRace names who of another core touched the same bytes with nothing between.
func (x *inquiry) fromRace() {
	t := x.after
	last := int32(len(t.events) - 1)
	e := &t.events[last]
	for i := last - 1; i >= 0; i-- {
		u := &t.events[i]
		if u.c.core == e.c.core || t.orderedBefore(u.when, e.c.core) {
			continue
		}
		if p, one, two := u.meets(e, t); p != nil {
			x.witness.Place, x.witness.Mend = p, "a barrier between them"
			x.witness.Parties = []Party{t.instance(u).party(u.c.core, one), t.instance(e).party(e.c.core, two)}
			return
		}
	}
}

// meets returns the first bytes that two instances touch, one of them writing, and what each does there; nil if there are none.
func (e *event) meets(u *event, t *retrace) (p *Place, one, two string) {
	verb := func(writes bool) string {
		if writes {
			return "writes"
		}
		return "reads"
	}
	for i := range e.at {
		for k := range u.at {
			w, v := i < e.c.nout, k < u.c.nout
			if !w && !v || e.at[i].acc.st == nil || e.at[i].acc.st != u.at[k].acc.st {
				continue
			}
			for n := range u.at[k].acc.count() {
				if elem := elementAt(&e.at[i], offsetOf(&u.at[k], n)); elem >= 0 {
					at := t.placeOf(&e.at[i], e.c.core, elem)
					return &at, verb(w), verb(v)
				}
			}
		}
	}
	return nil, "", ""
}

// follow goes from an element that differs to what made it so, until what was read is as before.
func (x *inquiry) follow(w deed) {
	for {
		x.path = append(x.path, w)
		next := x.step(w, x.after.reads(w))
		if next.event < 0 {
			return
		}
		w = next
	}
}

// step looks at what the writer of w read. It returns the first element of it that an instance made otherwise than before; nobody where the
// difference begins here, which is written down.
func (x *inquiry) step(w deed, reads []elemRead) deed {
	why, counterpart := "what it reads is as before", nobody
	if b, ok := x.match(w.event); !ok {
		why = "it was not there before, and what it reads is as before"
	} else if w.event == int32(len(x.after.events)-1) && x.after.failed {
		why = "it runs into a fault here"
	} else {
		counterpart = deed{b, w.elem, w.state}
	}
	found := false
	for _, r := range reads {
		other := x.readsOther(r)
		if !other && !x.numbers {
			continue
		}
		sources := x.after.sources(r)
		for _, from := range sources {
			// Poison that the writer of these bytes did not make is the reader's: it came to them by another location.
			if from.event >= 0 && x.differs(from) && (x.after.value(r) != poisonOrigin || x.after.origin(from) == poisonOrigin) {
				return x.continueAt(w, from)
			}
		}
		if other && !found {
			found = true
			why, counterpart = x.otherRead(r, sources[0])
		}
	}
	x.blame(w, why, counterpart)
	return nobody
}

// continueAt goes on to who wrote what w read; of one that ran into a fault the path begins with it.
func (x *inquiry) continueAt(w, from deed) deed {
	if len(x.path) == 0 {
		x.path = append(x.path, w)
		x.follow(from)
		return nobody
	}
	return from
}

// readsOther tells whether an element that was read has another origin than the instance found there before the pass.
func (x *inquiry) readsOther(r elemRead) bool {
	h := x.after.value(r)
	if b, ok := x.match(r.event); ok {
		now, old := &x.after.events[r.event], &x.before.events[b]
		if r.operand < len(old.in) && len(old.in[r.operand]) == len(now.in[r.operand]) {
			return old.in[r.operand][r.elem] != h
		}
	}
	from := x.after.source(r)
	return h == poisonOrigin || from.event >= 0 && !x.before.made.has(h)
}

// otherRead says what an instance reads in the place of what it read before, where whoever wrote it did as before.
func (x *inquiry) otherRead(r elemRead, from deed) (why string, before deed) {
	e := &x.after.events[r.event]
	what := x.after.placeOf(&e.at[r.operand], e.c.core, r.elem)
	before = nobody
	if b, ok := x.match(r.event); ok && r.operand < len(x.before.events[b].in) && r.elem < len(x.before.events[b].in[r.operand]) {
		was := elemRead{b, r.operand, r.elem}
		before = x.before.source(was)
		old := &x.before.events[b]
		if at := x.before.placeOf(&old.at[r.operand], e.c.core, r.elem); at.Location != what.Location || at.Element != what.Element {
			return fmt.Sprintf("it reads %s, and read %s before", what.short(), at.short()), nobody
		}
	}
	switch h := x.after.value(r); {
	case h != poisonOrigin && from.event < 0:
		return fmt.Sprintf("it reads %s before anybody has written there", what.short()), before
	case h != poisonOrigin:
		return fmt.Sprintf("it reads %s as %s left it, which did as before", what.short(), x.after.party(from.event).text()), before
	case from.event >= 0:
		return fmt.Sprintf("it reads %s, of which %s has taken the bytes for %s", what.short(), x.after.party(from.event).text(), x.after.elementOf(from).Location), before
	}
	if late := x.after.writerOf(offsetOf(&e.at[r.operand], r.elem), int32(len(x.after.events))); late.event >= 0 {
		return fmt.Sprintf("it reads %s, which %s writes only later", what.short(), x.after.party(late.event).text()), before
	}
	return fmt.Sprintf("it reads %s, which nobody writes", what.short()), before
}

// match returns the event before the pass that an event after it stands for.
func (x *inquiry) match(i int32) (int32, bool) {
	e := &x.after.events[i]
	b, ok := x.before.by[x.after.key(e)]
	return b, ok && x.before.events[b].c.spec == e.c.spec
}

// differs tells whether what was written has another origin than before.
func (x *inquiry) differs(w deed) bool {
	h := x.after.origin(w)
	if b, ok := x.match(w.event); ok {
		was := deed{b, w.elem, w.state}
		if len(x.before.list(was)) == len(x.after.list(w)) {
			return x.before.origin(was) != h || x.numbers && x.before.text(was) != x.after.text(w)
		}
	}
	return h == poisonOrigin || !x.before.made.has(h)
}

// blame writes down the culprit, how it got to the place, and out of what it made it; before says who wrote, or what was read, before.
func (x *inquiry) blame(w deed, why string, before deed) {
	c := &Culprit{Party: x.after.party(w.event), Why: why, Place: x.after.elementOf(w)}
	if before.event >= 0 {
		p := x.before.party(before.event)
		if p.Inst != c.Inst || fmt.Sprint(p.Iter) != fmt.Sprint(c.Iter) {
			c.Before = &p
			_, runs := x.after.by[x.before.key(&x.before.events[before.event])]
			c.Gone = !runs
		}
	}
	if b, ok := x.match(w.event); ok {
		was := deed{b, w.elem, w.state}
		if len(x.before.list(was)) == len(x.after.list(w)) {
			c.Place.Then = x.before.text(was)
		}
	}
	x.witness.Culprit = c
	for i := len(x.path) - 1; i >= 0 && len(x.witness.Path) < maxPath; i-- {
		x.witness.Path = append(x.witness.Path, x.after.party(x.path[i].event))
	}
	x.witness.Slice = x.after.slice(w)
}
