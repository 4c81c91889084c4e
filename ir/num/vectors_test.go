package num

import (
	"math"
	"testing"
)

// blank marks a cell that the table leaves open.
const blank = math.MaxFloat64

// TestFloatVectors is the cast table of the ISA notes: derived by rational
// arithmetic and cross-checked with published vectors.
func TestFloatVectors(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	columns := [6]DType{BFloat16, Float16, Float8e5, Float8e4, Float8e4m3fn, Float8e3}
	for _, row := range []struct {
		in   float32
		want [6]float64
	}{
		{0.1, [6]float64{0.10009765625, 0.0999755859375, 0.09375, 0.1015625, 0.1015625, 0.09375}},
		{239, [6]float64{239, 239, 224, 240, 240, inf}},
		{247.9, [6]float64{248, 247.875, 256, 240, 240, inf}},
		{248, [6]float64{248, 248, 256, inf, 256, inf}},
		{257, [6]float64{256, 257, 256, inf, 256, inf}},
		{259, [6]float64{260, 259, 256, inf, 256, inf}},
		{464, [6]float64{464, 464, 448, inf, 448, inf}},
		{465, [6]float64{464, 465, 448, inf, nan, inf}},
		{61439, [6]float64{61440, 61440, 57344, inf, nan, inf}},
		{61440, [6]float64{61440, 61440, inf, inf, nan, inf}},
		{65519, [6]float64{65536, 65504, inf, blank, blank, blank}},
		{65520, [6]float64{65536, inf, inf, blank, blank, blank}},
		{-math.MaxFloat32, [6]float64{-inf, -inf, -inf, -inf, nan, blank}},
		{15.74, [6]float64{15.75, 15.7421875, 16, 16, 16, 15.5}},
		{15.75, [6]float64{15.75, 15.75, 16, 16, 16, inf}},
	} {
		for i, d := range columns {
			checkVector(t, d, row.in, row.want[i])
		}
	}
}

func TestIntVectors(t *testing.T) {
	columns := [5]DType{Int8, UInt8, Int16, Int32, UInt32}
	for _, row := range []struct {
		in   float32
		want [5]float64
	}{
		{0.5, [5]float64{0, 0, 0, 0, 0}},
		{1.5, [5]float64{2, 2, 2, 2, 2}},
		{2.5, [5]float64{2, 2, 2, 2, 2}},
		{-0.5, [5]float64{0, 0, 0, 0, 0}},
		{-1.5, [5]float64{-2, 0, -2, -2, 0}},
		{-2.5, [5]float64{-2, 0, -2, -2, 0}},
		{126.5, [5]float64{126, 126, blank, blank, blank}},
		{127.5, [5]float64{127, 128, blank, blank, blank}},
		{128, [5]float64{127, 128, blank, blank, blank}},
		{-128.5, [5]float64{-128, 0, -128, blank, blank}},
		{-129, [5]float64{-128, 0, -129, blank, blank}},
		{254.5, [5]float64{127, 254, 254, blank, blank}},
		{255.5, [5]float64{127, 255, 256, blank, blank}},
		{256, [5]float64{127, 255, 256, blank, blank}},
		{2147483520, [5]float64{127, 255, 32767, 2147483520, 2147483520}},
		{2147483648, [5]float64{127, 255, 32767, 2147483647, 2147483648}},
		{4294967040, [5]float64{blank, blank, blank, 2147483647, 4294967040}},
		{4294967296, [5]float64{blank, blank, blank, 2147483647, 4294967295}},
	} {
		for i, d := range columns {
			if want := row.want[i]; want != blank {
				mask := uint64(1)<<(8*d.Size()) - 1
				if got := Encode(d, row.in); got != uint64(int64(want))&mask {
					t.Errorf("%v(%v) = %#x, want %v", d, row.in, got, want)
				}
			}
		}
	}
}

func checkVector(t *testing.T, d DType, in float32, want float64) {
	t.Helper()
	got := float64(Decode(d, Encode(d, in)))
	if want != blank && got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
		t.Errorf("%v(%v) = %v, want %v", d, in, got, want)
	}
}
