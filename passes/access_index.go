package passes

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"sort"
)

// crowd is the number of accesses from which the list of a family is not walked but looked up in an index.
const crowd = 64

// maxLook bounds how many accesses one question looks at. Without it, thousands of accesses that all reach over each other without meeting
// would cost a quadratic number of comparisons. What is asked then counts as unknown, which is always safe.
const maxLook = 512

// accessIndex finds the accesses of a crowded location by column and by place in the program.
//
// An access as wide as 2^level columns at most stands in the one or two buckets of that width that it reaches into, so that the size of the
// index does not depend on how wide accesses are. Within a bucket accesses stand in program order.
type accessIndex struct {
	entries []indexEntry
	live    []int32 // by position in entries: it, or a later one on the way to the first that was not removed
	slots   []int32 // by access: position of its first entry, none; the second, if there is one, is named by that entry
}

type indexEntry struct {
	at     bucketKey
	access int32
	twin   int32 // position of the access's other entry, none
}

// bucketKey is where an entry stands: the order of its fields is the order of the index.
type bucketKey struct {
	family int32
	level  int32
	bucket int64
	inst   int32
}

func (k bucketKey) compare(o bucketKey) int {
	return cmp.Or(cmp.Compare(k.family, o.family), cmp.Compare(k.level, o.level), cmp.Compare(k.bucket, o.bucket), cmp.Compare(k.inst, o.inst))
}

// columns is the range of columns lo ≤ c < hi that an access may touch.
type columns struct{ lo, hi int64 }

// anyColumn is what a register, or an access whose offset is symbolic, may touch.
var anyColumn = columns{0, math.MaxInt64 >> 1}

// level returns the smallest n for which 2^n columns are no fewer than c.
func (c columns) level() int32 { return int32(bits.Len64(uint64(max(c.hi-c.lo, 1) - 1))) }

// columnsOf returns the columns of an access, counted from the beginning of its row. DRAM has rows as well: most tensors there are
// walked by rows, and bytes that two accesses share stand in the same column however the rows are counted.
func (a *accesses) columnsOf(e *access) columns {
	o := a.operand(e)
	if !o.IsAP() || o.Symbolic() {
		return anyColumn
	}
	b, row := a.box(e), o.Loc.RowBytes
	if o.Loc.Type.OnChip() || row <= 0 {
		return columns{b.Col, b.ColEnd}
	}
	size := int64(o.DType.Size())
	width := b.ColEnd - b.Col
	if outer := int64(o.AP[0].Step) * size; outer%row == 0 {
		width -= outer * int64(o.AP[0].Num-1)
	}
	if from := b.Col % row; from+width <= row {
		return columns{from, from + width}
	}
	return columns{0, row}
}

// newAccessIndex lists the accesses of crowded families that take part.
func newAccessIndex(a *accesses, takesPart func(*access) bool) *accessIndex {
	x := &accessIndex{slots: make([]int32, len(a.list))}
	for e := range a.list {
		x.slots[e] = none
		acc := &a.list[e]
		if !a.indexed(acc) || a.gone[acc.inst] || !takesPart(acc) {
			continue
		}
		c := a.columnsOf(acc)
		k := bucketKey{family: a.aliases.Of(a.operand(acc).Loc), level: c.level(), inst: acc.inst}
		for k.bucket = c.lo >> k.level; k.bucket <= (c.hi-1)>>k.level; k.bucket++ {
			x.entries = append(x.entries, indexEntry{at: k, access: acc.index, twin: none})
		}
	}
	slices.SortStableFunc(x.entries, func(p, q indexEntry) int { return p.at.compare(q.at) })
	x.live = make([]int32, len(x.entries)+1)
	x.live[len(x.entries)] = int32(len(x.entries))
	for i := range x.entries {
		x.live[i] = int32(i)
		switch first := x.slots[x.entries[i].access]; first {
		case none:
			x.slots[x.entries[i].access] = int32(i)
		default:
			x.entries[first].twin = int32(i)
		}
	}
	return x
}

// remove takes an access out.
func (x *accessIndex) remove(access int32) {
	if i := x.slots[access]; i != none {
		x.live[i] = i + 1
		if twin := x.entries[i].twin; twin != none {
			x.live[twin] = twin + 1
		}
	}
}

// from returns the first position, not before pos, of a live entry at k or behind it.
func (x *accessIndex) from(pos int, k bucketKey) int {
	n := sort.Search(len(x.entries)-pos, func(i int) bool { return x.entries[pos+i].at.compare(k) >= 0 })
	return x.next(pos + n)
}

// next returns the first position, not before pos, of a live entry.
func (x *accessIndex) next(pos int) int {
	i := int32(pos)
	for x.live[i] != i {
		x.live[i] = x.live[x.live[i]]
		i = x.live[i]
	}
	return int(i)
}

// each yields the accesses of a family that reach into a bucket of c, of instructions first ≤ inst ≤ last, those alone that are wider than
// 2^(level−1) columns. An access may be met twice, and bucket by bucket. It tells whether it looked at all of them.
func (x *accessIndex) each(family, level int32, c columns, first, last int32, yield func(access int32) bool) (all bool) {
	k := bucketKey{family: family, level: level, bucket: math.MinInt64}
	pos := x.from(0, k)
	for range maxLook {
		if pos == len(x.entries) || x.entries[pos].at.family != family {
			return true
		}
		e := &x.entries[pos]
		k = e.at
		switch lo, hi := c.lo>>k.level, (c.hi-1)>>k.level; {
		case k.bucket < lo:
			pos = x.from(pos, bucketKey{family, k.level, lo, first})
		case k.bucket > hi:
			pos = x.from(pos, bucketKey{family, k.level + 1, math.MinInt64, 0})
		case k.inst < first:
			pos = x.from(pos, bucketKey{family, k.level, k.bucket, first})
		case k.inst > last:
			pos = x.from(pos, bucketKey{family, k.level, k.bucket + 1, first})
		case !yield(e.access):
			return true
		default:
			pos = x.next(pos + 1)
		}
	}
	return false
}
