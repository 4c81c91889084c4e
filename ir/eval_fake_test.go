package ir

import (
	"fmt"
	"math"
	"testing"

	"birfuzz/ir/num"
)

// tensor is an operand of a fake machine: raw elements, row-major.
type tensor struct {
	dtype      DType
	rows, cols int
	bits       []uint64
	imm        bool
}

// vals makes a tensor of rows lanes by casting the numbers.
func vals(d DType, rows int, numbers ...float64) *tensor {
	t := &tensor{dtype: d, rows: rows, cols: len(numbers) / rows, bits: make([]uint64, len(numbers))}
	for i, v := range numbers {
		t.bits[i] = num.Encode(d, float32(v))
	}
	return t
}

// raw makes a tensor of rows lanes from elements as they stand in memory.
func raw(d DType, rows int, elements ...uint64) *tensor {
	return &tensor{dtype: d, rows: rows, cols: len(elements) / rows, bits: elements}
}

// zeros makes a tensor for results.
func zeros(d DType, rows, cols int) *tensor {
	return &tensor{dtype: d, rows: rows, cols: cols, bits: make([]uint64, rows*cols)}
}

func f32s(rows int, numbers ...float64) *tensor { return vals(num.Float32, rows, numbers...) }

// imm makes an immediate operand.
func imm(v float64) *tensor {
	t := f32s(1, v)
	t.imm = true
	return t
}

func (t *tensor) view() View {
	v := View{F: make([]float32, len(t.bits)), Rows: t.rows, Cols: t.cols, Stride: t.cols}
	for i, b := range t.bits {
		v.F[i] = num.Decode(t.dtype, b)
	}
	return v
}

func (t *tensor) elements() Bits {
	size := t.dtype.Size()
	v := Bits{B: make([]byte, len(t.bits)*size), Rows: t.rows, Cols: t.cols, Stride: t.cols * size, Width: 8 * size}
	for i, b := range t.bits {
		num.StoreWord(v.B[i*size:], size, b)
	}
	return v
}

func (t *tensor) operand() Operand {
	if t.imm {
		return Operand{Kind: ImmOperand, DType: t.dtype, Imm: float64(num.Decode(t.dtype, t.bits[0]))}
	}
	o := Operand{Kind: APOperand, DType: t.dtype, N: 2}
	o.AP[0], o.AP[1] = Pair{int32(t.cols), int32(t.rows)}, Pair{1, int32(t.cols)}
	return o
}

// sourceStride keeps the Pick entries of different inputs apart.
const sourceStride = 1 << 24

// fake is a Machine of plain slices for one instruction with one output.
type fake struct {
	out    *tensor
	ins    []*tensor
	acc    []float32
	result View
	words  Bits
	pick   []int32
	fill   float32
	poison map[[2]int]bool
	fault  string
}

func (m *fake) Has(i int) bool        { return i < len(m.ins) }
func (m *fake) In(i int) View         { return m.ins[i].view() }
func (m *fake) InBits(i int) Bits     { return m.ins[i].elements() }
func (m *fake) Old(int) View          { return m.out.view() }
func (m *fake) OldBits(int) Bits      { return m.out.elements() }
func (m *fake) Acc() []float32        { return m.acc }
func (m *fake) SetFill(v float32)     { m.fill = v }
func (m *fake) Poison(r, c int)       { m.poison[[2]int{r, c}] = true }
func (m *fake) Source(i, e int) int32 { return int32(i*sourceStride + e) }

func (m *fake) Fault(format string, args ...any) {
	if m.fault == "" {
		m.fault = fmt.Sprintf(format, args...)
	}
}

func (m *fake) Out(int) View {
	if m.result.F == nil {
		m.result = View{F: make([]float32, len(m.out.bits)), Rows: m.out.rows, Cols: m.out.cols, Stride: m.out.cols}
	}
	return m.result
}

func (m *fake) OutBits(int) Bits {
	if m.words.B == nil {
		m.words = m.out.elements()
	}
	return m.words
}

func (m *fake) Pick() []int32 {
	m.pick = make([]int32, len(m.out.bits))
	return m.pick
}

func (m *fake) Copy(i int) {
	for e, p := range m.Pick() {
		m.pick[e] = p + m.Source(i, e)
	}
}

// finish casts or moves the results to the output, as an executor does.
func (m *fake) finish() {
	for i, v := range m.result.F {
		m.out.bits[i] = num.Encode(m.out.dtype, v)
	}
	if m.words.B != nil {
		for i := range m.out.bits {
			m.out.bits[i] = m.words.At(i/m.out.cols, i%m.out.cols)
		}
	}
	for i, p := range m.pick {
		switch p {
		case Keep:
		case Fill:
			m.out.bits[i] = num.Encode(m.out.dtype, m.fill)
		default:
			src := m.ins[p/sourceStride]
			b := src.bits[p%sourceStride]
			if src.dtype != m.out.dtype {
				b = num.Encode(m.out.dtype, num.Decode(src.dtype, b))
			}
			m.out.bits[i] = b
		}
	}
}

// call is one instruction to run: row, engine, settings, output and inputs.
type call struct {
	op     string
	engine Engine
	params []Param
	out    *tensor
	ins    []*tensor
	acc    []float32
}

// run executes c.
func (c call) run(t testing.TB) *fake {
	t.Helper()
	spec, ok := OpNamed(c.op)
	if !ok {
		t.Fatalf("no row %q", c.op)
	}
	in := &Inst{Op: spec.Op, Engine: c.engine, NOut: 1, Args: []Operand{c.out.operand()}}
	for _, x := range c.ins {
		in.Args = append(in.Args, x.operand())
	}
	for _, p := range c.params {
		in.SetParam(p)
	}
	m := &fake{out: c.out, ins: c.ins, acc: c.acc, poison: map[[2]int]bool{}}
	spec.Eval(&Eval{Inst: in, Machine: m})
	m.finish()
	return m
}

// want runs c and compares its output with the numbers, NaN equal to NaN.
func (c call) want(t *testing.T, numbers ...float64) {
	t.Helper()
	m := c.run(t)
	if m.fault != "" {
		t.Errorf("%s: fault: %s", c.op, m.fault)
	}
	got := m.out.view().F
	if len(got) != len(numbers) {
		t.Fatalf("%s: %d results, want %d", c.op, len(got), len(numbers))
	}
	for i, w := range numbers {
		if g := float64(got[i]); g != w && !(math.IsNaN(g) && math.IsNaN(w)) {
			t.Errorf("%s: element %d is %v, want %v (all: %v)", c.op, i, g, w, got)
		}
	}
}

// faults runs c and wants a fault.
func (c call) faults(t *testing.T) {
	t.Helper()
	if c.run(t).fault == "" {
		t.Errorf("%s: no fault", c.op)
	}
}

func set(id ParamID, v int64) Param      { return Param{ID: id, I: v} }
func alu(id ParamID, op AluOp) Param     { return Param{ID: id, I: int64(op)} }
func number(id ParamID, v float64) Param { return Param{ID: id, F: v} }
func pattern(pairs ...[]int64) Param     { return Param{ID: PPattern, LL: pairs} }
func ins(t ...*tensor) []*tensor         { return t }
func settings(p ...Param) []Param        { return p }
