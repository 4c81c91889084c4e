package ir

// VerifyCores returns what the functions of a module disagree about: lnc_verifier's question. Of its assertions (walrus.md §8.6, codes
// 1187–1203, a list that was never published) this is what the dialect makes a rule of:
//
//   - a location that several functions mean as one is the same to each: kind, address space, element type, dims, placement (Verify asks that
//     too) and aliases, as far as both declare both ends; a pass that looks at one function alone would else miss an overlap;
//   - barriers and collectives fit: every core comes to the meetings of the others, in one order and with the same settings, and to no more.
//
// Meetings are compared as executed, loops and predicates followed: a core may repeat in a loop what another writes out. Numbers of blocks
// and of instructions may differ. The program must be numbered and legal (Verify); a module of one function has nothing to disagree about.
func VerifyCores(p *Program) Complaints {
	if len(p.Cores) < 2 {
		return nil
	}
	v := Verifier{prog: p, at: spot{arg: noArg}}
	v.place = v.where
	v.across()
	v.aliasesAcross()
	v.meetingsAcross()
	return v.List
}

// aliasPair is two names of global locations, in ascending order.
type aliasPair struct{ a, b string }

// aliasesAcross checks that two global locations are aliases in every function that declares both, or in none.
func (v *Verifier) aliasesAcross() {
	kinds := make([]map[aliasPair]AliasKind, len(v.prog.Cores))
	first := map[aliasPair]int{} // function that declares the pair
	var pairs []aliasPair
	for i, f := range v.prog.Cores {
		kinds[i] = f.globalAliases()
		for l := range f.Locs {
			for _, x := range l.Alias {
				p := pairOf(l, x.Loc)
				if _, seen := first[p]; !seen && kinds[i][p] != 0 {
					first[p] = i
					pairs = append(pairs, p)
				}
			}
		}
	}
	for i, f := range v.prog.Cores {
		if len(pairs) == 0 {
			return
		}
		v.fn = f
		globals := f.globals()
		for _, p := range pairs {
			a, b := globals[p.a], globals[p.b]
			if from := first[p]; a != nil && b != nil && kinds[i][p] != kinds[from][p] {
				v.at.loc = a
				v.Addf(RuleAlias, "what function "+printable(v.prog.Cores[from].Name)+" says of the two: "+kinds[from][p].describe(),
					"%s %s", kinds[i][p].describe(), printable(p.b))
			}
		}
	}
	v.fn, v.at.loc = nil, nil
}

func pairOf(l, m *Loc) aliasPair { return aliasPair{min(l.Name, m.Name), max(l.Name, m.Name)} }

// globalAliases returns how the function's global locations alias. One side is enough, and of two kinds the stronger holds (walrus.md §1.7).
func (f *Func) globalAliases() map[aliasPair]AliasKind {
	var of map[aliasPair]AliasKind
	for l := range f.Locs {
		for _, x := range l.Alias {
			if l.Global() && x.Loc.Global() {
				if of == nil {
					of = map[aliasPair]AliasKind{}
				}
				p := pairOf(l, x.Loc)
				of[p] = max(of[p], x.Kind)
			}
		}
	}
	return of
}

// globals returns the locations that mean one storage in all functions, by name.
func (f *Func) globals() map[string]*Loc {
	of := map[string]*Loc{}
	for l := range f.Locs {
		if l.Global() {
			of[l.Name] = l
		}
	}
	return of
}

func (k AliasKind) describe() string {
	switch k {
	case 0:
		return "no alias of"
	case MayAlias:
		return "may alias"
	default:
		return "must alias"
	}
}
