//go:build gofuzz

package fuzz

import "sync"

var pipelineTarget = sync.OnceValue(NewTarget)

// FuzzPipeline is the target of go-fuzz (github.com/dvyukov/go-fuzz) and, through go-fuzz-build -libfuzzer, of libFuzzer: it panics with a
// finding. Inputs that make passes rewrite something are worth more to the corpus than others.
func FuzzPipeline(data []byte) int {
	f, fired := pipelineTarget().Judge(data)
	switch {
	case f != nil:
		panic(f.Panic())
	case fired > 0:
		return 1
	}
	return 0
}
