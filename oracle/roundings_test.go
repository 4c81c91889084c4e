package oracle

import (
	"math"
	"strings"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"

	"birfuzz/ir"
	"birfuzz/ir/birtest"
	"birfuzz/ir/num"
)

// TestLatticeIsExact: numbers that a lattice says are added exactly in a type are: every partial sum, folded from either end, is the sum that
// float64 has, and the type has it.
func TestLatticeIsExact(t *testing.T) {
	params := gopter.DefaultTestParametersWithSeed(1)
	params.MinSuccessfulTests = 20_000
	if birtest.Quick() {
		params.MinSuccessfulTests = 2000
	}
	exact := 0
	p := gopter.NewProperties(params)
	p.Property("a lattice that fits adds exactly", prop.ForAll(func(numerators []int16, scale int, dtype uint8) bool {
		d := num.DType(1 + dtype%uint8(num.NumDTypes-1))
		var xs []float32
		g := lattice{step: 1, most: 1}
		for i, n := range numerators {
			xs = append(xs, float32(math.Ldexp(float64(n>>(uint(i)%12)), scale)))
		}
		g.hold(xs...)
		if !g.sums(1, len(xs)).exactIn(d) {
			return true
		}
		exact++
		return addsTo(xs, 1, d) && addsTo(xs, -1, d)
	}, gen.SliceOfN(6, gen.Int16()), gen.IntRange(-14, 10), gen.UInt8()))
	p.TestingRun(t)
	if exact < params.MinSuccessfulTests/20 {
		t.Errorf("only %d of %d lists fit: too few to say anything", exact, params.MinSuccessfulTests)
	}
}

// addsTo tells whether float32 additions from one end on are exact and a type has every partial sum.
func addsTo(xs []float32, dir int, d num.DType) bool {
	sum, want := float32(0), 0.0
	for i := range xs {
		x := xs[i]
		if dir < 0 {
			x = xs[len(xs)-1-i]
		}
		sum, want = sum+x, want+float64(x)
		if float64(sum) != want || !has(d, want) {
			return false
		}
	}
	return true
}

// TestAddsExactly: which programs are said to add exactly, on inputs of 3 everywhere.
func TestAddsExactly(t *testing.T) {
	const head = `module gen3
func f {
  input x: f32[4,8]
  input i: f32[4,1]
  output o: f32[4,8]
  sb a: f32[4,8]
  sb b: f32[4,8]
  sb n: bf16[4,8]
  sb c: f32[4,1]
  psum p: f32[8,8]
Block1:
  I-0: a = Load x @SP
  I-1: c = Load i @SP
`
	const foot = "\n  I-9: o = Save b @SP\n}\n"
	for _, c := range []struct {
		name, body string
		want       bool
	}{
		{"a sum", "I-2: b = TensorTensor a, a op=add @DVE", true},
		{"a sum that float32 rounds", "I-2: b = TensorScalar a op0=add const0=16777216 @DVE", false},
		{"two sums, of which float32 rounds the second", "I-2: b = TensorScalar a op0=add const0=8388607 op1=add const1=8388607 @DVE", false},
		{"a sum with a fraction", "I-2: b = TensorScalar a op0=add const0=0.125 @DVE", true},
		{"a sum with a fraction of no end", "I-2: b = TensorScalar a op0=add const0=0.1 @DVE", false},
		{"a product of many digits alone", "I-2: b = TensorScalar a op0=mult const0=0.1 @DVE", true},
		{"a sum that the element type rounds", "I-2: n = TensorScalar a op0=add const0=1024 @DVE\n  I-3: b = TensorCopy n @DVE", false},
		{"a product, then a sum", "I-2: b = TensorScalar a op0=mult const0=0.5 op1=add const1=7 @DVE", true},
		{"the larger of two", "I-2: b = TensorScalar a op0=max const0=0.1 @DVE", true},
		{"a matmul", "I-2: p = Matmult a, a @PE\n  I-3: b = TensorCopy p[0:4, :] @DVE", true},
		{"a function that may add", "I-2: b = Activation a, c func=Exp @Activation", false},
	} {
		p, err := ir.Parse(c.name, head+"  "+c.body+foot)
		if err != nil {
			t.Fatal(err)
		}
		if faults := ir.Verify(p, p.Facts); len(faults) > 0 {
			t.Fatalf("%s: %v", c.name, faults)
		}
		in := ir.Values{}
		for l := range p.Cores[0].Locs {
			if l.Set.Kind == ir.ExternalInput {
				in[l.Name] = ir.Tensor{DType: num.Float32, Shape: l.Set.Shape, Data: []byte(strings.Repeat("\x00\x00\x40\x40", int(l.Bytes()/4)))}
			}
		}
		if got := addsExactly(p, in, runWay{}, 1<<20); got != c.want {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}
