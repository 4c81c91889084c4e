package fuzz

import (
	"slices"

	"birfuzz/ir"
)

// semaphores returns those that the program waits for or updates, ascending.
func semaphores(p *ir.Program) []int64 {
	var ids []int64
	for in := range p.Insts {
		for _, s := range slices.Concat(in.Wait, in.Update) {
			ids = append(ids, s.ID)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// dropSemaphores takes all waits and updates of some semaphores away: who waits for one that nobody raises waits for ever.
func dropSemaphores(p *ir.Program, at []int32) bool {
	ids := semaphores(p)
	gone := func(s ir.Sem) bool {
		i, found := slices.BinarySearch(ids, s.ID)
		return found && contains(at, int32(i))
	}
	for in := range p.Insts {
		in.Wait, in.Update = slices.DeleteFunc(in.Wait, gone), slices.DeleteFunc(in.Update, gone)
	}
	return true
}

// dropUpdating deletes instructions, and has those that wait for their updates wait for so much less.
func dropUpdating(p *ir.Program, at []int32) bool {
	less := map[int64]int64{}
	for in := range instsAt(p, at) {
		for _, s := range in.Update {
			less[s.ID] += s.Value
		}
	}
	for in := range p.Insts {
		for i := range in.Wait {
			in.Wait[i].Value -= less[in.Wait[i].ID]
		}
		in.Wait = slices.DeleteFunc(in.Wait, func(s ir.Sem) bool { return s.Value <= 0 })
	}
	return deleteInsts(p, func(in *ir.Inst) bool { return contains(at, in.ID) })
}

// dropRegisters deletes who writes and who reads registers: what is read of one that nobody has written is undefined.
func dropRegisters(p *ir.Program, at []int32) bool {
	return withFeeders(p, func() bool {
		return deleteInsts(p, func(in *ir.Inst) bool {
			return slices.ContainsFunc(in.Args, func(o ir.Operand) bool { return o.Loc != nil && o.Loc.Type == ir.REG && contains(at, o.Loc.ID) })
		})
	})
}
