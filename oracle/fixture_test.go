package oracle

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"birfuzz/ir"
	"birfuzz/ir/num"
)

// parse reads a program in text form.
func parse(t testing.TB, src string) *ir.Program {
	t.Helper()
	p, err := ir.Parse(t.Name(), src)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// floats makes a float32 tensor.
func floats(v ...float32) ir.Tensor {
	t := ir.Tensor{DType: num.Float32, Shape: []int64{int64(len(v))}}
	for _, f := range v {
		t.Data = binary.LittleEndian.AppendUint32(t.Data, math.Float32bits(f))
	}
	return t
}

// ints makes an int32 tensor.
func ints(v ...int32) ir.Tensor {
	t := ir.Tensor{DType: num.Int32, Shape: []int64{int64(len(v))}}
	for _, i := range v {
		t.Data = binary.LittleEndian.AppendUint32(t.Data, uint32(i))
	}
	return t
}

// counting makes a float32 tensor of 0, 1, 2, …
func counting(n int) ir.Tensor {
	v := make([]float32, n)
	for i := range v {
		v[i] = float32(i)
	}
	return floats(v...)
}

// numbers returns the elements of a tensor.
func numbers(t ir.Tensor) []float64 {
	size := t.DType.Size()
	out := make([]float64, len(t.Data)/size)
	for i := range out {
		out[i] = float64(num.Decode(t.DType, num.Load(t.Data[i*size:], t.DType)))
	}
	return out
}

// show prints a tensor on one line, as a test's want line has it.
func show(t ir.Tensor) string { return strings.Trim(fmt.Sprint(numbers(t)), "[]") }

// execute runs a program in text form.
func execute(t testing.TB, src string, in ir.Values) Result {
	t.Helper()
	r, err := Execute(parse(t, src), in)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// expect runs a program in text form and compares its outputs, each "name: numbers".
func expect(t *testing.T, src string, in ir.Values, want ...string) {
	t.Helper()
	r := execute(t, src, in)
	if r.Fault != nil {
		t.Fatal(r.Fault)
	}
	for _, w := range want {
		name, line, _ := strings.Cut(w, ": ")
		if got := show(r.Outputs[name]); got != line {
			t.Errorf("%s is %s, want %s", name, got, line)
		}
	}
}

// expectFault runs a program in text form that must end in a fault of this kind at this instruction.
func expectFault(t *testing.T, src string, in ir.Values, kind FaultKind, inst string) {
	t.Helper()
	if r := execute(t, src, in); r.Fault == nil || r.Fault.Kind != kind || r.Fault.Inst != inst {
		t.Errorf("the run ended with %v, want a %v fault at %q", r.Fault, kind, inst)
	}
}
