package gen_test

import (
	"slices"

	"birfuzz/gen"
	"birfuzz/ir"
)

// orderedOf tells whether a program has the fact Deps and one that is right about one of its blocks.
func orderedOf(right func(f *ir.Func, b *ir.Block) bool) symptom {
	return symptom{program: func(p *ir.Program) bool {
		if !p.Facts.Has(ir.Deps) {
			return false
		}
		for _, f := range p.Cores {
			for b := range f.AllBlocks {
				if right(f, b) {
					return true
				}
			}
		}
		return false
	}}
}

// unspelled tells whether two neighbours of one engine conflict and no edge says so.
func unspelled(_ *ir.Func, b *ir.Block) bool {
	for i, in := range b.Insts[min(1, len(b.Insts)):] {
		before := b.Insts[i]
		if in.Engine != before.Engine || in.Loop != nil || before.Loop != nil || before.NOut == 0 {
			continue
		}
		reads := slices.ContainsFunc(in.Ins(), func(o ir.Operand) bool { return o.IsAP() && o.Equal(&before.Args[0]) })
		if reads && !slices.ContainsFunc(in.Deps, func(d ir.Dep) bool { return d.On == before }) {
			return true
		}
	}
	return false
}

// addEdges is what programs look like whose edges suffice.
func addEdges(s map[gen.Feature]symptom) map[gen.Feature]symptom {
	s[gen.RolledEdges] = orderedOf(func(f *ir.Func, b *ir.Block) bool { return !slices.Contains(f.Blocks, b) || len(f.Blocks) > 1 })
	s[gen.LeanEdges] = orderedOf(unspelled)
	return s
}
