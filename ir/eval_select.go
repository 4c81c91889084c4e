package ir

// evalSelect picks on_true where pred is 1 and on_false where it is 0; any other mask is poison (semantics.md §5).
func evalSelect(e *Eval) {
	pred := e.In(0)
	pick := e.Pick()
	yes, no := e.entry(1), e.entry(2)
	i := int32(0)
	for r := range pred.Rows {
		for c, p := range pred.Row(r) {
			pick[i] = no + i
			switch p {
			case 0:
			case 1:
				pick[i] = yes + i
			default:
				e.Poison(r, c)
			}
			i++
		}
	}
}

// evalCopyPredicated picks src where pred ≠ 0 (reverse_pred: = 0) and keeps dst elsewhere. No non-zero integer widens to 0.
func evalCopyPredicated(e *Eval) {
	pred := e.In(0)
	pick := e.Pick()
	src := e.entry(1)
	reverse := e.Flag(PReversePred)
	i := int32(0)
	for r := range pred.Rows {
		for _, p := range pred.Row(r) {
			pick[i] = Keep
			if (p != 0) != reverse {
				pick[i] = src + i
			}
			i++
		}
	}
}

// evalAffineSelect keeps x where the pattern's value compares with 0, and fills elsewhere.
func evalAffineSelect(e *Eval) {
	pick := e.Pick()
	rows, cols := size(&e.Args[0])
	x := e.entry(0)
	compare := Cmp(e.Int(PCompareOp))
	e.SetFill(float32(e.Float(PFillValue)))
	e.pattern(rows, cols, func(r, c int, v int32) {
		i := int32(r*cols + c)
		pick[i] = Fill
		if compare.Holds(int64(v)) {
			pick[i] = x + i
		}
	})
}

// evalRangeSelect keeps x where both comparisons of its position with the lane's bounds hold, and fills elsewhere. The position base + i
// (i counts the elements of a lane in access order) is compared as a float32 (nki-isa.md §3.18).
func evalRangeSelect(e *Eval) {
	bound0, bound1 := e.In(1), e.In(2)
	pick := e.Pick()
	rows, cols := size(&e.Args[0])
	x, base := e.entry(0), e.Int(PBase)
	compare0, compare1 := compareFuncs[e.Int(PCompareOp0)], compareFuncs[e.Int(PCompareOp1)]
	e.SetFill(float32(e.Float(PFillValue)))
	for r := range rows {
		b0, b1 := bound0.lane(r), bound1.lane(r)
		for c := range cols {
			i, at := r*cols+c, float32(base+int64(c))
			pick[i] = Fill
			if compare0(at, b0) != 0 && compare1(at, b1) != 0 {
				pick[i] = x + int32(i)
			}
		}
	}
}
