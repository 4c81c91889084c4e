package passes

import (
	"cmp"
	"slices"

	"birfuzz/ir"
)

// lattice asks whether a sum of bounded multiples can fall into a range: lo ≤ Σ step·x ≤ hi, each x from 0 to its bound. Two accesses share
// a byte if, and only if, the difference of their addresses can be small enough; so one question serves strides, axes and distances alike.
type lattice struct {
	lo, hi int64
	terms  [maxTerms]ir.Level // Step > 0; Num is the bound of x
	n      int
}

const (
	maxTerms = 24
	// maxSearch bounds the steps of one search. Steps that nest, as those of tiles do, need a handful; beyond the bound the answer is yes,
	// which adds an edge and loses none.
	maxSearch = 1 << 12
)

// add puts step·x into the sum, from ≤ x ≤ to.
func (l *lattice) add(step, from, to int64) {
	if step < 0 {
		step, from, to = -step, -to, -from
	}
	l.lo, l.hi = l.lo-step*from, l.hi-step*from
	switch n := to - from; {
	case step == 0 || n == 0:
	case l.n == maxTerms: // as if x were any number in between
		l.lo -= step * n
	default:
		l.terms[l.n] = ir.Level{Step: step, Num: n}
		l.n++
	}
}

// solvable tells whether some choice of every x brings the sum into the range.
func (l *lattice) solvable() bool {
	if l.lo > l.hi {
		return false
	}
	terms := l.terms[:l.n]
	slices.SortFunc(terms, func(a, b ir.Level) int { return cmp.Compare(b.Step, a.Step) })
	s := latticeSearch{tries: maxSearch}
	for _, t := range terms {
		if s.n > 0 && s.terms[s.n-1].Step == t.Step {
			s.terms[s.n-1].Num += t.Num
			continue
		}
		s.terms[s.n] = t
		s.n++
	}
	for i := s.n - 1; i >= 0; i-- {
		s.reach[i] = s.reach[i+1] + s.terms[i].Step*s.terms[i].Num
	}
	return s.from(0, l.lo, l.hi)
}

// latticeSearch goes through the terms by descending step. reach[i] is the largest sum of the terms from i on.
type latticeSearch struct {
	terms [maxTerms]ir.Level
	reach [maxTerms + 1]int64
	n     int
	tries int
}

func (s *latticeSearch) from(i int, lo, hi int64) bool {
	if hi < 0 || lo > s.reach[i] {
		return false
	}
	if lo <= 0 || lo <= s.reach[i] && s.reach[i] <= hi {
		return true // all x at 0, or all at their bounds
	}
	if s.tries--; s.tries < 0 {
		return true
	}
	step := s.terms[i].Step
	first, last := max(0, -ir.FloorDiv(s.reach[i+1]-lo, step)), min(s.terms[i].Num, hi/step)
	for x := first; x <= last; x++ {
		if s.from(i+1, lo-step*x, hi-step*x) {
			return true
		}
	}
	return false
}

// gap returns the lattice of the differences between the places of t and those of s at which they share a byte, with their strides and leaves
// in it. Both stand in equal iterations of the first fixed loops, so that leaves of those alone are equal too.
func gap(s, t *form, fixed int) lattice {
	l := lattice{lo: 1 - t.run - t.base + s.base, hi: s.run - 1 - t.base + s.base}
	for _, v := range t.strides() {
		l.add(v.Step, 0, v.Num-1)
	}
	for _, v := range s.strides() {
		l.add(-v.Step, 0, v.Num-1)
	}
	for _, v := range t.leaves {
		l.add(v.coef-s.twin(&v, fixed), v.lo, v.hi)
	}
	for _, v := range s.leaves {
		if t.twin(&v, fixed) == 0 {
			l.add(-v.coef, v.lo, v.hi)
		}
	}
	return l
}

// twin returns the coefficient of a leaf that is v, and has v's value where the first fixed loops stand in one iteration; 0 if there is none.
func (f *form) twin(v *leaf, fixed int) int64 {
	for i := range f.leaves {
		if u := &f.leaves[i]; v.deep <= fixed && u.what.Equal(v.what) {
			return u.coef
		}
	}
	return 0
}
