package oracle

import "slices"

// cuts are the places at which rows or columns of a storage are cut, ascending, each once. Up to maxSorted of them are always in that order;
// beyond that, where making room for one would cost too much, new ones stand behind the others until settle puts them in order.
type cuts []int32

const maxSorted = 256

// add makes a cut at x.
func (c *cuts) add(x int32) {
	s := *c
	if len(s) >= maxSorted {
		*c = append(s, x)
		return
	}
	i := s.after(x)
	if i > 0 && s[i-1] == x {
		return
	}
	s = append(s, x)
	copy(s[i+1:], s[i:])
	s[i] = x
	*c = s
}

// after returns the index of the first cut beyond x.
func (c cuts) after(x int32) int {
	lo, hi := 0, len(c)
	for lo < hi {
		if mid := int(uint(lo+hi) >> 1); c[mid] <= x {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// settle puts the cuts in order.
func (c *cuts) settle() {
	if len(*c) >= maxSorted {
		slices.Sort(*c)
		*c = slices.Compact(*c)
	}
}

// inside returns the cuts between lo and hi, both left out.
func (c cuts) inside(lo, hi int32) cuts { return c[c.after(lo):c.after(max(lo, hi-1))] }

// thin leaves out every second inner cut.
func (c cuts) thin() cuts {
	out := c[:1]
	for i := 2; i < len(c)-1; i += 2 {
		out = append(out, c[i])
	}
	return append(out, c[len(c)-1])
}

// carry gives both of two stretches of n rows or columns, one of a from atA on and one of b from atB on, the cuts that one of them has, and
// tells whether there were any to give.
func carry(a, b *cuts, atA, atB, n int32) bool {
	x, y := a.inside(atA, atA+n), b.inside(atB, atB+n)
	if x.moved(y, atB-atA) {
		return false
	}
	nA, nB := len(*a), len(*b)
	for _, v := range x {
		b.add(v - atA + atB)
	}
	b.settle()
	for _, v := range b.inside(atB, atB+n) {
		a.add(v - atB + atA)
	}
	a.settle()
	return len(*a) > nA || len(*b) > nB
}

// moved tells whether d are the same cuts, so much further on.
func (c cuts) moved(d cuts, by int32) bool {
	if len(c) != len(d) {
		return false
	}
	for i := range c {
		if c[i]+by != d[i] {
			return false
		}
	}
	return true
}
