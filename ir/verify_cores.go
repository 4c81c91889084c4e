package ir

import (
	"maps"
	"slices"
	"strconv"
)

// cores returns the number of cores that run the module: its functions, or the bound of the ShardIDs of its only one; 0 if the module is
// one core of an unknown number.
func (v *Verifier) cores() int64 {
	switch n := len(v.prog.Cores); {
	case n > 1:
		return int64(n)
	case v.prog.CoreID != NoCore:
		return 0
	}
	return max(v.shards, 1)
}

// meetings checks what instructions at which cores meet say about the cores. It runs last in a function: ShardIDs have told by then how
// many cores there are.
func (v *Verifier) meetings() {
	for _, at := range v.meets {
		v.at = at
		in := at.inst
		if list := in.List(PCores); list != nil {
			v.ranks([][]int64{list}, "barrier")
		}
		if in.Spec().Flow == FlowCores {
			v.exchange(in)
		}
	}
	v.at = spot{arg: noArg}
}

// ranks checks lists of cores: each core at most once, none beyond the module's, and the own core in one of them.
func (v *Verifier) ranks(groups [][]int64, what string) {
	n, own := v.cores(), int64(v.core)
	if v.prog.CoreID != NoCore {
		own = int64(v.prog.CoreID)
	}
	seen := map[int64]bool{}
	for _, g := range groups {
		for _, r := range g {
			switch {
			case seen[r]:
				v.Addf(RuleCores, "each core once", "core %d twice in a %s", r, what)
				return
			case n > 1 && r >= n:
				v.Addf(RuleCores, "cores below "+strconv.FormatInt(n, 10), "core %d in a %s", r, what)
				return
			}
			seen[r] = true
		}
	}
	if (n > 1 || v.prog.CoreID != NoCore) && !seen[own] {
		v.Addf(RuleCores, "core "+strconv.FormatInt(own, 10)+", which runs it", "a %s without the core", what)
	}
}

// exchange checks the sizes of a collective against the number of cores that take part.
func (v *Verifier) exchange(in *Inst) {
	n := v.cores()
	if groups := in.Lists(PReplicaGroups); len(groups) > 0 {
		v.ranks(groups, "replica group")
		n = int64(len(groups[0]))
	}
	if pairs := in.Lists(PSrcTargetPairs); n > 1 {
		for _, p := range pairs {
			if p[0] >= n || p[1] >= n {
				v.Addf(RuleCollective, "cores below "+strconv.FormatInt(n, 10), "a pair %d to %d", p[0], p[1])
				return
			}
		}
	}
	rule := &collectiveRules[in.Int(PCollectiveKind)]
	out, src := in.Args[0].Count(), in.Args[1].Count()
	if n == 0 { // one core of an unknown number: any whole ratio will do
		n = max(out, src) / min(out, src)
	}
	if wantOut, ok := rule.size(src, n); !ok || wantOut != out {
		v.Addf(RuleCollective, rule.sizes+" with "+strconv.FormatInt(n, 10)+" cores", "%d elements from %d", out, src)
	}
}

// across checks what the functions of a module must agree on: locations of one name that are one storage.
func (v *Verifier) across() {
	if len(v.prog.Cores) < 2 {
		return
	}
	if v.global == nil {
		v.global = map[string]*Loc{}
	}
	defer clear(v.global)
	for _, f := range v.prog.Cores {
		v.fn = f
		for l := range f.Locs {
			if l.Set == nil || !l.Global() {
				continue
			}
			v.at.loc = l
			if g, ok := v.global[l.Name]; !ok {
				v.global[l.Name] = l
			} else if !l.agrees(g) {
				v.Addf(RuleCores, "what the first function says of it: "+g.describe(), "%s", l.describe())
			}
		}
	}
	v.fn, v.at.loc = nil, nil
}

func (l *Loc) agrees(g *Loc) bool {
	return l.Bytes() == g.Bytes() && l.Rows == g.Rows && l.Set.DType == g.Set.DType && l.Set.Kind == g.Set.Kind && l.Set.Space == g.Set.Space &&
		l.Allocated == g.Allocated && (!l.Allocated || l.Addr == g.Addr)
}

func (l *Loc) describe() string {
	text := l.Set.Space.String() + " " + l.Set.Kind.String() + " " + l.Set.DType.String() + " " +
		strconv.FormatInt(l.Rows, 10) + "×" + strconv.FormatInt(l.RowBytes, 10)
	if l.Allocated {
		text += " at " + strconv.FormatInt(l.Addr, 10)
	}
	return text
}

// consts checks the data that the module carries for its Const locations.
func (v *Verifier) consts() {
	if len(v.prog.Consts) == 0 {
		return
	}
	locs := map[string]*Loc{}
	for _, f := range v.prog.Cores {
		for l := range f.Locs {
			if l.Set != nil && l.Set.Kind == Const {
				locs[l.Name] = l
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(v.prog.Consts)) {
		l, n := locs[name], int64(len(v.prog.Consts[name].Data))
		switch {
		case l == nil:
			v.Addf(RuleConst, "a Const location", "data for %s", printable(name))
		case n != l.Bytes():
			v.Addf(RuleConst, strconv.FormatInt(l.Bytes(), 10)+" bytes", "%d bytes for %s", n, printable(name))
		}
	}
}
