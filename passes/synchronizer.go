package passes

import "birfuzz/ir"

var (
	ruleSyncWait = &Rule{
		Name: "sync.wait", Must: true,
		Doc: "Makes every instruction wait for those of other engines, and for the transfers, that must be complete before it: by a semaphore of that one's engine or queue, which counts from 0 " +
			"in every stretch between two resets. More waits than an instruction has room for, and all of one under a predicate, stand on EventSemaphores in front of it; the update of one " +
			"under a predicate stands behind it, on a Drain if it is a transfer. The program's own EventSemaphores lose their sync_info: what they order is in program order, and so among " +
			"these waits. Asked once, for the whole program: one with some of the waits would be wrong.",
	}
	ruleSyncImplied = &Rule{
		Name: "sync.implied",
		Doc:  "Leaves out a wait for what is complete anyway, for the engine, or one that it has waited for, has waited for it already.",
	}
)

// synchronizer stands in the tail that every level runs (walrus.md §3.7; §5, Synchronisation).
//
// Documented is: every cross-engine Flow, Anti and Output edge needs a semaphore, which the producer raises when it is complete and for which
// the consumer waits; edges within an engine are free; semaphores of engines and of transfers are different, an engine has one a block; an
// instruction has room for two waits and one update.
//
// Ours: the edges are those of the program, of every kind, and those of our own analysis (dependences), so that what only fences and queues
// ordered before is ordered too; what cores share is ordered with their barriers, collectives and Halt. A block is a stretch: what runs between
// two resets of semaphores (stretches). Loops must be closed by lower_control before, since a wait names a number and semaphores only grow: in a
// loop they count from 0 again in each iteration, and so every edge that a loop carries is kept by the fences at its end.
//
// The lane of a semaphore is an engine, or the transfers that one engine puts into one queue. In a lane instructions complete in program order,
// so a semaphore at n says that the first n that raise it are complete. Whoever waits does so for what stands before it, and so nobody waits for
// ever. An instruction without engine is a lane of its own; where it has a predicate, nothing can stand next to it, and the whole core
// stands still around it (Drain on ALL).
//
// The semaphores are virtual (fact Virtual): alloc_semaphores gives them numbers of the machine.
func synchronizer() Pass {
	return Pass{
		Name:  "synchronizer",
		Doc:   "Orders what must be ordered by semaphores.",
		Rules: []*Rule{ruleSyncWait, ruleSyncImplied},
		Rests: dependenceWriters(),
		Contract: ir.Contract{Gives: ir.Synced | ir.Virtual, Drops: ir.Deps, Fences: ir.FencesAdded, Order: ir.OrderInsertSync,
			Same: serialLaws(), Once: true},
		Run: runSynchronizer,
	}
}

func runSynchronizer(c *Ctx) error {
	plan, why := planSync(c.Program())
	if why != "" {
		c.Refuse(ruleSyncWait, nil, why)
		c.Decline(why)
		return nil
	}
	if plan.empty() || !c.Allow(ruleSyncWait, nil) {
		return nil
	}
	w := syncWriter{ctx: c, names: newNameSet(c), around: map[*ir.Inst]ir.Insertion{}, lanes: map[syncLane]*syncCount{}}
	for _, s := range plan.stretches {
		s.settle(c)
		w.stretch(s)
	}
	w.write(plan.own)
	return nil
}

// syncPlan is what is to be ordered in a program.
type syncPlan struct {
	stretches []*syncStretch
	own       []*ir.Inst // with sync_info of the program
}

// syncStretch is what runs between two resets of semaphores.
type syncStretch struct {
	arch  ir.Arch
	insts []*ir.Inst
	nodes []syncNode
}

// syncNode is an instruction of a stretch. What it waits for is given by places in the stretch.
type syncNode struct {
	needs []int32 // what must be complete before it begins and is not without semaphores, ascending
	waits []int32 // for what it waits by a semaphore, the last first
	halts bool    // the core stands still before it
	parts bool    // and behind it
}

// planSync finds what must be ordered; why says what keeps the pass from doing so.
func planSync(p *ir.Program) (plan *syncPlan, why string) {
	if semaphores(p) {
		return nil, againstSemaphores
	}
	edges := newSyncEdges(p)
	if edges.why != "" {
		return nil, edges.why
	}
	plan = &syncPlan{}
	for in := range p.Insts {
		if in.HasSync() {
			plan.own = append(plan.own, in)
		}
	}
	most := 0
	for _, f := range p.Cores {
		list, why := stretches(f, p.Arch)
		if why != "" {
			return nil, why
		}
		for _, insts := range list {
			s := &syncStretch{arch: p.Arch, insts: insts}
			s.need(edges)
			if most += s.semaphores(); most > ir.MaxVirtual {
				return nil, "too many semaphores"
			}
			plan.stretches = append(plan.stretches, s)
		}
	}
	return plan, ""
}

// empty tells whether nothing is to be done.
func (p *syncPlan) empty() bool {
	for _, s := range p.stretches {
		for i := range s.nodes {
			if n := &s.nodes[i]; len(n.needs) > 0 || n.halts || n.parts {
				return false
			}
		}
	}
	return len(p.own) == 0
}

// settle decides which of the waits are left out because others give the order anyway.
func (s *syncStretch) settle(c *Ctx) {
	o := newWaitOrder(s.insts, s.arch)
	for i := range s.nodes {
		n := &s.nodes[i]
		o.enter()
		if n.halts {
			o.still()
		}
		for k := len(n.needs) - 1; k >= 0; k-- { // what stands later may bring the earlier ones along
			if j := n.needs[k]; !o.has(int(j)) || !c.Allow(ruleSyncImplied, s.insts[i]) {
				n.waits = append(n.waits, j)
				o.wait(int(j))
			}
		}
		o.leave()
		if n.parts {
			o.still()
		}
	}
}

// stuck tells whether no semaphore can have to do with the instruction, nor with one next to it: it has a predicate and no engine.
func (s *syncStretch) stuck(i int) bool {
	return len(s.insts[i].Pred) > 0 && s.insts[i].Engine == ir.Unassigned
}
