package oracle

import (
	"fmt"

	"birfuzz/ir"
)

// Witness shows a failure as data; Lines says the same in words. What does not belong to a failure is left empty. A check fills in what it
// knows (place, parties, fence); Explain adds who made the difference, and out of what. The JSON keys are never renamed.
type Witness struct {
	Place   *Place   `json:"place,omitempty"`   // the first bytes that are not as before, or at which two accesses meet
	Culprit *Culprit `json:"culprit,omitempty"` // the lowest instruction whose result has another origin than before, while what it reads has not
	Path    []Party  `json:"path,omitempty"`    // who carried it to the place, the culprit first
	Slice   []Use    `json:"slice,omitempty"`   // out of what the culprit made it, back to inputs and constants, the culprit first
	Was     *Party   `json:"was,omitempty"`     // who wrote the place before, where nobody does any more

	Parties []Party `json:"parties,omitempty"` // of a race the two accesses; of a missing edge the two instances; of a deadlock who waits, each for the next; else who it is about
	Cycle   bool    `json:"cycle,omitempty"`   // of a deadlock: the last party waits for the first
	Edge    string  `json:"edge,omitempty"`    // of a missing edge: its kind
	Mend    string  `json:"mend,omitempty"`    // of a race or a missing edge: the cheapest that would order the two

	Fence *FencePair `json:"fence,omitempty"` // the first fence that is not as before, or that was crossed
	Line  string     `json:"line,omitempty"`  // of a pass that is not steady: the first line of the program that is not the same twice
}

// Party is one instance of an instruction, as an engine executes it or as a queue runs it.
type Party struct {
	Core   int     `json:"core"`
	Inst   string  `json:"inst"`             // empty: the end of the core
	Op     string  `json:"op,omitempty"`     // its row
	Engine string  `json:"engine,omitempty"` // empty: any
	Iter   []int64 `json:"iter,omitempty"`   // the values of the axes around it, outermost first
	Lane   string  `json:"lane,omitempty"`   // not in order: see Schedule
	Access string  `json:"access,omitempty"` // of a race: "reads", "writes", "publishes", "resets"…; of a deadlock: what it waits for
}

// Place is some bytes of a location, or the element that they hold.
type Place struct {
	Core     int      `json:"core"` // −1: one location for all cores
	Location string   `json:"location"`
	Row      int64    `json:"row"`   // of the location; 0 in DRAM
	Byte     int64    `json:"byte"`  // the first, in that row
	Bytes    int64    `json:"bytes"` // how many
	Element  int64    `json:"element"`
	DType    string   `json:"dtype,omitempty"`   // of the element; empty: the bytes are no element
	Address  *Address `json:"address,omitempty"` // where a placed location has these bytes
	Now      string   `json:"now,omitempty"`     // what the element holds after the pass
	Then     string   `json:"then,omitempty"`    // and held before
	When     string   `json:"when,omitempty"`    // the fence at which that was seen; empty: at the end

	seen moments // when it was
}

// Address is a byte of a memory.
type Address struct {
	Memory    string `json:"memory"` // SB, PSUM or DRAM
	Partition int64  `json:"partition"`
	Byte      int64  `json:"byte"` // in the partition; in PSUM banks follow each other
}

// Culprit is the element with which a difference begins.
type Culprit struct {
	Party
	Place  Place  `json:"place"`
	Why    string `json:"why"`
	Before *Party `json:"before,omitempty"` // who wrote it, or what it reads, before the pass, where that was another
	Gone   bool   `json:"gone,omitempty"`   // that one no longer runs
}

// Use is an instance, and what it read for the element that is followed.
type Use struct {
	Party
	Reads []Read `json:"reads,omitempty"`
}

// Read is an element that an instance read.
type Read struct {
	Place
	From string `json:"from,omitempty"` // the instance that wrote it; empty: an input or constant, or nobody
}

// FencePair is a fence as it was passed before and after the pass, number n of its core counted from 0.
type FencePair struct {
	Core   int    `json:"core"`
	Number int    `json:"number"`
	Before string `json:"before,omitempty"` // empty: none more
	After  string `json:"after,omitempty"`
}

// flaw is what a check found: in words, and as data.
type flaw struct {
	detail  string
	witness *Witness // nil: the words say it all
}

// said is a flaw of words alone; nil where there are none.
func said(detail string) *flaw {
	if detail == "" {
		return nil
	}
	return &flaw{detail: detail}
}

// partyOf names an instruction of which no instance is known.
func partyOf(in *ir.Inst) Party {
	p := Party{Inst: in.Name, Op: in.Op.String()}
	if in.Engine != ir.Unassigned {
		p.Engine = in.Engine.String()
	}
	return p
}

// placeIn returns n bytes of a location from a byte of a row on.
func placeIn(l *ir.Loc, core int, row, at, n int64) Place {
	p := Place{Core: core, Location: l.Name, Row: row, Byte: at, Bytes: n, seen: atTheEnd}
	if l.Global() {
		p.Core = -1
	}
	if !l.Allocated {
		return p
	}
	a := Address{Memory: l.Type.String(), Byte: l.Addr + at}
	if l.Type.OnChip() {
		a.Partition = l.Base + row
	}
	if l.Type == ir.PSUM {
		a.Byte += l.Bank * ir.PSUMBankBytes
	}
	p.Address = &a
	return p
}

// element makes the bytes the element of that type that they are.
func (p *Place) element(l *ir.Loc, d ir.DType) {
	size := int64(d.Size())
	p.DType, p.Bytes, p.Element = d.String(), size, (p.Row*l.RowBytes+p.Byte)/size
}

// bytes names the first byte.
func (p *Place) bytes() string {
	row := ""
	if p.Core >= 0 { // what all cores share is DRAM, which has one row
		row = fmt.Sprintf("row %d of ", p.Row)
	}
	return fmt.Sprintf("byte %d of %s%q%s", p.Byte, row, p.Location, p.Address)
}

// String returns the address in brackets behind a blank; empty of a place that has none.
func (a *Address) String() string {
	switch {
	case a == nil:
		return ""
	case a.Memory == ir.DRAM.String():
		return fmt.Sprintf(" (byte %d of DRAM)", a.Byte)
	}
	return fmt.Sprintf(" (partition %d, byte %d of %s)", a.Partition, a.Byte, a.Memory)
}
