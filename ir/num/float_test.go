package num

import (
	"math"
	"math/big"
	"testing"

	"github.com/x448/float16"
)

// TestFloatCodes checks every code of every narrow float: its value against
// the layout, and that encoding the value gives the code back.
func TestFloatCodes(t *testing.T) {
	for _, l := range layouts {
		t.Run(l.d.String(), func(t *testing.T) {
			for code := range 1 << (l.exp + l.man) {
				for _, negative := range []bool{false, true} {
					bits := l.bits(code, negative)
					f := Decode(l.d, bits)
					checkValue(t, l, code, negative, f)
					if back := Encode(l.d, f); back != bits {
						t.Fatalf("code %#x decodes to %v, which encodes to %#x", bits, f, back)
					}
				}
			}
		})
	}
}

func checkValue(t *testing.T, l layout, code int, negative bool, f float32) {
	t.Helper()
	if math.Signbit(float64(f)) != negative {
		t.Fatalf("%v code %#x, negative %v: decodes to %v", l.d, code, negative, f)
	}
	magnitude := math.Abs(float64(f))
	switch {
	case code < l.finite():
		if magnitude != l.value(code) {
			t.Fatalf("%v code %#x decodes to %v, want %v", l.d, code, magnitude, l.value(code))
		}
	case l.ieee && code == l.finite():
		if !math.IsInf(magnitude, 1) {
			t.Fatalf("%v code %#x decodes to %v, want Inf", l.d, code, magnitude)
		}
	case !isNaN(f):
		t.Fatalf("%v code %#x decodes to %v, want NaN", l.d, code, magnitude)
	}
}

// TestFloatLimits pins the extremes the reference table lists.
func TestFloatLimits(t *testing.T) {
	for _, l := range layouts {
		if largest := Decode(l.d, l.bits(l.finite()-1, false)); float64(largest) != l.max {
			t.Errorf("%v: largest finite is %v, want %v", l.d, largest, l.max)
		}
		tiny := math.Ldexp(1, 1-l.bias-l.man)
		if got := Decode(l.d, l.bits(1, false)); float64(got) != tiny {
			t.Errorf("%v: smallest subnormal is %v, want %v", l.d, got, tiny)
		}
	}
}

// TestFloatBoundaries rounds the midpoint of every pair of adjacent codes,
// the float32 below and the one above, on both sides of zero. The pair past
// the largest finite code is the overflow boundary.
func TestFloatBoundaries(t *testing.T) {
	for _, l := range layouts {
		t.Run(l.d.String(), func(t *testing.T) {
			for code := range l.finite() {
				exact := (l.value(code) + l.value(code+1)) / 2
				middle := float32(exact)
				if float64(middle) != exact {
					t.Fatalf("midpoint %v is no float32: the test is wrong", exact)
				}
				want := [3]int{code, code + code%2, code + 1}
				for i, f := range around(middle) {
					checkEncode(t, l, f, want[i])
				}
			}
		})
	}
}

// TestFloatNearest compares random values with a search in exact rationals.
func TestFloatNearest(t *testing.T) {
	for _, l := range layouts {
		for _, f := range sampleFloats(500) {
			if isFinite(f) && !math.Signbit(float64(f)) {
				checkEncode(t, l, f, l.nearest(new(big.Rat).SetFloat64(float64(f))))
			}
		}
	}
}

// checkEncode checks that f and -f encode to the magnitude code want.
func checkEncode(t *testing.T, l layout, f float32, want int) {
	t.Helper()
	if got := Encode(l.d, f); got != l.bits(want, false) {
		t.Fatalf("%v: Encode(%v) = %#x, want %#x", l.d, f, got, l.bits(want, false))
	}
	if got := Encode(l.d, -f); got != l.bits(want, true) {
		t.Fatalf("%v: Encode(%v) = %#x, want %#x", l.d, -f, got, l.bits(want, true))
	}
}

// TestFloatSpecials: Inf stays Inf (NaN where there is none), and NaN stays
// NaN even if only payload bits beyond the format are set.
func TestFloatSpecials(t *testing.T) {
	inf := float32(math.Inf(1))
	for _, l := range layouts {
		checkEncode(t, l, inf, l.finite())
		for _, bits := range []uint32{0x7f800001, 0x7fc00000, 0x7fffffff, 0xff800001, 0xffffffff} {
			got := Encode(l.d, math.Float32frombits(bits))
			back := Decode(l.d, got)
			if !isNaN(back) || math.Signbit(float64(back)) != (bits>>31 == 1) {
				t.Errorf("%v: NaN %#x encodes to %#x, which is %v", l.d, bits, got, back)
			}
		}
	}
}

func TestFloat32IsCopied(t *testing.T) {
	for _, f := range sampleFloats(1000) {
		bits := uint64(math.Float32bits(f))
		if Encode(Float32, f) != bits || math.Float32bits(Decode(Float32, bits)) != uint32(bits) {
			t.Fatalf("float32 %#x does not survive", bits)
		}
		if math.Float32bits(Decode(Float32r, bits)) != uint32(bits) {
			t.Fatalf("float32r %#x: Decode must not round", bits)
		}
		if r := RoundFloat32r(f); uint64(math.Float32bits(r)) != Encode(Float32r, f) {
			t.Fatalf("RoundFloat32r(%v) = %v differs from Encode", f, r)
		}
	}
}

// TestFloat16Library compares with an implementation that is not ours.
func TestFloat16Library(t *testing.T) {
	for code := range 1 << 16 {
		ours, theirs := Decode(Float16, uint64(code)), float16.Frombits(uint16(code)).Float32()
		if ours != theirs && !(isNaN(ours) && isNaN(theirs)) {
			t.Fatalf("code %#x: %v, library %v", code, ours, theirs)
		}
	}
	for _, f := range sampleFloats(20000) {
		ours, theirs := Encode(Float16, f), uint64(float16.Fromfloat32(f).Bits())
		if ours != theirs && !isNaN(f) {
			t.Fatalf("%v: %#x, library %#x", f, ours, theirs)
		}
	}
}
