package ir

import "birfuzz/ir/num"

// skipLane is the row number of a lane that an indirect move leaves out.
const skipLane = -1

// lanes walks the lanes of an indirect move with the table row that each picks; lanes with row −1 (all ones, whatever the index's type) are
// left out, a row outside the table is a fault.
func (e *Eval) lanes(index, tableRows int, visit func(lane, row int)) {
	column := e.InBits(index)
	for lane := range column.Rows {
		row := int(signed(column.At(lane, 0), column.Width))
		if row == skipLane {
			continue
		}
		if row < 0 || row >= tableRows {
			e.Fault("lane %d: row %d of a table of %d rows", lane, row, tableRows)
			return
		}
		visit(lane, row)
	}
}

// evalGather is lane r ← row index[r] of the table; the table's outermost pair counts its rows.
func evalGather(e *Eval) {
	pick := e.Pick()
	tableRows, cols := size(e.input(0))
	table := e.entry(0)
	pickAll(pick, Keep)
	e.lanes(1, tableRows, func(lane, row int) {
		pickRow(pick[lane*cols:(lane+1)*cols], table+int32(row*cols))
	})
}

// evalScatter is row index[r] of the table ← lane r, lanes in order: of repeated rows the last lane stays.
func evalScatter(e *Eval) {
	pick := e.Pick()
	tableRows, cols := size(&e.Args[0])
	src := e.entry(0)
	pickAll(pick, Keep)
	e.lanes(1, tableRows, func(lane, row int) {
		pickRow(pick[row*cols:(row+1)*cols], src+int32(lane*cols))
	})
}

// evalScatterAdd adds lane r to row index[r] of the table, lanes in order; each addition is float32 and rounds to the table's dtype. Rows that
// no lane names keep their bits.
func evalScatterAdd(e *Eval) {
	src, out := e.In(0), e.OutBits(0)
	old := e.OldBits(0)
	for r := range out.Rows {
		copy(out.Row(r), old.Row(r))
	}
	d, f := e.Args[0].DType, e.float(e.Alu(PScatterOp))
	e.lanes(1, out.Rows, func(lane, row int) {
		for c, v := range src.Row(lane) {
			out.Set(row, c, num.Encode(d, f(num.Decode(d, out.At(row, c)), v)))
		}
	})
}
