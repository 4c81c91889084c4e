package ir

// evalBNStats gives count, mean and variance·count of the even elements of each row, then of the odd ones: the mean first, then the squared
// deviations from it, so that a large mean does not cancel (nki-isa.md §3.24, §9.17). An empty group is 0, 0, 0.
func evalBNStats(e *Eval) {
	x, out := e.In(0), e.Out(0)
	for r := range out.Rows {
		even, odd := groupStats(x.Row(r)), groupStats(x.Row(r)[min(1, x.Cols):])
		copy(out.Row(r), even[:])
		copy(out.Row(r)[len(even):], odd[:])
	}
}

// groupStats takes every second element of a row.
func groupStats(row []float32) [3]float32 {
	n := float32((len(row) + 1) / 2)
	if n == 0 {
		return [3]float32{}
	}
	sum := float32(0)
	for i := 0; i < len(row); i += 2 {
		sum += row[i]
	}
	mean, squares := sum/n, float32(0)
	for i := 0; i < len(row); i += 2 {
		d := row[i] - mean
		squares += float32(d * d)
	}
	return [3]float32{n, mean, squares}
}

// evalBNAggregate joins groups of (count, mean, variance·count): m = Σcᵢmᵢ/Σcᵢ, v = (Σ(vc)ᵢ + Σcᵢ(mᵢ−m)²)/Σcᵢ (nki-isa.md §3.24; the
// combination is our choice). Groups that are all empty give 0, 0.
func evalBNAggregate(e *Eval) {
	x, out := e.In(0), e.Out(0)
	for r := range out.Rows {
		row := x.Row(r)
		var count, sum, squares, mean, variance float32
		for i := 0; i+3 <= len(row); i += 3 {
			count += row[i]
			sum += float32(row[i] * row[i+1])
		}
		if count != 0 {
			mean = sum / count
			for i := 0; i+3 <= len(row); i += 3 {
				d := row[i+1] - mean
				squares += row[i+2]
				squares += float32(row[i] * float32(d*d))
			}
			variance = squares / count
		}
		out.Row(r)[0], out.Row(r)[1] = mean, variance
	}
}
