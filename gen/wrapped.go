package gen

import (
	"birfuzz/ir"
	"birfuzz/ir/num"
)

// drawWrapped writes a run of elements of DRAM that goes on in the next row, over values of which some are read afterwards.
func (b *builder) drawWrapped() {
	if b.room() < 5 {
		return
	}
	d := one(&b.Rand, b.common)
	rows, free := b.Between(2, 6), b.Between(2, 12)
	rowwise := b.roomy(7) && b.Bool(0.5)
	if rowwise {
		rows = 2
	}
	x := b.newInput(rows, free, d)
	if x == nil {
		return
	}
	s := b.like(x)
	s.fixed, s.hidden = true, true
	if rowwise {
		b.byRows(s, x)
	} else if !b.put(x, s, nil) {
		return
	}
	if s.def.empty() {
		return
	}
	n := b.Between(2, free)
	y := b.newInput(1, n, d)
	if y == nil {
		return
	}
	from := b.Between(1, n-1) // elements of the run in the first of its rows
	b.flat(y, s, b.IntN(rows-1)*free+free-from)
	if rowwise {
		b.readRest(s, d, free-from, n-from)
	} else {
		b.readWrapped(s, d)
	}
	s.release()
}

// byRows moves a tensor of DRAM row by row.
func (b *builder) byRows(to, from *slot) {
	c := split{mem: ir.DRAM, dtype: from.dtype, lanes: 1, width: from.width, byRows: true, n: 1, trips: [2]int{from.rows}}
	moves := false
	runs := b.within(func(loops []*ir.Loop) {
		moves = b.apply(nil, b.at(&field{c, to}, loops), b.at(&field{c, from}, loops))
	}, bounds{stride: 1, trips: int64(from.rows)})
	if runs && moves {
		to.def = to.all()
	}
}

// readRest reads the first elements of the first row, or what follows the first ones of the second: what a run over the end of the first left.
func (b *builder) readRest(s *slot, d num.DType, first, second int) {
	rest := rect{0, 1, 0, first * d.Size()}
	if b.Bool(0.5) {
		rest = rect{1, 2, second * d.Size(), s.width}
	}
	if !rest.empty() && b.left > 0 {
		b.moved(b.cut(s, rest), ir.InSB|ir.InDRAM, d)
	}
}

// readWrapped reads all of the tensor, and before that now and then one of its rows; or all of it gets new values first.
func (b *builder) readWrapped(s *slot, d num.DType) {
	switch b.IntN(3) {
	case 0:
		b.overwrite(s)
	case 1:
		if r0 := b.IntN(s.rows); b.left > 1 {
			b.moved(b.cut(s, rect{r0, r0 + 1, 0, s.width}), ir.InSB|ir.InDRAM, d)
		}
	}
	if b.left > 0 {
		b.moved(s, ir.InSB|ir.InDRAM, d)
	}
}

// flat moves one row of elements to as many elements of DRAM from one on, whatever rows they stand in.
func (b *builder) flat(from, to *slot, at int) {
	if b.left > 0 && b.lay(from, to, from.def, nil) {
		in := b.block.Insts[len(b.block.Insts)-1]
		in.Args[0].Off = b.offset(to, at, to.dtype.Size())
	}
}
