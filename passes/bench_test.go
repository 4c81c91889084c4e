package passes

import (
	"fmt"
	"strings"
	"testing"
)

// measured is a straight program of n instructions in n/4 locations: chains of load, two steps of arithmetic, save, all in use, with order
// vectors that are sorted. dead makes one chain in four dead, reversed turns the order vectors of each chain round.
func measured(n int, dead, reversed bool) string {
	var b strings.Builder
	b.WriteString("func sg0000 {\n  input x: f32[128,64]\n")
	for i := range n / 4 {
		fmt.Fprintf(&b, "  output y%d: f32[128,64]\n  sb s%d: f32[128,64]\n  sb t%d: f32[128,64]\n", i, i, i)
	}
	for i := range n / 4 {
		key := func(k int) int {
			if reversed {
				k = 3 - k
			}
			return 4*i + k
		}
		from := "t"
		if dead && i%4 == 0 {
			from = "s"
		}
		fmt.Fprintf(&b, "  I-%d: s%d = Load x @SP order(%d)\n", 4*i, i, key(0))
		fmt.Fprintf(&b, "  I-%d: t%d = TensorScalar s%d @DVE op0=add const0=1 order(%d)\n", 4*i+1, i, i, key(1))
		fmt.Fprintf(&b, "  I-%d: t%d = TensorTensor t%d, s%d @DVE op=mult order(%d)\n", 4*i+2, i, i, i, key(2))
		fmt.Fprintf(&b, "  I-%d: y%d = Save %s%d @SP order(%d)\n", 4*i+3, i, from, i, key(3))
	}
	return b.String() + "}\n"
}

// crowded is n instructions on one location: n/2 columns written, then read.
func crowded(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "func sg0000 {\n  output y: f32[4,%d]\n  sb t: f32[4,%d]\n", n/2, n/2)
	for i := range n / 2 {
		fmt.Fprintf(&b, "  I-%d: t[:, %d:%d] = Memset @DVE constant=1\n", i, i, i+1)
	}
	for i := range n / 2 {
		fmt.Fprintf(&b, "  J-%d: y[:, %d:%d] = Save t[:, %d:%d] @SP\n", i, i, i+1, i, i+1)
	}
	return b.String() + "}\n"
}

// BenchmarkPass prints what each pass costs an instruction, on programs that it changes, and on one crowded location.
func BenchmarkPass(b *testing.B) {
	for _, pass := range known() {
		for _, n := range []int{100, 1000, 10000} {
			b.Run(fmt.Sprintf("%s/%d", pass.Name, n), func(b *testing.B) { benchmark(b, pass, measured(n, true, true), n) })
		}
		b.Run(pass.Name+"/crowded-10000", func(b *testing.B) { benchmark(b, pass, crowded(10000), 10000) })
	}
}

// benchmark runs a pass on one program again and again: on the copy that was taken before its first change, so that nothing has to be set up
// off the clock.
func benchmark(b *testing.B, pass Pass, src string, n int) {
	p := parse(b, src)
	for b.Loop() {
		Run(p, []Pass{pass}, Unlimited(), func(s *Step) bool {
			if s.Failure != nil {
				b.Fatal(s.Failure)
			}
			p = s.Before
			return true
		})
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/inst")
}

// BenchmarkUnchanged is a step of each pass that finds nothing to do in 40 instructions. The bar is 10 µs.
func BenchmarkUnchanged(b *testing.B) {
	for _, pass := range known() {
		p := parse(b, measured(40, false, false))
		Run(p, []Pass{pass}, Unlimited(), func(s *Step) bool { p = s.After; return true }) // what it has to do, it has done before
		b.Run(pass.Name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Run(p, []Pass{pass}, Unlimited(), func(s *Step) bool {
					if s.Changed {
						b.Fatal("changed")
					}
					return true
				})
			}
		})
	}
}
