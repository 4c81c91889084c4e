package passes

import (
	"fmt"
	"strings"
	"testing"
)

// looped is a module of one function for two cores that comes to n instructions when it is unrolled, or split: loops of ten trips, flagged,
// in nests of two, with edges inside the body, from trip to trip and from outside, order vectors and predicates.
func looped(n int) string {
	var b strings.Builder
	b.WriteString("func sg0000 {\n  input x: f32[4,16]\n  output y: f32[8,16]\n  sb s: f32[4,16]\n  sb t: f32[4,16]\n")
	b.WriteString("  I: s = Load x @SP\n  J: t = Load x @SP order(shardid(2))\n")
	for i := range n / 100 {
		fmt.Fprintf(&b, "  L%d: for i = 0..5 unroll after(I) {\n    M%d: for j = 0..10 unroll {\n", i, i)
		fmt.Fprintf(&b, "      A%d: s[16x4, 1x1 at i + j] = TensorCopy t[16x4, 1x1 at i + j] @DVE order(i, j) after(B%d[0, 1], J)\n", i, i)
		fmt.Fprintf(&b, "      B%d: t[16x4, 1x1 at i + j] = TensorScalar s[16x4, 1x1 at i + j] op0=add const0=1 @Pool order(i, j, 1) after(A%d) if(j < 10)\n", i, i)
		b.WriteString("    }\n  }\n")
	}
	return b.String() + "  K: y[16x4, 1x16 at 64*shardid(2)] = Save t @SP after(J)\n}\n"
}

// BenchmarkLoops prints what the passes that expand a program cost an instruction of what it comes to.
func BenchmarkLoops(b *testing.B) {
	for _, pass := range []Pass{lncSplitter(), unroll(), flattenSmallLoops(), fullUnrollSome(), heuristicUnroll(), fullUnrollAll()} {
		for _, n := range []int{100, 1000, 10000} {
			b.Run(fmt.Sprintf("%s/%d", pass.Name, n), func(b *testing.B) { benchmark(b, pass, looped(n), n) })
		}
	}
}
