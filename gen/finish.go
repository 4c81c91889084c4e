package gen

import (
	"slices"

	"birfuzz/ir"
)

// finish gives the program what depends on all of it: order vectors, edges, facts, attributes, data of constants, numbers.
func (b *builder) finish() {
	b.withdraw()
	b.prune()
	for _, f := range b.prog.Cores {
		f.Blocks = slices.DeleteFunc(f.Blocks, func(bl *ir.Block) bool { return len(bl.Insts) == 0 && len(f.Blocks) > 1 })
	}
	b.dependences()
	b.state()
	b.tensorMap()
	b.prog.Number()
	b.constants()
	if b.on(Tickets) {
		b.tickets()
	}
}

// withdraw makes results that are not wholly written the program's own, and those that the trips of a parallel loop have written alike: the host
// sees no undefined byte, nor at a fence which trip was the last.
func (b *builder) withdraw() {
	for _, s := range b.results {
		if !s.complete() || s.scattered {
			s.loc.Set.Kind, s.loc.Type, s.loc.Set.PartDim = ir.Internal, ir.DRAM, 0
		}
	}
}

// prune removes sets of which no instruction mentions a piece: those of drafts that did not fit.
func (b *builder) prune() {
	used := slices.Grow(b.used[:0], len(b.flow.at))[:len(b.flow.at)]
	clear(used)
	b.used = used
	for in := range b.prog.Insts {
		for i := range in.Args {
			if l := in.Args[i].Loc; l != nil {
				used[b.flow.root[l.ID]] = true
			}
		}
	}
	for _, root := range b.keep {
		used[root] = true
	}
	for _, f := range b.prog.Cores {
		f.Sets = slices.DeleteFunc(f.Sets, func(s *ir.Set) bool {
			return !slices.ContainsFunc(s.Locs, func(l *ir.Loc) bool { return used[b.flow.root[l.ID]] })
		})
	}
}

// state sets facts and function attributes to what holds.
func (b *builder) state() {
	rolled, placed := false, true
	for in := range b.prog.Insts {
		rolled = rolled || in.Loop != nil || len(in.Pred) > 0
	}
	for _, f := range b.prog.Cores {
		sb, psum := true, true
		for l := range f.Locs {
			sb = sb && (l.Type != ir.SB || l.Allocated)
			psum = psum && (l.Type != ir.PSUM || l.Allocated)
		}
		placed = placed && sb && psum
		if b.on(Placement) {
			f.Attrs = attributes(sb, psum)
		}
	}
	if b.on(Legalised) && !b.unended {
		b.prog.Facts |= ir.Grouped
	}
	if b.on(Placement) && placed {
		b.prog.Facts |= ir.Placed
	}
	if !rolled && b.Bool(0.3) && !b.on(Shards) {
		b.prog.Facts |= ir.Unrolled
	}
}

// attributes returns the function attributes of memories that are wholly allocated.
func attributes(sb, psum bool) []string {
	var out []string
	if sb {
		out = append(out, "sb_allocated")
	}
	if psum {
		out = append(out, "psum_allocated")
	}
	return out
}

// constants draws the data of the Const locations, in the values that their readers leave them.
func (b *builder) constants() {
	r := b.fork("constants")
	for i := range b.inputs {
		l := b.inputs[i].slot.loc
		if l.Set.Kind != ir.Const || !b.declared(l) {
			continue
		}
		if b.prog.Consts == nil {
			if b.consts == nil {
				b.consts = ir.Values{}
			}
			b.prog.Consts = b.consts
		}
		b.prog.Consts[l.Name] = tensor(&r, l, b.blank(l.Bytes()), b.inputs[i].may, Exact)
	}
}

// blank returns zeroed bytes that stay in the program.
func (b *builder) blank(n int64) []byte {
	data := b.bytes.take(int(n))
	clear(data)
	return data
}

func (b *builder) declared(l *ir.Loc) bool {
	for _, f := range b.prog.Cores {
		if slices.Contains(f.Sets, l.Set) {
			return true
		}
	}
	return false
}
