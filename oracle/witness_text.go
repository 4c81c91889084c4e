package oracle

import (
	"fmt"
	"strings"
)

// Lines says in words what the witness shows, for people; nothing of it is lost in the data. The first line of a group begins with what it is.
func (w *Witness) Lines() []string {
	if w == nil {
		return nil
	}
	var out []string
	out = append(out, w.fenceLines()...)
	out = append(out, w.partyLines()...)
	out = append(out, w.culpritLines()...)
	if w.Was != nil {
		out = append(out, fmt.Sprintf("Nobody writes it by then; before, %s did.", w.Was.long()))
	}
	if w.Line != "" {
		out = append(out, "First line that is not the same twice: "+w.Line)
	}
	return out
}

// fenceLines shows the fence.
func (w *Witness) fenceLines() []string {
	f := w.Fence
	if f == nil {
		return nil
	}
	or := func(text string) string {
		if text == "" {
			return "none more"
		}
		return text
	}
	if f.After == "" && len(w.Parties) > 0 { // an access crossed it
		return []string{fmt.Sprintf("The fence: %s of core %d.", or(f.Before), f.Core)}
	}
	return []string{fmt.Sprintf("The fence: number %d of core %d is %s; before, %s.", f.Number, f.Core, or(f.After), or(f.Before))}
}

// partyLines shows who races, waits or lacks an edge.
func (w *Witness) partyLines() []string {
	var out []string
	for i := range w.Parties {
		p := &w.Parties[i]
		if p.Access == "" {
			continue // the detail has named it
		}
		line := p.long()
		if p.Lane != "" && p.Lane != p.Inst {
			line += " in lane " + p.Lane
		}
		if len(w.Parties) == 1 && w.Fence == nil {
			continue
		}
		if w.Place != nil || w.Fence != nil || w.Edge != "" || w.Mend != "" { // else the access is a sentence about who waits
			line += ": " + p.Access
		} else {
			line = p.Access
		}
		out = append(out, fmt.Sprintf("%d. %s", i+1, line))
	}
	switch {
	case w.Cycle:
		out = append(out, fmt.Sprintf("A cycle: %d waits for 1.", len(w.Parties)))
	case len(out) == 2 && w.Place != nil && w.Culprit == nil:
		out = append(out, fmt.Sprintf("They meet in %s from %s on.", count(w.Place.Bytes, "byte"), w.Place.bytes()))
	}
	if w.Mend != "" {
		out = append(out, "What would mend it: "+w.Mend+".")
	}
	return out
}

// culpritLines shows where the difference begins, where it went, and out of what it was made.
func (w *Witness) culpritLines() []string {
	c := w.Culprit
	if c == nil {
		return nil
	}
	line := fmt.Sprintf("The culprit: %s", c.long())
	if c.Place.Location != "" {
		line += fmt.Sprintf(" makes %s", c.Place.text())
	}
	out := []string{line + ":"}
	why := "  " + c.Why
	if c.Before != nil {
		why += "; before, there was what " + c.Before.text() + " wrote"
		if c.Gone {
			why += ", which no longer runs"
		}
	}
	out = append(out, why+".")
	if len(w.Path) > 1 {
		var names []string
		for _, p := range w.Path {
			names = append(names, p.text())
		}
		if w.Place != nil {
			names = append(names, w.Place.Location)
		}
		out = append(out, "From there: "+strings.Join(names, " → ")+".")
	}
	if len(w.Slice) > 0 {
		out = append(out, "What went into it:")
		for i := range w.Slice {
			out = append(out, "  "+w.Slice[i].text())
		}
	}
	return out
}

// text is a line about an instance and what it read.
func (u *Use) text() string {
	var reads []string
	for i := range u.Reads {
		r := &u.Reads[i]
		text := r.Place.short()
		switch {
		case r.From != "" && r.Now != "undefined":
			text += " by " + r.From
		case r.Now == "":
			text += ", which is given"
		}
		reads = append(reads, text)
	}
	if len(reads) == 0 {
		return u.Party.long() + " reads nothing"
	}
	return u.Party.long() + " reads " + strings.Join(reads, "; ")
}

// long names an instance, its row and its engine.
func (p Party) long() string {
	text := p.text()
	if p.Op != "" {
		text += " (" + p.Op
		if p.Engine != "" {
			text += " on " + p.Engine
		}
		text += ")"
	}
	if p.Core > 0 {
		text += fmt.Sprintf(" of core %d", p.Core)
	}
	return text
}

// short names an element and what it holds.
func (p *Place) short() string {
	text := fmt.Sprintf("%s element %d", p.Location, p.Element)
	if p.Now != "" {
		text += " = " + p.Now
	}
	return text
}

// text names an element, where it stands, and both its values.
func (p *Place) text() string {
	at := fmt.Sprintf("byte %d", p.Byte)
	if p.Core >= 0 {
		at = fmt.Sprintf("row %d, byte %d", p.Row, p.Byte)
	}
	if p.Address != nil {
		at += ";" + strings.Trim(p.Address.String(), "()")
	}
	text := fmt.Sprintf("element %d of %s (%s, %s)", p.Element, p.Location, p.DType, at)
	switch {
	case p.Now != "" && p.Now == p.Then:
		text += fmt.Sprintf(" %s, as before, of another origin", p.Now)
	case p.Now != "" && p.Then != "":
		text += fmt.Sprintf(" %s, was %s", p.Now, p.Then)
	case p.Now != "":
		text += " " + p.Now
	}
	return text
}
