package passes

import (
	"fmt"

	"birfuzz/ir"
)

// nameSet is the names that are taken while a pass runs, of sets, locations, blocks, instructions and axes alike.
type nameSet struct {
	used map[string]bool
	next map[string]int // by what was wanted: no smaller number is free
}

// newNameSet takes the names of the program as it is, and as it was before the pass: what was deleted under a name is not what is new.
func newNameSet(c *Ctx) *nameSet {
	n := &nameSet{used: map[string]bool{}, next: map[string]int{}}
	n.take(c.Program())
	if before := c.Edit().Before(); before != nil {
		n.take(before)
	}
	return n
}

func (n *nameSet) take(p *ir.Program) {
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
				if in.Loop != nil {
					n.used[in.Loop.Axis] = true
				}
			}
		}
	}
}

// fresh returns want, or where that is taken, the first free name of want_2, want_3, …
func (n *nameSet) fresh(want string) string {
	name, i := want, max(2, n.next[want])
	for ; n.used[name]; i++ {
		name = fmt.Sprint(want, "_", i)
	}
	n.used[name], n.next[want] = true, i
	return name
}
