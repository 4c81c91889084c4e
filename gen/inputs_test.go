package gen_test

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"birfuzz/gen"
	"birfuzz/ir"
	"birfuzz/ir/num"
)

// numbers decodes a tensor.
func numbers(v ir.Tensor) []float64 {
	size := v.DType.Size()
	out := make([]float64, len(v.Data)/size)
	for i := range out {
		out[i] = float64(num.Decode(v.DType, num.Load(v.Data[i*size:], v.DType)))
	}
	return out
}

func zeroOrOne(x float64) bool { return x == 0 || x == 1 }

func between(lo, hi float64) func(float64) bool {
	return func(x float64) bool { return x >= lo && x <= hi }
}

// tiles are what most of the programs below have.
const tiles = `
  input m: f32[4,8]
  input a: f32[4,8]
  sb t: f32[4,8]
  sb u: f32[4,8]
  sb v: f32[4,8]
Block1:`

// foreign are programs that the generator did not make, and what their inputs must hold.
var foreign = []struct {
	name, code string
	want       map[string]func(float64) bool
}{
	{"mask through a tile", tiles + `
  i1: t = Load m
  i2: u = Load a
  i3: v = Select t, u, u @DVE`, map[string]func(float64) bool{"m": zeroOrOne}},
	{"two readers, one a divisor", tiles + `
  i4: t = Load m
  i5: u = TensorCopy t @DVE
  i6: v = Select t, t, t @DVE
  i7: v = Reciprocal u @DVE`, map[string]func(float64) bool{"m": between(1, 1)}},
	{"rows of a table", `
  input x: f32[6,8]
  input i: i32[4,1]
  sb t: f32[4,8]
  sb k: i32[4,1]
Block1:
  i8: t = Memset @DVE
  i9: k = Load i
  i10: t = IndirectLoad x, k @Pool`, map[string]func(float64) bool{"i": between(-1, 5)}},
	{"overwritten before it is used", tiles + `
  i11: t = Load m
  i12: t = Memset constant=1065353216 @DVE
  i13: v = Reciprocal t @DVE`, map[string]func(float64) bool{"m": between(-8, 8)}},
	{"used a trip later", tiles + `
  i14: t = Memset constant=1065353216 @DVE
  L0: for i = 0..3 {
    i15: v = Activation t func=Sqrt @Activation
    i16: t = Load m
  }`, map[string]func(float64) bool{"m": between(0x1p-120, 0x1p118)}},
	{"scaled argument", tiles + `
  i17: t = Load m
  i18: v = Activation t, 1 func=Sin scale=4 @Activation`, map[string]func(float64) bool{"m": between(-(math.Pi+1)/4, (math.Pi-1)/4)}},
	{"an alias of the first half alone is overwritten", `
  input m: f32[8,8]
  input a: f32[4,8]
  dram w: f32[8,8] alias(must h)
  dram h: f32[4,8]
  sb t: f32[8,8]
  sb v: f32[8,8]
Block1:
  i19: w = DMACopy m @SP
  i20: h = DMACopy a @SP
  i21: t = Load w
  i22: v = Select t, t, t @DVE`, map[string]func(float64) bool{"m": zeroOrOne, "a": zeroOrOne}},
}

// TestInputsOfOthers: the domains of inputs are found in programs that the generator did not make, through moves, loops and aliases.
func TestInputsOfOthers(t *testing.T) {
	for _, c := range foreign {
		p, err := ir.Parse(c.name, "module gen3\n\nfunc f {"+c.code+"\n}\n")
		if err != nil {
			t.Fatal(err)
		}
		for k := range gen.NumInputKinds {
			if k == gen.Edge && c.name == "overwritten before it is used" {
				continue // nothing binds it
			}
			in := gen.Inputs(gen.New(1), p, k)
			for name, ok := range c.want {
				for i, x := range numbers(in[name]) {
					if k == gen.Ordinary && c.name == "overwritten before it is used" {
						ok = between(-64, 64)
					}
					if !ok(x) {
						t.Errorf("%s, kind %d: element %d of %s is %v", c.name, k, i, name, x)
						break
					}
				}
			}
		}
	}
}

// TestInputsOfOwn: what reads an input directly finds only numbers of its domain, whatever the kind.
func TestInputsOfOwn(t *testing.T) {
	for seed := range uint64(count(1000)) {
		p := gen.Program(gen.New(seed), gen.Default())
		sets := [gen.NumInputKinds]ir.Values{}
		for k := range gen.NumInputKinds {
			sets[k] = gen.Inputs(gen.New(seed), p, k)
		}
		for in := range p.Insts {
			for i := range in.Ins() {
				o, d := &in.Ins()[i], in.Spec().Domain(in, i)
				if !o.IsAP() || d.Kind == ir.AnyValue {
					continue
				}
				for k := range sets {
					if x, bad := outside(sets[k][o.Loc.Name], d); bad && o.Loc.Set.Kind == ir.ExternalInput {
						t.Fatalf("seed %d, kind %d: %s holds %v, %s wants %v", seed, k, o.Loc.Name, x, in.Name, d)
					}
				}
			}
		}
	}
}

// outside returns a number of the tensor that the domain does not hold.
func outside(v ir.Tensor, d ir.Domain) (float64, bool) {
	if v.Data == nil {
		return 0, false
	}
	for _, x := range numbers(v) {
		switch {
		case d.Kind == ir.ZeroOne && !zeroOrOne(x), d.Kind == ir.InRange && !(x >= d.Lo && x <= d.Hi),
			d.Kind == ir.NonZero && !(math.Abs(x) >= d.Lo && math.Abs(x) <= d.Hi), d.Kind == ir.ShiftCount && !(x >= 0 && x < 64):
			return x, true
		}
	}
	return 0, false
}

// TestInputKinds: the kinds differ, edges are met, and a location keeps its data when others go.
func TestInputKinds(t *testing.T) {
	text := "module gen3\n\nfunc f {\n  input a: f32[64,8]\n%s  output y: f32[64,8]\nBlock1:\n  i0: y = DMACopy a @SP\n}\n"
	parse := func(more string) *ir.Program {
		p, err := ir.Parse("kinds", fmt.Sprintf(text, more))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	p, q := parse(""), parse("  input b: f32[64,8]\n")
	for k := range gen.NumInputKinds {
		a, b := gen.Inputs(gen.New(3), p, k)["a"], gen.Inputs(gen.New(3), q, k)["a"]
		if !bytes.Equal(a.Data, b.Data) {
			t.Errorf("kind %d: another input changes the data of a", k)
		}
		limits, whole := 0, true
		for _, x := range numbers(a) {
			if math.IsInf(x, 0) || x == 0 && math.Signbit(x) || x == math.MaxFloat32 {
				limits++
			}
			whole = whole && x*4 == math.Trunc(x*4)
		}
		if (limits > 0) != (k == gen.Edge) {
			t.Errorf("kind %d has %d infinities, limits and −0", k, limits)
		}
		if whole != (k == gen.Exact) {
			t.Errorf("kind %d: all multiples of a quarter: %t", k, whole)
		}
	}
}
