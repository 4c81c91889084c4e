package ir

// Counting what a clone will copy. Each function here has its counterpart in clone.go.

func (c *cloner) countSets(f *Func) {
	c.sets.n += len(f.Sets)
	c.setLists.n += len(f.Sets)
	for _, s := range f.Sets {
		c.locs.n += len(s.Locs)
		c.locLists.n += len(s.Locs)
		for _, l := range s.Locs {
			c.aliases.n += len(l.Alias)
		}
	}
}

func (c *cloner) countBlocks(bs []*Block) {
	c.blocks.n += len(bs)
	c.blockLists.n += len(bs)
	for _, b := range bs {
		c.insts.n += len(b.Insts)
		c.instLists.n += len(b.Insts)
		for _, in := range b.Insts {
			c.countInst(in)
		}
	}
}

func (c *cloner) countInst(in *Inst) {
	c.args.n += len(in.Args)
	for i := range in.Args {
		c.countTerms(&in.Args[i].Off)
	}
	c.params.n += len(in.Params)
	c.deps.n += len(in.Deps)
	c.loopDeps.n += len(in.LoopDeps)
	c.sems.n += len(in.Wait) + len(in.Update)
	c.countAffines(in.Order)
	c.countAffines(in.Iter)
	c.preds.n += len(in.Pred)
	for i := range in.Pred {
		c.countTerms(&in.Pred[i].Expr)
	}
	if in.Loop != nil {
		c.loops.n++
		c.countBlocks(in.Loop.Blocks)
	}
}

func (c *cloner) countAffines(list []Affine) {
	c.exprs.n += len(list)
	for i := range list {
		c.countTerms(&list[i])
	}
}

func (c *cloner) countTerms(a *Affine) {
	c.terms.n += len(a.Terms)
	for i := range a.Terms {
		if sub := a.Terms[i].Sub; sub != nil {
			c.exprs.n++
			c.countTerms(sub)
		}
	}
}
