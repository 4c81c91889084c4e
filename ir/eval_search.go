package ir

import "math"

// best is the number of values that Max, MaxIndex and MatchReplace handle at once.
const best = 8

// evalMax gives the 8 largest numbers of each row, repeats included, descending. NaN counts as smaller than any number.
func evalMax(e *Eval) {
	x, out := e.In(0), e.Out(0)
	for r := range out.Rows {
		top := largest(x.Row(r))
		copy(out.Row(r), top[:])
	}
}

// largest returns the 8 largest numbers of a row, descending; a row of fewer is filled up with NaN.
func largest(row []float32) [best]float32 {
	var top [best]float32
	fill(top[:], float32(math.NaN()))
	for _, v := range row {
		if !above(v, top[best-1]) {
			continue
		}
		i := best - 1
		for ; i > 0 && above(v, top[i-1]); i-- {
			top[i] = top[i-1]
		}
		top[i] = v
	}
	return top
}

// above orders numbers with NaN below all.
func above(x, y float32) bool { return x > y || y != y && x == x }

// absent is the position of a value that does not occur.
const absent = -1

// occurrences returns the position in row of each value: equal values take successive ones (nki-isa.md §3.26, the 2.32 rule). A NaN never occurs.
func occurrences(row []float32, vals [best]float32) (at [best]int) {
	for j, v := range vals {
		from := 0
		for i := range j {
			if vals[i] == v {
				from = at[i] + 1
				if at[i] == absent {
					from = len(row)
				}
			}
		}
		at[j] = absent
		for c, x := range row[from:] {
			if x == v {
				at[j] = from + c
				break
			}
		}
	}
	return at
}

// evalMaxIndex gives the position of each value; absent is all ones.
func evalMaxIndex(e *Eval) {
	x, vals, out := e.In(0), e.In(1), e.OutBits(0)
	for r := range out.Rows {
		for j, at := range occurrences(x.Row(r), [best]float32(vals.Row(r))) {
			out.Set(r, j, uint64(at))
		}
	}
}

// evalMatchReplace puts imm_value in the place of one occurrence of each value, the first not yet taken. A replaced element is never found
// again, even where imm_value is one of the values; so the order of the values does not matter.
func evalMatchReplace(e *Eval) {
	x, vals, out := e.In(0), e.In(1), e.Out(0)
	imm := float32(e.Float(PImmValue))
	for r := range out.Rows {
		at := occurrences(x.Row(r), [best]float32(vals.Row(r)))
		dst := out.Row(r)
		copy(dst, x.Row(r))
		for _, c := range at {
			if c != absent {
				dst[c] = imm
			}
		}
	}
}
