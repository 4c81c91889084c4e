package num

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// codes is elements of d, contiguous: every code up to 16 bits, else samples.
func codes(d DType) []byte {
	width := 8 * d.Size()
	var all []uint64
	switch {
	case width <= 16:
		for code := range uint64(1) << width {
			all = append(all, code)
		}
	case d.IsFloat():
		for _, f := range sampleFloats(500) {
			all = append(all, uint64(math.Float32bits(f)))
		}
	default:
		all = wideIntBits(500)
	}
	b := make([]byte, len(all)*d.Size())
	for i, bits := range all {
		Store(b[i*d.Size():], d, bits)
	}
	return b
}

// placed copies b to offset bytes past an 8-byte boundary.
func placed(b []byte, offset int) []byte {
	buf := bytesOf(make([]uint64, (len(b)+offset)/8+1))[offset:][:len(b)]
	copy(buf, b)
	return buf
}

func TestWidenEqualsDecode(t *testing.T) {
	for _, d := range DTypes() {
		data := codes(d)
		for offset := range d.Size() {
			src := placed(data, offset)
			dst := make([]float32, len(src)/d.Size())
			Widen(dst, src, d)
			for i, got := range dst {
				want := Decode(d, Load(src[i*d.Size():], d))
				if math.Float32bits(got) != math.Float32bits(want) {
					t.Fatalf("%v offset %d element %d: %v, Decode gives %v", d, offset, i, got, want)
				}
			}
		}
	}
}

func TestNarrowEqualsEncode(t *testing.T) {
	src := sampleFloats(5000)
	for _, d := range DTypes() {
		want := make([]byte, len(src)*d.Size())
		for i, f := range src {
			Store(want[i*d.Size():], d, Encode(d, f))
		}
		for offset := range d.Size() {
			dst := placed(make([]byte, len(want)), offset)
			Narrow(dst, src, d)
			if !bytes.Equal(dst, want) {
				t.Fatalf("%v offset %d: Narrow differs from Encode", d, offset)
			}
		}
	}
}

// strides is the steps and lengths the strided tests run through: repeated,
// overlapping, contiguous and spread elements; chunks not full, full, several.
func strides(size int) (steps, lengths []int) {
	return []int{0, 1, size, size + 1, 2 * size, 24}, []int{0, 1, chunk - 1, chunk, chunk + 1, 3*chunk + 5}
}

func TestWidenStrided(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, d := range DTypes() {
		steps, lengths := strides(d.Size())
		for _, step := range steps {
			for _, n := range lengths {
				src := randomBytes(rng, max(n-1, 0)*step+d.Size())
				got, want := make([]float32, n), make([]float32, n)
				for i := range want {
					want[i] = Decode(d, Load(src[i*step:], d))
				}
				WidenStrided(got, src, step, d)
				if !bytes.Equal(bytesOf(got), bytesOf(want)) {
					t.Fatalf("%v step %d length %d: differs from Decode", d, step, n)
				}
			}
		}
	}
}

// TestNarrowStrided also sees that bytes between the elements stay.
func TestNarrowStrided(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	values := sampleFloats(100)
	for _, d := range DTypes() {
		steps, lengths := strides(d.Size())
		for _, step := range steps {
			for _, n := range lengths {
				got := randomBytes(rng, max(n-1, 0)*step+d.Size())
				want := slices.Clone(got)
				for i, f := range values[:n] {
					Store(want[i*step:], d, Encode(d, f))
				}
				NarrowStrided(got, step, values[:n], d)
				if !bytes.Equal(got, want) {
					t.Fatalf("%v step %d length %d: differs from Encode", d, step, n)
				}
			}
		}
	}
}

func randomBytes(rng *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(rng.Uint32())
	}
	return b
}

func TestBulkAllocatesNothing(t *testing.T) {
	values := make([]float32, 3*chunk)
	bits := make([]byte, len(values)*16)
	for _, d := range DTypes() {
		allocs := testing.AllocsPerRun(10, func() {
			Widen(values, bits, d)
			Narrow(bits, values, d)
			WidenStrided(values, bits, 2*d.Size(), d)
			NarrowStrided(bits, 2*d.Size(), values, d)
		})
		if allocs != 0 {
			t.Errorf("%v: %v allocations a run", d, allocs)
		}
	}
}

// TestMisusePanics: slices too short and values that name no format are errors
// of the caller, and must not go unnoticed.
func TestMisusePanics(t *testing.T) {
	values := make([]float32, 4)
	short := make([]byte, 7)
	for name, call := range map[string]func(){
		"Widen short":          func() { Widen(values, short[:7:7], BFloat16) },
		"Narrow short":         func() { Narrow(short[:7:7], values, BFloat16) },
		"WidenStrided short":   func() { WidenStrided(values, short, 2, Int16) },
		"WidenStrided spread":  func() { WidenStrided(values, short, 3, Int8) },
		"NarrowStrided spread": func() { NarrowStrided(short, 3, values, Int8) },
		"Load short":           func() { Load(short, Int64) },
		"Store short":          func() { Store(short, UInt64, 0) },
		"Decode":               func() { Decode(Invalid, 0) },
		"Encode":               func() { Encode(NumDTypes, 0) },
		"Load":                 func() { Load(short, Invalid) },
		"Store":                func() { Store(short, Invalid, 0) },
		"Widen":                func() { Widen(values, short, Invalid) },
		"Narrow":               func() { Narrow(short, values, Invalid) },
		"WidenStrided":         func() { WidenStrided(values, short, 1, Invalid) },
		"NarrowStrided":        func() { NarrowStrided(short, 1, values, Invalid) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			call()
		})
	}
}
