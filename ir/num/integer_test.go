package num

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"birfuzz/ir/birtest"
)

// TestIntHalves casts every half-integer of the 8- and 16-bit ranges, and some
// beyond, with its float32 neighbours, to every integer format.
func TestIntHalves(t *testing.T) {
	limit := 140_000
	if birtest.Quick() {
		limit = 1200
	}
	for _, r := range intRanges() {
		for doubled := -limit; doubled <= limit; doubled++ {
			checkIntCast(t, r, float32(doubled)/2)
		}
		for _, edge := range []int{-65536, -32768, 32767, 65535} {
			for doubled := 2*edge - 5; doubled <= 2*edge+5; doubled++ {
				for _, f := range around(float32(doubled) / 2) {
					checkIntCast(t, r, f)
				}
			}
		}
	}
}

// TestIntSamples covers all magnitudes: powers of two with neighbours, which
// include every saturation bound, and random bits.
func TestIntSamples(t *testing.T) {
	for _, r := range intRanges() {
		for _, f := range sampleFloats(1000) {
			if isFinite(f) {
				checkIntCast(t, r, f)
			}
		}
	}
}

func checkIntCast(t *testing.T, r intRange, f float32) {
	t.Helper()
	want := r.cast(new(big.Rat).SetFloat64(float64(f)))
	if got := Encode(r.d, f); got != r.bits(want) {
		t.Fatalf("%v: Encode(%v) = %#x, want %v = %#x", r.d, f, got, want, r.bits(want))
	}
}

func TestIntSpecials(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, r := range intRanges() {
		for _, c := range []struct {
			in   float32
			want *big.Int
		}{{inf, r.hi}, {-inf, r.lo}, {nan, new(big.Int)}, {-nan, new(big.Int)}} {
			if got := Encode(r.d, c.in); got != r.bits(c.want) {
				t.Errorf("%v: Encode(%v) = %#x, want %v", r.d, c.in, got, c.want)
			}
		}
	}
}

// TestIntDecode compares with a 24-bit big.Float: all codes of the formats up
// to 16 bits, and for the others the neighbourhood of every tie a power of two
// can have, and random bits.
func TestIntDecode(t *testing.T) {
	wide := wideIntBits(2000)
	for _, r := range intRanges() {
		width := 8 * r.d.Size()
		if width <= 16 {
			for code := range uint64(1) << width {
				checkIntDecode(t, r, code)
				if back := Encode(r.d, Decode(r.d, code)); back != code {
					t.Fatalf("%v: %#x comes back as %#x", r.d, code, back)
				}
			}
			continue
		}
		for _, bits := range wide {
			checkIntDecode(t, r, bits)
			checkIntDecode(t, r, -bits)
		}
	}
}

// checkIntDecode decodes bits whose part above the width must be ignored.
func checkIntDecode(t *testing.T, r intRange, bits uint64) {
	t.Helper()
	n := r.number(bits & (math.MaxUint64 >> (64 - 8*r.d.Size())))
	want, _ := new(big.Float).SetPrec(24).SetMode(big.ToNearestEven).SetInt(n).Float32()
	if got := Decode(r.d, bits); got != want {
		t.Fatalf("%v: Decode(%#x) = %v, want %v", r.d, bits, got, want)
	}
}

func wideIntBits(random int) []uint64 {
	bits := []uint64{0, 1, math.MaxUint64}
	for k := range 64 {
		for below := range k + 1 {
			tie := uint64(1)<<k | uint64(1)<<below
			bits = append(bits, tie-1, tie, tie+1)
		}
	}
	rng := rand.New(rand.NewPCG(5, 6))
	for range random {
		bits = append(bits, rng.Uint64()>>rng.IntN(64))
	}
	return bits
}
