package ir

// quad is the rows of four lanes. A scan takes as many together, because one is bound by the latency of its operators. Rows of its output may
// be those of an input, and two rows may be the same one: a column is read before it is written.
type quad [4][]float32

// scanMulAdd is the scan of mult and add, the linear recurrence, worth a loop of its own.
func scanMulAdd(dst, x, y *quad, carry [4]float32) {
	n := len(dst[0])
	da, db, dc, dd := dst[0], dst[1][:n], dst[2][:n], dst[3][:n]
	xa, xb, xc, xd := x[0][:n], x[1][:n], x[2][:n], x[3][:n]
	ya, yb, yc, yd := y[0][:n], y[1][:n], y[2][:n], y[3][:n]
	a, b, c, d := carry[0], carry[1], carry[2], carry[3]
	for i := range da {
		a, b = add32(mul32(xa[i], a), ya[i]), add32(mul32(xb[i], b), yb[i])
		c, d = add32(mul32(xc[i], c), yc[i]), add32(mul32(xd[i], d), yd[i])
		da[i], db[i], dc[i], dd[i] = a, b, c, d
	}
}

// scanWith is the scan of any two operators.
func scanWith(f, g aluFunc, dst, x, y *quad, carry [4]float32) {
	for i := range dst[0] {
		for k := range carry {
			carry[k] = g(f(x[k][i], carry[k]), y[k][i])
		}
		for k := range carry {
			dst[k][i] = carry[k]
		}
	}
}

// quadAt returns lanes r to r+3 of a view; one past the last is the last once more.
func (v View) quadAt(r int) (q quad) {
	for k := range q {
		q[k] = v.Row(min(r+k, v.Rows-1))
	}
	return q
}
