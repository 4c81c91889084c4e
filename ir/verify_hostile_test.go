package ir

import (
	"math"
	"math/rand/v2"
	"testing"

	"birfuzz/ir/num"
)

// hostileProgram has one of everything that holds numbers.
func hostileProgram() *Program {
	b := newBuilder()
	x, y := b.loc("x", Input, num.Float32, 64, 16), b.loc("y", SB, num.Float32, 32, 16)
	p := b.loc("p", PSUM, num.Float32, 32, 16).at(0, 0)
	d := b.loc("d", DRAM, num.Float32, 64, 16).at(0, 1<<20)
	outer, _ := b.loop("i", 0, 2, 1)
	l, _ := b.loop("k", 0, 32, 8)
	sub := axisOff(l, 1, 0)
	src := tileOf(x, 0, 0, 8, 16)
	src.Off = Affine{Terms: []Term{{Coef: 512, Kind: AxisTerm, Axis: outer}, {Coef: 128, Kind: FloorDivTerm, Sub: &sub, N: 8}}}
	dst := tileOf(y, 0, 0, 8, 16)
	dst.Off = axisOff(l, 16, 0)
	b.add("Load", SP, dst, src)
	move := b.add("DMACopy", SP, pairsOf(d, Pair{16, 4}, Pair{2, 8}), pairsOf(d, Pair{16, 4}, Pair{4, 2}, Pair{0, 4}))
	move.Args[1].Off.C = 512
	b.add("Matmult", PE, whole(p), whole(y), tileOf(y, 0, 0, 32, 16)).Args[0].AP[0].Num = 16
	add := b.add("TensorTensor", DVE, whole(y), whole(y), whole(y))
	add.LoopDeps = []LoopDep{{add, Flow, []int64{0, 1}}}
	add.Wait, add.Update = []Sem{{0, 1}}, []Sem{{1, 1}}
	iota := b.add("Iota", Pool, tileOf(y, 0, 0, 8, 16)).with(PBase, 5)
	iota.SetParam(Param{ID: PPattern, LL: [][]int64{{1, 16}}})
	mask := b.add("StreamShuffle", DVE, whole(y), whole(y))
	mask.SetParam(Param{ID: PMask, L: make([]int64, 32)})
	sum := b.collective(AllGather, 32, 16)
	sum.SetParam(Param{ID: PReplicaGroups, LL: [][]int64{{0, 1}}})
	return b.done()
}

// numbersOf collects pointers to the numbers of a program.
func numbersOf(p *Program) (wide []*int64, narrow []*int32, bytes []*uint8) {
	for _, f := range p.Cores {
		for l := range f.Locs {
			wide = append(wide, &l.Rows, &l.RowBytes, &l.Addr, &l.Base, &l.Bank, &l.Set.Shape[0])
			bytes = append(bytes, (*uint8)(&l.Type), (*uint8)(&l.Set.Kind), (*uint8)(&l.Set.Space), (*uint8)(&l.Set.DType))
		}
	}
	for in := range p.Insts {
		bytes = append(bytes, (*uint8)(&in.Op), (*uint8)(&in.Engine), &in.NOut)
		for i := range in.Args {
			o := &in.Args[i]
			wide = append(wide, &o.Off.C)
			bytes = append(bytes, (*uint8)(&o.Kind), (*uint8)(&o.DType), &o.N)
			for k := range o.AP {
				narrow = append(narrow, &o.AP[k].Step, &o.AP[k].Num)
			}
			for k := range o.Off.Terms {
				t := &o.Off.Terms[k]
				wide = append(wide, &t.Coef, &t.N)
				bytes = append(bytes, (*uint8)(&t.Kind))
			}
		}
		for i := range in.Params {
			q := &in.Params[i]
			wide = append(wide, &q.I)
			bytes = append(bytes, (*uint8)(&q.ID))
			for k := range q.L {
				wide = append(wide, &q.L[k])
			}
			for _, l := range q.LL {
				wide = append(wide, &l[0], &l[1])
			}
		}
		for i := range in.LoopDeps {
			wide = append(wide, &in.LoopDeps[i].Dist[0])
		}
		if in.Loop != nil {
			wide = append(wide, &in.Loop.LB, &in.Loop.UB, &in.Loop.Stride)
		}
	}
	return wide, narrow, bytes
}

// TestVerifyHostileNumbers: whatever numbers stand in a program, Verify returns, and soon.
func TestVerifyHostileNumbers(t *testing.T) {
	if list := Verify(hostileProgram(), 0); list != nil {
		t.Fatalf("the program to spoil is not legal:\n%v", list)
	}
	r := rand.New(rand.NewPCG(1, 2))
	wides := []int64{math.MinInt64, math.MinInt64 + 1, -1 << 31, -1, 0, 1, 3, 1 << 31, 1 << 52, 1<<62 + 1, math.MaxInt64}
	narrows := []int32{math.MinInt32, -1, 0, 1, 2, 3, 1 << 16, math.MaxInt32 - 1, math.MaxInt32}
	rounds, illegal := 3000, 0
	var v Verifier
	for range rounds {
		p := hostileProgram()
		wide, narrow, bytes := numbersOf(p)
		for range 1 + r.IntN(6) {
			switch r.IntN(5) {
			case 0, 1:
				*wide[r.IntN(len(wide))] = wides[r.IntN(len(wides))]
			case 2, 3:
				*narrow[r.IntN(len(narrow))] = narrows[r.IntN(len(narrows))]
			default:
				*bytes[r.IntN(len(bytes))] = uint8(r.IntN(256))
			}
		}
		v.Verify(p, Placed|Unrolled|Split)
		if v.Verify(p, 0) != nil {
			illegal++
		}
	}
	if illegal < rounds/2 {
		t.Errorf("only %d of %d spoiled programs are illegal", illegal, rounds)
	}
}
