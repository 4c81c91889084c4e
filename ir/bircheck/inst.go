package bircheck

import (
	"slices"
	"strings"
)

var (
	engineNames = []string{"PE", "Activation", "Pool", "DVE", "SP", "DMA", "ALL", "Unassigned"}
	comparisons = []string{"is_equal", "not_equal", "is_gt", "is_ge", "is_lt", "is_le"}
	edgeKinds   = []string{"Ordered", "Anti", "Output", "Flow"}
)

// question is what a rule of a row is asked about: an instruction whose operands and settings are right by themselves.
type question struct {
	*checker
	in   *inst
	row  *row
	args []string // of the rule
	ops  []access // the operands that are there, outputs first
}

// op returns the operand of that name, nil if it is absent.
func (q *question) op(name string) *access {
	for i := range q.ops {
		if q.ops[i].rule.name == name {
			return &q.ops[i]
		}
	}
	return nil
}

// inst checks one instruction, and its body.
func (c *checker) inst(in *inst) {
	rows := table.rows[in.Opcode]
	r := table.form(in)
	switch {
	case rows == nil:
		c.add("opcode", "opcode %q", in.Opcode)
		return
	case r == nil:
		c.add("opcode", "no form of %s has these settings together", in.Opcode)
		return
	}
	before := len(c.list)
	c.engine(in, r)
	c.header(in)
	known := c.settings(in, r)
	ops, ok := c.operands(in, r)
	if known && ok && len(c.list) == before {
		c.together(in, r, ops)
	}
	if r.loop {
		c.loop(in)
	}
}

func (c *checker) engine(in *inst, r *row) {
	name := "Unassigned"
	if in.Engine != nil {
		name = *in.Engine
	}
	may := r.engines[c.arch]
	switch {
	case !c.oneOf("engine", "engine", name, engineNames...):
	case may == nil:
		c.add("arch", "%s does not exist on %s", in.Opcode, c.arch)
	case name != "Unassigned" && !slices.Contains(may, name):
		c.add("engine", "%s on %s, want %s", in.Opcode, name, strings.Join(may, ", "))
	}
}

// header checks the keys that every instruction may have.
func (c *checker) header(in *inst) {
	c.printable("queue", in.Queue)
	if in.Start < 0 || in.End < 0 {
		c.add("schedule", "scheduled from %d to %d", in.Start, in.End)
	}
	for i := range in.Order {
		c.at("order", i, func() { c.expr(&in.Order[i]) })
	}
	for i := range in.Ours.Iter {
		c.at("x_birfuzz.iter", i, func() { c.expr(&in.Ours.Iter[i]) })
	}
	if s := in.Ours.Source; s != nil {
		c.at("x_birfuzz.source", -1, func() { c.name("source", *s, map[string]bool{}) })
	}
	c.predicates(in)
	c.dependencies(in)
	c.semaphores(in)
}

func (c *checker) predicates(in *inst) {
	for i := range in.Predicates {
		c.at("predicates", i, func() {
			c.expr(in.Predicates[i].Expr)
			c.oneOf("predicate", "comparison", in.Predicates[i].Cmp, comparisons...)
		})
	}
	if len(in.Predicates) == 0 {
		return
	}
	if len(in.Sync.Wait)+len(in.Sync.Update) > 0 {
		c.add("predicate", "predicates beside sync_info")
	}
	if c.facts["Unrolled"] {
		c.add("fact", "predicates in a module that is Unrolled")
	}
}

func (c *checker) dependencies(in *inst) {
	for i, e := range in.Deps {
		c.at("dependencies", i, func() {
			if on := c.edge(e.on, e.kind); on == in {
				c.add("edge", "a dependency on itself")
			}
		})
	}
	for i, e := range in.Carried {
		c.at("loop_carried_dependencies", i, func() {
			if on := c.edge(e.on, e.kind); on != nil {
				c.distance(in, on, e.distance)
			}
		})
	}
}

func (c *checker) edge(on, kind string) *inst {
	o := c.insts[on]
	if o == nil {
		c.add("edge", "instruction %q is not in this function", on)
	}
	c.oneOf("edge", "edge kind", kind, edgeKinds...)
	return o
}

// distance checks that a loop-carried edge has one distance for each loop around both, none negative and not all 0.
func (c *checker) distance(in, on *inst, d []int64) {
	common := 0
	for common < len(in.nest) && common < len(on.nest) && in.nest[common] == on.nest[common] {
		common++
	}
	far, bad := false, len(d) != common
	for _, n := range d {
		far = far || n > 0
		bad = bad || n < 0
	}
	if bad || !far {
		c.add("edge", "distances %v to %q, with which it shares %d loops", d, on.Name, common)
	}
}

func (c *checker) semaphores(in *inst) {
	most := int64(semaphores)
	if c.facts["Virtual"] {
		most = virtual
	}
	one := func(id, value int64) {
		if id < 0 || id >= most || value < 0 || value > 1<<32-1 {
			c.add("sync", "semaphore %d, value %d, want one below %d and an unsigned 32-bit value", id, value, most)
		}
	}
	for _, w := range in.Sync.Wait {
		one(w.ID, w.Value)
	}
	for _, u := range in.Sync.Update {
		one(u.ID, u.Value)
	}
}

func (c *checker) loop(in *inst) {
	l := in.Axis
	if l == nil {
		c.add("loop", "no LoopAxis")
		return
	}
	c.name("axis", l.Name, map[string]bool{})
	if !l.sound() {
		c.add("loop", "from %d to %d by %d, want 32-bit bounds and a stride from 1", l.LB, l.UB, l.stride())
	}
	for _, o := range c.loops {
		if o.Name == l.Name {
			c.add("loop", "a second axis %q around its body", l.Name)
		}
	}
	if c.facts["Unrolled"] {
		c.add("fact", "a loop in a module that is Unrolled")
	}
	if len(in.nest) >= 64 {
		c.add("loop", "loops more than 64 deep")
		return
	}
	c.loops = append(c.loops, l)
	c.blocks(in.Blocks)
	c.loops = c.loops[:len(c.loops)-1]
}

// together checks what the operands and settings of an instruction owe to each other.
func (c *checker) together(in *inst, r *row, ops []access) {
	q, before := &question{checker: c, in: in, row: r, ops: ops}, len(c.list)
	for _, rule := range r.rules {
		q.args = rule.args
		rules[rule.name](q)
	}
	if !r.overlap {
		q.overlaps()
	}
	if r.meets && len(c.list) == before {
		c.meets = append(c.meets, meeting{q, slices.Clone(c.path)})
	}
}
