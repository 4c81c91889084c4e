package oracle

import (
	"fmt"
	"strings"
	"testing"

	"birfuzz/ir"
	"birfuzz/ir/num"
)

// TestPlacement: the same program, placed and not, gives the same numbers; so it does where storages lie inside each other.
func TestPlacement(t *testing.T) {
	const src = `func f {
  input x: f32[3,4]
  output y: f32[3,4]
  sb a: f32[3,4]A
  sb b: bf16[3,4]B
  sb c: f32[3,4]C
  l: a = Load x
  m: b = TensorScalar a op0=add const0=1
  n: c = TensorTensor a, b op=mult @DVE
  s: y = Save c
}`
	for _, at := range [][3]string{
		{"", "", ""},
		{" at base 0 addr 0", " at base 0 addr 16", " at base 0 addr 24"},
		{" at base 0 addr 64", " at base 32 addr 64", " at base 0 addr 4096"},
		{" at base 0 addr 8", " at base 0 addr 100000", " at base 0 addr 8"}, // c in the place of a
	} {
		text := strings.NewReplacer("]A", "]"+at[0], "]B", "]"+at[1], "]C", "]"+at[2]).Replace(src)
		expect(t, text, ir.Values{"x": counting(12)}, "y: 0 2 6 12 20 30 42 56 72 90 110 132")
	}
}

// TestOverlap: what overlaps shares bytes, and a location that is not allocated shares none.
func TestOverlap(t *testing.T) {
	const src = `func f {
  output y: f32[2,2]
  sb a: f32[2,2] at base 0 addr 0
  sb b: f32[1,1] PLACE
  m: a = Memset constant=0 @DVE
  n: b = Memset constant=1065353216 @DVE
  s: y = Save a
}`
	for place, want := range map[string]string{
		"at base 1 addr 4": "y: 0 0 0 1", "at base 0 addr 4": "y: 0 1 0 0", "at base 2 addr 0": "y: 0 0 0 0", "at base 0 addr 8": "y: 0 0 0 0", "": "y: 0 0 0 0",
	} {
		expect(t, strings.Replace(src, "PLACE", place, 1), nil, want)
	}
}

// TestPSUMBanks: banks follow each other in a partition.
func TestPSUMBanks(t *testing.T) {
	expect(t, `func f {
  output y: f32[1,2]
  psum a: f32[1,2] at base 0 bank 1 addr 0
  psum b: f32[1,1] at base 0 bank 0 addr 2048
  sb t: f32[1,2]
  m: a = Memset constant=0 @DVE
  n: b = Memset constant=1065353216 @DVE
  c: t = TensorCopy a @DVE
  s: y = Save t
}`, nil, "y: 1 0")
}

// TestAliases: must joins always, may only in a joined layout; byte 0 stands on byte 0.
func TestAliases(t *testing.T) {
	const src = `func f {
  output y: f32[1,2]
  dram a: f32[1,2] alias(KIND b)
  dram b: f32[1,1]
  sb t: f32[1,2]
  m: t = Memset constant=0 @DVE
  n: a = Save t
  o: t = Memset constant=1065353216 @DVE
  p: b = Save t[:, 0:1]
  s: y = DMACopy a
}`
	for _, c := range []struct {
		kind   string
		joined bool
		want   string
	}{{"must", false, "1 0"}, {"must", true, "1 0"}, {"may", false, "0 0"}, {"may", true, "1 0"}} {
		m := NewMachine()
		if err := m.Prepare(parse(t, strings.Replace(src, "KIND", c.kind, 1)), Layout{Joined: c.joined}); err != nil {
			t.Fatal(err)
		}
		if _, err := m.Run(nil, Way{}); err != nil {
			t.Fatal(err)
		}
		if got := show(m.Outputs()["y"]); got != c.want {
			t.Errorf("%s, joined %v: %s, want %s", c.kind, c.joined, got, c.want)
		}
	}
}

// TestAliasOfPlaced: a location without address stands on the address of its alias.
func TestAliasOfPlaced(t *testing.T) {
	expect(t, `func f {
  output y: f32[1,3]
  dram a: f32[1,3] at addr 64
  dram b: f32[1,1] at addr 68
  dram c: f32[1,1] alias(must b)
  sb t: f32[1,3]
  m: t = Memset constant=0 @DVE
  n: a = Save t
  o: t = Memset constant=1065353216 @DVE
  p: c = Save t[:, 0:1]
  s: y = DMACopy a
}`, nil, "y: 0 1 0")
}

// TestAccesses: patterns of every form, read into one row of the output.
func TestAccesses(t *testing.T) {
	const src = `func f {
  input x: f32[4,6]
  output y: f32[1,8]
  sb t: f32[4,6]
  sb u: f32[1,8]
  a: t = Load x
  b: u[8x1, 1xN] = DMACopy SRC
  c: y[8x1, 1xN] = DMACopy u[8x1, 1xN]
}`
	for access, want := range map[string]string{
		"t[1:2, 0:6]":            "6 7 8 9 10 11",
		"t[0:4, 2:3]":            "2 8 14 20",
		"t[6x2, 2x3 at 1]":       "1 3 5 7 9 11",
		"t[0x1, 0x4 at 5]":       "5 5 5 5",
		"t[6x2, 3x2, 1x2 at 12]": "12 13 15 16 18 19 21 22",
		"t[6x2, 1x2, 2x2 at 0]":  "0 2 1 3 6 8 7 9",
		"t[12x2, 1x1, 3x2 at 6]": "6 9 18 21",
		"x[1x1, 7x3 at 2]":       "2 9 16",
		"x[7x3, 1x2 at 1]":       "1 2 8 9 15 16",
		"x[12x2, 6x1, 0x2, 1x2]": "0 1 0 1 12 13 12 13",
		"x[0x2, 1x2, 0x2, 10x1]": "0 0 1 1 0 0 1 1",
	} {
		n := strings.Count(want, " ") + 1
		text := strings.NewReplacer("1xN", fmt.Sprintf("1x%d", n), "SRC", access).Replace(src)
		r := execute(t, text, ir.Values{"x": counting(24)})
		if got := strings.Join(strings.Fields(show(r.Outputs["y"]))[:n], " "); got != want || r.Fault != nil {
			t.Errorf("%s: %s, want %s; %v", access, got, want, r.Fault)
		}
	}
}

// TestWrites: outputs that are no plain rectangle of float32 are cast and scattered, and leave the bytes between them alone.
func TestWrites(t *testing.T) {
	const head = `func f {
  input x: f32[2,4]
  output y: f32[2,4]
  sb t: f32[2,4]
  sb u: bf16[2,4]
  a: t = Load x
`
	in := ir.Values{"x": counting(8)}
	for body, want := range map[string]string{
		"b: t[4x2, 2x2] = TensorScalar t[4x2, 2x2 at 1] op0=mult const0=10":            "y: 10 1 30 3 50 5 70 7",
		"b: t[4x1, 2x2, 1x2 at 4] = TensorTensor t[0:1, 0:4], t[0:1, 0:4] op=add @DVE": "y: 0 1 2 3 0 2 4 6",
		"b: u = TensorScalar t op0=mult const0=1.01\n b2: t = TensorCopy u":            "y: 0 1.0078125 2.015625 3.03125 4.03125 5.0625 6.0625 7.0625",
		"b: t:i32 = TensorCopy t\n b2: t = TensorCopy t:i32":                           "y: 0 1 2 3 4 5 6 7",
		"b: t[4x1, 1x4] = StreamShuffle t[4x2, 1x4] mask=[1, 0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255] @DVE": "y: 4 5 6 7 4 5 6 7",
		"b: t = StreamShuffle t mask=[1, 0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255] @DVE":                     "y: 4 5 6 7 0 1 2 3",
		"b: t = TensorTensorScan t, 0, t op0=mult op1=add @DVE": "y: 0 1 4 15 4 25 156 1099",
	} {
		t.Run(body, func(t *testing.T) { expect(t, head+"  "+body+"\n  z: y = Save t\n}", in, want) })
	}
}

func TestRegisters(t *testing.T) {
	expect(t, `func f {
  input x: i32[1,2]
  output y: i32[1,3]
  a: $r = TensorLoad x[1x1, 1x1 at 1]
  b: $s = RegisterAlu $r, 5 op=mult
  c: $s = RegisterAlu $s, $r op=subtract
  d: $q = RegisterMove $s
  e: $s = RegisterMove -1
  g: y[1x1, 1x1] = TensorSave $q
  h: y[1x1, 1x1 at 1] = TensorSave $s
  i: $r = RegisterAlu $r, 2147483647 op=add
  j: y[1x1, 1x1 at 2] = TensorSave $r
}`, ir.Values{"x": ints(1, 7)}, "y: 28 -1 -2.147483648e+09")
}

// TestAccumulators: of each engine, by lane from the access's first row, before the cast.
func TestAccumulators(t *testing.T) {
	expect(t, `func f {
  input x: f32[2,4]
  output y: f32[2,6]
  sb t: f32[2,4]
  sb u: f32[34,4]
  sb b: i8[2,4]
  sb r: f32[2,6]
  a: t = Load x
  b: b = Activation t scale=0.5 acc=ZeroAccumulate @Activation
  c: r[:, 0:1] = ReadActivationAccumulator @Activation
  d: b = Activation t acc=Accumulate @Activation
  e: r[:, 1:2] = ReadActivationAccumulator @Activation
  g: u[32:34, 0:4] = TensorTensor t, t op=add acc=ZeroAccumulate @DVE
  h: r[:, 2:3] = DveReadAccumulator @DVE
  i: r[:, 3:4] = ReadActivationAccumulator @Activation
  j: t = TensorTensor t, t op=mult acc=Zero @DVE
  k: r[:, 4:5] = DveReadAccumulator @DVE
  l: r[:, 5:6] = TensorScalar t[:, 3:4] op0=add const0=1 @DVE
  z: y = Save r
}`, ir.Values{"x": floats(1, 2, 3, 4, 10, 20, 30, 41)}, "y: 5 15 20 15 0 17 50.5 151.5 202 151.5 0 1682")
}

// TestPickAccumulates: of a Pick the accumulator takes what was chosen, the old values too, before the cast.
func TestPickAccumulates(t *testing.T) {
	expect(t, `func f {
  input x: f32[1,4]
  input p: u8[1,4]
  output y: f32[1,3]
  sb t: f32[1,4]
  sb q: u8[1,4]
  sb d: f32[1,4]
  sb i: i8[1,4]
  sb r: f32[1,3]
  sb lo: f32[1,1]
  a: t = Load x
  b: q = Load p
  c: d = Memset constant=1065353216 @DVE
  e: d = CopyPredicated q, t acc=ZeroAccumulate @DVE
  g: r[:, 0:1] = DveReadAccumulator @DVE
  h: lo = Memset constant=1073741824 @DVE
  j: i = RangeSelect t, lo, lo base=0 compare_op0=is_ge compare_op1=is_ge fill_value=0.25 reduce_cmd=ZeroAccumulate @DVE
  k: r[:, 1:2] = DveReadAccumulator @DVE
  l: r[:, 2:3] = TensorCopy i[:, 3:4] @DVE
  z: y = Save r
}`, ir.Values{"x": floats(10.5, 20.5, 30.5, 40.5), "p": {DType: num.UInt8, Data: []byte{1, 0, 0, 9}}}, "y: 53 71.5 40")
}

// TestIndirect: rows by index, in both directions; skipped lanes keep what stood there.
func TestIndirect(t *testing.T) {
	const src = `func f {
  input x: f32[3,2]
  input n: i32[3,1]
  output y: f32[3,2]
  output w: f32[3,2]
  sb i: i32[3,1]
  sb t: f32[3,2]
  a: i = Load n
  b: t = Memset constant=0 @DVE
  c: w = Save t
  d: t = IndirectLoad x, i @Pool
  e: y = Save t
  g: w = IndirectSave t, i @Pool
  h: w = IndirectSaveAccumulate t, i @Pool
}`
	x := floats(1, 2, 3, 4, 5, 6)
	expect(t, src, ir.Values{"x": x, "n": ints(2, -1, 2)}, "y: 5 6 0 0 5 6", "w: 0 0 0 0 15 18")
	expectFault(t, src, ir.Values{"x": x, "n": ints(2, 3, 0)}, ValueFault, "d")
	expectFault(t, src, ir.Values{"x": x, "n": ints(2, -2, 0)}, ValueFault, "d")
}

// TestFaults: an access is a fault where it is executed, not where it stands.
func TestFaults(t *testing.T) {
	const src = `func f {
  output y: f32[1,4]
  sb t: f32[2,4]
  sb u: f32[1,4]
  a: t = Memset constant=0 @DVE
  b: BODY
  z: y = Save t[0:1, 0:4]
}`
	for body, kind := range map[string]FaultKind{
		"u = TensorCopy t[1:2, 0:4 at 4]":          RangeFault,
		"u = TensorCopy t[0:1, 0:4 at -1]":         RangeFault,
		"u = TensorCopy t[4x1, 1x4 at 1]":          RangeFault, // wraps to the next row
		"u = TensorCopy t[3x1, 1x1, 1x4 at 8]":     RangeFault,
		"u = TensorCopy t[2x2, 1x2]":               RangeFault, // lanes are rows
		"y[1x1, 1x4 at 1] = Save t[0:1, 0:4]":      RangeFault,
		"t[:, 0:2] = TensorCopy t[:, 1:3]":         OverlapFault,
		"t[:, 0:1] = TensorReduce t op=add @DVE":   OverlapFault,
		"t[:, 0:2]:i32 = TensorCopy t[:, 0:4]:i16": OverlapFault,
	} {
		expectFault(t, strings.Replace(src, "BODY", body, 1), nil, kind, "b")
		expect(t, strings.Replace(src, "BODY", body+" if(0 > 0)", 1), nil, "y: 0 0 0 0")
	}
	for offset, kind := range map[string]FaultKind{"4 - i": RangeFault, "i - 1": RangeFault, "4 + i": RangeFault, "i": OverlapFault} {
		loop := "Memset constant=0 @DVE\n  L: for i = 0..2 { c: t[:, 0:2] = TensorCopy t[:, 0:2 at " + offset + "] }"
		expectFault(t, strings.Replace(src, "BODY", "u = "+loop, 1), nil, kind, "c")
	}
}
