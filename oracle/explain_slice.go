package oracle

import (
	"fmt"
)

// list returns the origins of the elements that were written together.
func (t *retrace) list(w deed) []uint64 {
	if w.state {
		return t.events[w.event].state
	}
	return t.events[w.event].out
}

// value returns the origin that was read.
func (t *retrace) value(r elemRead) uint64 { return t.events[r.event].in[r.operand][r.elem] }

// source returns who wrote what was read.
func (t *retrace) source(r elemRead) deed { return t.sourceOf(r, 0) }

// sources returns who wrote the units of what was read, in address order, each once in a row.
func (t *retrace) sources(r elemRead) []deed {
	list := []deed{t.source(r)}
	for at := t.unit; at < t.events[r.event].at[r.operand].acc.size; at += t.unit {
		if w := t.sourceOf(r, at); w != list[len(list)-1] {
			list = append(list, w)
		}
	}
	return list
}

// sourceOf returns who wrote a byte of what was read.
func (t *retrace) sourceOf(r elemRead, offset int) deed {
	end := r.event
	if peers := t.events[r.event].peers; peers != nil {
		end = peers[0] // all members read before any writes
	}
	return t.writerOf(offsetOf(&t.events[r.event].at[r.operand], r.elem)+offset, end)
}

// lastWriter returns who wrote a place of visible memory last, at a moment of the run.
func (t *retrace) lastWriter(p *Place, moment int32) deed {
	for i := range t.m.locations {
		l := &t.m.locations[i]
		if l.name != p.Location || !l.loc.Visible() {
			continue
		}
		end := int32(len(t.events))
		if moment >= 0 && int(moment) < len(t.fences) {
			end = t.fences[moment]
		}
		return t.writerOf(l.at+int(p.Byte)/l.rowBytes*l.st.pitch+int(p.Byte)%l.rowBytes, end)
	}
	return nobody
}

// party names the instance that an event is.
func (t *retrace) party(i int32) Party {
	e := &t.events[i]
	return t.instance(e).party(e.c.core, "")
}

// placeOf returns where an element of an access stands.
func (t *retrace) placeOf(p *place, core, elem int) Place {
	l := p.acc.loc
	if l == nil {
		return Place{Core: core, Location: "accumulator", Row: int64(elem), DType: p.acc.dtype.String(), Bytes: int64(p.acc.size), Element: int64(elem), seen: atTheEnd}
	}
	rel := offsetOf(p, elem) - l.at
	at := placeIn(l.loc, core, int64(rel/l.st.pitch), int64(rel%l.st.pitch), int64(p.acc.size))
	at.element(l.loc, p.acc.dtype)
	return at
}

// elementOf returns the element that was written, with its value.
func (t *retrace) elementOf(w deed) Place {
	e := &t.events[w.event]
	switch {
	case w.state:
		return t.placeOf(&e.at[e.c.accum], e.c.core, w.elem)
	case e.out == nil:
		return Place{Core: e.c.core, seen: atTheEnd}
	}
	p := t.placeOf(&e.at[0], e.c.core, w.elem)
	p.Now = t.text(w)
	return p
}

// text is the value that was written.
func (t *retrace) text(w deed) string {
	e := &t.events[w.event]
	switch {
	case w.state || w.elem >= len(e.bits):
		return ""
	case t.origin(w) == poisonOrigin:
		return "undefined"
	}
	return numberText(e.bits[w.elem], e.at[0].acc.dtype)
}

// slice returns the instances that made an element, breadth first and each once, with what they read for it.
func (t *retrace) slice(w deed) []Use {
	open, seen := []deed{w}, map[int32]bool{w.event: true}
	var out []Use
	for ; len(open) > 0 && len(out) < maxSlice; open = open[1:] {
		at := open[0]
		use := Use{Party: t.party(at.event)}
		reads := t.reads(at)
		if t.failed && int(at.event) == len(t.events)-1 {
			reads = t.allReads(at.event)
		}
		for _, r := range reads[:min(len(reads), maxSliced)] {
			from := t.source(r)
			use.read(t, r, from)
			if from.event >= 0 && !seen[from.event] {
				seen[from.event] = true
				open = append(open, from)
			}
		}
		out = append(out, use)
	}
	return out
}

// maxShown bounds the reads that a use lists, and maxSliced those that are followed.
const (
	maxShown  = 4
	maxSliced = 1 << 9
)

// read lists an element that was read, unless one from there to there is listed already.
func (u *Use) read(t *retrace, r elemRead, from deed) {
	e := &t.events[r.event]
	x := Read{Place: t.placeOf(&e.at[r.operand], e.c.core, r.elem)}
	if from.event >= 0 {
		p := t.party(from.event)
		x.From = p.text()
		if x.Now = t.text(from); t.value(r) == poisonOrigin {
			x.Now = "undefined"
		}
	}
	for i := range u.Reads {
		if u.Reads[i].Location == x.Location && u.Reads[i].From == x.From {
			return
		}
	}
	if len(u.Reads) < maxShown {
		u.Reads = append(u.Reads, x)
	}
}

// text names an instance for a reader.
func (p Party) text() string {
	switch {
	case p.Inst == "":
		return fmt.Sprintf("the end of core %d", p.Core)
	case len(p.Iter) > 0:
		return p.Inst + fmt.Sprint(p.Iter)
	}
	return p.Inst
}
