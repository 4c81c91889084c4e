package fuzz

import (
	"slices"

	"birfuzz/ir"
)

// meetings returns the numbers of the places where several cores meet: none can stay away alone.
func meetings(p *ir.Program) []int32 {
	if len(p.Cores) < 2 {
		return nil
	}
	return upTo(meetingsOf(p.Cores[0]))
}

// meetingsOf counts the places where a core meets others.
func meetingsOf(f *ir.Func) int {
	n := 0
	for in := range f.Insts {
		if meets(in) {
			n++
		}
	}
	return n
}

// meets tells whether a core waits for others at an instruction.
func meets(in *ir.Inst) bool { return in.Spec().Effect == ir.FenceCores && !in.Spec().Ends }

// dropMeetings deletes the meetings of these numbers in all cores.
func dropMeetings(p *ir.Program, at []int32) bool {
	return dropByPhase(p, func(in *ir.Inst, phase int32) bool { return meets(in) && contains(at, phase) })
}

// fenceAlone makes fences of each core's own of the meetings of these numbers.
func fenceAlone(p *ir.Program, at []int32) bool {
	fence, ok := fenceOp()
	if !ok {
		return false
	}
	phase := phases(p)
	for in := range p.Insts {
		if meets(in) && contains(at, phase[in]) {
			in.NOut = 0
			become(in, fence, 0)
		}
	}
	return true
}

// fenceOp finds the simplest row that is a fence of one core and nothing else.
func fenceOp() (ir.Op, bool) {
	for s := range ir.Ops {
		if s.Effect == ir.FenceLocal && !s.Resets && len(s.Params)+len(s.Outs)+len(s.Ins) == 0 {
			return s.Op, true
		}
	}
	return 0, false
}

// dropPhases deletes what all cores do from one meeting to the next one, and that. Loops stay, for they may hold more than one phase.
func dropPhases(p *ir.Program, at []int32) bool {
	return dropByPhase(p, func(in *ir.Inst, phase int32) bool { return in.Loop == nil && contains(at, phase) })
}

// dropByPhase deletes instructions by themselves and the number of meetings before them.
func dropByPhase(p *ir.Program, gone func(in *ir.Inst, phase int32) bool) bool {
	phase := phases(p)
	return deleteInsts(p, func(in *ir.Inst) bool { return gone(in, phase[in]) })
}

// phases returns how many meetings of its core stand before each instruction.
func phases(p *ir.Program) map[*ir.Inst]int32 {
	phase := map[*ir.Inst]int32{}
	for _, f := range p.Cores {
		n := int32(0)
		for in := range f.Insts {
			phase[in] = n
			if meets(in) {
				n++
			}
		}
	}
	return phase
}

func contains(ascending []int32, n int32) bool {
	_, found := slices.BinarySearch(ascending, n)
	return found
}

// functions returns the numbers of the functions, if there are several.
func functions(p *ir.Program) []int32 {
	if len(p.Cores) < 2 {
		return nil
	}
	return upTo(len(p.Cores))
}

// shardedFunctions is functions of a program that has ShardIDs.
func shardedFunctions(p *ir.Program) []int32 {
	if !slices.ContainsFunc(p.Cores, func(f *ir.Func) bool { return f.ShardBound() > 0 }) {
		return nil
	}
	return functions(p)
}

// dropFunctions deletes the functions of these numbers. The others keep the numbers of their cores: a ShardID in the only function that is left
// would make it run on all of them. One that is left alone has nobody to meet.
func dropFunctions(p *ir.Program, at []int32) bool {
	edit := ir.NewEdit(p)
	for i, f := range p.Cores {
		if !contains(at, int32(i)) && f.ShardBound() > 0 {
			edit.BindShard(f, i)
		}
	}
	return dropShared(p, at)
}

// dropShared is dropFunctions that lets ShardIDs stand.
func dropShared(p *ir.Program, at []int32) bool {
	if len(at) == len(p.Cores) {
		return false
	}
	if len(p.Cores)-len(at) == 1 {
		deleteInsts(p, meets)
	}
	for _, i := range slices.Backward(at) {
		p.Cores = slices.Delete(p.Cores, int(i), int(i)+1)
	}
	dropData(p)
	return true
}
