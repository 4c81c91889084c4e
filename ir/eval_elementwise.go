package ir

// block is the number of elements that a chain takes at a time, so that what passes between its operators stays in the innermost cache.
const block = 1024

// source says where the second operand of an operator comes from.
type source uint8

const (
	uniform source = iota // one number for all elements; 0 where the operand is absent
	perLane               // one number a lane
	perElement
)

// step is one operator of an element-wise chain.
type step struct {
	op   AluOp
	rev  bool
	from source
	val  float32 // uniform
	y    View    // perLane, perElement
	wide []float32
}

// constStep is a step whose second operand is a number of the settings, rounded to float32 once.
func (e *Eval) constStep(op, val, rev ParamID) step {
	return step{op: e.Alu(op), rev: e.Flag(rev), from: uniform, val: float32(e.Float(val))}
}

// scalarStep is a step whose second operand is Scalar input i, where there is one.
func (e *Eval) scalarStep(op, rev ParamID, i int) step {
	s := step{op: e.Alu(op), rev: e.Flag(rev)}
	if !e.Has(i) {
		return s
	}
	s.y = e.In(i)
	s.from = perLane
	if s.y.Rows == 1 {
		s.from, s.val = uniform, s.y.F[0]
	}
	return s
}

// tensorStep is a step whose second operand is input i.
func (e *Eval) tensorStep(op AluOp, rev bool, i int) step {
	return step{op: op, rev: rev, from: perElement, y: e.In(i)}
}

// flat returns the view as one row where its rows follow each other without a gap.
func (v View) flat() (View, bool) {
	n := v.Rows * v.Cols
	return View{F: v.F, Rows: 1, Cols: n, Stride: n}, v.Rows == 1 || v.Stride == v.Cols
}

// lane returns row r of a view with one column, or the only number there is.
func (v View) lane(r int) float32 {
	if v.Rows == 1 {
		return v.F[0]
	}
	return v.F[r*v.Stride]
}

// elementwise runs a chain of operators on input x: what the chain is between its operators stays float32.
func (e *Eval) elementwise(x View, chain ...step) {
	out := e.Out(0)
	chain = active(chain)
	if len(chain) == 0 {
		for r := range out.Rows {
			copy(out.Row(r), x.Row(r))
		}
		return
	}
	cols := out.Cols
	out, x = merge(out, x, chain)
	e.widen(chain, min(out.Cols, block))
	for r := range out.Rows {
		for i := range chain {
			chain[i].load(r)
		}
		e.elementwiseRow(position{r * out.Cols, cols}, out.Row(r), x.Row(r), chain)
	}
}

// active drops the steps that do nothing.
func active(chain []step) []step {
	n := 0
	for _, s := range chain {
		if s.op != AluBypass {
			chain[n] = s
			n++
		}
	}
	return chain[:n]
}

// widen gives the steps with a scalar operand a row of n elements to spread it over, and uniform ones their number in it.
func (e *Eval) widen(chain []step, n int) {
	for i := range chain {
		s := &chain[i]
		if s.from == perElement {
			continue
		}
		s.wide = e.rows.row(i)[:n]
		if s.from == uniform {
			fill(s.wide, s.val)
		}
	}
}

// load spreads the lane's scalar over the step's row.
func (s *step) load(r int) {
	if s.from == perLane {
		fill(s.wide, s.y.lane(r))
	}
}

// merge makes one row of all where nothing distinguishes the lanes.
func merge(out, x View, chain []step) (View, View) {
	o, ok := out.flat()
	v, contiguous := x.flat()
	ok = ok && contiguous
	for i := range chain {
		s := &chain[i]
		_, contiguous := s.y.flat()
		ok = ok && s.from != perLane && (contiguous || s.from != perElement)
	}
	if !ok {
		return out, x
	}
	for i := range chain {
		chain[i].y, _ = chain[i].y.flat()
	}
	return o, v
}

// position is the number of an element of output 0, row-major, and the elements of its lanes.
type position struct{ at, cols int }

// elementwiseRow runs the chain on one row, the first of whose elements is at p, block by block. All but the last result go to a scratch row,
// because dst may be the memory of an operand that a later step reads.
func (e *Eval) elementwiseRow(p position, dst, x []float32, chain []step) {
	for c := 0; c < len(dst); c += block {
		to := dst[c:min(c+block, len(dst))]
		data := x[c : c+len(to)]
		for i := range chain[:len(chain)-1] {
			between := e.rows.row(len(e.rows) - 1)[:len(to)]
			e.apply(&chain[i], p, c, between, data)
			data = between
		}
		e.apply(&chain[len(chain)-1], p, c, to, data)
	}
}

// apply runs one step on the block that starts c elements after p.
func (e *Eval) apply(s *step, p position, c int, dst, x []float32) {
	f := rowFuncs[s.op]
	if f == nil {
		e.noFloat(s.op)
		return
	}
	y := s.wide
	if s.from == perElement {
		y = s.y.F[p.at/p.cols*s.y.Stride+c:]
	}
	if s.op.Logical() {
		p.at += c
		e.checkLogical(p, x, y[:len(dst)])
	}
	if s.rev && !s.op.Unary() {
		x, y = y, x
	}
	f(dst, x, y)
}

// checkLogical poisons the results of a logical operator on a number other than 0 and 1.
func (e *Eval) checkLogical(p position, x, y []float32) {
	if allZeroOne(x) && allZeroOne(y) {
		return
	}
	for i := range x {
		if !zeroOne(x[i]) || !zeroOne(y[i]) {
			e.Poison((p.at+i)/p.cols, (p.at+i)%p.cols)
		}
	}
}

func fill[T any](dst []T, v T) {
	for i := range dst {
		dst[i] = v
	}
}

// scratch is rows of block elements each, made when first needed: one for each step's scalar and one for what is between two steps.
type scratch[T any] [3][]T

// row returns row i.
func (s *scratch[T]) row(i int) []T {
	if s[i] == nil {
		s[i] = make([]T, block)
	}
	return s[i]
}

// evalTensorTensor is x op y.
func evalTensorTensor(e *Eval) {
	op := e.Alu(POp)
	kernels := &bitRows
	if e.exact(op) {
		kernels = &wrapRows
	} else if !op.Bitwise() {
		e.elementwise(e.In(0), e.tensorStep(op, false, 1))
		return
	}
	s := bitStep{op: op, y: none}
	if !op.Unary() {
		s.y = e.InBits(1)
	}
	e.bits(e.InBits(0), kernels, s)
}

// bitChain tells whether a chain works on raw bits. A chain that mixes the two classes is illegal and faults in its arithmetic operator.
func (e *Eval) bitChain() bool { return e.Alu(POp0).Bitwise() || e.Alu(POp1).Bitwise() }

// evalTensorScalar is op1(op0(x, const0), const1).
func evalTensorScalar(e *Eval) {
	if !e.bitChain() {
		e.elementwise(e.In(0), e.constStep(POp0, PConst0, PReverse0), e.constStep(POp1, PConst1, PReverse1))
		return
	}
	x := e.InBits(0)
	constant := func(i int, op, val, rev ParamID) bitStep {
		return bitStep{op: e.Alu(op), rev: e.Flag(rev), scalar: true, y: e.constBits(i, e.Float(val), x.Width)}
	}
	e.bits(x, &bitRows, constant(0, POp0, PConst0, PReverse0), constant(1, POp1, PConst1, PReverse1))
}

// evalTensorScalarPtr is op1(op0(x, s0), s1).
func evalTensorScalarPtr(e *Eval) {
	if !e.bitChain() {
		e.elementwise(e.In(0), e.scalarStep(POp0, PReverse0, 1), e.scalarStep(POp1, PReverse1, 2))
		return
	}
	x := e.InBits(0)
	scalar := func(op, rev ParamID, i int) bitStep {
		s := bitStep{op: e.Alu(op), rev: e.Flag(rev), scalar: true, y: none}
		if e.Has(i) && !s.op.Unary() {
			s.y = e.scalarBits(i, x.Width)
		}
		return s
	}
	e.bits(x, &bitRows, scalar(POp0, PReverse0, 1), scalar(POp1, PReverse1, 2))
}

// evalScalarTensorTensor is (x op0 s0) op1 y.
func evalScalarTensorTensor(e *Eval) {
	if !e.bitChain() {
		e.elementwise(e.In(0), e.scalarStep(POp0, PReverse0, 1), e.tensorStep(e.Alu(POp1), e.Flag(PReverse1), 2))
		return
	}
	x := e.InBits(0)
	e.bits(x, &bitRows,
		bitStep{op: e.Alu(POp0), rev: e.Flag(PReverse0), scalar: true, y: e.scalarBits(1, x.Width)},
		bitStep{op: e.Alu(POp1), rev: e.Flag(PReverse1), y: e.InBits(2)})
}

// evalReciprocal is the IEEE quotient 1/x, 1/±0 = ±Inf (the documents are silent; IEEE suggested).
func evalReciprocal(e *Eval) {
	x, out := e.In(0), e.Out(0)
	for r := range out.Rows {
		dst := out.Row(r)
		src := x.Row(r)[:len(dst)]
		for i := range dst {
			dst[i] = 1 / src[i]
		}
	}
}
