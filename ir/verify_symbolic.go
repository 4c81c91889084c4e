package ir

import "slices"

// symbolic checks what an access with a symbolic offset must be beside its geometry.
func (v *Verifier) symbolic(o *Operand) bool {
	if n := len(o.Loc.Set.Locs); n != 1 {
		v.Addf(RuleSymbolic, "one, as nothing else says which is meant", "a set of %d locations", n)
		return false
	}
	if v.facts.Has(Unrolled) {
		for range o.Off.Axes {
			v.Add(RuleFact, "a symbolic access", "none: the program is Unrolled")
			return false
		}
	}
	return true
}

// symbolicFault returns the rule that an on-chip access with a sound symbolic offset breaks, nil if none. The offset is taken apart, term by
// term, into rows and columns, which is exact for expressions that move by whole rows or inside one; others are tried value by value.
func (v *Verifier) symbolicFault(o *Operand, g *grid) *Complaint {
	row := FloorDiv(o.Off.C, g.pitch)
	rowLo, rowHi, step := row, row, int64(0)
	colLo := o.Off.C - row*g.pitch
	colHi := colLo
	for i := range o.Off.Terms {
		t := &o.Off.Terms[i]
		lo, hi := t.leafRange()
		rows, cols := t.Coef/g.pitch, t.Coef%g.pitch
		rowLo, rowHi = rowLo+min(rows*lo, rows*hi), rowHi+max(rows*lo, rows*hi)
		colLo, colHi = colLo+min(cols*lo, cols*hi), colHi+max(cols*lo, cols*hi)
		if lo < hi {
			step = gcd(step, rows*t.leafStep())
		}
	}
	var f *Complaint
	for row = rowLo; f == nil && row <= rowHi; row += max(step, 1) { // a row past the last is a fault: this ends soon
		f = g.fault(row, colLo, colHi)
	}
	if f != nil && v.everyOffset(o, func(off int64) bool { return g.faultAt(off) == nil }) {
		return nil
	}
	return f
}

// leafStep is a distance that divides all differences between values of the leaf.
func (t *Term) leafStep() int64 {
	if t.Kind == AxisTerm {
		return t.Axis.Stride
	}
	return 1
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}

// maxOffsets bounds the offsets that are tried one by one, where bounds of the parts of an expression are too coarse.
const maxOffsets = 1 << 12

// point is one value for each axis of an expression and for the core.
type point struct {
	loops []*Loop
	at    []int64
	shard int64
}

// AxisValue implements Env.
func (p *point) AxisValue(l *Loop) int64 { return p.at[slices.Index(p.loops, l)] }

// ShardID implements Env.
func (p *point) ShardID() int64 { return p.shard }

// everyOffset tells whether ok holds for every value of a symbolic offset; false if there are too many to try. The expression has been
// found sound.
func (v *Verifier) everyOffset(o *Operand, ok func(int64) bool) bool {
	if !o.Symbolic() {
		return false
	}
	var p point
	total := max(v.shards, 1)
	for l := range o.Off.Axes {
		if slices.Contains(p.loops, l) {
			continue
		}
		p.loops, p.at = append(p.loops, l), append(p.at, l.LB)
		if total *= max(l.Trips(), 1); total > maxOffsets {
			return false
		}
	}
	for p.shard = 0; p.shard < max(v.shards, 1); p.shard++ {
		if !p.every(0, func() bool { return ok(o.Off.Eval(&p)) }) {
			return false
		}
	}
	return true
}

// every tells whether ok holds for every value of the axes from i on.
func (p *point) every(i int, ok func() bool) bool {
	if i == len(p.loops) {
		return ok()
	}
	l := p.loops[i]
	for k := int64(0); k < max(l.Trips(), 1); k++ {
		p.at[i] = l.LB + k*l.Stride
		if !p.every(i+1, ok) {
			return false
		}
	}
	return true
}

// maxRepeatTries bounds the search for an element met twice.
const maxRepeatTries = 1 << 16

// repeats tells whether the access meets an element twice: whether two index vectors differ by d ≠ 0 with Σ step·d = 0. Patterns that nest
// (every step beyond the reach of the smaller ones) need not be asked. If the search takes too long the answer is yes.
func (o *Operand) repeats() bool {
	var pairs [MaxPairs]Pair
	n := 0
	for i, p := range o.Pairs() {
		onRows := i == 0 && o.Loc.Type.OnChip() // a row of its own for each lane
		if p.Num > 1 && !onRows {
			pairs[n] = p
			n++
		}
	}
	slices.SortFunc(pairs[:n], func(a, b Pair) int { return int(b.Step) - int(a.Step) })
	s := repeatSearch{pairs: pairs[:n], tries: maxRepeatTries}
	return s.from(0, 0, false)
}

type repeatSearch struct {
	pairs []Pair
	tries int
}

// from looks for differences of the pairs from i on that bring rest to 0; moved says that an earlier one is not 0.
func (s *repeatSearch) from(i int, rest int64, moved bool) bool {
	if s.tries--; s.tries < 0 {
		return true
	}
	if i == len(s.pairs) {
		return rest == 0 && moved
	}
	step, last := int64(s.pairs[i].Step), int64(s.pairs[i].Num)-1
	if step == 0 {
		return true
	}
	reach := int64(0) // of the smaller steps
	for _, p := range s.pairs[i+1:] {
		reach += int64(p.Step) * int64(p.Num-1)
	}
	lo, hi := -FloorDiv(reach+rest, step), FloorDiv(reach-rest, step)
	lo, hi = max(lo, -last), min(hi, last)
	if !moved {
		lo = max(lo, 0) // d and −d are the same pair of elements
	}
	for d := lo; d <= hi; d++ {
		if s.from(i+1, rest+d*step, moved || d != 0) {
			return true
		}
	}
	return false
}
