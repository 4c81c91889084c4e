package ir

import "slices"

// Clone returns a deep copy of a numbered program. What is never changed in place is shared: Extra, Attrs, Shape, settings lists,
// expressions without axes, and Consts.
func (p *Program) Clone() *Program {
	nInst, nLoc := p.count()
	c := &cloner{insts: make([]*Inst, nInst), locs: make([]*Loc, nLoc), loops: map[*Loop]*Loop{}}
	q := *p
	q.Cores = make([]*Func, len(p.Cores))
	for i, f := range p.Cores {
		q.Cores[i] = c.function(f)
	}
	for _, in := range c.insts {
		c.links(in)
	}
	return &q
}

func (p *Program) count() (insts, locs int) {
	for _, f := range p.Cores {
		for _, s := range f.Sets {
			locs += len(s.Locs)
		}
	}
	return p.NumInsts(), locs
}

// cloner maps old pointers to new ones, by ID.
type cloner struct {
	insts []*Inst
	locs  []*Loc
	loops map[*Loop]*Loop
}

func (c *cloner) function(f *Func) *Func {
	g := *f
	g.Attrs = slices.Clip(f.Attrs) // so that the two do not grow into each other
	g.Sets = make([]*Set, len(f.Sets))
	for i, s := range f.Sets {
		g.Sets[i] = c.set(s)
	}
	for l := range g.Locs {
		l.Alias = slices.Clone(l.Alias)
		for i := range l.Alias {
			l.Alias[i].Loc = c.locs[l.Alias[i].Loc.ID]
		}
	}
	g.Blocks = c.blocks(f.Blocks)
	return &g
}

func (c *cloner) set(s *Set) *Set {
	t := *s
	t.Locs = make([]*Loc, len(s.Locs))
	for i, l := range s.Locs {
		m := *l
		m.Set = &t
		t.Locs[i] = &m
		c.locs[l.ID] = &m
	}
	return &t
}

func (c *cloner) blocks(bs []*Block) []*Block {
	out := make([]*Block, len(bs))
	for i, b := range bs {
		d := *b
		d.Insts = make([]*Inst, len(b.Insts))
		store := make([]Inst, len(b.Insts))
		for j, in := range b.Insts {
			store[j] = *in
			d.Insts[j] = &store[j]
			c.insts[in.ID] = &store[j]
			if in.Loop != nil {
				l := *in.Loop
				c.loops[in.Loop] = &l
				l.Blocks = c.blocks(in.Loop.Blocks)
				store[j].Loop = &l
			}
		}
		out[i] = &d
	}
	return out
}

// links redirects what the copied instruction points to.
func (c *cloner) links(in *Inst) {
	in.Args = slices.Clone(in.Args)
	for i := range in.Args {
		a := &in.Args[i]
		if a.Loc != nil {
			a.Loc = c.locs[a.Loc.ID]
		}
		a.Off = c.affine(a.Off)
	}
	in.Params = slices.Clone(in.Params)
	in.Deps = slices.Clone(in.Deps)
	for i := range in.Deps {
		in.Deps[i].On = c.insts[in.Deps[i].On.ID]
	}
	in.LoopDeps = slices.Clone(in.LoopDeps)
	for i := range in.LoopDeps {
		in.LoopDeps[i].On = c.insts[in.LoopDeps[i].On.ID]
	}
	in.Wait, in.Update = slices.Clone(in.Wait), slices.Clone(in.Update)
	in.Order = slices.Clone(in.Order)
	for i := range in.Order {
		in.Order[i] = c.affine(in.Order[i])
	}
	in.Pred = slices.Clone(in.Pred)
	for i := range in.Pred {
		in.Pred[i].Expr = c.affine(in.Pred[i].Expr)
	}
}

func (c *cloner) affine(a Affine) Affine {
	if len(a.Terms) == 0 {
		return a
	}
	ts := slices.Clone(a.Terms)
	for i := range ts {
		if ts[i].Axis != nil {
			ts[i].Axis = c.loops[ts[i].Axis]
		}
		if ts[i].Sub != nil {
			s := c.affine(*ts[i].Sub)
			ts[i].Sub = &s
		}
	}
	return Affine{C: a.C, Terms: ts}
}
