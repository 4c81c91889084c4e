package ir

import (
	"testing"

	"birfuzz/ir/num"
)

// benchProgram is a legal straight-line program of n instructions of everyday kinds, with edges.
func benchProgram(n int) *Program {
	b := newBuilder()
	x := b.loc("x_dram", Input, num.Float32, 128, 512)
	y := b.loc("y_dram", Output, num.Float32, 128, 512)
	t := [3]*Loc{b.loc("a_tile", SB, num.Float32, 128, 512), b.loc("b_tile", SB, num.Float32, 128, 512), b.loc("c_tile", SB, num.Float32, 128, 512)}
	w, s := b.loc("w_tile", SB, num.Float32, 128, 128), b.loc("s_tile", SB, num.Float32, 128, 1)
	ps := b.loc("acc", PSUM, num.Float32, 128, 512)
	rows := []func() *Inst{
		func() *Inst { return b.add("Load", SP, whole(t[0]), whole(x)) },
		func() *Inst { return b.add("Memset", Pool, tileOf(t[1], 64, 8, 64, 256)) },
		func() *Inst {
			return b.add("TensorTensor", DVE, whole(t[2]), whole(t[0]), whole(t[1])).with(POp, int64(AluAdd))
		},
		func() *Inst { return b.add("Matmult", PE, whole(ps), whole(t[2]), whole(w)) },
		func() *Inst { return b.add("TensorCopy", DVE, whole(t[0]), whole(ps)) },
		func() *Inst {
			return b.add("TensorScalarPtr", DVE, tileOf(t[1], 32, 0, 32, 512), tileOf(t[1], 32, 0, 32, 512), tileOf(s, 32, 0, 32, 1)).with(POp0, int64(AluMult))
		},
		func() *Inst {
			return b.add("Activation", Activation, whole(t[2]), whole(t[0])).with(PFunc, int64(FuncExp))
		},
		func() *Inst { return b.add("Save", SP, whole(y), whole(t[2])) },
	}
	var last *Inst
	for i := range n {
		in := rows[i%len(rows)]()
		if last != nil {
			in.Deps = []Dep{{last, Flow}}
		}
		last = in
	}
	return b.done()
}

func BenchmarkVerify(b *testing.B) {
	for _, n := range []int{8, 40, 4000} {
		p := benchProgram(n)
		var v Verifier
		if list := v.Verify(p, 0); list != nil {
			b.Fatal(list)
		}
		b.Run(map[int]string{8: "8", 40: "40", 4000: "4000"}[n], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				v.Verify(p, 0)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/inst")
		})
	}
}

// TestVerifyAllocatesNothing: a Verifier that has seen a program verifies a legal one without allocation.
func TestVerifyAllocatesNothing(t *testing.T) {
	p := benchProgram(40)
	var v Verifier
	v.Verify(p, 0)
	if n := testing.AllocsPerRun(10, func() { v.Verify(p, Unrolled) }); n != 0 {
		t.Errorf("%v allocations a run", n)
	}
	b := newBuilder()
	x, y := b.loc("x", DRAM, num.Float32, 8, 8), b.loc("y", DRAM, num.Float32, 8, 8)
	x.Alias = []Alias{{y, MayAlias}}
	b.add("DMACopy", SP, whole(x), whole(y))
	p = b.done()
	if list := v.Verify(p, 0); list != nil || !v.grouped {
		t.Fatalf("%v; asked for families: %v", list, v.grouped)
	}
	if n := testing.AllocsPerRun(10, func() { v.Verify(p, Unrolled) }); n != 0 {
		t.Errorf("%v allocations a run with aliases", n)
	}
}

// TestVerifierForgets: what a Verifier found wrong with a location does not hide it once it is right.
func TestVerifierForgets(t *testing.T) {
	b := newBuilder()
	in := b.addition(128, 64)
	p, l := b.done(), in.Args[1].Loc
	var v Verifier
	l.Rows = 0
	if list := v.Verify(p, 0); len(list) != 1 || list[0].Rule != RuleSize {
		t.Fatalf("no rows: %v", list)
	}
	l.Rows = 64
	if list := v.Verify(p, 0); len(list) != 1 || list[0].Rule != RuleBounds {
		t.Errorf("too few rows: %v", list)
	}
}
