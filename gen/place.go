package gen

import (
	"slices"

	"birfuzz/ir"
)

// allocator gives locations addresses that no two of them share. It never frees: programs are small, and storage that two locations share
// is what passes make.
type allocator struct {
	on   bool
	addr int64
	bank [ir.PSUMBanks]int64 // bytes taken
	next int
	// banks is how many whole banks, from a multiple of their number on, the next location in PSUM gets for itself; 0: it shares one.
	banks int
	// guests: those banks may hold other locations, whose values end when the next one is cleared with all that is around it.
	guests bool
}

// locate places a location if the program is to be placed and there is room.
func (a *allocator) locate(b *builder, l *ir.Loc) {
	if !a.on || !l.Type.OnChip() {
		return
	}
	if l.Type == ir.SB {
		a.sbuf(b, l)
	} else {
		a.psum(b, l)
	}
	a.on = l.Allocated
}

func (a *allocator) sbuf(b *builder, l *ir.Loc) {
	if a.addr+l.RowBytes > b.prog.Arch.SBUFBytes() {
		return
	}
	l.Allocated, l.Addr, l.Base = true, a.addr, b.basePartition(l.Rows)
	a.addr += (l.RowBytes + 63) &^ 63
}

func (a *allocator) psum(b *builder, l *ir.Loc) {
	if a.banks > 0 {
		a.region(b, l)
		return
	}
	for range ir.PSUMBanks {
		k := a.next
		a.next = (a.next + 1) % ir.PSUMBanks
		if a.bank[k]+l.RowBytes > ir.PSUMBankBytes {
			continue
		}
		l.Allocated, l.Bank, l.Addr, l.Base = true, int64(k), a.bank[k], b.basePartition(l.Rows)
		a.bank[k] += (l.RowBytes + 63) &^ 63
		if b.sometimes(OneBank, 0.7) {
			a.next = k // the next one stands beside it, if there is room
		}
		return
	}
}

// region places a location on banks that nobody else will get: free ones, or some that hold other locations.
func (a *allocator) region(b *builder, l *ir.Loc) {
	for k := 0; k < ir.PSUMBanks; k += a.banks {
		taken := a.bank[k : k+a.banks]
		if most := slices.Max(taken); most > 0 && (!a.guests || most+l.RowBytes > ir.PSUMBankBytes) || b.summing(int64(k), int64(k+a.banks)) {
			continue
		}
		l.Allocated, l.Bank, l.Addr = true, int64(k), taken[0]
		for i := range taken {
			taken[i] = ir.PSUMBankBytes
		}
		return
	}
}

// summing tells whether a sum is in progress in some of the banks from one to before the other.
func (b *builder) summing(from, to int64) bool {
	return slices.ContainsFunc(b.chains, func(c *chain) bool {
		l := c.out.slot.loc
		return l.Bank >= from && l.Bank < to
	})
}

// basePartition draws a start partition from which that many rows may be accessed at once.
func (b *builder) basePartition(rows int64) int64 {
	if !b.on(Partial) || b.Bool(0.5) {
		return 0
	}
	switch {
	case rows <= 32:
		return 32 * int64(b.IntN(4))
	case rows <= 64:
		return 64 * int64(b.IntN(2))
	default:
		return 0
	}
}
