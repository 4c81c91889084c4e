package fuzz_test

import (
	"bytes"
	"testing"

	"birfuzz/fuzz"
)

// FuzzPipeline judges what mutated bytes decode to: go test -fuzz=FuzzPipeline ./fuzz
func FuzzPipeline(f *testing.F) {
	f.Add([]byte(nil))
	for i := range byte(12) {
		f.Add(bytes.Repeat([]byte{i * 41, i, 255 - i}, 40))
	}
	target := fuzz.NewTarget()
	f.Fuzz(func(t *testing.T, data []byte) {
		if x, _ := target.Judge(data); x != nil {
			t.Fatal(x.Panic())
		}
	})
}
