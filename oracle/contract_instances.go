package oracle

import (
	"fmt"
	"slices"

	"birfuzz/ir"
)

// maxInstances bounds the instances of one core, and maxInstanceEdges the edges between them, that are compared. Beyond them the other
// checks alone decide.
const (
	maxInstances     = 1 << 17
	maxInstanceEdges = 1 << 19
)

// instances: on every core the same instances run in the same order, each with the operands, settings, order vector and edges that its
// program says for that iteration (semantics §6, unroll). What they stand in, loops or not, one function or several, does not matter.
func (m *matched) instances() string { return m.traces((*trace).compare) }

// traces compares what each core executes. What is too long is not compared.
func (m *matched) traces(compare func(before, after *trace) string) string {
	cores := coresOf(m.before)
	if n := coresOf(m.after); n != cores {
		return fmt.Sprintf("%d cores run the program, it was %d", n, cores)
	}
	if d := m.loopFlags(); d != "" {
		return d
	}
	for k := range cores {
		a, b := traceOf(m.before, k, maxInstances), traceOf(m.after, k, maxInstances)
		if a == nil || b == nil {
			return ""
		}
		if d := compare(a, b); d != "" {
			return d
		}
	}
	return ""
}

// coresOf returns how many cores run a program: see coreCount.
func coresOf(p *ir.Program) int {
	var n census
	for _, f := range p.Cores {
		n.function(f, p.Arch)
	}
	if k, err := coreCount(p, n.cores); err == nil {
		return k
	}
	return len(p.Cores)
}

// loopFlags: loops that are left keep what holds of them.
func (m *matched) loopFlags() string {
	for i, f := range m.after.Cores {
		for in := range f.Insts {
			if a := m.old[m.core(i)][sourceOf(in)]; a != nil {
				if a.Loop != nil && in.Loop != nil && (a.Loop.NoReorder != in.Loop.NoReorder || a.Loop.Parallel != in.Loop.Parallel) {
					return m.accuse(in, ": no_reorder or isParallel has changed")
				}
			}
		}
	}
	return ""
}

// sourceOf returns the name of the instruction that in stands for.
func sourceOf(in *ir.Inst) string {
	if in.Source != "" {
		return in.Source
	}
	return in.Name
}

// trace is what one core runs, if nothing stops it.
type trace struct {
	shard  int64
	nest   []*ir.Loop // around the walk, outermost first
	values []int64    // of their axes
	index  int64      // of the walk among the iterations of nest, row-major
	list   []instance
	by     [][]int32    // by ID of an instruction: its instances, as positions in list, by ascending index
	around [][]*ir.Inst // by ID of an instruction: the Loop instructions around it, outermost first
}

// instance is one execution of an instruction. It is the environment of its expressions.
type instance struct {
	in     *ir.Inst
	loops  []*ir.Loop
	values []int64
	index  int64
	shard  int64
}

// AxisValue implements ir.Env. An axis of another loop is illegal, which is another check's business.
func (x *instance) AxisValue(l *ir.Loop) int64 {
	if i := slices.Index(x.loops, l); i >= 0 {
		return x.values[i]
	}
	return 0
}

// ShardID implements ir.Env.
func (x *instance) ShardID() int64 { return x.shard }

// traceOf lists the instances of a core; nil if with the trips of loops and what predicates skip they are more than most.
func traceOf(p *ir.Program, core, most int) *trace {
	n := p.NumInsts()
	t := &trace{shard: int64(core), list: make([]instance, 0, min(n, most)), by: make([][]int32, n), around: make([][]*ir.Inst, n)}
	once := make([]int32, n)
	for i := range t.by {
		t.by[i] = once[i : i : i+1]
	}
	if p.CoreID != ir.NoCore && len(p.Cores) == 1 {
		t.shard = int64(p.CoreID)
	}
	f := p.Cores[min(core, len(p.Cores)-1)]
	t.holders(f.Blocks, nil)
	if !t.blocks(f.Blocks, &most) {
		return nil
	}
	return t
}

// holders notes the Loop instructions around every instruction, outermost first.
func (t *trace) holders(bs []*ir.Block, around []*ir.Inst) {
	for _, b := range bs {
		for _, in := range b.Insts {
			t.around[in.ID] = around
			if in.Loop != nil {
				t.holders(in.Loop.Blocks, append(around[:len(around):len(around)], in))
			}
		}
	}
}

func (t *trace) blocks(bs []*ir.Block, steps *int) bool {
	loops, values := slices.Clone(t.nest), slices.Clone(t.values)
	for _, b := range bs {
		for _, in := range b.Insts {
			if *steps--; *steps < 0 {
				return false
			}
			x := instance{in: in, loops: loops, values: values, index: t.index, shard: t.shard}
			if len(in.Pred) > 0 && !x.clone().runs() {
				continue
			}
			if in.Loop == nil {
				t.by[in.ID] = append(t.by[in.ID], int32(len(t.list)))
				t.list = append(t.list, x)
			} else if !t.loop(in.Loop, steps) {
				return false
			}
		}
	}
	return true
}

func (t *trace) loop(l *ir.Loop, steps *int) bool {
	index := t.index
	t.nest, t.values = append(t.nest, l), append(t.values, 0)
	for k := range l.Trips() {
		if *steps--; *steps < 0 {
			return false
		}
		t.values[len(t.values)-1] = l.LB + k*l.Stride
		t.index = index*l.Trips() + k
		if !t.blocks(l.Blocks, steps) {
			return false
		}
	}
	t.index, t.nest, t.values = index, t.nest[:len(t.nest)-1], t.values[:len(t.values)-1]
	return true
}

// clone keeps instances whose predicates nobody asks from being allocated one by one.
func (x instance) clone() *instance { return &x }

// runs tells whether the predicates hold.
func (x *instance) runs() bool {
	return !slices.ContainsFunc(x.in.Pred, func(p ir.Predicate) bool { return !p.Cmp.Holds(p.Expr.Eval(x)) })
}

// name says which instance of what it is.
func (x *instance) name() string {
	text := sourceOf(x.in)
	if at := x.iteration(); len(at) > 0 {
		text += fmt.Sprint(at)
	}
	return text
}

// iteration returns the axis values of the instance, of the loops around its source.
func (x *instance) iteration() []int64 {
	if x.in.Iter == nil {
		return x.values
	}
	at := make([]int64, len(x.in.Iter))
	for i := range at {
		at[i] = x.in.Iter[i].Eval(x)
	}
	return at
}

// identity hashes what name says: of which instruction an instance is, and which iteration.
func (x *instance) identity() uint64 {
	h := hashString(sourceOf(x.in))
	if x.in.Iter == nil {
		for _, v := range x.values {
			h = mix(h, uint64(v))
		}
		return h
	}
	for i := range x.in.Iter {
		h = mix(h, uint64(x.in.Iter[i].Eval(x)))
	}
	return h
}

// compare returns how the instances of b differ from those of t, which ran before the pass.
func (t *trace) compare(b *trace) string {
	for i := range min(len(t.list), len(b.list)) {
		x, y := &t.list[i], &b.list[i]
		if sourceOf(x.in) != sourceOf(y.in) || !slices.Equal(x.iteration(), y.iteration()) {
			return fmt.Sprintf("%s stands for %s where %s ran before", y.in.Name, y.name(), x.name())
		}
		if what := x.differs(y); what != "" {
			return fmt.Sprintf("%s: %s is not that of %s", y.in.Name, what, x.name())
		}
	}
	switch n := len(t.list); {
	case n > len(b.list):
		return t.list[len(b.list)].name() + " no longer runs"
	case n < len(b.list):
		return fmt.Sprintf("%s runs as well, for %s", b.list[n].in.Name, b.list[n].name())
	}
	return t.compareEdges(b)
}

// differs names what two instances have not in common.
func (x *instance) differs(y *instance) string {
	a, b := x.in, y.in
	switch {
	case a.Op != b.Op || a.NOut != b.NOut || len(a.Args) != len(b.Args):
		return "the instruction"
	case a.Engine != b.Engine || a.Queue != b.Queue:
		return "the engine or queue"
	case !slices.EqualFunc(settings(a), settings(b), ir.SameParam):
		return "a setting"
	case !slices.Equal(a.Wait, b.Wait) || !slices.Equal(a.Update, b.Update):
		return "sync_info"
	case !slices.EqualFunc(a.Order, b.Order, func(p, q ir.Affine) bool { return p.Eval(x) == q.Eval(y) }):
		return "the order vector"
	}
	for i := range a.Args {
		p, q := a.Args[i], b.Args[i]
		p.Off, q.Off = ir.Konst(p.Off.Eval(x)), ir.Konst(q.Off.Eval(y))
		if !ir.SameOperand(p, q) {
			return fmt.Sprintf("operand %d", i)
		}
	}
	return ""
}

// settings returns the settings of an instruction but for the numbers of barriers, by which cores know each other's: where they do not, the
// run comes to a deadlock.
func settings(in *ir.Inst) []ir.Param {
	i := slices.IndexFunc(in.Params, func(p ir.Param) bool { return p.ID == ir.PBarrierID })
	if i < 0 {
		return in.Params
	}
	return slices.Delete(slices.Clone(in.Params), i, i+1)
}
