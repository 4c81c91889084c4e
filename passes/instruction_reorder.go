package passes

import (
	"cmp"
	"slices"

	"birfuzz/ir"
)

var ruleReorderPlace = &Rule{
	Name: "reorder.place",
	Doc: "Places the next instruction of a run by its order key: the constant terms of its elements compared one by one, then the shorter key, then program order. " +
		"An instruction without an order ends the run and never moves; so do fences, instructions with sync_info, and loops of which a part has no order. " +
		"A run whose order contradicts a dependence or an edge keeps its old order. A refusal leaves the rest of the run in its old order.",
}

// instructionReorder is order 16 of levels 1–3 (walrus.md §4.1).
//
// The documented pass checks no dependence: a program is legal for it only if the sort turns round no conflicting pair and no edge inside a
// run (bir-json.md, "order"). That does not survive dead_code_elim, which runs before it and may delete what kept two runs apart; so a run is
// checked here before it is sorted (reorder_guard.go, FINDINGS.md). Fences and semaphore instructions end a run though they have
// an order, for no edge says what they hold back. And in a program ordered by edges (fact Deps), an order may rest on two instructions
// standing in one queue; where the sort turns such a pair round, Deps is no longer promised.
func instructionReorder() Pass {
	return Pass{
		Name:  "instruction_reorder",
		Doc:   "Sorts every run of instructions that carry an order vector by it: the modulo schedule becomes the program order.",
		Order: 16,
		Rules: []*Rule{ruleReorderPlace},
		Rests: dependenceWriters(),
		Contract: ir.Contract{
			Fences: ir.FencesNoCross, Order: ir.OrderPermute, Same: everyLaw(), Once: true,
		},
		Run: runInstructionReorder,
	}
}

func runInstructionReorder(c *Ctx) error {
	r := reorder{ctx: c}
	for _, f := range c.Program().Cores {
		for b := range f.AllBlocks {
			r.block(b)
		}
	}
	return nil
}

// reorder is one execution of the pass.
type reorder struct {
	ctx    *Ctx
	deps   *dependences // made for the first run that is not sorted
	sorted []int32      // scratch: the run by key, as positions in the run
}

// block finds the runs of b and places each.
func (r *reorder) block(b *ir.Block) {
	var order []*ir.Inst // the new list, nil while it equals the old one
	from := 0
	for i := 0; i <= len(b.Insts); i++ {
		if i < len(b.Insts) && r.inRun(b.Insts[i]) {
			continue
		}
		if run := b.Insts[from:i]; !slices.IsSortedFunc(run, byKey) {
			if order == nil {
				order = slices.Clone(b.Insts)
			}
			r.place(run, order[from:i])
		}
		from = i + 1
	}
	if order != nil && !slices.Equal(order, b.Insts) {
		r.ctx.Edit().Reorder(b, order)
	}
}

// inRun tells whether the pass may move in.
func (r *reorder) inRun(in *ir.Inst) bool {
	if len(in.Order) == 0 {
		return false
	}
	why := ""
	switch {
	case in.Spec().Effect.Fence():
		why = "fence"
	case in.HasSync():
		why = "sync_info"
	case in.Loop != nil && !allOrdered(in.Loop):
		why = "loop with an unordered part"
	default:
		return true
	}
	r.ctx.Refuse(ruleReorderPlace, in, why)
	return false
}

// allOrdered tells whether everything in the loop might stand in a run. What moves past the loop moves past its body.
func allOrdered(l *ir.Loop) bool {
	for in := range l.Insts {
		if len(in.Order) == 0 || in.Spec().Effect.Fence() || in.HasSync() {
			return false
		}
	}
	return true
}

// byKey compares order keys. It is a strict weak order over all instructions; ties are left to a stable sort.
func byKey(a, b *ir.Inst) int {
	for i := range min(len(a.Order), len(b.Order)) {
		if d := cmp.Compare(a.Order[i].C, b.Order[i].C); d != 0 {
			return d
		}
	}
	return cmp.Compare(len(a.Order), len(b.Order))
}

// place writes the run into out by key, asking for each instruction that leaves its place. After a refusal the rest follows in its old
// order: a pair is then turned round only if the whole sort turns it round too, so every prefix of the asking is as legal as the whole.
func (r *reorder) place(run, out []*ir.Inst) {
	r.sorted = r.sorted[:0]
	for i := range run {
		r.sorted = append(r.sorted, int32(i))
	}
	slices.SortStableFunc(r.sorted, func(a, b int32) int { return byKey(run[a], run[b]) })
	if r.deps == nil {
		p := r.ctx.Program()
		r.deps = newDependences(p, ir.NewFamilies(p), byStorage)
	}
	if why := contradiction(run, r.sorted, r.deps); why != "" {
		r.ctx.Refuse(ruleReorderPlace, run[0], why)
		return
	}
	want := make([]*ir.Inst, len(run))
	for at, i := range r.sorted {
		want[at] = run[i]
	}
	copy(out, granted(r.ctx, ruleReorderPlace, run, want))
	if r.ctx.Program().Facts.Has(ir.Deps) && turnsQueue(run, out) {
		r.ctx.Drop(ir.Deps)
	}
}

// turnsQueue tells whether two instructions that one engine or one queue keeps in order change places.
func turnsQueue(old, now []*ir.Inst) bool {
	at := make(map[*ir.Inst]int, len(old))
	for i, in := range old {
		at[in] = i
	}
	last := map[lane]int{}     // the latest old position seen in a lane
	lastAny, lastAll := -1, -1 // the same over all instructions, and over those that join every lane
	for _, in := range now {
		pos := at[in]
		if pos < lastAll || in.Engine == ir.ALL && pos < lastAny {
			return true
		}
		lastAny = max(lastAny, pos)
		if in.Engine == ir.ALL {
			lastAll = pos
		}
		for _, q := range lanesOf(in) {
			if q == (lane{}) {
				continue
			}
			if pos < last[q] {
				return true
			}
			last[q] = pos
		}
	}
	return false
}
