package passes

import (
	"cmp"
	"math"
	"slices"

	"birfuzz/ir"
)

// listScheduler is stage B of pre_sched: block by block it emits the instructions by their keys, each behind those of its block that it waits
// for.
type listScheduler struct {
	ctx   *Ctx
	graph *schedGraph
	keys  []schedKey // by instruction ID
	use   []locUse   // by location ID
	after *digraph   // what each waits for in its block
	dfs   *dfs
	order []int32 // scratch
}

// schedKey is what instructions are compared by: the one whose result comes earlier in the order of the locations, then the one that asks less
// of memory, then program order.
//
// The documents' comparator looks at the locations only if both of two instructions write one, which is no order over three; an instruction
// that writes none takes the place of the one before it here. What an instruction waits for is emitted in the same order. A loop stands with
// the first location that it writes. What an instruction asks is inst_use_size, the bytes that it reads; for a loop, the "register-pressure
// path", by how many bytes it adds to what is live.
type schedKey struct {
	rank     int32
	pressure int64
	id       int32
}

func (k *schedKey) compare(l *schedKey) int {
	return cmp.Or(cmp.Compare(k.rank, l.rank), cmp.Compare(k.pressure, l.pressure), cmp.Compare(k.id, l.id))
}

// locUse is when a location is live, by instruction IDs in the order before scheduling.
type locUse struct{ def, kill int32 }

// newListScheduler gives every instruction of the program its key. rank is the order of the locations by ID; late are instructions that come when
// another one needs them, not before.
func newListScheduler(c *Ctx, g *schedGraph, rank []int32, late map[*ir.Inst]bool) *listScheduler {
	s := &listScheduler{ctx: c, graph: g, keys: make([]schedKey, len(g.places)), use: make([]locUse, len(rank))}
	for i := range s.use {
		s.use[i] = locUse{none, none}
	}
	for i := range g.places {
		in := g.places[i].inst
		for _, o := range in.Ins() {
			if o.Loc != nil {
				s.use[o.Loc.ID].kill = in.ID
			}
		}
		for _, o := range in.Outs() {
			if o.Loc != nil && s.use[o.Loc.ID].def == none {
				s.use[o.Loc.ID].def = in.ID
			}
		}
	}
	for _, b := range g.blocks {
		before := int32(0)
		for _, in := range b.Insts {
			before = s.rank(in, rank, before)
			s.keys[in.ID] = schedKey{before, s.pressure(in), in.ID}
			if late[in] {
				s.keys[in.ID].rank = math.MaxInt32
			}
		}
	}
	slices.SortFunc(g.arcs, func(a, b arc) int { return s.keys[a.on].compare(&s.keys[b.on]) })
	s.after = newDigraph(len(g.places), g.arcs)
	s.dfs = newDFS(s.after)
	return s
}

// rank returns the place of what in writes in the order of the locations; of what stands before it, where it writes nothing.
func (s *listScheduler) rank(in *ir.Inst, rank []int32, before int32) int32 {
	r, found := before, false
	for id := in.ID; id < in.ID+s.graph.places[in.ID].size; id++ {
		for _, o := range s.graph.places[id].inst.Outs() {
			if o.Loc != nil && (!found || rank[o.Loc.ID] < r) {
				r, found = rank[o.Loc.ID], true
			}
		}
	}
	return r
}

func (s *listScheduler) pressure(in *ir.Inst) int64 {
	if in.Loop == nil {
		return useSize(in)
	}
	gain := int64(0)
	for id := in.ID; id < in.ID+s.graph.places[in.ID].size; id++ {
		gain += s.killSize(s.graph.places[id].inst) - s.defSize(s.graph.places[id].inst)
	}
	return -gain
}

// useSize returns the bytes of the on-chip locations that an instruction reads: what must be live for it.
func useSize(in *ir.Inst) int64 { return sizeOf(in.Ins(), func(*ir.Loc) bool { return true }) }

// defSize returns the bytes that become live with an instruction: of the outputs that it is the first to write.
func (s *listScheduler) defSize(in *ir.Inst) int64 {
	return sizeOf(in.Outs(), func(l *ir.Loc) bool { return s.use[l.ID].def == in.ID })
}

// killSize returns the bytes that die with it: of the inputs that it is the last to read.
func (s *listScheduler) killSize(in *ir.Inst) int64 {
	return sizeOf(in.Ins(), func(l *ir.Loc) bool { return s.use[l.ID].kill == in.ID })
}

// sizeOf returns the bytes of the on-chip locations among operands that count, each once.
func sizeOf(args []ir.Operand, counts func(*ir.Loc) bool) int64 {
	n := int64(0)
	for i := range args {
		if l := args[i].Loc; l != nil && l.Type.OnChip() && !mentions(args[:i], l) && counts(l) {
			n += l.Bytes()
		}
	}
	return n
}

// blocks schedules every block of the program.
func (s *listScheduler) blocks() {
	for _, b := range s.graph.blocks {
		if len(b.Insts) > 1 && !s.graph.places[b.Insts[0].ID].still {
			s.block(b)
		}
	}
}

// block asks for each instruction that leaves its place. After a refusal the rest follows in its old order: what was placed lacks nothing that
// it waits for, so every prefix of the asking is as sound as the whole.
func (s *listScheduler) block(b *ir.Block) {
	insts := slices.Clone(b.Insts)
	slices.SortFunc(insts, func(x, y *ir.Inst) int { return s.keys[x.ID].compare(&s.keys[y.ID]) })
	s.order = s.order[:0]
	for _, in := range insts {
		s.order = s.dfs.visit(in.ID, s.order)
	}
	for i, id := range s.order {
		insts[i] = s.graph.places[id].inst
	}
	s.ctx.Edit().Reorder(b, granted(s.ctx, ruleSchedPlace, b.Insts, insts))
}
