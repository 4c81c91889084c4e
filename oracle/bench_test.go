package oracle

import (
	"fmt"
	"strings"
	"testing"

	"birfuzz/ir"
)

// benchRun runs a program over and over; units is what one run computes, reported in millions a second as the given unit.
func benchRun(b *testing.B, src string, units float64, unit string) {
	b.Helper()
	m := NewMachine()
	if err := m.Prepare(parse(b, src), Layout{}); err != nil {
		b.Fatal(err)
	}
	if out, err := m.Run(nil, Way{}); err != nil || out.Fault != nil {
		b.Fatal(err, out.Fault)
	}
	b.ReportAllocs()
	for b.Loop() {
		m.Run(nil, Way{})
	}
	b.ReportMetric(units*float64(b.N)/b.Elapsed().Seconds()/1e6, unit)
}

func BenchmarkMatmul128x128x512(b *testing.B) {
	benchRun(b, `func f {
  sb x: f32[128,512]
  sb w: f32[128,128]
  psum y: f32[128,512]
  a: x = Memset constant=1065353216 @DVE
  b: w = Memset constant=1065353216 @DVE
  c: y = Matmult x, w @PE
}`, 2*128*128*512, "MFLOP/s")
}

// BenchmarkElementwise executes each instruction 20 times on tiles of 128×512.
func BenchmarkElementwise(b *testing.B) {
	for _, c := range []struct{ name, body string }{
		{"add", "a = TensorTensor b, c op=add @DVE"},
		{"mult", "a = TensorTensor b, c op=mult @DVE"},
		{"max", "a = TensorTensor b, c op=max @DVE"},
		{"is_gt", "a = TensorTensor b, c op=is_gt @DVE"},
		{"divide", "a = TensorTensor b, c op=divide @DVE"},
		{"abs_max", "a = TensorTensor b, c op=abs_max @DVE"},
		{"scalar", "a = TensorScalar b op0=mult const0=2 op1=add const1=1"},
		{"scalarptr", "a = TensorScalarPtr b, c[:, 0:1], 1 op0=mult op1=add @DVE"},
		{"bf16add", "d = TensorTensor e, g op=add @DVE"},
		{"bf16scalar", "d = TensorScalar e op0=mult const0=2"},
		{"cast", "d = TensorCopy a"},
		{"copy", "a = TensorCopy b"},
		{"strided", "a[512x128, 2x256] = TensorTensor b[512x128, 2x256], c[512x128, 2x256] op=add @DVE"},
		{"select", "a = Select c, b, c @DVE"},
		{"accumulate", "a = TensorTensor b, c op=add acc=ZeroAccumulate @DVE"},
		{"reduce", "a[:, 0:1] = TensorReduce b op=add @DVE"},
		{"relu", "a = Activation b func=Relu @Activation"},
	} {
		b.Run(c.name, func(b *testing.B) {
			elems := 20 * 128 * 512.
			if c.name == "strided" {
				elems /= 2
			}
			benchRun(b, `func f {
  sb a: f32[128,512]
  sb b: f32[128,512]
  sb c: f32[128,512]
  sb d: bf16[128,512]
  sb e: bf16[128,512]
  sb g: bf16[128,512]
  m: b = Memset constant=1065353216 @DVE
  n: c = Memset constant=0 @DVE
  o: e = TensorCopy b
  p: g = TensorCopy c
  L: for i = 0..20 { q: `+c.body+` }
}`, elems, "Melem/s")
		})
	}
}

// BenchmarkPlaced compares a program whose tiles have addresses, next to each other, inside each other's bounding box, or not at all.
func BenchmarkPlaced(b *testing.B) {
	for _, c := range []struct {
		name string
		at   [4]string
	}{
		{"unplaced", [4]string{}},
		{"placed", [4]string{" at base 0 addr 0", " at base 0 addr 2048", " at base 0 addr 4096", ""}},
		{"reused", [4]string{" at base 0 addr 0", " at base 0 addr 2048", " at base 0 addr 4096", " at base 0 addr 0 "}},
	} {
		b.Run(c.name, func(b *testing.B) {
			text := strings.NewReplacer("]A", "]"+c.at[0], "]B", "]"+c.at[1], "]C", "]"+c.at[2], "]D", "]"+c.at[3]).Replace(`func f {
  sb a: f32[128,512]A
  sb b: f32[128,512]B
  sb c: f32[128,512]C
  sb d: f32[128,1536]D
  psum p: f32[128,512]
  dram x: f32[128,512]
  sb w: f32[128,16]
  l: w = Memset constant=0 @DVE
  m: b = Memset constant=1065353216 @DVE
  n: c = Memset constant=0 @DVE
  o: a = TensorTensor b, c op=add @DVE
  p: c = TensorScalar a op0=mult const0=2 op1=add const1=1
  q: x = Save c
  r: b = Load x
  s: p[:16, :] = Matmult b, w @PE
}`)
			benchRun(b, strings.Replace(text, "p[:16, :]", "p[0:16, 0:512]", 1), 5*128*512, "Melem/s")
		})
	}
}

// BenchmarkSmall is the cost of an instruction that does next to nothing.
func BenchmarkSmall(b *testing.B) {
	for _, size := range []string{"1,1", "16,16"} {
		b.Run(size, func(b *testing.B) {
			benchRun(b, "func f {\n  sb a: f32["+size+"]\n  L: for i = 0..1000 { m: a = TensorScalar a op0=mult const0=0 }\n}", 1000, "Minst/s")
		})
	}
}

// benchProgram is n instructions of several kinds, tiles and accesses.
func benchProgram(n int) string {
	var s strings.Builder
	s.WriteString("func f {\n  input x: f32[64,32]\n  output y: f32[64,32]\n")
	for i := range 8 {
		fmt.Fprintf(&s, "  sb t%d: f32[64,32] at base 0 addr %d\n", i, 128*i)
	}
	for i := 0; i < n; i += 4 {
		a, b, c := i/4%8, (i/4+3)%8, (i/4+5)%8
		fmt.Fprintf(&s, "  a%d: t%d = Load x\n  b%d: t%d = TensorTensor t%d, t%d op=add @DVE\n", i, a, i, b, a, a)
		fmt.Fprintf(&s, "  c%d: t%d[:, 0:16] = TensorScalar t%d[:, 16:32] op0=mult const0=2\n  d%d: y = Save t%d\n", i, c, b, i, c)
	}
	return s.String() + "}"
}

func BenchmarkPrepare(b *testing.B) {
	for _, n := range []int{40, 4000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			p := parse(b, benchProgram(n))
			m := NewMachine()
			b.ReportAllocs()
			for b.Loop() {
				if err := m.Prepare(p, Layout{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*p.NumInsts()), "ns/inst")
		})
	}
}

// BenchmarkExecute is the whole way from a program to its outputs, with the shadow of elements.
func BenchmarkExecute(b *testing.B) {
	p := parse(b, benchProgram(40))
	in := ir.Values{"x": counting(64 * 32)}
	for b.Loop() {
		if _, err := Execute(p, in); err != nil {
			b.Fatal(err)
		}
	}
}
