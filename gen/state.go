package gen

import (
	"birfuzz/ir"
	"birfuzz/ir/num"
)

// rect is a rectangle of a slot: rows r0 ≤ r < r1, bytes c0 ≤ c < c1 of each.
type rect struct{ r0, r1, c0, c1 int }

func (a rect) empty() bool { return a.r0 >= a.r1 || a.c0 >= a.c1 }
func (a rect) rows() int   { return a.r1 - a.r0 }
func (a rect) width() int  { return a.c1 - a.c0 }
func (a rect) area() int   { return a.rows() * a.width() }
func (a rect) has(b rect) bool {
	return a.r0 <= b.r0 && b.r1 <= a.r1 && a.c0 <= b.c0 && b.c1 <= a.c1
}

// slot is a location as the generator sees it, or a window that moves over a location with a loop's axis or the core's number.
// A slot is readable only in def, which is wholly written whatever path the program takes.
type slot struct {
	loc         *ir.Loc
	root        *slot // of a window: the location's slot; otherwise the slot itself
	twin        *slot // the read-only slot of a location that must alias this one; that may have another
	part        *slot // the window through which each of several cores writes its part of this tensor
	rows, width int   // reachable rows, and bytes of each
	base        int64 // window: constant part of its first byte in the location
	terms       []ir.Term
	def         rect
	dtype       num.DType
	readOnly    bool
	frozen      bool // root: an instruction of a running loop relies on the values
	busy        bool // root: an accumulation in progress, or a window over it
	hidden      bool // another core may write it until the cores meet
	fixed       bool // root: never a source of values with a domain (several cores write it)
	used        bool // read since it was last written
	scattered   bool // root: trips of a parallel loop have written it, not each its own piece
	stamp       int  // root: number of the last instruction that wrote it
}

func (s *slot) all() rect { return rect{0, s.rows, 0, s.width} }

// complete tells whether every byte of the slot's location is written.
func (s *slot) complete() bool {
	return s.def == s.all() || s.part != nil && s.part.def == s.part.all()
}

// define records that rc is written, wholly where dense.
func (s *slot) define(rc rect, dense bool) {
	s.used = false
	switch {
	case !dense || s.def.has(rc):
	case s.def.empty() || rc.has(s.def):
		s.def = rc
	case rc.r0 == s.def.r0 && rc.r1 == s.def.r1 && rc.c0 <= s.def.c1 && s.def.c0 <= rc.c1:
		s.def.c0, s.def.c1 = min(s.def.c0, rc.c0), max(s.def.c1, rc.c1)
	case rc.c0 == s.def.c0 && rc.c1 == s.def.c1 && rc.r0 <= s.def.r1 && s.def.r0 <= rc.r1:
		s.def.r0, s.def.r1 = min(s.def.r0, rc.r0), max(s.def.r1, rc.r1)
	case rc.area() > s.def.area():
		s.def = rc
	}
}

// writable tells whether instructions may write the slot now.
func (s *slot) writable() bool {
	return !s.readOnly && !s.hidden && !s.root.hidden && !s.root.readOnly && !s.root.frozen && (!s.root.busy || s != s.root)
}

// readable tells whether instructions may read the slot now.
func (s *slot) readable() bool {
	return !s.def.empty() && !s.hidden && !s.root.hidden && (!s.root.busy || s != s.root)
}

// release lets other instructions find the slot, and its value counts as not read yet.
func (s *slot) release() { s.hidden, s.used = false, false }

// input is an ExternalInput or Const whose values Inputs will draw, with the numbers that its readers leave it.
type input struct {
	slot *slot
	may  values
}
