package fuzz

import (
	"slices"

	"birfuzz/ir"
)

// marks are things said about an instruction that a reproducer may not need.
var marks = []reduction{
	each("edges", func(in *ir.Inst) bool {
		n := len(in.Deps) + len(in.LoopDeps)
		in.Deps, in.LoopDeps = nil, nil
		return n > 0
	}),
	each("order vectors", func(in *ir.Inst) bool { n := len(in.Order); in.Order = nil; return n > 0 }),
	each("predicates", func(in *ir.Inst) bool { n := len(in.Pred); in.Pred = nil; return n > 0 }),
	each("waits and updates", func(in *ir.Inst) bool {
		n := len(in.Wait) + len(in.Update)
		in.Wait, in.Update = nil, nil
		return n > 0
	}),
	each("queues", func(in *ir.Inst) bool { had := in.Queue != ""; in.Queue = ""; return had }),
	each("engines", func(in *ir.Inst) bool {
		had := in.Loop == nil && in.Engine != ir.Unassigned
		if had {
			in.Engine = ir.Unassigned
		}
		return had
	}),
	each("times", func(in *ir.Inst) bool { n := in.Start | in.End; in.Start, in.End = 0, 0; return n != 0 }),
	each("sources", func(in *ir.Inst) bool {
		had := in.Source != "" || in.Iter != nil
		in.Source, in.Iter = "", nil
		return had
	}),
	each("loop flags", func(in *ir.Inst) bool {
		l := in.Loop
		had := l != nil && (l.NoReorder || l.Parallel || l.Unroll)
		if had {
			l.NoReorder, l.Parallel, l.Unroll = false, false, false
		}
		return had
	}),
}

// markReductions take away what is said about instructions, functions and the program: all at once if that does, for a failure that needs none
// of it is the rule; else one kind after the other, and of each in part.
func markReductions() []reduction {
	all := []reduction{once("marks", func(p *ir.Program) bool {
		changed := dropExtras(p)
		changed = dropAttrs(p) || changed
		changed = unplace(p) || changed
		changed = plainLocs(p) || changed
		for _, m := range marks {
			changed = m.change(p, upTo(p.NumInsts())) || changed
		}
		p.Facts, p.Arch = 0, ir.Gen3
		return changed
	})}
	all = append(all, once("extras", dropExtras), once("attributes", dropAttrs), facts(),
		once("placements", unplace), once("generation", func(p *ir.Program) bool { had := p.Arch; p.Arch = ir.Gen3; return had != ir.Gen3 }))
	all = append(all, marks...)
	return append(all,
		single("single edges", func(in *ir.Inst) *[]ir.Dep { return &in.Deps }),
		single("single loop edges", func(in *ir.Inst) *[]ir.LoopDep { return &in.LoopDeps }),
		single("single predicates", func(in *ir.Inst) *[]ir.Predicate { return &in.Pred }),
		single("single waits", func(in *ir.Inst) *[]ir.Sem { return &in.Wait }),
		single("single updates", func(in *ir.Inst) *[]ir.Sem { return &in.Update }),
		parts("elements of order vectors", func(in *ir.Inst) int { return max(len(in.Order)-1, 0) }, func(in *ir.Inst, i int) {
			in.Order = slices.Delete(in.Order, 1+i, 2+i)
		}),
		single("settings", func(in *ir.Inst) *[]ir.Param { return &in.Params }),
	)
}

// single is parts for the elements of a list.
func single[T any](name string, list func(*ir.Inst) *[]T) reduction {
	return parts(name, func(in *ir.Inst) int { return len(*list(in)) }, func(in *ir.Inst, i int) {
		l := list(in)
		*l = slices.Delete(*l, i, i+1)
	})
}

// facts is the reduction of what is said of the whole program, a bit a place.
func facts() reduction {
	return reduction{"facts", func(p *ir.Program) []int32 {
		var bits []int32
		for i := int32(0); p.Facts>>i != 0; i++ {
			if p.Facts>>i&1 != 0 {
				bits = append(bits, i)
			}
		}
		return bits
	}, func(p *ir.Program, at []int32) bool {
		for _, i := range at {
			p.Facts &^= 1 << i
		}
		return true
	}}
}

// dropExtras removes what the file carried along and nobody here understands.
func dropExtras(p *ir.Program) bool {
	n := len(p.Extra) + len(p.Attrs)
	p.Extra, p.Attrs = nil, nil
	for _, f := range p.Cores {
		n += len(f.Extra)
		f.Extra = nil
	}
	for in := range p.Insts {
		n += len(in.Extra)
		in.Extra = nil
	}
	return n > 0
}

// dropAttrs removes the attributes of functions.
func dropAttrs(p *ir.Program) bool {
	n := 0
	for _, f := range p.Cores {
		n += len(f.Attrs)
		f.Attrs = nil
	}
	return n > 0
}
