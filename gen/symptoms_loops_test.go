package gen_test

import (
	"slices"

	"birfuzz/gen"
	"birfuzz/ir"
)

// touches says what a loop does to locations: bit 0 reads, bit 1 writes, bit 2 with an access that moves with some axis.
func touches(l *ir.Loop) map[*ir.Loc]int {
	t := map[*ir.Loc]int{}
	for in := range l.Insts {
		for i := range in.Args {
			o := &in.Args[i]
			if o.Kind != ir.APOperand {
				continue
			}
			bit := 1
			if i < int(in.NOut) {
				bit = 2
			}
			for range o.Off.Axes {
				bit |= 4
			}
			t[o.Loc] |= bit
		}
	}
	return t
}

// meetings calls f for every two loops of one block of which one writes what the other touches, both piece by piece.
func meetings(p *ir.Program, f func(bl *ir.Block, i, j int, l *ir.Loc)) {
	for _, fn := range p.Cores {
		for bl := range fn.AllBlocks {
			var at []int
			var what []map[*ir.Loc]int
			for i, in := range bl.Insts {
				if in.Loop == nil {
					continue
				}
				t := touches(in.Loop)
				for k := range at {
					for loc, bits := range what[k] {
						if both := bits & t[loc]; both&4 != 0 && (bits|t[loc])&2 != 0 {
							f(bl, at[k], i, loc)
						}
					}
				}
				at, what = append(at, i), append(what, t)
			}
		}
	}
}

func meeting(right func(bl *ir.Block, i, j int, l *ir.Loc) bool) symptom {
	return symptom{program: func(p *ir.Program) bool {
		found := false
		meetings(p, func(bl *ir.Block, i, j int, l *ir.Loc) { found = found || right(bl, i, j, l) })
		return found
	}}
}

// rowsOfLoops tells whether three loops share two tensors of different sizes, two by two.
func rowsOfLoops(p *ir.Program) bool {
	found := false
	meetings(p, func(bl *ir.Block, i, j int, l *ir.Loc) {
		meetings(p, func(bm *ir.Block, j2, k int, m *ir.Loc) {
			found = found || bl == bm && j2 == j && l.RowBytes != m.RowBytes
		})
	})
	return found
}

// strands tells whether a body computes two tensors piece by piece, each in two steps or more.
func strands(in *ir.Inst) bool {
	if in.Loop == nil {
		return false
	}
	steps, twice := map[*ir.Loc]int{}, 0
	for sub := range in.Loop.Insts {
		for i := range sub.Outs() {
			o := &sub.Args[i]
			for range o.Off.Axes {
				if steps[o.Loc]++; steps[o.Loc] == 2 {
					twice++
				}
				break
			}
		}
	}
	return twice > 1
}

func perfect(in *ir.Inst) bool {
	if in.Loop == nil || len(in.Loop.Blocks) != 1 || len(in.Loop.Blocks[0].Insts) != 1 || in.Loop.Blocks[0].Insts[0].Loop == nil {
		return false
	}
	for sub := range in.Loop.Insts {
		for i := range sub.Args {
			n := 0
			for range sub.Args[i].Off.Axes {
				n++
			}
			if n > 1 {
				return true
			}
		}
	}
	return false
}

func depth(in *ir.Inst) int {
	if in.Loop == nil {
		return 0
	}
	n := 0
	for _, bl := range in.Loop.Blocks {
		for _, sub := range bl.Insts {
			n = max(n, depth(sub))
		}
	}
	return n + 1
}

// summedTwice tells whether two loops of a block add to one location.
func summedTwice(p *ir.Program) bool {
	for _, f := range p.Cores {
		for bl := range f.AllBlocks {
			by := map[*ir.Loc]*ir.Inst{}
			for _, in := range bl.Insts {
				if in.Loop == nil {
					continue
				}
				for sub := range in.Loop.Insts {
					if !sumsUp(sub) {
						continue
					}
					if first := by[sub.Args[0].Loc]; first != nil && first != in {
						return true
					}
					by[sub.Args[0].Loc] = in
				}
			}
		}
	}
	return false
}

// constants calls f for the instructions of a body that do the same in every trip, if what they read is written nowhere in the loop.
func constants(in *ir.Inst, f func(bl *ir.Block, at int)) {
	if in.Loop == nil {
		return
	}
	t := touches(in.Loop)
	for _, bl := range in.Loop.Blocks {
		for at, sub := range bl.Insts {
			same := sub.NOut == 1 && len(sub.Args) > 1 && sub.Args[0].IsAP() && sub.Spec().WriteMode(sub) == ir.Overwrites
			for i := range sub.Args {
				o := &sub.Args[i]
				same = same && !o.Symbolic() && (i == 0 || o.Loc == nil || t[o.Loc]&2 == 0)
			}
			if same {
				f(bl, at)
			}
		}
	}
}

// nearlyConstant tells whether an instruction of the loop does the same in every trip, but only sometimes, or where its output was read before.
func nearlyConstant(in *ir.Inst) bool {
	near := false
	constants(in, func(bl *ir.Block, at int) {
		c := bl.Insts[at]
		near = near || len(c.Pred) > 0
		for _, before := range bl.Insts[:at] {
			near = near || slices.ContainsFunc(before.Ins(), func(o ir.Operand) bool { return o.Loc == c.Args[0].Loc })
		}
	})
	return near
}

// addLoops is what passes over whole loops look for.
func addLoops(s map[gen.Feature]symptom) map[gen.Feature]symptom {
	s[gen.LoopPairs] = meeting(func(*ir.Block, int, int, *ir.Loc) bool { return true })
	s[gen.LoopGaps] = meeting(func(bl *ir.Block, i, j int, _ *ir.Loc) bool { return j > i+1 })
	s[gen.OddPairs] = meeting(func(bl *ir.Block, i, j int, _ *ir.Loc) bool {
		l, m := bl.Insts[i].Loop, bl.Insts[j].Loop
		return l.Trips() != m.Trips() || l.LB != m.LB || l.Stride != m.Stride
	})
	s[gen.LoopRuns] = symptom{program: rowsOfLoops}
	s[gen.Strands] = symptom{inst: strands}
	s[gen.PerfectNests] = symptom{inst: perfect}
	s[gen.DeepNests] = symptom{inst: func(in *ir.Inst) bool { return depth(in) > 2 }}
	s[gen.WideBodies] = location(func(l *ir.Loc) bool { return l.Type == ir.SB && l.RowBytes >= 16<<10 && !l.RuntimeReserved })
	s[gen.SumLoops] = symptom{program: summedTwice}
	s[gen.FencedLoops] = symptom{inst: func(in *ir.Inst) bool {
		if in.Loop == nil {
			return false
		}
		for sub := range in.Loop.Insts {
			if sub.Spec().Effect.Fence() {
				return true
			}
		}
		return false
	}}
	s[gen.Invariants] = symptom{inst: func(in *ir.Inst) bool {
		found := false
		constants(in, func(bl *ir.Block, at int) { found = found || len(bl.Insts[at].Pred) == 0 })
		return found
	}}
	s[gen.NearInvariants] = symptom{inst: nearlyConstant}
	return addRare(s)
}
