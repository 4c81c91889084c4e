package bircheck

import "testing"

// BenchmarkCheck is the cost of a generated module of common size, its text given.
func BenchmarkCheck(b *testing.B) {
	const made = 400
	texts, size := seeds(b, made), 0
	texts = texts[len(texts)-made:]
	for _, t := range texts {
		size += len(t)
	}
	b.SetBytes(int64(size / len(texts)))
	i := 0
	for b.Loop() {
		if bad := Check(texts[i%len(texts)]); bad != nil {
			b.Fatal(bad[0])
		}
		i++
	}
}
