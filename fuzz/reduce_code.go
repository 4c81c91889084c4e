package fuzz

import (
	"slices"

	"birfuzz/ir"
)

// unreadReductions take away whole computations.
func unreadReductions() []reduction {
	return []reduction{
		{"all but slices", publishers, keepSlices},
		{"phases", meetings, dropPhases},
		{"meetings", meetings, dropMeetings},
		{"functions", functions, dropFunctions},
		{"functions of any core", shardedFunctions, dropShared},
		{"fences of one core", meetings, fenceAlone},
		{"outputs", writtenOutputs, dropWriters},
		once("unread", dropUnread),
		{"unused locations", func(p *ir.Program) []int32 { return locsWith(p, unusedIn(p)) }, dropLocs},
	}
}

// codeReductions take instructions away.
func codeReductions() []reduction {
	return []reduction{
		{"instructions", func(p *ir.Program) []int32 { return upTo(p.NumInsts()) }, dropInsts},
		{"semaphores", func(p *ir.Program) []int32 { return upTo(len(semaphores(p))) }, dropSemaphores},
		{"updating instructions", func(p *ir.Program) []int32 {
			return instsWith(p, func(in *ir.Inst) bool { return len(in.Update) > 0 })
		}, dropUpdating},
		{"registers", func(p *ir.Program) []int32 {
			return locsWith(p, func(l *ir.Loc) bool { return l.Type == ir.REG })
		}, dropRegisters},
	}
}

// dropUnread deletes every instruction whose going nobody can tell.
func dropUnread(p *ir.Program) bool {
	read := readers(p)
	return deleteInsts(p, func(in *ir.Inst) bool { return !read[in.ID] })
}

// readers tells, by number, which instructions have an effect, or results that are read: outside, or by another one of these. Locations that alias
// are read together.
func readers(p *ir.Program) []bool {
	insts := slices.Collect(p.Insts)
	families := ir.NewFamilies(p)
	kept, read := make([]bool, len(insts)), make([]bool, families.Len())
	for grown := true; grown; {
		grown = false
		for i, in := range slices.Backward(insts) {
			if kept[i] || !seen(in, func(l *ir.Loc) bool { return read[families.Of(l)] }) {
				continue
			}
			kept[i], grown = true, true
			for i := range in.Ins() {
				if l := in.Ins()[i].Loc; l != nil {
					read[families.Of(l)] = true
				}
			}
		}
	}
	return kept
}

// seen tells whether somebody outside, or one who reads locations of that kind, can tell that in was there.
func seen(in *ir.Inst, read func(*ir.Loc) bool) bool {
	return in.HasEffect() || in.NOut == 0 || slices.ContainsFunc(in.Outs(), func(o ir.Operand) bool {
		return o.Loc == nil || o.Loc.Visible() || read(o.Loc)
	})
}

// writtenOutputs returns the numbers of the visible locations that some instruction writes.
func writtenOutputs(p *ir.Program) []int32 {
	written := map[int32]bool{}
	for in := range p.Insts {
		for i := range in.Outs() {
			if l := in.Args[i].Loc; l != nil && l.Visible() {
				written[l.ID] = true
			}
		}
	}
	var ids []int32
	for _, f := range p.Cores {
		for l := range f.Locs {
			if written[l.ID] {
				ids = append(ids, l.ID)
			}
		}
	}
	return ids
}

// dropWriters leaves outputs unwritten: who writes nothing else goes, and who fed only those. Of a large program, that takes whole computations
// away and leaves the others as they were.
func dropWriters(p *ir.Program, locs []int32) bool {
	return withFeeders(p, func() bool {
		return deleteInsts(p, func(in *ir.Inst) bool {
			return in.NOut > 0 && !in.HasEffect() && !slices.ContainsFunc(in.Outs(), func(o ir.Operand) bool {
				if o.Loc == nil {
					return true
				}
				_, among := slices.BinarySearch(locs, o.Loc.ID)
				return !among
			})
		})
	})
}

// feederless is a reduction after which those go too who fed only what it took away. Many a pass acts on the first instruction that suits it: as
// long as feeders stand there that nobody reads, it is they that are spoilt, and the smaller program does not fail.
func feederless(r reduction) reduction {
	return reduction{r.name, r.places, func(p *ir.Program, at []int32) bool {
		return withFeeders(p, func() bool { return r.change(p, at) })
	}}
}

// withFeeders makes a change and deletes every instruction that was read before it and is not after it; it returns what the change returns.
func withFeeders(p *ir.Program, change func() bool) bool {
	was := readers(p)
	ids := map[*ir.Inst]int32{}
	for in := range p.Insts {
		ids[in] = in.ID
	}
	if !change() {
		return false
	}
	p.Number()
	read := readers(p)
	deleteInsts(p, func(in *ir.Inst) bool { return !read[in.ID] && was[ids[in]] })
	return true
}

func dropInsts(p *ir.Program, at []int32) bool {
	return deleteInsts(p, func(in *ir.Inst) bool { return at[0] <= in.ID && in.ID <= at[len(at)-1] })
}

// deleteInsts removes instructions, with the bodies of loops among them; who waited for one waits for what that one waited for.
func deleteInsts(p *ir.Program, gone func(*ir.Inst) bool) bool {
	dead := map[*ir.Inst]bool{}
	for in := range p.Insts {
		if gone(in) {
			dead[in] = true
		}
	}
	ir.NewEdit(p).Delete(dead)
	return len(dead) > 0
}
