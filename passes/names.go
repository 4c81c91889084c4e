package passes

import (
	"fmt"

	"birfuzz/ir"
)

// nameSet is the names that a program uses, of sets, locations, blocks and instructions alike.
type nameSet struct{ used map[string]bool }

func newNameSet(p *ir.Program) *nameSet {
	n := &nameSet{map[string]bool{}}
	for _, f := range p.Cores {
		for _, s := range f.Sets {
			n.used[s.Name] = true
		}
		for l := range f.Locs {
			n.used[l.Name] = true
		}
		for b := range f.AllBlocks {
			n.used[b.Name] = true
			for _, in := range b.Insts {
				n.used[in.Name] = true
			}
		}
	}
	return n
}

// fresh returns want, or where that is taken, the first free name of want_2, want_3, …
func (n *nameSet) fresh(want string) string {
	name := want
	for i := 2; n.used[name]; i++ {
		name = fmt.Sprint(want, "_", i)
	}
	n.used[name] = true
	return name
}
