package passes

import (
	"slices"

	"birfuzz/ir"
)

var ruleControlLoop = &Rule{
	Name: "control.loop",
	Doc: "Lets the core stand still in front of a loop and at the end of each of its iterations, and sets the semaphores back there: Drain on every engine with transfers under way, " +
		"AllEngineBarrier, GroupResetSemaphores, AllEngineBarrier. Not where it stands still already, and not in a function where the program's own EventSemaphores wait for what a reset may take away.",
}

var ruleControlReset = &Rule{
	Name: "control.reset",
	Doc:  "Lets the core stand still around a GroupResetSemaphores of the program, so that no wait and no update can come on the wrong side of it.",
}

// lowerControl is order 128 of levels 1–3 (walrus.md §5, appendix B.9).
//
// Documented is one fence sequence before each real terminator: AllEngineBarrier, GroupResetSemaphores, AllEngineBarrier, Drain; another page
// has the Drain first (§3.8). In that order it must be: a transfer that is still under way when the semaphores are set back raises one of them
// afterwards, and the next iteration takes it for its own. An AllEngineBarrier does not wait for transfers (semantics §2).
//
// What a terminator is here [ours]: the step into a loop and the end of its body, for blocks follow each other without branches. Semaphores
// only grow and a wait names a number, so nothing else lets an iteration tell its own semaphores from those of the one before.
//
// A loop that holds one of the fences is no longer isParallel [ours]: see serialise.
//
// Two parts of the document are left out. Dependences between blocks are not erased: they do no harm, and say what they said. No CoreBarrier is
// added where there are several cores: what cores share is ordered by the barriers that the program has, and a core that has another loop than
// its neighbour would meet nobody.
func lowerControl() Pass {
	return Pass{
		Name:     "lower_control",
		Doc:      "Puts fences around loop bodies, so that semaphores can start from 0 in each iteration.",
		Order:    128,
		Rules:    []*Rule{ruleControlLoop, ruleControlReset},
		Contract: ir.Contract{Fences: ir.FencesAdded, Order: ir.OrderInsertFences, Same: serialLaws(), Once: true},
		Run:      runLowerControl,
	}
}

func runLowerControl(c *Ctx) error {
	p := c.Program()
	if semaphores(p) {
		c.Refuse(ruleControlLoop, nil, againstSemaphores)
		return nil
	}
	names, made := newNameSet(c), map[*ir.Inst]bool{}
	for _, f := range p.Cores {
		l := controlLowering{ctx: c, names: names, made: made, still: newStillness(p.Arch)}
		for in := range f.Insts {
			l.counts = l.counts || slices.ContainsFunc(in.Wait, func(w ir.Sem) bool { return w.Value > 0 })
		}
		l.blocks(f.Blocks)
	}
	serialise(c, made)
	return nil
}

// controlLowering puts fences into one function.
type controlLowering struct {
	ctx    *Ctx
	names  *nameSet
	made   map[*ir.Inst]bool // the new fences
	still  stillness
	counts bool // the program's own EventSemaphores wait for what semaphores have come to
}

func (l *controlLowering) blocks(bs []*ir.Block) {
	for _, b := range bs {
		for i := 0; i < len(b.Insts); i++ {
			switch in := b.Insts[i]; {
			case in.Loop != nil:
				i = l.loop(b, i)
			case in.Spec().Resets:
				i = l.reset(b, i)
			default:
				l.still.next(in)
			}
		}
	}
}

// loop closes what stands before a loop, and the body. It returns where the loop stands then.
func (l *controlLowering) loop(b *ir.Block, i int) int {
	in := b.Insts[i]
	if in.Loop.Trips() == 0 {
		return i
	}
	i += l.close(ruleControlLoop, in, b, i, closed)
	l.blocks(in.Loop.Blocks)
	if n := len(in.Loop.Blocks); n > 0 {
		last := in.Loop.Blocks[n-1]
		l.close(ruleControlLoop, in, last, len(last.Insts), closed)
	}
	return i
}

// reset sees to the neighbours of a reset that the program has. It returns where the last of them stands.
func (l *controlLowering) reset(b *ir.Block, i int) int {
	in, want := b.Insts[i], resting
	if len(in.Pred) > 0 { // where it is skipped the semaphores must be at 0 already
		want = closed
	}
	if !joins(in) {
		i += l.close(ruleControlReset, in, b, i, want)
	}
	l.still.next(in)
	if l.still.rest != cleared || i+1 < len(b.Insts) && joins(b.Insts[i+1]) || !l.ctx.Allow(ruleControlReset, in) {
		return i
	}
	l.insert(b, i+1, l.fence("AllEngineBarrier", in, "_resume", ir.SP))
	return i + 1
}

// close puts what is missing in front of position i of a block for the core to stand still, as far as want says, on behalf of instruction at.
// It returns how many instructions that were.
func (l *controlLowering) close(r *Rule, at *ir.Inst, b *ir.Block, i int, want rest) int {
	switch {
	case l.still.rest == want || l.still.rest == closed:
		return 0
	case want == closed && l.counts:
		l.ctx.Refuse(r, at, "the program's own semaphores would be set back")
		return 0
	case !l.ctx.Allow(r, at):
		return 0
	}
	list := l.barrier(at)
	if want == closed {
		list = append(list, l.fence("GroupResetSemaphores", at, "_reset", ir.SP), l.fence("AllEngineBarrier", at, "_resume", ir.SP))
	}
	l.insert(b, i, list...)
	return len(list)
}

// barrier returns what lets the core stand still.
func (l *controlLowering) barrier(at *ir.Inst) []*ir.Inst {
	var list []*ir.Inst
	engines := l.still.flying.List()
	if l.still.loose { // no one else can wait for what has no engine
		engines = []ir.Engine{ir.ALL}
	}
	for _, e := range engines {
		list = append(list, l.fence("Drain", at, "_drain", e))
	}
	if l.still.rest < resting {
		list = append(list, l.fence("AllEngineBarrier", at, "_barrier", ir.SP))
	}
	return list
}

// fence returns a new fence, named after the instruction for which it is there.
func (l *controlLowering) fence(op string, at *ir.Inst, suffix string, e ir.Engine) *ir.Inst {
	return newFence(op, l.names.fresh(at.Name+suffix), e)
}

// newFence returns a fence of one core.
func newFence(op, name string, e ir.Engine) *ir.Inst {
	row, _ := ir.OpNamed(op)
	return &ir.Inst{Op: row.Op, Name: name, Engine: e}
}

func (l *controlLowering) insert(b *ir.Block, i int, list ...*ir.Inst) {
	l.ctx.Edit().Change(func() { b.Insts = slices.Insert(b.Insts, i, list...) })
	for _, in := range list {
		l.made[in] = true
		l.still.next(in)
	}
}
