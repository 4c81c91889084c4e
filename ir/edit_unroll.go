package ir

import (
	"slices"
	"strconv"
)

// Unroll replaces loops of f by copies of their bodies (walrus.md §5, unroll). copies says for a loop how many copies of its body stand in a
// row afterwards: as many as it has trips or more, and the loop is gone, its instances standing where it stood; else a divisor of its trips,
// and the loop stays with a stride that many times as long and the copies in one block. Loops that are absent stay as they are.
//
// The copy for trip k of instruction X is named X_uk, of loops in each other outermost first (X_u0_u2), with _ behind it as long as the name
// is taken; Source and Iter say whose instance it is. Offsets, order vectors and predicates take the trip's axis values. A predicate that
// becomes constant is decided: where it does not hold there is no copy. What is left of a loop's own predicates passes to the copies of its
// body, so a loop whose predicates stay open must hold no sync_info. Waits and updates are copied; those of a loop itself would be lost.
//
// Edges follow the instances (semantics §2): inside a loop equal trips, loop-carried ones trips k and k−d, between depths all instances; an
// edge of or to a loop that is gone is one of or to everything that stood in it.
func (e *Edit) Unroll(f *Func, copies map[*Loop]int64) {
	if len(copies) == 0 {
		return
	}
	e.touch()
	e.prog.Number() // the tables go by ID
	u := newUnrolling(f, copies, e.prog)
	for _, b := range f.Blocks {
		u.block(b)
	}
	u.link()
}

// unrolling is one execution of Edit.Unroll on one function.
type unrolling struct {
	copies  map[*Loop]int64
	chain   bool // edges order the program: see selfOrder
	arch    Arch
	first   int32    // ID of the function's first instruction
	origins []origin // of what stood there, by ID − first
	made    []instance
	names   map[string]bool // of instructions
	blocks  map[string]bool

	// Where the walk stands.
	nest   []*level // loops around, outermost first
	index  int64    // among the copies of an instruction here
	moved  bool     // copies are made here: some loop around is not what it was
	guards []Predicate
	suffix string
	axis   func(*Term) *Affine // standIn, made once
	store  []Inst              // for copies to come
}

// origin is an instruction as it was, and its copies: row-major over the copies of the loops around it, nil where a predicate does not
// hold. An instruction that stays is its own only copy.
type origin struct {
	inst  *Inst
	nest  []*level
	self  *level // of a loop
	insts []*Inst
	at    int32 // number of its first copy, see link
}

// level is a loop as it was, and what becomes of it.
type level struct {
	holder *Inst
	loop   *Loop
	copies int64  // of the body, in one iteration of what is left
	whole  bool   // nothing is left
	by     Affine // stands for the axis, at the place of the walk
	moved  bool   // by is not the axis itself
}

// instance is a copy of an instruction.
type instance struct {
	of    *origin
	index int64
}

func newUnrolling(f *Func, copies map[*Loop]int64, p *Program) *unrolling {
	u := &unrolling{copies: copies, chain: p.Facts.Has(Deps), arch: p.Arch, names: map[string]bool{}, blocks: map[string]bool{}}
	u.axis = u.standIn
	for in := range f.Insts {
		if len(u.origins) == 0 {
			u.first = in.ID
		}
		u.origins = append(u.origins, origin{inst: in})
		u.names[in.Name] = true
	}
	for b := range f.AllBlocks {
		u.blocks[b.Name] = true
	}
	return u
}

func (u *unrolling) origin(in *Inst) *origin { return &u.origins[in.ID-u.first] }

// list appends what the instructions of the blocks become at this place of the walk.
func (u *unrolling) list(bs []*Block, out []*Inst) []*Inst {
	for _, b := range bs {
		for _, in := range b.Insts {
			out = u.inst(in, out)
		}
	}
	return out
}

func (u *unrolling) inst(in *Inst, out []*Inst) []*Inst {
	o := u.origin(in)
	if o.insts == nil {
		o.nest = slices.Clone(u.nest)
		o.insts = make([]*Inst, spread(o.nest))
	}
	if in.Loop == nil {
		if c := u.place(o); c != nil {
			out = append(out, c)
		}
		return out
	}
	if o.self == nil {
		o.self = &level{holder: in, loop: in.Loop, copies: 1}
		n, ok := u.copies[in.Loop]
		switch trips := in.Loop.Trips(); {
		case ok && n >= trips:
			o.self.whole, o.self.copies = true, trips
		case ok && len(in.Loop.Blocks) > 0:
			o.self.copies = n
		}
	}
	if o.self.whole {
		return u.spill(o, out)
	}
	if c := u.place(o); c != nil {
		u.keep(o, c)
		out = append(out, c)
	}
	return out
}

// spread returns how many copies stand of an instruction in these loops.
func spread(nest []*level) int64 {
	n := int64(1)
	for _, l := range nest {
		n *= l.copies
	}
	return n
}

// spill appends the instances of a loop of which nothing is left.
func (u *unrolling) spill(o *origin, out []*Inst) []*Inst {
	open, hold := u.conditions(o.inst)
	if !hold {
		return out
	}
	guards := u.guards
	u.guards = open
	for k := range o.self.copies {
		u.enter(o.self, k, Konst(o.self.loop.LB+k*o.self.loop.Stride), true, func() { out = u.list(o.self.loop.Blocks, out) })
	}
	u.guards = guards
	return out
}

// keep gives the loop c, which stays or is a copy of one that does, its body.
func (u *unrolling) keep(o *origin, c *Inst) {
	old, l := o.self.loop, c.Loop
	axis := Affine{Terms: []Term{{Coef: 1, Kind: AxisTerm, Axis: l}}}
	guards := u.guards
	u.guards = nil // they stand on the loop
	if o.self.copies == 1 {
		bodies := make([]*Block, len(old.Blocks))
		u.enter(o.self, 0, axis, l != old, func() {
			for i, b := range old.Blocks {
				bodies[i] = u.block(b)
			}
		})
		l.Blocks = bodies
	} else {
		body := &Block{Extra: old.Blocks[0].Extra}
		for k := range o.self.copies {
			by := axis.Add(Konst(k*old.Stride), 1)
			u.enter(o.self, k, by, true, func() { body.Insts = u.list(old.Blocks, body.Insts) })
		}
		body.Name = u.blockName(old.Blocks[0], l != old)
		l.Blocks = []*Block{body}
		l.Stride *= o.self.copies
	}
	u.guards = guards
}

// enter runs body at copy k of a loop's body, where by stands for the axis.
func (u *unrolling) enter(l *level, k int64, by Affine, moved bool, body func()) {
	index, was, suffix := u.index, u.moved, u.suffix
	l.by, l.moved = by, moved
	u.nest = append(u.nest, l)
	u.index = u.index*l.copies + k
	u.moved = u.moved || moved
	if l.whole || l.copies > 1 {
		u.suffix += "_u" + strconv.FormatInt(k, 10)
	}
	body()
	u.nest = u.nest[:len(u.nest)-1]
	u.index, u.moved, u.suffix = index, was, suffix
}

// block returns what becomes of a block of a loop that stays.
func (u *unrolling) block(b *Block) *Block {
	insts := u.list([]*Block{b}, nil)
	if u.moved {
		b = &Block{Name: u.blockName(b, true), Extra: b.Extra}
	}
	b.Insts = insts
	return b
}

func (u *unrolling) blockName(b *Block, moved bool) string {
	if !moved {
		return b.Name
	}
	return unused(u.blocks, b.Name+u.suffix)
}

// unused returns a name that is not taken, and takes it.
func unused(taken map[string]bool, name string) string {
	for taken[name] {
		name += "_"
	}
	taken[name] = true
	return name
}

// place makes the copy of an instruction at this place of the walk; nil if its predicates do not hold.
func (u *unrolling) place(o *origin) *Inst {
	c := o.inst
	if u.moved {
		open, hold := u.conditions(o.inst)
		if !hold {
			return nil
		}
		c = u.copy(o.inst)
		c.Pred = open
	}
	o.insts[u.index] = c
	u.made = append(u.made, instance{o, u.index})
	return c
}

// conditions returns the predicates under which an instruction runs here and that are not decided, and whether the others hold.
func (u *unrolling) conditions(in *Inst) ([]Predicate, bool) {
	if len(u.guards)+len(in.Pred) == 0 {
		return nil, true
	}
	list := slices.Clone(u.guards)
	for _, p := range in.Pred {
		list = append(list, Predicate{u.here(p.Expr), p.Cmp})
	}
	return Decide(list)
}

// here returns an expression with the axes of the loops around replaced by what stands for them.
func (u *unrolling) here(a Affine) Affine {
	if a.IsConst() {
		return a
	}
	return a.Substitute(u.axis)
}

// standIn returns what stands for the axis of a loop around; nil for another leaf, and for the axis itself.
func (u *unrolling) standIn(t *Term) *Affine {
	if t.Kind != AxisTerm {
		return nil
	}
	for _, l := range u.nest {
		if l.loop == t.Axis && l.moved {
			return &l.by
		}
	}
	return nil
}

func (u *unrolling) allHere(list []Affine) []Affine {
	out := slices.Clone(list)
	for i := range out {
		out[i] = u.here(out[i])
	}
	return out
}

// copy returns the instance of an instruction at this place of the walk, without edges.
func (u *unrolling) copy(in *Inst) *Inst {
	if len(u.store) == 0 {
		u.store = make([]Inst, copiesAtOnce)
	}
	c := &u.store[0]
	u.store = u.store[1:]
	*c = *in
	c.Name = unused(u.names, in.Name+u.suffix)
	if c.Source == "" {
		c.Source = in.Name
	}
	c.Iter = u.iteration(in)
	c.Args, c.Params = slices.Clone(in.Args), slices.Clone(in.Params)
	for i := range c.Args {
		c.Args[i].Off = u.here(c.Args[i].Off)
	}
	c.Order = u.allHere(in.Order)
	c.Deps, c.LoopDeps = nil, nil
	c.Wait, c.Update = slices.Clone(in.Wait), slices.Clone(in.Update)
	if in.Loop != nil {
		l := *in.Loop
		c.Loop = &l
	}
	return c
}

// copiesAtOnce is how many copies are allocated together.
const copiesAtOnce = 32

// iteration returns the axis values that tell the instance at this place of the walk from the others of its source.
func (u *unrolling) iteration(in *Inst) []Affine {
	if in.Iter != nil {
		return u.allHere(in.Iter)
	}
	at := make([]Affine, len(u.nest))
	for i, l := range u.nest {
		at[i] = l.by
	}
	return at
}
