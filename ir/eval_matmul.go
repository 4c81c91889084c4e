package ir

import "birfuzz/ir/num"

// The block of results that the innermost loop sums at a time: its sums, a row of each operand and two products fit the 16 vector registers of
// every amd64.
const (
	blockM = 4
	blockN = 8
)

// blockSums is one block of results.
type blockSums [blockM][blockN]float32

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
	left, right := &e.sides[0], &e.sides[1]
	left.load(stationary, blockM, e.input(1).DType)
	right.load(moving, blockN, e.input(0).DType)
	var sums blockSums
	for n := 0; n < out.Cols; n += blockN {
		columns := right.panel(n)
		for m := 0; m < out.Rows; m += blockM {
			multiply(&sums, left.panel(m), columns, moving.Rows)
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

// panel is what the blocks above or beside each other read of an operand: a few columns of each row, the rows step numbers apart.
type panel struct {
	f    []float32
	step int
}

// side is one operand of a matmul, cut into panels of width columns. A panel is read where it stands, unless it must be packed: copies cost
// more than they save even where the rows of a panel lie far apart.
type side struct {
	View
	width  int
	whole  int       // columns of the panels that are not packed
	packed []float32 // the others, one after another, rows of width numbers
}

// load makes v the operand, of type d. Rounding needs a copy, and so does the last panel where it is ragged: it is filled up with zeros, whose
// products nobody stores.
func (s *side) load(v View, width int, d DType) {
	s.View, s.width, s.whole = v, width, v.Cols/width*width
	if d == num.Float32r {
		s.whole = 0
	}
	size := s.Rows * width
	s.packed = resize(s.packed, (v.Cols-s.whole+width-1)/width*size)
	for c, to := s.whole, s.packed; c < v.Cols; c, to = c+width, to[size:] {
		s.pack(to[:size], c)
	}
	if d == num.Float32r {
		for i, x := range s.packed {
			s.packed[i] = num.RoundFloat32r(x)
		}
	}
}

// pack copies the panel that starts at column c.
func (s *side) pack(to []float32, c int) {
	if s.Cols-c < s.width {
		clear(to)
	}
	for k := range s.Rows {
		copy(to[k*s.width:][:s.width], s.Row(k)[c:])
	}
}

// panel returns the panel that starts at column c.
func (s *side) panel(c int) panel {
	if c < s.whole {
		return panel{s.F[c:], s.Stride}
	}
	return panel{s.packed[(c-s.whole)*s.Rows:], s.width}
}

// resize returns s with n elements of no particular value, its memory reused where it suffices.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
