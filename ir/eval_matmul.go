package ir

import "birfuzz/ir/num"

// The block of results that the innermost loop sums at a time: its sums, a row of each panel and two products fit the 16 vector registers of
// every amd64.
const (
	blockM = 4
	blockN = 8
)

// blockSums is one block of results.
type blockSums [blockM][blockN]float32

// panels holds the operands of a matmul, repacked so that the innermost loop reads forwards: one entry of blockM columns of stationary, and
// of blockN columns of moving, for each k. Sizes that do not divide are filled up with zeros whose sums nobody stores.
type panels struct {
	stationary [][blockM]float32 // K entries for each block of M
	moving     [][blockN]float32 // K entries, of one block of N
}

// evalMatmul is out[m,n] = Σ_k stationary[k,m]·moving[k,n]: float32 products and sums, ascending k, from +0. Without start the finished sum is
// added once to what stands in out. The operands of type float32r are rounded to it first.
func evalMatmul(e *Eval) {
	moving, stationary, out := e.In(0), e.In(1), e.Out(0)
	if moving.Rows != stationary.Rows || out.Rows != stationary.Cols || out.Cols != moving.Cols {
		e.Fault("matmul of [%d,%d] and [%d,%d] into [%d,%d]", stationary.Rows, stationary.Cols, moving.Rows, moving.Cols, out.Rows, out.Cols)
		return
	}
	old := View{}
	if !e.Flag(PStart) {
		old = e.Old(0)
	}
	p := &e.panels
	p.packStationary(stationary, e.input(1).DType)
	for n := 0; n < out.Cols; n += blockN {
		p.packMoving(moving, n, e.input(0).DType)
		k := moving.Rows
		for m := 0; m < out.Rows; m += blockM {
			var sums blockSums
			at := m / blockM * k
			multiply(&sums, p.stationary[at:at+k], p.moving)
			store(out, old, m, n, &sums)
		}
	}
}

// store writes the part of a block that lies in out, added to old where there is one.
func store(out, old View, m, n int, sums *blockSums) {
	cols := min(blockN, out.Cols-n)
	for i := range min(blockM, out.Rows-m) {
		dst, sum := out.Row(m + i)[n:n+cols], sums[i][:cols]
		if old.F == nil {
			copy(dst, sum)
			continue
		}
		addRow(dst, old.Row(m + i)[n:n+cols], sum)
	}
}

// packStationary repacks all of stationary.
func (p *panels) packStationary(s View, d DType) {
	blocks := (s.Cols + blockM - 1) / blockM
	p.stationary = resize(p.stationary, blocks*s.Rows)
	for k := range s.Rows {
		row := s.Row(k)
		for b := range blocks {
			entry := [blockM]float32{}
			copy(entry[:], row[b*blockM:])
			if d == num.Float32r {
				round(entry[:])
			}
			p.stationary[b*s.Rows+k] = entry
		}
	}
}

// packMoving repacks the block of moving that starts at column n.
func (p *panels) packMoving(v View, n int, d DType) {
	p.moving = resize(p.moving, v.Rows)
	for k := range v.Rows {
		entry := [blockN]float32{}
		copy(entry[:], v.Row(k)[n:])
		if d == num.Float32r {
			round(entry[:])
		}
		p.moving[k] = entry
	}
}

func round(row []float32) {
	for i, v := range row {
		row[i] = num.RoundFloat32r(v)
	}
}

// resize returns s with n elements of no particular value, its memory reused where it suffices.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
