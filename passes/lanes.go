package passes

import (
	"slices"

	"birfuzz/ir"
)

// lane is one stream that keeps its instructions in program order: an engine, or a DMA queue. The zero lane is none.
type lane struct {
	engine ir.Engine
	queue  string
}

// lanesOf returns the streams in which an instruction stands: its engine's, and its queue's where it names one. Unassigned instructions
// have a queue of their own each (bir-json.md, "Small things settled"). ALL joins every queue: whoever asks must see to that.
func lanesOf(in *ir.Inst) [2]lane {
	var ls [2]lane
	if in.Engine != ir.Unassigned {
		ls[0].engine = in.Engine
	}
	ls[1].queue = in.Queue
	return ls
}

// turnstile is a lane as semantics §2 has it: who follows in it waits for whoever led it last. The zero turnstile is none.
type turnstile struct {
	lane
	transfers bool // the engine's own queue of transfers, and not what it does itself
}

// follows returns the turnstiles at which an instruction waits: an engine's own work is complete before the engine goes on, and a transfer comes
// behind those that are in its queue already.
func follows(in *ir.Inst, arch ir.Arch) [2]turnstile {
	return [2]turnstile{{lane: lane{engine: in.Engine}}, leads(in, arch)}
}

// leads returns the turnstile at which others wait for an instruction. Behind a transfer its engine goes on at once.
func leads(in *ir.Inst, arch ir.Arch) turnstile {
	switch transfers := in.Transfers(arch); {
	case transfers && in.Queue != "":
		return turnstile{lane: lane{queue: in.Queue}}
	case in.Engine == ir.Unassigned:
		return turnstile{}
	default:
		return turnstile{lane{engine: in.Engine}, transfers}
	}
}

// keepLaneOrder prepares a deletion in a program that is ordered by edges (fact Deps).
//
// A deleted instruction D may be the link between two survivors: X before D by an edge and D before Y because one engine runs both, or because a
// fence stands between that publishes what D touches, or the other way round. Edit.Delete bridges edge to edge; so here the order around D is
// written down as edges first. That is exact only where every instruction runs once: in a function with loops or predicates, or with an
// instruction that joins every lane, Deps is given up.
func keepLaneOrder(c *Ctx, gone map[*ir.Inst]bool) {
	p := c.Program()
	s := laneSpeller{arch: p.Arch, aliases: ir.NewFamilies(p), gone: gone, linked: map[*ir.Inst]bool{}}
	s.fenced = fencedFamilies(p, s.aliases)
	if s.link(p); len(s.linked) == 0 {
		return
	}
	for in := range p.Insts {
		if in.Loop != nil || len(in.Pred) > 0 || in.Engine == ir.ALL && !in.Spec().Effect.Fence() {
			c.Drop(ir.Deps)
			return
		}
	}
	c.Edit().Change(func() {
		for _, f := range p.Cores {
			s.spell(f)
		}
	})
}

// laneSpeller writes down as edges what lanes and fences order around instructions that go.
type laneSpeller struct {
	arch    ir.Arch
	aliases *ir.Families
	fenced  []bool // by family: fences order its accesses
	gone    map[*ir.Inst]bool
	linked  map[*ir.Inst]bool // of gone: an order can lead through no other
}

// shown tells whether fences order an instruction.
func (s *laneSpeller) shown(in *ir.Inst) bool {
	return slices.ContainsFunc(in.Args, func(o ir.Operand) bool { return o.Loc != nil && s.fenced[s.aliases.Of(o.Loc)] })
}

// link finds those of gone that have an edge, are the target of one, or stand in several lanes, of which what fences order is one.
func (s *laneSpeller) link(p *ir.Program) {
	mark := func(in *ir.Inst) {
		if s.gone[in] {
			s.linked[in] = true
		}
	}
	for in := range p.Insts {
		if len(in.Deps)+len(in.LoopDeps) > 0 || in.Engine == ir.ALL || s.gone[in] && s.lanes(in) > 1 {
			mark(in)
		}
		for _, d := range in.Deps {
			mark(d.On)
		}
		for _, d := range in.LoopDeps {
			mark(d.On)
		}
	}
}

// lanes counts the lanes in which an instruction stands.
func (s *laneSpeller) lanes(in *ir.Inst) (n int) {
	for _, l := range lanesOf(in) {
		if l != (lane{}) {
			n++
		}
	}
	if s.shown(in) {
		n++
	}
	return n
}

// spell gives every linked instruction an edge to whom it waits for at each turnstile, and those that wait for it there one to it: all up to the
// next that leads. One that goes without being linked is stepped over.
func (s *laneSpeller) spell(f *ir.Func) {
	last := map[turnstile]*ir.Inst{}
	var fence *ir.Inst
	var shown []*ir.Inst // linked, since the fence
	for in := range f.Insts {
		if s.gone[in] && !s.linked[in] {
			continue
		}
		for _, t := range follows(in, s.arch) {
			if p := last[t]; p != nil && (s.linked[in] || s.linked[p]) {
				in.Deps = ir.AddDep(in.Deps, ir.Dep{On: p, Kind: ir.Ordered})
			}
		}
		if t := leads(in, s.arch); t != (turnstile{}) {
			last[t] = in
		}
		switch {
		case in.Spec().Effect.Fence():
			for _, x := range shown {
				in.Deps = ir.AddDep(in.Deps, ir.Dep{On: x, Kind: ir.Ordered})
			}
			fence, shown = in, nil
		case s.linked[in] && s.shown(in):
			if shown = append(shown, in); fence != nil {
				in.Deps = ir.AddDep(in.Deps, ir.Dep{On: fence, Kind: ir.Ordered})
			}
		}
	}
}
