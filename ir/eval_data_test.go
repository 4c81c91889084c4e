package ir

import (
	"math"
	"math/rand/v2"
	"testing"

	"birfuzz/ir/num"
)

func TestMoves(t *testing.T) {
	nanPayload := uint64(0x7f812345)
	m := call{op: "TensorCopy", out: zeros(num.Float32, 1, 1), ins: ins(raw(num.Float32, 1, nanPayload))}.run(t)
	if m.out.bits[0] != nanPayload {
		t.Errorf("a copy changed %#x to %#x", nanPayload, m.out.bits[0])
	}
	call{op: "TensorCopy", out: zeros(num.Int8, 1, 2), ins: ins(f32s(1, 2.5, 300))}.want(t, 2, 127)
	call{op: "RegisterMove", out: zeros(num.Int32, 1, 1), ins: ins(raw(num.Int32, 1, 0xfffffff9))}.want(t, -7)
	call{op: "Memset", params: settings(set(PConstant, 0x3fc00000)), out: zeros(num.Float32, 2, 1)}.want(t, 1.5, 1.5)
	call{op: "Memset", params: settings(set(PConstant, 0x1ff)), out: zeros(num.UInt8, 1, 2)}.want(t, 255, 255)
	call{op: "DMATranspose", out: zeros(num.Float32, 3, 2), ins: ins(f32s(2, 1, 2, 3, 4, 5, 6))}.want(t, 1, 4, 2, 5, 3, 6)
	call{op: "MatmultTranspose", out: zeros(num.BFloat16, 3, 2), ins: ins(f32s(2, 1, 0, 0, 1), vals(num.BFloat16, 2, 1, 2, nan, 4, inf, 6))}.want(t, 1, 4, 2, inf, nan, 6)
}

func TestIota(t *testing.T) {
	p := settings(set(PBase, 7), set(PChannelMultiplier, -50), pattern([]int64{100, 2}, []int64{3, 3}))
	call{op: "Iota", params: p, out: zeros(num.Int32, 2, 6)}.want(t, 7, 10, 13, 107, 110, 113, -43, -40, -37, 57, 60, 63)
	wrap := settings(set(PBase, math.MaxInt32), pattern([]int64{1, 2}))
	call{op: "Iota", params: wrap, out: zeros(num.Int32, 1, 2)}.run(t)
	m := call{op: "Iota", params: wrap, out: zeros(num.Int32, 1, 2)}.run(t)
	if m.out.bits[0] != 0x7fffffff || m.out.bits[1] != 0x80000000 {
		t.Errorf("int32 iota gives %#x", m.out.bits)
	}
	call{op: "Iota", params: settings(set(PBase, -1), pattern([]int64{1, 3})), out: zeros(num.UInt8, 1, 3)}.want(t, 0, 0, 1)
	call{op: "Iota", params: settings(set(PBase, 16777217), pattern([]int64{1, 1})), out: zeros(num.UInt32, 1, 1)}.want(t, 16777216)
	for _, bad := range [][]int64{{1, 3}, {1, 5}, {1, 0}, {1, -4}, {1, 1 << 62}, {1}} {
		call{op: "Iota", params: settings(pattern(bad)), out: zeros(num.Int32, 1, 4)}.faults(t)
	}
	call{op: "Iota", params: settings(pattern([]int64{1, 2}, []int64{1, 1 << 62}, []int64{1, 4})), out: zeros(num.Int32, 1, 4)}.faults(t)
	call{op: "Iota", out: zeros(num.Int32, 2, 1)}.want(t, 0, 0)
}

func TestSelects(t *testing.T) {
	f := func(r, c int) *tensor { return zeros(num.Float32, r, c) }
	call{op: "Select", out: f(1, 3), ins: ins(vals(num.UInt8, 1, 0, 1, 1), f32s(1, 1, nan, 3), f32s(1, 4, 5, 6))}.want(t, 4, nan, 3)
	pred := raw(num.UInt32, 1, 0, 0x80000000, 1)
	call{op: "CopyPredicated", out: f32s(1, 7, 8, 9), ins: ins(pred, f32s(1, 1, 2, 3))}.want(t, 7, 2, 3)
	call{op: "CopyPredicated", params: settings(set(PReversePred, 1)), out: f32s(1, 7, 8, 9), ins: ins(pred, f32s(1, 1, 2, 3))}.want(t, 1, 8, 9)
	affine := func(c Cmp) []Param {
		return settings(set(PBase, -1), set(PChannelMultiplier, 1), pattern([]int64{1, 3}), set(PCompareOp, int64(c)), number(PFillValue, -5))
	}
	x := f32s(2, 1, 2, 3, 4, 5, 6) // values of the pattern: -1 0 1, 0 1 2
	call{op: "TensorScalarAffineSelect", params: affine(IsGE), out: f(2, 3), ins: ins(x)}.want(t, -5, 2, 3, 4, 5, 6)
	call{op: "TensorScalarAffineSelect", params: affine(IsEqual), out: f(2, 3), ins: ins(x)}.want(t, -5, 2, -5, 4, -5, -5)
	call{op: "TensorScalarAffineSelect", params: affine(IsLT), out: f(2, 3), ins: ins(x)}.want(t, 1, -5, -5, -5, -5, -5)
	span := settings(set(PBase, 10), set(PCompareOp0, int64(IsGE)), set(PCompareOp1, int64(IsLT)), number(PFillValue, -math.MaxFloat32))
	call{op: "RangeSelect", params: span, out: zeros(num.BFloat16, 2, 3), ins: ins(x, f32s(2, 11, 0), f32s(2, 12, 11))}.want(t, -inf, 2, -inf, 4, -inf, -inf)
}

func TestShuffles(t *testing.T) {
	const side = 64
	x := zeros(num.UInt16, side, side)
	for i := range x.bits {
		x.bits[i] = uint64(i)
	}
	m := call{op: "StreamTranspose", out: zeros(num.UInt16, side, side), ins: ins(x)}.run(t)
	for r := range side {
		for c := range side {
			br, bc := r/32*32, c/32*32
			if got, want := m.out.bits[r*side+c], x.bits[(br+c-bc)*side+bc+r-br]; got != want {
				t.Fatalf("block transpose: [%d,%d] is %d, want %d", r, c, got, want)
			}
		}
	}
	mask := Param{ID: PMask, L: make([]int64, 32)}
	for i := range mask.L {
		mask.L[i] = int64((i + 1) % 32)
	}
	mask.L[3] = 255
	old := zeros(num.UInt16, side, side)
	m = call{op: "StreamShuffle", params: settings(mask), out: old, ins: ins(x)}.run(t)
	for r := range side {
		want := x.bits[(r/32*32+(r+1)%32)*side]
		if r%32 == 3 {
			want = 0
		}
		if got := m.out.bits[r*side]; got != want {
			t.Errorf("shuffle: lane %d starts with %d, want %d", r, got, want)
		}
	}
	call{op: "StreamShuffle", params: settings(mask), out: zeros(num.UInt16, 1, side), ins: ins(zeros(num.UInt16, 1, side))}.faults(t)
	call{op: "StreamTranspose", out: zeros(num.UInt16, 32, 33), ins: ins(zeros(num.UInt16, 32, 33))}.faults(t)
}

func TestSearches(t *testing.T) {
	f := func(c int) *tensor { return zeros(num.Float32, 1, c) }
	x := f32s(1, 1, 2, 3, 4, 8, 8, 8, 8, 8, 8, 8) // nki-isa.md §3.26
	vals8 := f32s(1, 3, 8, 8, 8, 8, 8, 8, 8)
	call{op: "Max", out: f(8), ins: ins(f32s(1, 5, -1, nan, 7, 7, 2, 0, 3, 4, 9, 1))}.want(t, 9, 7, 7, 5, 4, 3, 2, 1)
	call{op: "Max", out: f(8), ins: ins(f32s(1, nan, 1, nan, -inf, 7, nan, nan, nan))}.want(t, 7, 1, -inf, nan, nan, nan, nan, nan)
	call{op: "MaxIndex", out: zeros(num.UInt32, 1, 8), ins: ins(x, vals8)}.want(t, 2, 4, 5, 6, 7, 8, 9, 10)
	call{op: "MaxIndex", out: zeros(num.UInt16, 1, 8), ins: ins(x, f32s(1, 4, 4, 3, 9, 4, 1, 2, 3))}.want(t, 3, 65535, 2, 65535, 65535, 0, 1, 65535)
	call{op: "MatchReplace", params: settings(number(PImmValue, -1)), out: f(11), ins: ins(x, vals8)}.want(t, 1, 2, -1, 4, -1, -1, -1, -1, -1, -1, -1)
	call{op: "MatchReplace", params: settings(number(PImmValue, 4)), out: f(11), ins: ins(x, f32s(1, 3, 4, 9, 9, 9, 9, 9, 8))}.want(t, 1, 2, 4, 4, 4, 8, 8, 8, 8, 8, 8)
}

func TestIndirect(t *testing.T) {
	table := f32s(3, 1, 2, 3, 4, 5, 6)
	index := func(v ...uint64) *tensor { return raw(num.Int32, len(v), v...) }
	call{op: "IndirectLoad", out: f32s(3, 7, 7, 8, 8, 9, 9), ins: ins(table, index(2, 0xffffffff, 0))}.want(t, 5, 6, 8, 8, 1, 2)
	call{op: "IndirectLoad", out: zeros(num.Float32, 1, 2), ins: ins(table, index(3))}.faults(t)
	call{op: "IndirectLoad", out: zeros(num.Float32, 1, 2), ins: ins(table, index(0xfffffffe))}.faults(t)
	call{op: "IndirectSave", out: f32s(3, 1, 2, 3, 4, 5, 6), ins: ins(f32s(3, 10, 20, 30, 40, 50, 60), index(1, 0xffffffff, 1))}.want(t, 1, 2, 50, 60, 5, 6)
	call{op: "IndirectSave", out: zeros(num.Float32, 1, 2), ins: ins(table, index(0, 1, 0))}.faults(t)
	// Each addition rounds to the table's type: 256 + 1 is 256 in bfloat16, twice.
	add := settings(alu(PScatterOp, AluAdd))
	call{op: "IndirectSaveAccumulate", params: add, out: vals(num.BFloat16, 2, 256, 1), ins: ins(f32s(3, 1, 1, 1), index(0, 0, 1))}.want(t, 256, 2)
	keep := raw(num.Int32, 2, 0x01234567, 5)
	m := call{op: "IndirectSaveAccumulate", params: add, out: keep, ins: ins(f32s(1, 3), index(1))}.run(t)
	if m.out.bits[0] != 0x01234567 || m.out.bits[1] != 8 {
		t.Errorf("scatter-add into int32 gives %#x", m.out.bits)
	}
}

func TestRegisters(t *testing.T) {
	for _, c := range []struct {
		op         AluOp
		d          DType
		x, y, want uint64
	}{
		{AluAdd, num.Int32, 0x7fffffff, 1, 0x80000000}, {AluSubtract, num.Int32, 0, 1, 0xffffffff}, {AluMult, num.Int32, 0x10001, 0x10001, 0x20001},
		{AluMax, num.Int32, 0xffffffff, 1, 1}, {AluMax, num.UInt32, 0xffffffff, 1, 0xffffffff}, {AluMin, num.Int32, 0xffffffff, 1, 0xffffffff},
		{AluIsLT, num.Int32, 0xffffffff, 0, 1}, {AluIsLT, num.UInt32, 0xffffffff, 0, 0}, {AluDivide, num.Int32, 0xfffffff9, 2, 0xfffffffc},
		{AluMod, num.Int32, 0xfffffff9, 4, 1}, {AluAbs, num.Int32, 0x80000000, 0, 0x80000000}, {AluBypass, num.Int32, 5, 9, 5},
		{AluLogicalShiftRight, num.Int32, 0x80000000, 31, 1}, {AluBitAnd, num.Int32, 6, 3, 2}, {AluLogicalXor, num.Int32, 6, 3, 0}, {AluIsEqual, num.Int32, 3, 3, 1},
	} {
		m := call{op: "RegisterAlu", params: settings(alu(PRegOp, c.op)), out: zeros(c.d, 1, 1), ins: ins(raw(c.d, 1, c.x), raw(c.d, 1, c.y))}.run(t)
		if m.out.bits[0] != c.want || m.fault != "" {
			t.Errorf("%v %v(%#x, %#x) = %#x, want %#x; fault %q", c.d, c.op, c.x, c.y, m.out.bits[0], c.want, m.fault)
		}
	}
	call{op: "RegisterAlu", out: zeros(num.Int32, 1, 1), ins: ins(imm(-3), raw(num.Int32, 1, 1))}.want(t, -2)
	call{op: "RegisterAlu", params: settings(alu(PRegOp, AluDivide)), out: zeros(num.Int32, 1, 1), ins: ins(imm(1), imm(0))}.faults(t)
	call{op: "RegisterAlu", params: settings(alu(PRegOp, AluRsqrt)), out: zeros(num.Int32, 1, 1), ins: ins(imm(1), imm(0))}.faults(t)
}

// naiveMatmul is the definition: one sum after another.
func naiveMatmul(moving, stationary View, round func(float32) float32) []float32 {
	var out []float32
	for m := range stationary.Cols {
		for n := range moving.Cols {
			sum := float32(0)
			for k := range moving.Rows {
				sum += float32(round(stationary.Row(k)[m]) * round(moving.Row(k)[n]))
			}
			out = append(out, sum)
		}
	}
	return out
}

func TestMatmulEqualsDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, size := range [][3]int{{1, 1, 1}, {3, 2, 4}, {7, 5, 9}, {128, 33, 17}, {16, 128, 6}} {
		for _, d := range []DType{num.Float32, num.Float32r, num.BFloat16} {
			k, m, n := size[0], size[1], size[2]
			moving, stationary, out := zeros(d, k, n), zeros(d, k, m), zeros(num.Float32, m, n)
			for _, x := range []*tensor{moving, stationary, out} {
				for i := range x.bits {
					x.bits[i] = uint64(math.Float32bits(float32(rng.NormFloat64())))
					if x.dtype == num.BFloat16 {
						x.bits[i] >>= 16
					}
				}
			}
			same := func(x float32) float32 { return x }
			if d == num.Float32r {
				same = num.RoundFloat32r
			}
			sums, old := naiveMatmul(moving.view(), stationary.view(), same), out.view().F
			added := call{op: "Matmult", params: settings(set(PStart, 0)), out: zeros(num.Float32, m, n), ins: ins(moving, stationary)}
			copy(added.out.bits, out.bits)
			got, more := (call{op: "Matmult", out: out, ins: added.ins}).run(t), added.run(t)
			for i, want := range sums {
				if !sameBits(got.out.view().F[i], want) || !sameBits(more.out.view().F[i], old[i]+want) {
					t.Fatalf("%v %v: element %d is %v, want %v", size, d, i, got.out.view().F[i], want)
				}
			}
		}
	}
	call{op: "Matmult", out: zeros(num.Float32, 2, 2), ins: ins(zeros(num.Float32, 3, 2), zeros(num.Float32, 2, 2))}.faults(t)
}

// TestMultiply: the kernel adds products one k after another, whatever the machine, and reads nothing of what lies between the rows.
func TestMultiply(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	noise := func(k, width, step int) panel {
		p := panel{make([]float32, (k-1)*step+width), step}
		for i := range p.f {
			p.f[i] = float32(math.NaN())
			if i%step < width {
				p.f[i] = float32(rng.NormFloat64())
			}
		}
		return p
	}
	for _, c := range [][3]int{{1, blockM, blockN}, {2, 7, 9}, {127, blockM, 131}, {127, 129, blockN}} {
		k := c[0]
		stationary, moving := noise(k, blockM, c[1]), noise(k, blockN, c[2])
		got, want := blockSums{{1}, {2}, {3}, {4, 5}}, blockSums{}
		multiply(&got, stationary, moving, k)
		for i := range k {
			for m := range want {
				for n := range want[m] {
					want[m][n] += float32(stationary.f[i*c[1]+m] * moving.f[i*c[2]+n])
				}
			}
		}
		if got != want {
			t.Errorf("%v: %v, want %v", c, got, want)
		}
	}
}
