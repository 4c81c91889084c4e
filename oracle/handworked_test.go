package oracle

import (
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"birfuzz/ir"
	"birfuzz/ir/birtest"
	"birfuzz/ir/num"
)

// The files of testdata/meaning are worked by hand from the documents: one or more for every row of the op table, named after it. Their
// directives are `in: x = numbers`, `out: y = numbers` with a dot for an undefined element, `zero 3:7` for a tensor of zeros but for
// element 3, `tol: t` for a relative tolerance, and `fault: text` of the fault that ends the run. Execute clears memory to undefined 0xFF
// bytes first, so every row's Eval meets poisoned outputs.
const meaningFiles = "testdata/meaning/*.bir"

func TestMeaning(t *testing.T) {
	for _, file := range glob(t, meaningFiles) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".bir"), func(t *testing.T) { meaning(t, file) })
	}
}

// TestMeaningCoversRows: every row of the op table occurs in a file named after it.
func TestMeaningCoversRows(t *testing.T) {
	seen := map[string]bool{}
	for _, file := range glob(t, meaningFiles) {
		row, _, _ := strings.Cut(strings.TrimSuffix(filepath.Base(file), ".bir"), "-")
		_, p := readMeaning(t, file)
		for in := range p.Insts {
			seen[row] = seen[row] || in.Op.String() == row
		}
	}
	for s := range ir.Ops {
		if !seen[s.Name] {
			t.Errorf("no file of %s shows %s", meaningFiles, s.Name)
		}
	}
}

func readMeaning(t *testing.T, file string) (*birtest.Text, *ir.Program) {
	t.Helper()
	text, err := birtest.ReadText(file, "in", "out", "tol", "fault")
	if err != nil {
		t.Fatal(err)
	}
	p, err := ir.Parse(file, text.Source)
	if err != nil {
		t.Fatal(err)
	}
	return text, p
}

func glob(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %d files, %v", pattern, len(files), err)
	}
	return files
}

// meaning runs one file and compares what it leaves with what the file says.
func meaning(t *testing.T, file string) {
	text, p := readMeaning(t, file)
	if cs := ir.Verify(p, p.Facts); len(cs) > 0 {
		t.Fatal(cs)
	}
	in := ir.Values{}
	for _, d := range text.Values("in") {
		l, v := tensorOf(t, p, d)
		for i := range v {
			if v[i] == "." {
				t.Fatalf("input %s has an undefined element", l.Name)
			}
		}
		in[l.Name] = encode(t, l, v)
	}
	r, err := Execute(p, in)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Join(text.Values("fault"), " ")
	if got := fmt.Sprint(r.Fault); (r.Fault == nil) != (want == "") || !strings.Contains(got, want) {
		t.Fatalf("fault %v, want %q", r.Fault, want)
	}
	told := map[string]bool{}
	for _, d := range text.Values("out") {
		l, v := tensorOf(t, p, d)
		expectTensor(t, l, r, v, strings.Join(text.Values("tol"), ""))
		told[l.Name] = true
	}
	for name := range r.Outputs {
		if !told[name] && want == "" {
			t.Errorf("the file does not say what %s is", name)
		}
	}
}

// tensorOf splits "name = numbers" and checks the count.
func tensorOf(t *testing.T, p *ir.Program, directive string) (*ir.Loc, []string) {
	t.Helper()
	name, list, _ := strings.Cut(directive, " = ")
	for _, f := range p.Cores {
		for l := range f.Locs {
			if l.Name != name {
				continue
			}
			n := int(l.Bytes()) / l.Set.DType.Size()
			v := strings.Fields(list)
			if len(v) > 0 && v[0] == "zero" {
				v = sparse(t, n, v[1:])
			}
			if len(v) != n {
				t.Fatalf("%s: %d numbers, want %d", name, len(v), n)
			}
			return l, v
		}
	}
	t.Fatalf("no location %q", name)
	return nil, nil
}

func sparse(t *testing.T, n int, entries []string) []string {
	t.Helper()
	v := strings.Split(strings.Repeat("0 ", n-1)+"0", " ")
	for _, e := range entries {
		at, x, _ := strings.Cut(e, ":")
		i, err := strconv.Atoi(at)
		if err != nil {
			t.Fatal(err)
		}
		v[i] = x
	}
	return v
}

func encode(t *testing.T, l *ir.Loc, v []string) ir.Tensor {
	t.Helper()
	d := l.Set.DType
	out := ir.Tensor{DType: d, Shape: l.Set.Shape, Data: make([]byte, len(v)*d.Size())}
	for i, s := range v {
		if s == "." {
			continue
		}
		bits, err := bitsOf(d, s)
		if err != nil {
			t.Fatal(err)
		}
		num.Store(out.Data[i*d.Size():], d, bits)
	}
	return out
}

// bitsOf encodes a number that the type holds exactly; only float32 takes decimals to the nearest.
func bitsOf(d ir.DType, s string) (uint64, error) {
	if d.IsInt() {
		n, err := strconv.ParseInt(s, 10, 64)
		mask := ^uint64(0) >> (64 - 8*d.Size())
		if bits := uint64(n) & mask; err != nil || d.IsSigned() && n != int64(bits<<(64-8*d.Size()))>>(64-8*d.Size()) || !d.IsSigned() && n != int64(bits) {
			return 0, fmt.Errorf("%s is no %v (%v)", s, d, err)
		}
		return uint64(n) & mask, nil
	}
	f, err := strconv.ParseFloat(s, 32)
	bits := num.Encode(d, float32(f))
	if err == nil && d != num.Float32 && num.Decode(d, bits) != float32(f) {
		err = fmt.Errorf("%s is no %v", s, d)
	}
	return bits, err
}

// expectTensor compares an output element by element, undefined ones included.
func expectTensor(t *testing.T, l *ir.Loc, r Result, want []string, tol string) {
	t.Helper()
	size := l.Set.DType.Size()
	got, expected := r.Outputs[l.Name], encode(t, l, want)
	limit, _ := strconv.ParseFloat(tol, 64)
	for i, w := range want {
		undefined := r.Poison[l.Name][i*size]
		a := float64(num.Decode(l.Set.DType, num.Load(got.Data[i*size:], l.Set.DType)))
		b := float64(num.Decode(l.Set.DType, num.Load(expected.Data[i*size:], l.Set.DType)))
		bits := num.Load(got.Data[i*size:], l.Set.DType) == num.Load(expected.Data[i*size:], l.Set.DType)
		switch {
		case undefined != (w == "."):
			t.Errorf("%s: element %d is undefined: %v, want %s", l.Name, i, undefined, w)
		case !undefined && !bits && a != b && !(math.Abs(a-b) <= limit*math.Abs(b)):
			t.Errorf("%s: element %d is %v, want %s", l.Name, i, a, w)
		}
	}
}

// TestMeaningCoversOperators: every ALU operator and every activation function occurs in a hand-worked file.
func TestMeaningCoversOperators(t *testing.T) {
	var alu [ir.NumAluOps]bool
	var act [ir.NumActFuncs]bool
	for _, file := range glob(t, meaningFiles) {
		_, p := readMeaning(t, file)
		for in := range p.Insts {
			for _, id := range in.Spec().Params {
				switch id {
				case ir.POp, ir.PReduceOp, ir.POp0, ir.POp1:
					alu[in.Alu(id)] = true
				case ir.PFunc:
					act[in.Int(id)] = true
				}
			}
		}
	}
	for i, ok := range alu {
		if !ok {
			t.Errorf("operator %v occurs in no file", ir.AluOp(i))
		}
	}
	for i, ok := range act {
		if !ok {
			t.Errorf("function %v occurs in no file", ir.ActFunc(i))
		}
	}
}
