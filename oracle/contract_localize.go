package oracle

import (
	"fmt"

	"birfuzz/ir"
)

// localized: what is left of storage is as it was, but that locations may have gone from Shared to Local under semantics §6: Internal,
// unallocated, and with all aliases touched by exactly one of several functions, that one. Aliases that were Shared go along or are gone, for
// the two address spaces are apart (bir-json.md): there would be one storage in two memories.
func (m *matched) localized() string {
	var u *users
	return m.eachLoc(func(core int, a, b *ir.Loc) string {
		if d := moved(a, b); d != "" || a.Set.Space == b.Set.Space {
			return d
		}
		if u == nil {
			u = usersOf(m.before)
		}
		switch cores := u.of(a); {
		case b.Set.Space != ir.Local:
			return "it has become " + b.Set.Space.String()
		case len(m.before.Cores) < 2:
			return "it has become Local in a module of one function"
		case a.Set.Kind != ir.Internal:
			return "it has become Local and is " + a.Set.Kind.String()
		case a.Allocated || b.Allocated:
			return "it has become Local and is placed"
		case len(cores) != 1 || !cores[core]:
			return fmt.Sprintf("it has become Local, and %d of %d functions touch it or its aliases", len(cores), len(m.before.Cores))
		}
		for _, x := range b.Alias {
			if x.Loc.Set.Space == ir.Shared {
				return "it has become Local, and its alias " + x.Loc.Name + " has not"
			}
		}
		return ""
	})
}

// users knows which functions touch which storage, aliases counted as one: the same name in several functions too where it means one.
type users struct {
	group   forest         // by location ID
	touched []map[int]bool // by root: the functions
}

func usersOf(p *ir.Program) *users {
	u := &users{}
	n := 0
	for _, f := range p.Cores {
		for range f.Locs {
			n++
		}
	}
	u.group.reset(n)
	u.touched = make([]map[int]bool, n)
	global := map[string]int32{}
	for _, f := range p.Cores {
		for l := range f.Locs {
			if first, ok := global[l.Name]; l.Global() && ok {
				u.group.unite(first, l.ID)
			} else if l.Global() {
				global[l.Name] = l.ID
			}
			for _, x := range l.Alias {
				u.group.unite(l.ID, x.Loc.ID)
			}
		}
	}
	for i, f := range p.Cores {
		for in := range f.Insts {
			for k := range in.Args {
				if l := in.Args[k].Loc; l != nil {
					u.touch(i, l)
				}
			}
		}
	}
	return u
}

func (u *users) touch(core int, l *ir.Loc) {
	r := u.group.root(l.ID)
	if u.touched[r] == nil {
		u.touched[r] = map[int]bool{}
	}
	u.touched[r][core] = true
}

// of returns the functions that touch the storage of l.
func (u *users) of(l *ir.Loc) map[int]bool { return u.touched[u.group.root(l.ID)] }
