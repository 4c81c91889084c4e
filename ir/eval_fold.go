package ir

// foldFunc folds four runs of equal, non-zero length, each left to right from its first element. Four at a time, because one sum is bound by
// the latency of its additions and their order is fixed.
type foldFunc func(a, b, c, d []float32) (ra, rb, rc, rd float32)

// foldFuncs has the fold of every float32 operator. Some are worth a loop of their own.
var foldFuncs = foldAll(&aluFuncs, [NumAluOps]foldFunc{AluAdd: foldAdd, AluMult: foldMul, AluMax: foldMax, AluMin: foldMin})

// foldAll adds the folds that are missing.
func foldAll(fs *[NumAluOps]aluFunc, folds [NumAluOps]foldFunc) *[NumAluOps]foldFunc {
	for op, f := range fs {
		if f != nil && folds[op] == nil {
			folds[op] = foldWith(f)
		}
	}
	return &folds
}

func foldAdd(a, b, c, d []float32) (ra, rb, rc, rd float32) {
	b, c, d = b[:len(a)], c[:len(a)], d[:len(a)]
	ra, rb, rc, rd = a[0], b[0], c[0], d[0]
	for i := 1; i < len(a); i++ {
		ra, rb, rc, rd = add32(ra, a[i]), add32(rb, b[i]), add32(rc, c[i]), add32(rd, d[i])
	}
	return ra, rb, rc, rd
}

func foldMul(a, b, c, d []float32) (ra, rb, rc, rd float32) {
	b, c, d = b[:len(a)], c[:len(a)], d[:len(a)]
	ra, rb, rc, rd = a[0], b[0], c[0], d[0]
	for i := 1; i < len(a); i++ {
		ra, rb, rc, rd = mul32(ra, a[i]), mul32(rb, b[i]), mul32(rc, c[i]), mul32(rd, d[i])
	}
	return ra, rb, rc, rd
}

func foldMax(a, b, c, d []float32) (ra, rb, rc, rd float32) {
	b, c, d = b[:len(a)], c[:len(a)], d[:len(a)]
	ra, rb, rc, rd = a[0], b[0], c[0], d[0]
	for i := 1; i < len(a); i++ {
		ra, rb, rc, rd = max32(ra, a[i]), max32(rb, b[i]), max32(rc, c[i]), max32(rd, d[i])
	}
	return ra, rb, rc, rd
}

func foldMin(a, b, c, d []float32) (ra, rb, rc, rd float32) {
	b, c, d = b[:len(a)], c[:len(a)], d[:len(a)]
	ra, rb, rc, rd = a[0], b[0], c[0], d[0]
	for i := 1; i < len(a); i++ {
		ra, rb, rc, rd = min32(ra, a[i]), min32(rb, b[i]), min32(rc, c[i]), min32(rd, d[i])
	}
	return ra, rb, rc, rd
}

// foldWith makes a fold of any operator.
func foldWith(f aluFunc) foldFunc {
	one := func(x []float32) float32 {
		r := x[0]
		for _, v := range x[1:] {
			r = f(r, v)
		}
		return r
	}
	return func(a, b, c, d []float32) (ra, rb, rc, rd float32) { return one(a), one(b), one(c), one(d) }
}

// foldRows folds every run of k elements of x into one of out.
func foldRows(out, x View, k int, f foldFunc) {
	last := x.Rows - 1
	for r := 0; r <= last; r += 4 {
		r1, r2, r3 := min(r+1, last), min(r+2, last), min(r+3, last) // a short group folds its last row again
		a, b, c, d := x.Row(r), x.Row(r1), x.Row(r2), x.Row(r3)
		oa, ob, oc, od := out.Row(r), out.Row(r1), out.Row(r2), out.Row(r3)
		for j := range oa {
			lo, hi := j*k, (j+1)*k
			va, vb, vc, vd := f(a[lo:hi], b[lo:hi], c[lo:hi], d[lo:hi])
			oa[j], ob[j], oc[j], od[j] = va, vb, vc, vd
		}
	}
}

// runLength returns how many elements of a row of x fold into one of out; 0, with a fault, where they do not divide.
func (e *Eval) runLength(xCols, outCols int) int {
	if outCols == 0 || xCols == 0 || xCols%outCols != 0 {
		e.Fault("%d elements a lane do not fold into %d", xCols, outCols)
		return 0
	}
	return xCols / outCols
}

// evalTensorReduce folds in float32, or on raw bits, left to right from the first element; negate comes after. A fold with `average` is the sum
// divided by the count; with `subtract` it is x0 − x1 − x2 … (the documents are silent on both).
func evalTensorReduce(e *Eval) {
	op := e.Alu(PReduceOp)
	if op.Bitwise() {
		e.foldBits(op)
		return
	}
	x, out := e.In(0), e.Out(0)
	k := e.runLength(x.Cols, out.Cols)
	if k == 0 {
		return
	}
	if op.Logical() {
		e.checkRuns(x, k)
	}
	switch {
	case op == AluAverage:
		averageRows(out, x, k)
	case foldFuncs[op] != nil:
		foldRows(out, x, k, foldFuncs[op])
	default:
		e.noFloat(op)
	}
	if e.Flag(PNegate) {
		for r := range out.Rows {
			row := out.Row(r)
			for i, v := range row {
				row[i] = -v
			}
		}
	}
}

// checkRuns poisons every result of a logical fold that takes in a number other than 0 and 1.
func (e *Eval) checkRuns(x View, k int) {
	for r := range x.Rows {
		for c, v := range x.Row(r) {
			if !zeroOne(v) {
				e.Poison(r, c/k)
			}
		}
	}
}

// averageRows is the float32 sum of each run divided by its length.
func averageRows(out, x View, k int) {
	foldRows(out, x, k, foldAdd)
	for r := range out.Rows {
		row := out.Row(r)
		for i := range row {
			row[i] /= float32(k)
		}
	}
}

func (e *Eval) foldBits(op AluOp) {
	x, out := e.InBits(0), e.OutBits(0)
	f := bitFuncs[op]
	k := e.runLength(x.Cols, out.Cols)
	if k == 0 {
		return
	}
	for r := range out.Rows {
		for j := range out.Cols {
			v := x.At(r, j*k)
			for c := j*k + 1; c < (j+1)*k; c++ {
				v = f(v, x.At(r, c), x.Width)
			}
			out.Set(r, j, v)
		}
	}
}

// evalPool is a maximum or an average of each window.
func evalPool(e *Eval) {
	x, out := e.In(0), e.Out(0)
	k := e.runLength(x.Cols, out.Cols)
	switch {
	case k == 0:
	case e.Int(PPoolFunc) == 0:
		foldRows(out, x, k, foldMax)
	default:
		averageRows(out, x, k)
	}
}

// Accumulate does an accumulator command on the float32 results of an instruction, those before the cast: acc has one number a lane.
// The sum of a row is taken left to right on its own and then added once (bir-json.md, `acc`).
func Accumulate(acc []float32, mode AccMode, results View) {
	if mode == AccIdle {
		return
	}
	if mode == AccZero || results.Cols == 0 {
		if mode != AccAccumulate {
			clear(acc[:results.Rows])
		}
		return
	}
	var sums [4]float32
	for r := 0; r < results.Rows; r += 4 {
		n := min(4, results.Rows-r)
		group := View{F: results.F[r*results.Stride:], Rows: n, Cols: results.Cols, Stride: results.Stride}
		foldRows(View{F: sums[:], Rows: n, Cols: 1, Stride: 1}, group, results.Cols, foldAdd)
		for i, s := range sums[:n] {
			if mode == AccAccumulate {
				s += acc[r+i]
			}
			acc[r+i] = s
		}
	}
}

// evalReadAcc reads the accumulator of the engine.
func evalReadAcc(e *Eval) {
	out := e.Out(0)
	acc := e.Machine.Acc() // Inst.Acc is the command
	for r := range out.Rows {
		out.F[r*out.Stride] = acc[r]
	}
}
