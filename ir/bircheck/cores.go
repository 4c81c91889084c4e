package bircheck

import "slices"

// meeting is an instruction at which cores meet, and where it stands.
type meeting struct {
	*question
	path []step
}

// cores returns how many cores run the module: its functions, or the bound of the ShardIDs of its only one; 0 where only one core of an
// unknown number is there.
func (c *checker) cores() int64 {
	switch n := int64(len(c.module.Functions)); {
	case n > 1:
		return n
	case c.module.Attributes.Core != nil:
		return 0
	}
	return max(c.shards, 1)
}

// meetings checks the cores that meetings name, once the ShardIDs of the function have told how many there are.
func (c *checker) meetings(core int64) {
	if id := c.module.Attributes.Core; id != nil {
		core = *id
	}
	here := c.path
	for _, m := range c.meets {
		c.path = m.path
		if list := m.in.ints("cores"); len(list) > 0 {
			c.group(core, [][]int64{list})
		}
		if len(m.ops) > 0 {
			m.exchange(core)
		}
	}
	c.path = here
}

// group checks that a meeting names every core once, none beyond the module's, and the one that runs it.
func (c *checker) group(core int64, lists [][]int64) {
	all := slices.Concat(lists...)
	slices.Sort(all)
	n := c.cores()
	switch {
	case len(slices.Compact(slices.Clone(all))) < len(all):
		c.add("cores", "a core twice in %v", lists)
	case n > 1 && all[len(all)-1] >= n:
		c.add("cores", "core %d of %d in %v", all[len(all)-1], n, lists)
	case n != 1 && !slices.Contains(all, core):
		c.add("cores", "core %d, which runs it, is not in %v", core, lists)
	}
}

// exchange checks the sizes of a collective against the number of cores that take part (nki-isa.md §3.32).
func (m *meeting) exchange(core int64) {
	n := m.cores()
	if groups := m.in.lists("replica_groups"); len(groups) > 0 {
		m.group(core, groups)
		n = int64(len(groups[0]))
	}
	for _, p := range m.in.lists("src_target_pairs") {
		if n > 1 && max(p[0], p[1]) >= n {
			m.add("collective", "a pair %v with %d cores", p, n)
			return
		}
	}
	out, src := m.ops[0].lanes*m.ops[0].free, m.ops[1].lanes*m.ops[1].free
	if n == 0 { // any whole ratio will do
		n = max(out, src) / min(out, src)
	}
	ok := out == src
	switch m.in.word("kind", exchanges[0]) {
	case exchanges[1]:
		ok = out == src*n
	case exchanges[2]:
		ok = out*n == src
	case exchanges[3]:
		ok = out == src && src%n == 0
	}
	if !ok {
		m.add("collective", "%d elements from %d with %d cores", out, src, n)
	}
}

// exchanges are the kinds of collectives: all reduced, gathered, reduced and scattered, all to all, and two that go from source to target.
var exchanges = []string{"AllReduce", "AllGather", "ReduceScatter", "AllToAll", "SendRecv", "Permute"}
