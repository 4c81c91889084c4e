package oracle

import (
	"fmt"
	"slices"

	"birfuzz/ir"
)

// maxCores bounds the cores of a module that names its number of cores in a ShardID.
const maxCores = 256

// maxDepth bounds the nesting of loops.
const maxDepth = 1 << 12

// stepElems is how many elements cost as much as one step (see Way.MaxSteps), and stepProducts how many products of a matmul do.
const (
	stepElems    = 256
	stepProducts = 4096
)

// core is the code of one core and what its instructions need; the slices are reused.
type core struct {
	id    int
	code  []code
	accs  []access
	at    []place
	preds []predicate
	bases []int32
	depth int // of the deepest loop
	// The state of a run.
	sems     []int64 // as many as the program names
	meetings int     // barriers and collectives passed
	thread   thread  // the only one when a core runs in order
}

// census counts what a function will need.
type census struct {
	insts, loops, args, preds int
	cores                     int64 // ShardIDs are below it
	accs                      ir.EngineSet
}

func (n *census) function(f *ir.Func, arch ir.Arch) {
	for in := range f.Insts {
		n.insts++
		if in.Loop != nil {
			n.loops++
		}
		n.args += len(in.Args)
		n.preds += len(in.Pred)
		if in.ReadsAcc() || in.WritesAcc() {
			n.args++
			n.accs |= ir.Engines(accEngine(in, arch))
		}
		for i := range in.Args {
			n.shards(&in.Args[i].Off)
		}
		for i := range in.Pred {
			n.shards(&in.Pred[i].Expr)
		}
		for i := range in.Order {
			n.shards(&in.Order[i])
		}
	}
}

func (n *census) shards(a *ir.Affine) {
	for i := range a.Terms {
		if t := &a.Terms[i]; t.Kind == ir.ShardTerm {
			n.cores = max(n.cores, t.N)
		} else if t.Sub != nil {
			n.shards(t.Sub)
		}
	}
}

// accEngine returns the engine whose accumulator an instruction uses: its own if that has one, else the one that its row allows.
func accEngine(in *ir.Inst, arch ir.Arch) ir.Engine {
	allowed := in.Spec().Engines[arch]
	switch {
	case in.Engine == ir.Activation || in.Engine == ir.DVE:
		return in.Engine
	case !allowed.Has(ir.DVE) && allowed.Has(ir.Activation):
		return ir.Activation
	default:
		return ir.DVE
	}
}

// Prepare compiles p for the runs that follow. It returns an error for a program that does not hold together (Verify says it better), and a
// *LimitError for one that is too large. Accesses that leave their location are faults of a run, not errors here. p must be numbered, and
// must not change until the next Prepare.
func (m *Machine) Prepare(p *ir.Program, l Layout) error {
	m.program, m.lanes = nil, nil
	if len(p.Cores) == 0 {
		return fmt.Errorf("the module has no function")
	}
	m.needs = slices.Grow(m.needs[:0], len(p.Cores))
	shards, accs := int64(0), ir.EngineSet(0)
	for _, f := range p.Cores {
		n := census{}
		n.function(f, p.Arch)
		m.needs = append(m.needs, n)
		shards, accs = max(shards, n.cores), accs|n.accs
	}
	cores, err := coreCount(p, shards)
	if err != nil {
		return err
	}
	if err := m.chart(p, cores, l, accs); err != nil {
		return err
	}
	m.terms = m.terms[:0]
	m.cores = slices.Grow(m.cores[:0], cores)[:cores]
	for k := range m.cores {
		i := min(k, len(p.Cores)-1)
		f := p.Cores[i]
		if err := m.compile(k, f, p, &m.needs[i]); err != nil {
			return fmt.Errorf("function %q: %w", f.Name, err)
		}
	}
	m.program = p
	m.allot()
	m.listInputs()
	if m.track != nil {
		m.track.bind(m)
	}
	return nil
}

// coreCount returns how many cores run the module: one a function, or as many as the ShardIDs of its only function say, unless the module
// is the code of one core of several (semantics §2).
func coreCount(p *ir.Program, shards int64) (int, error) {
	if len(p.Cores) > 1 || p.CoreID != ir.NoCore || shards <= 1 {
		return len(p.Cores), nil
	}
	if shards > maxCores {
		return 0, tooLarge("ShardID below %d, want at most %d cores", shards, maxCores)
	}
	return int(shards), nil
}

// compiler turns one function into the code of one core.
type compiler struct {
	m      *Machine
	core   *core
	arch   ir.Arch
	shard  int  // value of ShardID
	shards bool // the cores share one function
	loops  []*ir.Loop
}

// compile makes the code of core k from f, which needs n.
func (m *Machine) compile(k int, f *ir.Func, p *ir.Program, n *census) error {
	c := compiler{m: m, core: &m.cores[k], arch: p.Arch, shard: k, shards: len(m.cores) > len(p.Cores), loops: m.loops[:0]}
	if p.CoreID != ir.NoCore && len(p.Cores) == 1 {
		c.shard = p.CoreID
	}
	o := c.core
	o.id, o.depth, o.sems = k, 0, o.sems[:0]
	o.code = slices.Grow(o.code[:0], n.insts+n.loops)
	o.accs = slices.Grow(o.accs[:0], n.args)
	o.at = slices.Grow(o.at[:0], n.args)
	o.preds = slices.Grow(o.preds[:0], n.preds)
	o.bases = slices.Grow(o.bases[:0], n.args)
	err := c.blocks(f.Blocks)
	m.loops = c.loops[:0]
	return err
}

func (c *compiler) blocks(bs []*ir.Block) error {
	for _, b := range bs {
		for _, in := range b.Insts {
			if err := c.inst(in); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *compiler) inst(in *ir.Inst) error {
	x := code{kind: kindOf(in.Spec()), core: c.core.id, pc: len(c.core.code), inst: in, spec: in.Spec(), nout: int(in.NOut), accum: noAcc, weight: 1}
	if in.Loop != nil {
		x.kind = loopBegin
	} else if x.kind == loopBegin {
		return fmt.Errorf("instruction %q: a loop without body", in.Name)
	}
	if x.kind == passBy && len(in.Wait)+len(in.Update) == 0 {
		return nil
	}
	for _, s := range [2][]ir.Sem{in.Wait, in.Update} {
		for _, e := range s {
			if e.ID < 0 || e.ID >= ir.MaxVirtual {
				return fmt.Errorf("instruction %q: semaphore %d, want 0…%d", in.Name, e.ID, ir.MaxVirtual-1)
			}
			if more := int(e.ID) + 1 - len(c.core.sems); more > 0 {
				c.core.sems = append(c.core.sems, make([]int64, more)...)
			}
		}
	}
	lo := len(c.core.preds)
	for i := range in.Pred {
		e, err := c.affine(&in.Pred[i].Expr)
		if err != nil {
			return fmt.Errorf("instruction %q: %w", in.Name, err)
		}
		c.core.preds = append(c.core.preds, predicate{e, in.Pred[i].Cmp})
	}
	x.preds = c.core.preds[lo:]
	if in.Loop != nil {
		return c.loop(&x)
	}
	if err := c.operands(&x); err != nil {
		return fmt.Errorf("instruction %q: %w", in.Name, err)
	}
	c.core.code = append(c.core.code, x)
	return nil
}

// loop emits the begin, the body and the end.
func (c *compiler) loop(x *code) error {
	l := x.inst.Loop
	if x.depth = len(c.loops); x.depth >= maxDepth {
		return tooLarge("instruction %q: more than %d loops inside each other", x.inst.Name, maxDepth)
	}
	if l.Stride <= 0 {
		return fmt.Errorf("instruction %q: stride %d, want more than 0", x.inst.Name, l.Stride)
	}
	if max(l.UB, -l.LB, l.Stride) > maxAddress || -l.LB < -maxAddress {
		return tooLarge("instruction %q: loop from %d to %d by %d is out of range", x.inst.Name, l.LB, l.UB, l.Stride)
	}
	begin := len(c.core.code)
	c.core.code = append(c.core.code, *x)
	c.loops = append(c.loops, l)
	c.core.depth = max(c.core.depth, len(c.loops))
	if err := c.blocks(l.Blocks); err != nil {
		return err
	}
	c.loops = c.loops[:len(c.loops)-1]
	end := code{kind: loopEnd, core: x.core, pc: len(c.core.code), inst: x.inst, spec: x.spec, accum: noAcc, weight: 1, jump: begin + 1, depth: x.depth}
	c.core.code = append(c.core.code, end)
	c.core.code[begin].jump = len(c.core.code)
	return nil
}
