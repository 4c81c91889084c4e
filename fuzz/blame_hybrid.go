package fuzz

import (
	"maps"
	"slices"

	"birfuzz/ir"
	"birfuzz/oracle"
)

// hybrids is a step cut into the regions in which its two programs differ. Hybrid k has the first k as they are after the pass and the others
// as they were before: 0 is right and the last one fails, so one of them is the first to fail.
//
// It is how a pass is blamed that asks for no rewrites and may compute other values than before: origins then say nothing. A hybrid whose parts
// do not go together is not legal, and is not asked about.
type hybrids struct {
	before, after *ir.Program
	regions       []region
}

// region is a place where the instructions of a block are not those of before.
type region struct {
	block  int // its number, among all blocks of either program
	first  int // where it begins in the block before the pass
	lo, hi int // where it is in the block after the pass
	was    []*ir.Inst
	now    []*ir.Inst
}

// name returns what a region is blamed under: its first instruction after the pass, or the first that is gone.
func (r *region) name() string {
	if len(r.now) > 0 {
		return r.now[0].Name
	}
	return r.was[0].Name
}

// cutUp finds the regions of a step; none where blocks or loops do not correspond, for then nothing can be put together.
func cutUp(before, after *ir.Program) *hybrids {
	h := &hybrids{before: before, after: after}
	a, b := blocksOf(before), blocksOf(after)
	if len(a) != len(b) || len(before.Cores) != len(after.Cores) {
		return h
	}
	for i := range b {
		h.regions = append(h.regions, regionsOf(i, a[i].Insts, b[i].Insts)...)
	}
	return h
}

func blocksOf(p *ir.Program) []*ir.Block {
	var all []*ir.Block
	for _, f := range p.Cores {
		all = slices.AppendSeq(all, f.AllBlocks)
	}
	return all
}

// regionsOf pairs equal instructions in order; what stands between two pairs is a region. A loop is equal to one with its name and axis: its
// body has blocks of its own.
func regionsOf(block int, was, now []*ir.Inst) []region {
	var out []region
	at := map[string]int{}
	for i, in := range was {
		at[in.Name] = i
	}
	i, j := 0, 0
	for k := 0; k <= len(now); k++ {
		n := len(was)
		if k < len(now) {
			m, ok := at[now[k].Name]
			if !ok || m < i || !sameInst(was[m], now[k]) {
				continue
			}
			n = m
		}
		if n > i || k > j {
			out = append(out, region{block, i, j, k, was[i:n], now[j:k]})
		}
		i, j = n+1, k+1
	}
	return out
}

// sameInst tells whether two instructions, of two programs, read, write and do the same, and under the same predicates.
func sameInst(a, b *ir.Inst) bool {
	if a.Op != b.Op || a.NOut != b.NOut || (a.Loop == nil) != (b.Loop == nil) || !slices.EqualFunc(a.Pred, b.Pred, ir.SamePredicate) {
		return false
	}
	if a.Loop != nil {
		return a.Loop.LB == b.Loop.LB && a.Loop.UB == b.Loop.UB && a.Loop.Stride == b.Loop.Stride && len(a.Loop.Blocks) == len(b.Loop.Blocks)
	}
	return slices.EqualFunc(a.Args, b.Args, ir.SameOperand) && slices.EqualFunc(a.Params, b.Params, ir.SameParam)
}

// program puts hybrid k together; nil if it is not legal.
func (h *hybrids) program(k int) *ir.Program {
	was, p := h.before.Clone(), h.after.Clone()
	p.Facts &= was.Facts &^ (ir.Deps | ir.Synced) // edges and semaphores of one go with the other only by chance
	a, b := blocksOf(was), blocksOf(p)
	old := map[*ir.Inst]bool{}
	for _, r := range slices.Backward(h.regions[k:]) {
		back := a[r.block].Insts[r.first : r.first+len(r.was)]
		for _, in := range back {
			old[in] = true
		}
		b[r.block].Insts = slices.Concat(b[r.block].Insts[:r.lo:r.lo], back, b[r.block].Insts[r.hi:])
	}
	settle(p, was, withLoops(old))
	consts := ir.Values{} // clones share theirs
	maps.Copy(consts, was.Consts)
	maps.Copy(consts, p.Consts)
	p.Consts = consts
	dropData(p)
	p.Number()
	if len(ir.Verify(p, p.Facts)) > 0 {
		return nil
	}
	return p
}

// withLoops adds the bodies of loops.
func withLoops(insts map[*ir.Inst]bool) map[*ir.Inst]bool {
	all := map[*ir.Inst]bool{}
	for in := range insts {
		all[in] = true
		if in.Loop != nil {
			for sub := range in.Loop.Insts {
				all[sub] = true
			}
		}
	}
	return all
}

// settle has instructions that come from another program stand on what is in p: locations by name, declared where they are not, loops around
// them, and no edges but those to what is there.
func settle(p, from *ir.Program, old map[*ir.Inst]bool) {
	here := map[*ir.Inst]bool{}
	for in := range p.Insts {
		here[in] = true
	}
	for in := range p.Insts {
		in.Deps = slices.DeleteFunc(in.Deps, func(d ir.Dep) bool { return !here[d.On] })
		in.LoopDeps = slices.DeleteFunc(in.LoopDeps, func(d ir.LoopDep) bool { return !here[d.On] })
	}
	for i, f := range p.Cores {
		loops := map[string]*ir.Loop{}
		for in := range f.Insts {
			if in.Loop != nil && !old[in] {
				loops[in.Name] = in.Loop
			}
		}
		locs := map[string]*ir.Loc{}
		for l := range f.Locs {
			locs[l.Name] = l
		}
		for in := range f.Insts {
			if old[in] {
				adopt(f, in, locs)
				rebind(in, from.Cores[i], loops)
			}
		}
		realias(from.Cores[i], locs)
	}
}

// adopt has an instruction use the locations of f by name. Those that f does not declare come with their sets.
func adopt(f *ir.Func, in *ir.Inst, locs map[string]*ir.Loc) {
	for j := range in.Args {
		l := in.Args[j].Loc
		if l == nil {
			continue
		}
		if locs[l.Name] == nil {
			f.Sets = append(f.Sets, l.Set)
			for _, other := range l.Set.Locs {
				locs[other.Name] = other
			}
		}
		in.Args[j].Loc = locs[l.Name]
	}
}

// realias has locations that come from another function share storage with those of the same names that theirs was shared with, whichever of the
// two says so.
func realias(from *ir.Func, locs map[string]*ir.Loc) {
	for l := range from.Locs {
		here, said := locs[l.Name], l.Alias
		if here == nil {
			continue
		}
		if here == l {
			l.Alias = nil
		}
		for _, a := range said {
			if other := locs[a.Loc.Name]; other != nil && (here == l || other == a.Loc) {
				here.Alias = append(here.Alias, ir.Alias{Loc: other, Kind: a.Kind})
			}
		}
	}
}

// rebind has the expressions of an instruction mean the loops of that name that stand around it now.
func rebind(in *ir.Inst, from *ir.Func, loops map[string]*ir.Loop) {
	for outer := range from.Insts {
		if l := loops[outer.Name]; outer.Loop != nil && l != nil && l != outer.Loop {
			axis := ir.Affine{Terms: []ir.Term{{Coef: 1, Kind: ir.AxisTerm, Axis: l}}}
			substitute(in, outer.Loop, &axis)
		}
	}
}

// blame finds a region with which the step begins to fail, by halves as nearly as legal hybrids allow; fails judges a hybrid. It tells how often
// that was asked: log₂ of the regions, plus one, at most where all hybrids are legal.
func (h *hybrids) blame(fails func(*ir.Program) bool) (r *region, asked int) {
	lo, hi := 0, len(h.regions) // fails with hi regions, not with lo
	if hi == 0 {
		return nil, 0
	}
	for hi-lo > 1 {
		mid, p := h.between(lo, hi)
		if p == nil {
			break
		}
		if asked++; fails(p) {
			hi = mid
		} else {
			lo = mid
		}
	}
	return &h.regions[hi-1], asked
}

// between returns the legal hybrid next to the middle between two others; nil if there is none.
func (h *hybrids) between(lo, hi int) (int, *ir.Program) {
	mid := (lo + hi) / 2
	for d := 0; lo < mid-d || mid+d < hi; d++ {
		for _, k := range []int{mid + d, mid - d} {
			if lo < k && k < hi {
				if p := h.program(k); p != nil {
					return k, p
				}
			}
		}
	}
	return 0, nil
}

// blameHybrid blames a region of a step whose pass asks for no rewrites. It does so only where the contract frees provenance: else origins say
// who did it (oracle.Explain), and they are exact.
func (t *Tester) blameHybrid(c Case, r Result) Blame {
	if r.After == nil || !r.Promise.Arithmetic {
		return Blame{}
	}
	at, asked := cutUp(r.Before, r.After).blame(func(p *ir.Program) bool {
		if t.judge.Start(r.Before, c.Values()).Kind != oracle.Same {
			return false
		}
		v := t.judge.Next(r.Before, p, r.Promise, true)
		return (v.Kind == oracle.Different || v.Kind == oracle.Undefined) && v.Class == r.Verdict.Class
	})
	if at == nil {
		return Blame{}
	}
	return Blame{Inst: at.name(), Replays: asked}
}
