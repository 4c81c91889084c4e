package ir

import "slices"

// Clone returns a deep copy of a numbered program. What is never changed in place is shared: Extra, Attrs, Shape, settings lists,
// expressions without axes, and Consts.
func (p *Program) Clone() *Program {
	q := *p
	q.Cores = cloneFuncs(p.Cores)
	return &q
}

// cloneFuncs copies all functions of a numbered program. The copy is made of one piece of memory for each type: counting first costs less
// than asking for thousands of small ones.
func cloneFuncs(fs []*Func) []*Func {
	var c cloner
	return c.clone(fs)
}

// clone copies all functions of a numbered program into memory of the cloner.
func (c *cloner) clone(fs []*Func) []*Func {
	c.funcs.n, c.funcLists.n = len(fs), len(fs)
	for _, f := range fs {
		c.countSets(f)
		c.countBlocks(f.Blocks)
	}
	c.allocate()
	list := c.funcLists.take(len(fs))
	for i, f := range fs {
		list[i] = &c.funcs.free[i]
		c.function(list[i], f)
	}
	return list
}

// slab is the memory for all that a clone has of one type.
type slab[T any] struct {
	n    int // elements to come
	all  []T
	free []T
}

// allocate makes room for the elements to come: what there is if it is large enough, else new memory, by an eighth larger where it replaces
// other that was too small. Every element is written when it is taken, so it does not matter what it held.
func (s *slab[T]) allocate() {
	if n := s.n; n > len(s.all) {
		if len(s.all) > 0 {
			n += n / 8
		}
		s.all = make([]T, n)
	}
	s.free, s.n = s.all[:s.n], 0
}

// take returns the next n elements. Lists grow apart: none has room for more.
func (s *slab[T]) take(n int) []T {
	taken := s.free[:n:n]
	s.free = s.free[n:]
	return taken
}

// copy returns a copy of a list.
func (s *slab[T]) copy(list []T) []T {
	if len(list) == 0 {
		return list[:0:0]
	}
	taken := s.take(len(list))
	copy(taken, list)
	return taken
}

// cloner holds the memory of a clone. Copies of instructions, locations and loops are found by ID, so a pointer can be redirected before
// what it points to has been copied.
type cloner struct {
	funcs  slab[Func]
	insts  slab[Inst]
	locs   slab[Loc]
	loops  slab[Loop]
	sets   slab[Set]
	blocks slab[Block]

	funcLists  slab[*Func]
	instLists  slab[*Inst]
	locLists   slab[*Loc]
	setLists   slab[*Set]
	blockLists slab[*Block]

	args     slab[Operand]
	params   slab[Param]
	deps     slab[Dep]
	loopDeps slab[LoopDep]
	sems     slab[Sem]
	preds    slab[Predicate]
	exprs    slab[Affine] // order vectors, instances, and dividends
	terms    slab[Term]
	aliases  slab[Alias]
}

func (c *cloner) allocate() {
	c.funcs.allocate()
	c.funcLists.allocate()
	c.insts.allocate()
	c.locs.allocate()
	c.loops.allocate()
	c.sets.allocate()
	c.blocks.allocate()
	c.instLists.allocate()
	c.locLists.allocate()
	c.setLists.allocate()
	c.blockLists.allocate()
	c.args.allocate()
	c.params.allocate()
	c.deps.allocate()
	c.loopDeps.allocate()
	c.sems.allocate()
	c.preds.allocate()
	c.exprs.allocate()
	c.terms.allocate()
	c.aliases.allocate()
}

func (c *cloner) function(g, f *Func) {
	*g = *f
	g.Attrs = slices.Clip(f.Attrs) // so that the two do not grow into each other
	g.Sets = c.setLists.take(len(f.Sets))
	for i, s := range f.Sets {
		g.Sets[i] = c.set(s)
	}
	g.Blocks = c.blockList(f.Blocks)
}

func (c *cloner) set(s *Set) *Set {
	t := &c.sets.take(1)[0]
	*t = *s
	t.Locs = c.locLists.take(len(s.Locs))
	for i, l := range s.Locs {
		m := &c.locs.free[l.ID]
		*m = *l
		m.Set = t
		m.Alias = c.aliases.copy(l.Alias)
		for j := range m.Alias {
			m.Alias[j].Loc = &c.locs.free[m.Alias[j].Loc.ID]
		}
		t.Locs[i] = m
	}
	return t
}

func (c *cloner) blockList(bs []*Block) []*Block {
	list := c.blockLists.take(len(bs))
	for i, b := range bs {
		d := &c.blocks.take(1)[0]
		*d = *b
		d.Insts = c.instLists.take(len(b.Insts))
		for j, in := range b.Insts {
			d.Insts[j] = c.inst(in)
		}
		list[i] = d
	}
	return list
}

func (c *cloner) inst(from *Inst) *Inst {
	in := &c.insts.free[from.ID]
	*in = *from
	in.Args = c.args.copy(in.Args)
	for i := range in.Args {
		a := &in.Args[i]
		if a.Loc != nil {
			a.Loc = &c.locs.free[a.Loc.ID]
		}
		c.affine(&a.Off)
	}
	in.Params = c.params.copy(in.Params)
	c.edges(in)
	in.Wait, in.Update = c.sems.copy(in.Wait), c.sems.copy(in.Update)
	in.Order, in.Iter = c.affines(in.Order), c.affines(in.Iter)
	in.Pred = c.preds.copy(in.Pred)
	for i := range in.Pred {
		c.affine(&in.Pred[i].Expr)
	}
	if in.Loop != nil {
		l := &c.loops.free[in.Loop.ID]
		*l = *in.Loop
		l.Blocks = c.blockList(l.Blocks)
		in.Loop = l
	}
	return in
}

func (c *cloner) edges(in *Inst) {
	in.Deps = c.deps.copy(in.Deps)
	for i := range in.Deps {
		in.Deps[i].On = &c.insts.free[in.Deps[i].On.ID]
	}
	in.LoopDeps = c.loopDeps.copy(in.LoopDeps)
	for i := range in.LoopDeps {
		in.LoopDeps[i].On = &c.insts.free[in.LoopDeps[i].On.ID]
	}
}

func (c *cloner) affines(list []Affine) []Affine {
	list = c.exprs.copy(list)
	for i := range list {
		c.affine(&list[i])
	}
	return list
}

// affine gives a copied expression terms of its own.
func (c *cloner) affine(a *Affine) {
	if len(a.Terms) == 0 {
		return
	}
	a.Terms = c.terms.copy(a.Terms)
	for i := range a.Terms {
		t := &a.Terms[i]
		if t.Axis != nil {
			t.Axis = &c.loops.free[t.Axis.ID]
		}
		if t.Sub != nil {
			sub := c.exprs.take(1)
			sub[0] = *t.Sub
			c.affine(&sub[0])
			t.Sub = &sub[0]
		}
	}
}
