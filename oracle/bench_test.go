package oracle

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"birfuzz/ir"
)

// benchRun runs a program over and over with the shadow and the cell origins that the judge has; units is what one run computes, reported in
// millions a second as the given unit.
func benchRun(b *testing.B, src string, in ir.Values, units float64, unit string) {
	b.Helper()
	p := parse(b, src)
	m := newMachine(newTracker(cellGrain, p))
	if err := m.Prepare(p, Layout{}); err != nil {
		b.Fatal(err)
	}
	if out, err := m.Run(in, Way{}); err != nil || out.Fault != nil {
		b.Fatal(err, out.Fault)
	}
	b.ReportAllocs()
	for b.Loop() {
		m.Run(in, Way{})
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
  L: for i = 0..10 { c: y = Matmult x, w @PE }
}`, nil, 10*2*128*128*512, "MFLOP/s")
}

// tiles is a program that executes an instruction 40 times on tiles of 128×512 numbers between 1/4 and 4, of both signs, in no order.
func tiles(body string) string {
	return `func f {
  input x: f32[128,512]
  input z: f32[128,512]
  sb a: f32[128,512]
  sb b: f32[128,512]
  sb c: f32[128,512]
  sb d: bf16[128,512]
  sb e: bf16[128,512]
  sb g: bf16[128,512]
  sb o: f32[128,512]
  sb h: i32[128,512]
  sb i: i32[128,512]
  sb j: i32[128,512]
  sb k: i32[128,512]
  l: b = Load x
  m: c = Load z
  n: e = TensorCopy b
  p: g = TensorCopy c
  r: o = Memset constant=1065353216 @DVE
  s: i = TensorCopy b
  t: j = TensorCopy c
  u: h = TensorScalar c op0=abs
  L: for n = 0..40 { q: ` + body + ` }
}`
}

const tileElems = 40 * 128 * 512

// tileInputs are the inputs of tiles.
func tileInputs() ir.Values {
	in, state := ir.Values{}, uint32(1)
	for _, name := range []string{"x", "z"} {
		v := make([]float32, 128*512)
		for i := range v {
			state = state*1664525 + 1013904223
			v[i] = math.Float32frombits(state>>31<<31 | (125+state>>29&3)<<23 | state>>6&(1<<23-1))
		}
		t := floats(v...)
		t.Shape = []int64{128, 512}
		in[name] = t
	}
	return in
}

// BenchmarkALU has every operator on two tensors: on float32, bitwise ones on int32, shifts by counts that are defined.
func BenchmarkALU(b *testing.B) {
	in := tileInputs()
	for op := range ir.NumAluOps {
		body := "a = TensorTensor b, c op=%s @DVE"
		switch {
		case op.Shifts():
			body = "k = TensorTensor i, h op=%s @DVE"
		case op.Bitwise():
			body = "k = TensorTensor i, j op=%s @DVE"
		case op.Logical():
			body = "a = TensorTensor o, o op=%s @DVE"
		}
		b.Run(op.String(), func(b *testing.B) { benchRun(b, tiles(fmt.Sprintf(body, op)), in, tileElems, "Melem/s") })
	}
}

// BenchmarkElementwise has other shapes of element-wise work.
func BenchmarkElementwise(b *testing.B) {
	in := tileInputs()
	for _, c := range []struct{ name, body string }{
		{"scalar", "a = TensorScalar b op0=mult const0=2 op1=add const1=1"},
		{"scalarptr", "a = TensorScalarPtr b, c[:, 0:1], 1 op0=mult op1=add @DVE"},
		{"bf16add", "d = TensorTensor e, g op=add @DVE"},
		{"bf16mult", "d = TensorTensor e, g op=mult @DVE"},
		{"bf16scalar", "d = TensorScalar e op0=mult const0=2"},
		{"cast", "d = TensorCopy b"},
		{"copy", "a = TensorCopy b"},
		{"strided", "a[512x128, 2x256] = TensorTensor b[512x128, 2x256], c[512x128, 2x256] op=add @DVE"},
		{"select", "a = Select o, b, c @DVE"},
		{"accumulate", "a = TensorTensor b, c op=add acc=ZeroAccumulate @DVE"},
		{"reduce", "a[:, 0:1] = TensorReduce b op=add @DVE"},
		{"scan", "a = TensorTensorScan b, 0, c op0=mult op1=add @DVE"},
		{"relu", "a = Activation b func=Relu @Activation"},
	} {
		b.Run(c.name, func(b *testing.B) {
			elems := float64(tileElems)
			if c.name == "strided" {
				elems /= 2
			}
			benchRun(b, tiles(c.body), in, elems, "Melem/s")
		})
	}
}

// placedProgram has tiles with the given addresses, or with none.
func placedProgram(at [4]string) string {
	return strings.NewReplacer("]A", "]"+at[0], "]B", "]"+at[1], "]C", "]"+at[2], "]D", "]"+at[3]).Replace(`func f {
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
  s: p[0:16, 0:512] = Matmult b, w @PE
}`)
}

// BenchmarkPlaced runs a program whose tiles have addresses, next to each other or inside each other's bounding box, in turn with the same
// program without any, and reports how fast it is in relation.
func BenchmarkPlaced(b *testing.B) {
	for _, c := range []struct {
		name string
		at   [4]string
	}{
		{"beside", [4]string{" at base 0 addr 0", " at base 0 addr 2048", " at base 0 addr 4096", ""}},
		{"inside", [4]string{" at base 0 addr 0", " at base 0 addr 2048", " at base 0 addr 4096", " at base 0 addr 0 "}},
	} {
		b.Run(c.name, func(b *testing.B) {
			machines := [2]*Machine{}
			for i, at := range [][4]string{{}, c.at} {
				p := parse(b, placedProgram(at))
				machines[i] = newMachine(newTracker(cellGrain, p))
				if err := machines[i].Prepare(p, Layout{}); err != nil {
					b.Fatal(err)
				}
			}
			best := [2]time.Duration{}
			for b.Loop() {
				inTurn(b, machines, nil, &best)
			}
			b.ReportMetric(best[0].Seconds()/best[1].Seconds(), "of-unplaced")
		})
	}
}

// inTurn runs two machines, each as often as the other, and keeps the shortest time that each took: the one in which nothing else disturbed it.
func inTurn(b *testing.B, machines [2]*Machine, in ir.Values, best *[2]time.Duration) {
	b.Helper()
	for k := range 4 {
		i := (k + 1) / 2 % 2
		start := time.Now()
		if _, err := machines[i].Run(in, Way{}); err != nil {
			b.Fatal(err)
		}
		if t := time.Since(start); best[i] == 0 || t < best[i] {
			best[i] = t
		}
	}
}

// BenchmarkSmall is the cost of an instruction that does next to nothing.
func BenchmarkSmall(b *testing.B) {
	for _, size := range []string{"1,1", "16,16"} {
		b.Run(size, func(b *testing.B) {
			benchRun(b, "func f {\n  sb a: f32["+size+"]\n  L: for i = 0..1000 { m: a = TensorScalar a op0=mult const0=0 }\n}", nil, 1000, "Minst/s")
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
