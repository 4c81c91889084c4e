package ir

import (
	"math"
	"testing"

	"birfuzz/ir/num"
)

// reads adds a copy of an access of x to a tile of as many lanes and elements.
func (b *builder) reads(o Operand) {
	y := b.loc("out", SB, o.DType, o.Lanes(), o.Free())
	b.add("TensorCopy", DVE, whole(y), o)
}

// writes adds a Memset of an access of x.
func (b *builder) writes(o Operand) { b.add("Memset", DVE, o) }

func TestVerifyAccess(t *testing.T) {
	sb := func(b *builder, rows, cols int64) *Loc { return b.loc("x", SB, num.Float32, rows, cols) }
	runCases(t, []verifyCase{
		{"the last element", "", 0, func(b *builder) { b.reads(tileOf(sb(b, 128, 8), 96, 7, 32, 1)) }},
		{"one row too far", RuleBounds, 0, func(b *builder) { b.reads(tileOf(sb(b, 120, 8), 96, 0, 25, 1)) }},
		{"one column too far", RuleBounds, 0, func(b *builder) { b.reads(tileOf(sb(b, 8, 8), 0, 7, 8, 2)) }},
		{"a negative offset", RuleBounds, 0, func(b *builder) { b.reads(tileOf(sb(b, 8, 8), 0, -1, 8, 1)) }},
		{"one element past DRAM", RuleBounds, 0, func(b *builder) {
			x, y := b.loc("x", Input, num.Float32, 4, 16), b.loc("y", SB, num.Float32, 4, 16)
			src := whole(x)
			src.Off.C = 1
			b.add("Load", SP, whole(y), src)
		}},
		{"bits reinterpreted", "", 0, func(b *builder) {
			o := tileOf(sb(b, 8, 8), 0, 15, 8, 1)
			o.DType, o.AP[0].Step = num.BFloat16, 16
			b.reads(o)
		}},
		{"rows of no whole elements", RuleAlignment, 0, func(b *builder) {
			x := sb(b, 8, 8)
			x.RowBytes = 30
			b.reads(pairsOf(x, Pair{7, 8}, Pair{1, 1}))
		}},
		{"an odd address", RuleAlignment, 0, func(b *builder) { b.reads(whole(sb(b, 8, 8).at(0, 2))) }},
		{"every second row", RulePattern, 0, func(b *builder) { b.reads(pairsOf(sb(b, 8, 8), Pair{16, 4}, Pair{1, 8})) }},
		{"any step of one lane", "", 0, func(b *builder) { b.reads(pairsOf(sb(b, 8, 8), Pair{3, 1}, Pair{1, 8})) }},
		{"one row for all lanes", "", 0, func(b *builder) { b.reads(pairsOf(sb(b, 8, 8), Pair{0, 128}, Pair{1, 8})) }},
		{"one row for 129 lanes", RulePartition, 0, func(b *builder) {
			y := b.loc("y", SB, num.Float32, 128, 8)
			b.add("Select", DVE, whole(y), whole(y), whole(y), pairsOf(sb(b, 8, 8), Pair{0, 129}, Pair{1, 8}))
		}},
		{"negative step", RulePattern, 0, func(b *builder) { b.reads(pairsOf(sb(b, 8, 8), Pair{8, 8}, Pair{-1, 1})) }},
		{"count 0", RulePattern, 0, func(b *builder) { b.writes(pairsOf(sb(b, 8, 8), Pair{8, 8}, Pair{1, 0})) }},
		{"one pair", RulePattern, 0, func(b *builder) { b.writes(pairsOf(sb(b, 8, 8), Pair{8, 8})) }},
		{"huge counts", RulePattern, 0, func(b *builder) {
			b.writes(pairsOf(sb(b, 8, 8), Pair{8, 8}, Pair{0, math.MaxInt32}, Pair{0, math.MaxInt32}, Pair{0, math.MaxInt32}))
		}},
		{"huge steps", RuleBounds, 0, func(b *builder) {
			b.writes(pairsOf(sb(b, 8, 8), Pair{8, 8}, Pair{math.MaxInt32, 1 << 11}))
		}},
		{"steps beyond 2^52", RulePattern, 0, func(b *builder) { b.writes(pairsOf(sb(b, 8, 8), Pair{8, 8}, Pair{math.MaxInt32, 1 << 22})) }},
		{"a repeat too long for a partition", RulePattern, 0, func(b *builder) {
			y := b.loc("y", SB, num.Float32, 8, 1)
			b.add("TensorReduce", DVE, whole(y), pairsOf(sb(b, 8, 8), Pair{8, 8}, Pair{0, 1 << 20}))
		}},
		{"huge offset", RuleBounds, 0, func(b *builder) { o := whole(sb(b, 8, 8)); o.Off.C = math.MaxInt64; b.writes(o) }},
		{"least offset", RuleBounds, 0, func(b *builder) { o := whole(sb(b, 8, 8)); o.Off.C = math.MinInt64; b.writes(o) }},
		{"written twice", RuleWrite, 0, func(b *builder) { b.writes(pairsOf(sb(b, 8, 8), Pair{8, 8}, Pair{0, 2}, Pair{1, 4})) }},
		{"written twice by overlap", RuleWrite, 0, func(b *builder) { b.writes(pairsOf(sb(b, 8, 8), Pair{8, 8}, Pair{2, 2}, Pair{1, 4})) }},
		{"one row written by all lanes", RuleWrite, 0, func(b *builder) { b.writes(pairsOf(sb(b, 8, 8), Pair{0, 8}, Pair{1, 4})) }},
		{"interleaved", "", 0, func(b *builder) { b.writes(pairsOf(sb(b, 8, 8), Pair{8, 8}, Pair{1, 2}, Pair{2, 4})) }},
		{"interleaved without nesting", "", 0, func(b *builder) { b.writes(pairsOf(sb(b, 8, 8), Pair{8, 8}, Pair{3, 2}, Pair{2, 2})) }},
		{"not nested and twice", RuleWrite, 0, func(b *builder) { b.writes(pairsOf(sb(b, 8, 16), Pair{16, 8}, Pair{3, 3}, Pair{2, 4})) }},
	})
}

func TestVerifyPartitions(t *testing.T) {
	from := func(start, lanes int64) func(b *builder) {
		return func(b *builder) { b.reads(tileOf(b.loc("x", SB, num.Float32, 128, 8), start, 0, lanes, 8)) }
	}
	placed := func(base, start, lanes int64) func(b *builder) {
		return func(b *builder) {
			b.reads(tileOf(b.loc("x", SB, num.Float32, 128-base, 8).at(base, 0), start, 0, lanes, 8))
		}
	}
	rows := func(lb, ub, stride int64) func(b *builder) {
		return func(b *builder) {
			x, y := b.loc("x", SB, num.Float32, 128, 8), b.loc("y", SB, num.Float32, 32, 8)
			l, _ := b.loop("i", lb, ub, stride)
			o := tileOf(x, 0, 0, 32, 8)
			o.Off = axisOff(l, 8, 0)
			b.add("TensorCopy", DVE, whole(y), o)
		}
	}
	runCases(t, []verifyCase{
		{"128 from 0", "", 0, from(0, 128)},
		{"64 from 64", "", 0, from(64, 64)},
		{"32 from 96", "", 0, from(96, 32)},
		{"32 from 32", "", 0, from(32, 32)},
		{"33 from 32", RulePartition, 0, from(32, 33)},
		{"1 from 48", RulePartition, 0, from(48, 1)},
		{"base and row", "", 0, placed(32, 32, 64)},
		{"base alone", RulePartition, 0, placed(32, 0, 33)},
		{"base in between", RulePartition, 0, placed(1, 0, 1)},
		{"every 32nd", "", 0, rows(0, 97, 32)},
		{"every 16th", RulePartition, 0, rows(0, 97, 16)},
		{"DMA from 1", "", 0, func(b *builder) {
			x, y := b.loc("x", SB, num.Float32, 128, 8), b.loc("y", Output, num.Float32, 127, 8)
			b.add("Save", SP, whole(y), tileOf(x, 1, 0, 127, 8))
		}},
	})
}

// TestVerifySymbolicColumns: expressions that move rows and columns at once.
func TestVerifySymbolicColumns(t *testing.T) {
	load := func(terms func(l *Loop) Affine) func(b *builder) {
		return func(b *builder) {
			x, y := b.loc("x", SB, num.Float32, 8, 16), b.loc("y", Input, num.Float32, 1, 4)
			l, _ := b.loop("i", 0, 8, 1)
			dst := tileOf(x, 0, 0, 1, 4)
			dst.Off = terms(l)
			b.add("Load", SP, dst, whole(y))
		}
	}
	runCases(t, []verifyCase{
		{"rows", "", 0, load(func(l *Loop) Affine { return axisOff(l, 16, 12) })},
		{"diagonal", "", 0, load(func(l *Loop) Affine { return axisOff(l, 17, 0) })},
		{"diagonal over the edge", RuleBounds, 0, load(func(l *Loop) Affine { return axisOff(l, 17, 6) })},
		{"columns into the next row", "", 0, load(func(l *Loop) Affine { return axisOff(l, 4, 0) })},
		{"by core", "", 0, load(func(l *Loop) Affine { // 16 cores: two rows of 8 columns at a time, not by whole rows
			return Affine{Terms: []Term{{Coef: 8, Kind: ShardTerm, N: 16}}}
		})},
		{"by core, one too many", RuleBounds, 0, load(func(l *Loop) Affine {
			return Affine{Terms: []Term{{Coef: 8, Kind: ShardTerm, N: 17}}}
		})},
		{"columns across two rows", RuleBounds, 0, load(func(l *Loop) Affine { return axisOff(l, 4, 2) })},
	})
}

func TestVerifyInPlace(t *testing.T) {
	shift := func(out, in Operand) func(b *builder) {
		return func(b *builder) { b.add("TensorCopy", DVE, out, in) }
	}
	runCases(t, []verifyCase{
		{"exactly", "", 0, func(b *builder) { x := b.loc("x", SB, num.Float32, 8, 8); shift(whole(x), whole(x))(b) }},
		{"other pairs, same walk", "", 0, func(b *builder) {
			x := b.loc("x", SB, num.Float32, 8, 8)
			shift(whole(x), pairsOf(x, Pair{8, 8}, Pair{4, 2}, Pair{1, 4}))(b)
		}},
		{"beside", "", 0, func(b *builder) {
			x := b.loc("x", SB, num.Float32, 8, 8)
			shift(tileOf(x, 0, 0, 8, 4), tileOf(x, 0, 4, 8, 4))(b)
		}},
		{"shifted by one", RuleInPlace, 0, func(b *builder) {
			x := b.loc("x", SB, num.Float32, 8, 8)
			shift(tileOf(x, 0, 0, 8, 4), tileOf(x, 0, 1, 8, 4))(b)
		}},
		{"another element size", RuleInPlace, 0, func(b *builder) {
			x := b.loc("x", SB, num.Float32, 8, 8)
			o := pairsOf(x, Pair{16, 8}, Pair{1, 8})
			o.DType = num.BFloat16
			shift(whole(x), o)(b)
		}},
		{"placed over each other", RuleInPlace, 0, func(b *builder) {
			x, y := b.loc("x", SB, num.Float32, 8, 8).at(0, 64), b.loc("y", SB, num.Float32, 8, 8).at(0, 68)
			shift(whole(x), whole(y))(b)
		}},
		{"moving along", RuleInPlace, 0, func(b *builder) {
			x := b.loc("x", SB, num.Float32, 8, 8)
			l, _ := b.loop("i", 0, 4, 1)
			out, in := tileOf(x, 0, 0, 8, 4), tileOf(x, 0, 0, 8, 4)
			out.Off, in.Off = axisOff(l, 1, 0), axisOff(l, 1, 1)
			shift(out, in)(b)
		}},
		{"moving against each other, left to the oracle", "", 0, func(b *builder) {
			x := b.loc("x", SB, num.Float32, 8, 8)
			l, _ := b.loop("i", 0, 4, 1)
			out, in := tileOf(x, 0, 0, 8, 4), tileOf(x, 0, 0, 8, 4)
			out.Off, in.Off = axisOff(l, 1, 0), axisOff(l, -1, 4)
			shift(out, in)(b)
		}},
		{"many runs that interleave", RuleInPlace, 0, func(b *builder) {
			x := b.loc("x", DRAM, num.UInt8, 1<<12, 1<<12)
			out, in := pairsOf(x, Pair{4, 1 << 22}, Pair{1, 1}), pairsOf(x, Pair{4, 1 << 22}, Pair{1, 1})
			in.Off.C = 1
			b.add("DMACopy", SP, out, in)
		}},
		{"shuffled", "", 0, func(b *builder) {
			x := b.loc("x", SB, num.Float32, 64, 8)
			in := b.add("StreamShuffle", DVE, tileOf(x, 32, 0, 32, 8), whole(x))
			in.SetParam(Param{ID: PMask, L: make([]int64, 32)})
		}},
	})
}

// TestVerifyInPlaceAliases: two locations may be one storage by what others say.
func TestVerifyInPlaceAliases(t *testing.T) {
	runCases(t, []verifyCase{
		{"aliases", RuleInPlace, 0, func(b *builder) {
			x, y := b.loc("x", DRAM, num.Float32, 8, 8), b.loc("y", DRAM, num.Float32, 8, 8)
			x.Alias = []Alias{{y, MustAlias}}
			b.add("DMACopy", SP, tileOf(x, 1, 0, 4, 8), tileOf(y, 0, 0, 4, 8))
		}},
		{"aliases of a third", RuleInPlace, 0, func(b *builder) {
			x, y, z := b.loc("x", DRAM, num.Float32, 8, 8), b.loc("y", DRAM, num.Float32, 8, 8), b.loc("z", DRAM, num.Float32, 8, 8)
			z.Alias = []Alias{{x, MustAlias}, {y, MayAlias}}
			b.add("DMACopy", SP, tileOf(x, 1, 0, 4, 8), tileOf(y, 0, 0, 4, 8))
		}},
		{"aliases, element on element", "", 0, func(b *builder) {
			x, y := b.loc("x", DRAM, num.Float32, 8, 8).at(0, 64), b.loc("y", DRAM, num.Float32, 8, 8)
			x.Alias = []Alias{{y, MustAlias}}
			b.add("DMACopy", SP, whole(x), whole(y))
		}},
		{"an alias of one that is placed over the other", RuleInPlace, 0, func(b *builder) {
			x, y, z := b.loc("x", DRAM, num.Float32, 8, 8), b.loc("y", DRAM, num.Float32, 8, 8), b.loc("z", DRAM, num.Float32, 8, 8)
			x.Alias = []Alias{{y.at(0, 1024), MustAlias}}
			b.add("DMACopy", SP, whole(x), whole(z.at(0, 1024+128)))
		}},
		{"an alias of one that is placed beside the other", "", 0, func(b *builder) {
			x, y, z := b.loc("x", DRAM, num.Float32, 8, 8), b.loc("y", DRAM, num.Float32, 8, 8), b.loc("z", DRAM, num.Float32, 8, 8)
			x.Alias = []Alias{{y.at(0, 1024), MustAlias}}
			b.add("DMACopy", SP, whole(x), whole(z.at(0, 1024+256)))
		}},
		{"aliases in another function", RuleInPlace, 0, func(b *builder) {
			shared := func() (x, y *Loc) {
				x, y = b.loc("x", DRAM, num.Float32, 8, 8), b.loc("y", DRAM, num.Float32, 8, 8)
				x.Set.Space, y.Set.Space = Shared, Shared
				return x, y
			}
			x, y := shared()
			b.add("DMACopy", SP, tileOf(x, 1, 0, 4, 8), tileOf(y, 0, 0, 4, 8))
			b.core("sg0001")
			x, y = shared()
			y.Alias = []Alias{{x, MustAlias}}
		}},
	})
}

// TestVerifyRepeats compares the search with trying all pairs of elements.
func TestVerifyRepeats(t *testing.T) {
	x := &Loc{Type: DRAM, Set: &Set{DType: num.UInt8}, Rows: 1, RowBytes: 1 << 20}
	for code := range 6 * 6 * 6 * 6 * 4 * 4 {
		digits := [6]int{}
		for i, c := 0, code; i < 6; i, c = i+1, c/6 {
			digits[i] = c % 6
		}
		o := pairsOf(x, Pair{int32(digits[0]), int32(digits[1]%4 + 1)}, Pair{int32(digits[2]), int32(digits[3]%4 + 1)}, Pair{int32(digits[4]), int32(digits[5] + 1)})
		if got, want := o.repeats(), repeatsByTrying(&o); got != want {
			t.Fatalf("%v: repeats %t, want %t", o.Pairs(), got, want)
		}
	}
}

func repeatsByTrying(o *Operand) bool {
	seen := map[int32]bool{}
	for i := range o.AP[0].Num {
		for j := range o.AP[1].Num {
			for k := range o.AP[2].Num {
				at := i*o.AP[0].Step + j*o.AP[1].Step + k*o.AP[2].Step
				if seen[at] {
					return true
				}
				seen[at] = true
			}
		}
	}
	return false
}
