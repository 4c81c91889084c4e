package passes

import (
	"cmp"
	"slices"

	"birfuzz/ir"
)

// place is a rectangle of an on-chip memory: partitions by bytes of each.
type place struct {
	base, rows int64 // first partition, and how many
	from, to   int64 // bytes of every partition
}

// need is what a location asks of its memory: rows partitions of bytes each, the first at a multiple of align.
type need struct{ rows, bytes, align int64 }

// sbGranule is the smallest step of SBUF addresses that the allocators give out, in bytes (walrus.md §5).
const sbGranule = 8

// needOf returns what a location needs. In PSUM that is whole banks (walrus.md §5), and where a matmul clears a zero region of 2^k banks, the
// region: nobody else's bytes may lie in it.
func needOf(t *lifetime) need {
	l := t.loc
	if l.Type == ir.SB {
		return need{l.Rows, roundUp(l.RowBytes, sbGranule), sbGranule}
	}
	banks := int64(1)
	for _, in := range t.users {
		if k := in.Int(ir.PZeroRegion); k > 0 {
			banks = max(banks, 1<<k)
		}
	}
	align := banks * ir.PSUMBankBytes
	return need{l.Rows, roundUp(l.RowBytes, align), align}
}

// held returns what an allocated location keeps from others: its place, widened as needOf widens a need.
func (t *lifetime) held() place {
	l, align := t.loc, needOf(t).align
	from := l.Addr
	if l.Type == ir.PSUM {
		from += l.Bank * ir.PSUMBankBytes
	}
	return place{l.Base, l.Rows, from / align * align, roundUp(from+l.RowBytes, align)}
}

func roundUp(n, step int64) int64 { return (n + step - 1) / step * step }

// memory is one on-chip memory while a linear scan walks over a function: the rectangles that live at the scan's position.
type memory struct {
	bytes int64 // of a partition
	live  []*resident
	gaps  []place // scratch
}

// resident is a location at its place.
type resident struct {
	life *lifetime
	at   place
}

// expire forgets whoever's life ended before the position.
func (m *memory) expire(position int32) {
	m.live = slices.DeleteFunc(m.live, func(r *resident) bool { return r.life.to < position })
}

// bestFit returns the place of least waste: of all gaps that hold the need, in every band of partitions where it may start, the shortest, then
// the lowest address, then the lowest partition.
//
// A location starts at a partition from which as many lanes as it has rows may be accessed at once: 0, 32, 64 or 96 up to 32 rows, 0 or 64 up
// to 64, else 0 (nki-isa.md §1).
func (m *memory) bestFit(n need) (best place, ok bool) {
	waste := int64(0)
	for _, base := range startPartitions(n.rows) {
		for _, g := range m.gapsOf(base, n.rows) {
			from := roundUp(g.from, n.align)
			if from+n.bytes > g.to {
				continue
			}
			if w := g.to - g.from; !ok || w < waste || w == waste && from < best.from {
				best, waste, ok = place{base, n.rows, from, from + n.bytes}, w, true
			}
		}
	}
	return best, ok
}

func startPartitions(rows int64) []int64 {
	switch {
	case rows <= 32:
		return []int64{0, 32, 64, 96}
	case rows <= 64:
		return []int64{0, 64}
	default:
		return []int64{0}
	}
}

// gapsOf returns the stretches of bytes that are free in all of the partitions, ascending.
func (m *memory) gapsOf(base, rows int64) []place {
	taken := m.gaps[:0]
	for _, r := range m.live {
		if r.at.base < base+rows && base < r.at.base+r.at.rows {
			taken = append(taken, r.at)
		}
	}
	slices.SortFunc(taken, func(a, b place) int { return cmp.Compare(a.from, b.from) })
	gaps, end := taken[:0], int64(0) // a gap is noted only after the rectangles before it were read
	for _, p := range taken {
		if p.from > end {
			gaps = append(gaps, place{base, rows, end, p.from})
		}
		end = max(end, p.to)
	}
	if end < m.bytes {
		gaps = append(gaps, place{base, rows, end, m.bytes})
	}
	m.gaps = gaps
	return gaps
}

// assign writes a place down.
func (l *resident) assign() {
	loc := l.life.loc
	loc.Allocated, loc.Base, loc.Addr, loc.Bank = true, l.at.base, l.at.from, 0
	if loc.Type == ir.PSUM {
		loc.Bank, loc.Addr = l.at.from/ir.PSUMBankBytes, l.at.from%ir.PSUMBankBytes
	}
}
