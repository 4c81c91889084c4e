package num

import (
	"math/rand/v2"
	"testing"
)

// benchElems is a partition row of ordinary size: it stays in the inner caches.
const benchElems = 4096

// reportRate adds M elem/s, where every iteration converts n elements.
func reportRate(b *testing.B, n int) {
	b.Helper()
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Melem/s")
}

// benchData is values that every format can hold, so that the loops run as
// they do on ordinary data.
func benchData(n int) []float32 {
	rng := rand.New(rand.NewPCG(1, 2))
	data := make([]float32, n)
	for i := range data {
		data[i] = float32(rng.NormFloat64() * 4)
	}
	return data
}

func BenchmarkWiden(b *testing.B) {
	for _, d := range DTypes() {
		b.Run(d.String(), func(b *testing.B) {
			dst := benchData(benchElems)
			src := make([]byte, benchElems*d.Size())
			Narrow(src, dst, d)
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				Widen(dst, src, d)
			}
			reportRate(b, benchElems)
		})
	}
}

func BenchmarkNarrow(b *testing.B) {
	for _, d := range DTypes() {
		b.Run(d.String(), func(b *testing.B) {
			src := benchData(benchElems)
			dst := make([]byte, benchElems*d.Size())
			b.SetBytes(int64(len(dst)))
			for b.Loop() {
				Narrow(dst, src, d)
			}
			reportRate(b, benchElems)
		})
	}
}

// BenchmarkWidenNarrow is the cost that casts add to one instruction: every
// element in and out again.
func BenchmarkWidenNarrow(b *testing.B) {
	for _, d := range []DType{BFloat16, Float16, Float8e4, Int8} {
		b.Run(d.String(), func(b *testing.B) {
			values := benchData(benchElems)
			bits := make([]byte, benchElems*d.Size())
			Narrow(bits, values, d)
			b.SetBytes(int64(len(bits)))
			for b.Loop() {
				Widen(values, bits, d)
				Narrow(bits, values, d)
			}
			reportRate(b, benchElems)
		})
	}
}

// BenchmarkStrided takes every second element.
func BenchmarkStrided(b *testing.B) {
	for _, d := range []DType{Float32, BFloat16, Float8e4} {
		step := 2 * d.Size()
		values := benchData(benchElems)
		bits := make([]byte, benchElems*step)
		NarrowStrided(bits, step, values, d)
		b.Run("widen/"+d.String(), func(b *testing.B) {
			for b.Loop() {
				WidenStrided(values, bits, step, d)
			}
			reportRate(b, benchElems)
		})
		b.Run("narrow/"+d.String(), func(b *testing.B) {
			for b.Loop() {
				NarrowStrided(bits, step, values, d)
			}
			reportRate(b, benchElems)
		})
	}
}
