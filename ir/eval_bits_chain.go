package ir

import (
	"unsafe"

	"birfuzz/ir/num"
)

// bitStep is one operator of a chain on raw bits. A scalar operand has one element a lane, or one in all.
type bitStep struct {
	op     AluOp
	rev    bool
	y      Bits
	scalar bool
}

// none is the second operand of a unary operator.
var none = Bits{B: make([]byte, 8), Rows: 1, Cols: 1, Width: 64}

// wordScratch has scratch rows of every width.
type wordScratch struct {
	w8  wordRows[uint8]
	w16 wordRows[uint16]
	w32 wordRows[uint32]
	w64 wordRows[uint64]
}

// wordRows has scratch rows of one width: what operators need, copies of their second operands, and copies of what the chain begins and ends
// with where they cannot be used where they stand.
type wordRows[T element] struct{ chain, seconds, ends scratch[T] }

// bits runs a chain of operators on raw bits.
func (e *Eval) bits(x Bits, k *bitKernels, steps ...bitStep) {
	switch s := &e.words; x.Width {
	case 8:
		runBits(e, &s.w8, &k.k8, x, steps)
	case 16:
		runBits(e, &s.w16, &k.k16, x, steps)
	case 32:
		runBits(e, &s.w32, &k.k32, x, steps)
	case 64:
		runBits(e, &s.w64, &k.k64, x, steps)
	}
}

// runBits is bits on elements of type T, row by row and block by block. All but the last result go to a scratch row, because the output may be
// the memory of an operand that a later step reads.
func runBits[T element](e *Eval, s *wordRows[T], kernels *[NumAluOps]wordRow[T], x Bits, steps []bitStep) {
	for k := range steps {
		if op := steps[k].op; kernels[op] == nil {
			e.Fault("%s has no meaning on raw bits", op)
			return
		}
	}
	out := e.OutBits(0)
	cols := out.Cols
	out, x = mergeBits(out, x, steps)
	for r := range out.Rows {
		for k := range steps {
			fillScalar(&steps[k], r, s.chain.row(k))
		}
		for c := 0; c < out.Cols; c += block {
			n := min(block, out.Cols-c)
			dst, inPlace := wordsAt[T](out, r, c, n)
			if !inPlace {
				dst = s.ends.row(0)[:n]
			}
			data := loadWords(x, r, c, s.ends.row(1)[:n])
			p := position{r*out.Cols + c, cols}
			for k := range steps {
				to := dst
				if k < len(steps)-1 {
					to = s.chain.row(len(s.chain) - 1)[:n]
				}
				applyBits(e, p, &steps[k], kernels, to, data, secondWords(&steps[k], r, c, s.chain.row(k)[:n], s.seconds.row(k)[:n]))
				data = to
			}
			if !inPlace {
				storeWords(out, r, c, dst)
			}
		}
	}
}

// applyBits runs one step on a block that starts at p. A shift count of the width or more is poison; as the width is a power of two, one OR
// finds out whether there is any.
func applyBits[T element](e *Eval, p position, st *bitStep, kernels *[NumAluOps]wordRow[T], dst, x, y []T) {
	if st.rev && !st.op.Unary() {
		x, y = y, x
	}
	if width := T(8 * unsafe.Sizeof(T(0))); st.op.Shifts() && union(y) >= width {
		for i, count := range y {
			if count >= width {
				e.Poison((p.at+i)/p.cols, (p.at+i)%p.cols)
			}
		}
	}
	kernels[st.op](dst, x, y)
}

// union is the OR of all elements.
func union[T element](row []T) T {
	u := T(0)
	for _, v := range row {
		u |= v
	}
	return u
}

// uniform tells whether the second operand is one element for all lanes.
func (s *bitStep) uniform() bool { return s.y.Rows == 1 && (s.scalar || s.op.Unary()) }

// fillScalar fills a scratch row with the scalar of lane r, where that is not in it already.
func fillScalar[T element](s *bitStep, r int, wide []T) {
	switch {
	case s.uniform() && r == 0:
		fill(wide, T(s.y.At(0, 0)))
	case s.scalar && !s.uniform():
		fill(wide, T(s.y.At(r, 0)))
	}
}

// secondWords returns the second operand of the block from element c of row r on: wide, where it is a scalar.
func secondWords[T element](s *bitStep, r, c int, wide, spare []T) []T {
	if s.scalar || s.op.Unary() {
		return wide
	}
	return loadWords(s.y, r, c, spare)
}

// mergeBits makes one row of all where nothing distinguishes the lanes.
func mergeBits(out, x Bits, steps []bitStep) (Bits, Bits) {
	o, ok := out.flat()
	v, contiguous := x.flat()
	ok = ok && contiguous
	for k := range steps {
		s := &steps[k]
		_, contiguous := s.y.flat()
		ok = ok && (s.uniform() || contiguous && !s.scalar)
	}
	if !ok {
		return out, x
	}
	for k := range steps {
		if s := &steps[k]; !s.uniform() {
			s.y, _ = s.y.flat()
		}
	}
	return o, v
}

// flat returns the rectangle as one row where its rows follow each other without a gap.
func (v Bits) flat() (Bits, bool) {
	size := v.Width / 8
	n := v.Rows * v.Cols
	return Bits{B: v.B, Rows: 1, Cols: n, Stride: n * size, Width: v.Width}, v.Rows == 1 || v.Stride == v.Cols*size
}

// wordsAt returns n elements from element c of row r on where they stand, if they can be viewed there.
func wordsAt[T element](v Bits, r, c, n int) ([]T, bool) {
	size := int(unsafe.Sizeof(T(0)))
	if v.Width != 8*size {
		return nil, false
	}
	return num.As[T](v.Row(r)[c*size:][:n*size])
}

// loadWords is wordsAt, but copies the elements to spare, which is as long as there are elements, where they cannot be viewed.
func loadWords[T element](v Bits, r, c int, spare []T) []T {
	if w, ok := wordsAt[T](v, r, c, len(spare)); ok {
		return w
	}
	for i := range spare {
		spare[i] = T(v.At(r, c+i))
	}
	return spare
}

// storeWords copies elements to where loadWords reads them.
func storeWords[T element](v Bits, r, c int, words []T) {
	for i, w := range words {
		v.Set(r, c+i, uint64(w))
	}
}
