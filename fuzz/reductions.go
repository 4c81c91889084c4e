package fuzz

import (
	"iter"

	"birfuzz/ir"
)

// reduction is one kind of change that makes a program smaller or plainer. No two of them undo each other.
type reduction struct {
	name string
	// places returns where it may do something, ascending; what they are numbers of is the reduction's own. A change at some of them leaves
	// the lower ones what and where they are. p may be spoilt by it, but for what clones share.
	places func(p *ir.Program) []int32
	// change makes it at some places of p; false: there was nothing to do.
	change func(p *ir.Program, at []int32) bool
}

// reductions are what takes turns, what saves most first.
var reductions = concat(removals, opReductions(), markReductions(), storageReductions(), valueReductions(), twoReductions())

// removals are those that take something away, or make it cheaper to run.
var removals = concat(unreadReductions(), sizeReductions(), codeReductions(), loopReductions())

// removing is how many of the reductions are removals.
var removing = len(removals)

func concat(groups ...[]reduction) []reduction {
	var all []reduction
	for _, g := range groups {
		all = append(all, g...)
	}
	return all
}

// twoReductions make two changes at a time where few are left, neither of which does alone.
func twoReductions() []reduction {
	return []reduction{
		twoOf(reduction{"two instructions", func(p *ir.Program) []int32 { return upTo(p.NumInsts()) }, func(p *ir.Program, at []int32) bool {
			return deleteInsts(p, func(in *ir.Inst) bool { return contains(at, in.ID) })
		}}),
		twoOf(bypass(0)),
	}
}

// fewPlaces is of how many places at most two are tried at a time: that asks about 45 programs.
const fewPlaces = 10

// twoOf is a reduction at two places at a time. Its places are the pairs, and it does nothing at several of them.
func twoOf(r reduction) reduction {
	pairs := func(p *ir.Program) [][]int32 {
		at := r.places(p)
		if len(at) > fewPlaces {
			return nil
		}
		var out [][]int32
		for i := range at {
			for j := range i {
				out = append(out, []int32{at[j], at[i]})
			}
		}
		return out
	}
	return reduction{r.name, func(p *ir.Program) []int32 { return upTo(len(pairs(p))) }, func(p *ir.Program, at []int32) bool {
		return len(at) == 1 && r.change(p, pairs(p)[at[0]])
	}}
}

// once is a reduction of the program at one go.
func once(name string, change func(*ir.Program) bool) reduction {
	return reduction{name, func(*ir.Program) []int32 { return []int32{0} }, func(p *ir.Program, _ []int32) bool { return change(p) }}
}

// each is a reduction of single instructions that touches nothing else, neither their number nor their order.
func each(name string, change func(*ir.Inst) bool) reduction {
	return reduction{name, func(p *ir.Program) []int32 {
		return instsWith(p.Clone(), change)
	}, func(p *ir.Program, at []int32) bool {
		done := false
		for in := range instsAt(p, at) {
			done = change(in) || done
		}
		return done
	}}
}

// instsWith returns the numbers of the instructions with a property.
func instsWith(p *ir.Program, has func(*ir.Inst) bool) []int32 {
	var ids []int32
	for in := range p.Insts {
		if has(in) {
			ids = append(ids, in.ID)
		}
	}
	return ids
}

// instsAt yields the instructions with the given numbers, which ascend.
func instsAt(p *ir.Program, ids []int32) iter.Seq[*ir.Inst] {
	return func(yield func(*ir.Inst) bool) {
		i := 0
		for in := range p.Insts {
			if i == len(ids) {
				return
			}
			if ids[i] == in.ID {
				i++
				if !yield(in) {
					return
				}
			}
		}
	}
}

// parts is a reduction of things of which an instruction has several: count says how many, and drop takes number i away, the higher ones move
// down.
func parts(name string, count func(*ir.Inst) int, drop func(in *ir.Inst, i int)) reduction {
	return reduction{name, func(p *ir.Program) []int32 {
		n := 0
		for in := range p.Insts {
			n += count(in)
		}
		return upTo(n)
	}, func(p *ir.Program, at []int32) bool {
		base := int32(0)
		for in := range p.Insts {
			n := int32(count(in))
			for len(at) > 0 && at[0] < base+n {
				// The list is consumed upwards, so what was dropped of this instruction before is below.
				drop(in, int(at[0]-base)-(int(n)-count(in)))
				at = at[1:]
			}
			base += n
		}
		return true
	}}
}

// upTo returns 0 … n−1.
func upTo(n int) []int32 {
	list := make([]int32, n)
	for i := range list {
		list[i] = int32(i)
	}
	return list
}
