package bircheck

import "slices"

// geometry checks the pattern of a memory operand and that it stays inside its location, wherever it starts.
func (c *checker) geometry(r *row, a *access) bool {
	if n := len(a.Pattern); n < 2 || n > 5 {
		c.add("pattern", "%d pairs, want the lanes and 1 to 4 more", n)
		return false
	}
	for _, p := range a.Pattern {
		if len(p) != 2 || p[0] < 0 || p[0] > maxInt || p[1] < 1 || p[1] > maxInt {
			c.add("pattern", "pair %v, want a step from 0 and a count from 1", p)
			return false
		}
	}
	a.lanes, a.free = a.Pattern[0][1], 1
	for _, p := range a.Pattern[1:] {
		if a.free *= p[1]; a.free*a.lanes > maxElems || a.free > maxElems {
			c.add("pattern", "more than 2^31 elements")
			return false
		}
	}
	if l := a.loc; l.Allocated && l.Addr%a.size != 0 || l.onChip() && l.rowBytes()%a.size != 0 {
		c.add("alignment", "elements of %d bytes in rows of %d from byte %d", a.size, l.rowBytes(), l.Addr)
		return false
	}
	if a.loc.onChip() {
		return c.tile(r, a)
	}
	return c.flat(a)
}

// reach is how far the last element of the pairs is from the first.
func reach(pairs [][]int64) int64 {
	n := int64(0)
	for _, p := range pairs {
		n += p[0] * (p[1] - 1)
	}
	return n
}

// flat checks an access to DRAM, where every pair is a flat step.
func (c *checker) flat(a *access) bool {
	n, far := a.loc.bytes()/a.size, reach(a.Pattern)
	if far > maxBytes {
		c.add("pattern", "a pattern that reaches %d elements", far)
		return false
	}
	return c.writesOnce(a, a.Pattern) && c.everywhere(a, func(off int64) bool {
		if off >= 0 && off+far < n {
			return true
		}
		c.add("bounds", "elements %d to %d of the %d of %q", off, off+far, n, a.loc.Name)
		return false
	})
}

// everywhere asks ok of every offset that the access can have.
func (c *checker) everywhere(a *access, ok func(int64) bool) bool {
	return c.each(a.exprs(), func(p *point) bool { return ok(a.offset(p)) })
}

// tile checks an access to SB or PSUM: the first pair walks rows, the others stay in the row.
func (c *checker) tile(r *row, a *access) bool {
	l, first := a.loc, a.Pattern[0]
	pitch, far := l.rowBytes()/a.size, reach(a.Pattern[1:])
	rows := a.rows()
	switch {
	case a.lanes > partitions:
		c.add("partition", "%d lanes, want at most 128", a.lanes)
		return false
	case a.lanes > 1 && first[0] != 0 && first[0] != pitch:
		c.add("pattern", "a first step of %d, want the pitch, %d, or 0", first[0], pitch)
		return false
	case a.out && rows < a.lanes:
		c.add("write", "an output that writes one row for every lane")
		return false
	case a.free*a.size > generations[c.arch].partition:
		c.add("pattern", "%d elements a lane of %d bytes, more than a partition", a.free, a.size)
		return false
	}
	return c.writesOnce(a, a.Pattern[1:]) && c.everywhere(a, func(off int64) bool {
		row := floorDiv(off, pitch)
		col := off - row*pitch
		if row < 0 || row+rows > l.rows() || col+far >= pitch {
			c.add("bounds", "rows %d to %d, columns %d to %d of the %d × %d of %q", row, row+rows-1, col, col+far, l.rows(), pitch, l.Name)
			return false
		}
		return !r.lanes || c.start(a, row, rows)
	})
}

// rows is how many rows an on-chip access touches: one where it reads one row into every lane.
func (a *access) rows() int64 {
	if a.Pattern[0][0] == 0 {
		return 1
	}
	return a.lanes
}

// start checks where the lanes of an operand begin (bir-json.md, "Start partitions").
func (c *checker) start(a *access, row, rows int64) bool {
	if a.loc.Allocated {
		row += a.loc.Base
	}
	most := map[int64]int64{0: 128, 32: 32, 64: 64, 96: 32}[row]
	if rows > most {
		c.add("partition", "%d rows from partition %d", rows, row)
		return false
	}
	return true
}

// maxTouched bounds the elements that are counted one by one.
const maxTouched = 1 << 20

// writesOnce checks that an output meets no element twice.
func (c *checker) writesOnce(a *access, pairs [][]int64) bool {
	if !a.out {
		return true
	}
	steps := slices.DeleteFunc(slices.Clone(pairs), func(p []int64) bool { return p[1] == 1 })
	slices.SortFunc(steps, func(p, q []int64) int { return int(p[0] - q[0]) })
	nested := true
	for i, p := range steps {
		nested = nested && p[0] > reach(steps[:i])
	}
	if nested {
		return true
	}
	total := int64(1)
	for _, p := range steps {
		total *= p[1]
	}
	if total <= maxTouched && distinct(steps) {
		return true
	}
	c.add("write", "an output that meets an element twice")
	return false
}

// distinct tells whether no two index vectors of the pairs come to one element.
func distinct(pairs [][]int64) bool {
	seen := map[int64]bool{}
	var walk func(pairs [][]int64, at int64) bool
	walk = func(pairs [][]int64, at int64) bool {
		if len(pairs) == 0 {
			twice := seen[at]
			seen[at] = true
			return !twice
		}
		for i := range pairs[0][1] {
			if !walk(pairs[1:], at+i*pairs[0][0]) {
				return false
			}
		}
		return true
	}
	return walk(pairs, 0)
}
