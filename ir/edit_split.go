package ir

// SplitCores makes the only function of the module the functions of n cores, named by name, in core order; the last one is the function
// itself, as in the vendor's splitter (walrus.md §5, lnc_splitter). Names inside a function stay: locations that the host or other cores see
// are one storage by their names, the others one a core (semantics §1). ShardIDs stay: BindShard gives them their values.
func (e *Edit) SplitCores(n int, name func(core int) string) {
	e.touch()
	e.prog.Number()
	f := e.prog.Cores[0]
	cores := make([]*Func, n)
	for k := range n - 1 {
		cores[k] = cloneFuncs(e.prog.Cores)[0]
	}
	cores[n-1] = f
	for k := range cores {
		cores[k].Name = name(k)
	}
	e.prog.Cores = cores
	e.prog.Number()
}

// BindShard puts a core's number in the place of ShardIDs in every expression of f.
func (e *Edit) BindShard(f *Func, core int) {
	e.touch()
	number := Konst(int64(core))
	bind := func(a *Affine) {
		if a.ShardBound() > 0 {
			*a = a.Substitute(func(t *Term) *Affine {
				if t.Kind == ShardTerm {
					return &number
				}
				return nil
			})
		}
	}
	for in := range f.Insts {
		in.exprs(bind)
	}
}

// ShardBound returns the largest bound of a ShardID in the expressions of the function; 0: there is none.
func (f *Func) ShardBound() int64 {
	n := int64(0)
	for in := range f.Insts {
		in.exprs(func(a *Affine) { n = max(n, a.ShardBound()) })
	}
	return n
}

// ShardBound returns the largest bound of a ShardID in the expression; 0: there is none.
func (a Affine) ShardBound() int64 {
	n := int64(0)
	for i := range a.Terms {
		if t := &a.Terms[i]; t.Kind == ShardTerm {
			n = max(n, t.N)
		} else if t.Sub != nil {
			n = max(n, t.Sub.ShardBound())
		}
	}
	return n
}

// exprs calls f for every expression of the instruction.
func (in *Inst) exprs(f func(*Affine)) {
	for i := range in.Args {
		f(&in.Args[i].Off)
	}
	for i := range in.Order {
		f(&in.Order[i])
	}
	for i := range in.Pred {
		f(&in.Pred[i].Expr)
	}
	for i := range in.Iter {
		f(&in.Iter[i])
	}
}
