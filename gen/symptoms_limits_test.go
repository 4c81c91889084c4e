package gen_test

import (
	"birfuzz/gen"
	"birfuzz/ir"
	"birfuzz/ir/num"
)

// exchangesOddly tells whether a collective goes in groups, or otherwise than round the ring.
func exchangesOddly(in *ir.Inst) bool {
	if in.Spec().Flow != ir.FlowCores {
		return false
	}
	pairs := in.Lists(ir.PSrcTargetPairs)
	for i, p := range pairs {
		if p[0] != int64(i) || p[1] != int64(i+1)%int64(len(pairs)) {
			return true
		}
	}
	return len(in.Lists(ir.PReplicaGroups)) > 0
}

// coresOf returns on how many cores a program runs.
func coresOf(p *ir.Program) int {
	n := len(p.Cores)
	for in := range p.Insts {
		for i := range in.Args {
			for _, t := range in.Args[i].Off.Terms {
				if t.Kind == ir.ShardTerm {
					n = max(n, int(t.N))
				}
			}
		}
	}
	return n
}

// sums calls f with the members of each location's sums, in program order, and the other writes between them as nil.
func sums(p *ir.Program, f func(l *ir.Loc, members []*ir.Inst)) {
	by := map[*ir.Loc][]*ir.Inst{}
	for in := range p.Insts {
		for i := range in.Outs() {
			l := in.Args[i].Loc
			if l == nil || l.Type != ir.PSUM {
				continue
			}
			if in.Spec().Flow == ir.FlowMatmul {
				by[l] = append(by[l], in)
			} else {
				by[l] = append(by[l], nil)
			}
		}
	}
	for l, members := range by {
		f(l, members)
	}
}

func longSum(p *ir.Program) bool {
	found := false
	sums(p, func(_ *ir.Loc, members []*ir.Inst) {
		run := 0
		for _, in := range members {
			if in != nil && sumsUp(in) {
				run++
			} else {
				run = 0
			}
			found = found || run >= 7
		}
	})
	return found
}

// cutSum tells whether something else is written where members of a sum stand before it and behind it, which do not start anew.
func cutSum(p *ir.Program) bool {
	found := false
	sums(p, func(_ *ir.Loc, members []*ir.Inst) {
		for i := 1; i+1 < len(members); i++ {
			found = found || members[i] == nil && members[i-1] != nil && members[i+1] != nil && sumsUp(members[i-1]) && sumsUp(members[i+1])
		}
	})
	return found
}

// sharesBank tells whether a sum has its place in a bank of PSUM with another location.
func sharesBank(p *ir.Program) bool {
	for _, f := range p.Cores {
		in := map[int64]int{}
		for l := range f.Locs {
			if l.Type == ir.PSUM && l.Allocated && !l.RuntimeReserved {
				in[l.Bank]++
			}
		}
		for _, n := range in {
			if n > 1 {
				return true
			}
		}
	}
	return false
}

// exchanges tells whether a body copies x to t, y to x and t to y.
func exchanges(in *ir.Inst) bool {
	if in.Loop == nil {
		return false
	}
	var moves [][2]*ir.Loc
	for sub := range in.Loop.Insts {
		if sub.Spec().Flow == ir.FlowMove && len(sub.Args) == 2 && sub.Args[1].IsAP() {
			moves = append(moves, [2]*ir.Loc{sub.Args[0].Loc, sub.Args[1].Loc})
		}
	}
	for i := 0; i+2 < len(moves); i++ {
		a, b, c := moves[i], moves[i+1], moves[i+2]
		if a[1] == b[0] && b[1] == c[0] && c[1] == a[0] && a[0] != a[1] {
			return true
		}
	}
	return false
}

// nearlyFull tells whether a tile that somebody uses ends in the last 16 KiB of a partition, behind reserved memory.
func nearlyFull(p *ir.Program) bool {
	return location(func(l *ir.Loc) bool {
		return l.Type == ir.SB && l.Allocated && !l.RuntimeReserved && l.Addr+l.RowBytes > p.Arch.SBUFBytes()-16<<10
	}).program(p)
}

// farLoop tells whether a loop begins below 0, or far above, or strides widely.
func farLoop(in *ir.Inst) bool {
	return in.Loop != nil && (in.Loop.LB < 0 || in.Loop.LB >= 100 || in.Loop.Stride > 3)
}

// addLimits is what stands at the ends of ranges, and what few programs have.
func addLimits(s map[gen.Feature]symptom) map[gen.Feature]symptom {
	s[gen.ManyDims] = operand(func(in *ir.Inst, o *ir.Operand, _ bool) bool { return o.N >= 4 && in.Spec().Flow != ir.FlowFold })
	s[gen.FourCores] = symptom{program: func(p *ir.Program) bool { return coresOf(p) == 4 }}
	s[gen.OddExchanges] = symptom{inst: exchangesOddly}
	s[gen.NearFull] = symptom{program: nearlyFull}
	s[gen.Limits] = symptom{inst: farLoop}
	s[gen.LongChains] = symptom{program: longSum}
	s[gen.OneBank] = symptom{program: sharesBank}
	s[gen.CutChains] = symptom{program: cutSum}
	s[gen.LogicalScans] = symptom{inst: func(in *ir.Inst) bool {
		return in.Spec().Flow == ir.FlowScan && (in.Alu(ir.POp0).Logical() || in.Alu(ir.POp1).Logical())
	}}
	s[gen.NewTypes] = operand(func(_ *ir.Inst, o *ir.Operand, _ bool) bool { return o.DType == num.Float8e4m3fn })
	s[gen.Swaps] = symptom{inst: exchanges}
	return addShapes(s)
}
