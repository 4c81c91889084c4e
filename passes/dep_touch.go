package passes

import (
	"slices"

	"birfuzz/ir"
)

// touch is one access of an instruction to one storage.
type touch struct {
	inst   int32
	store  int32
	form   form
	box    ir.Box // what form lies in, all iterations together
	reads  bool
	writes bool
	ends   bool        // whatever it covers need not be looked at any more by those that come later
	hidden bool        // the storage is an accumulator
	loc    *ir.Loc     // nil: no location
	arg    *ir.Operand // what it is an access of; nil: what an instruction does beside its operands
}

// touchList lists the touches of a program, in program order.
type touchList struct {
	nodes  []depNode
	atlas  *atlas
	scope  depScope
	fenced []bool // of byFences and byMeetings: fencedFamilies
	core   int
	list   []touch
}

// blocks lists what the blocks touch. maybe is as in depNode, of the loops around. A loop without trips has no instances.
func (g *touchList) blocks(bs []*ir.Block, loops []*ir.Inst, maybe int32) {
	for _, b := range bs {
		for _, in := range b.Insts {
			m := maybe
			if len(in.Pred) > 0 {
				m = int32(len(loops))
			}
			g.nodes[in.ID] = depNode{in, loops, m}
			g.inst(in, loops)
			if in.Loop != nil && in.Loop.Trips() > 0 {
				g.blocks(in.Loop.Blocks, append(slices.Clip(loops), in), m)
			}
		}
	}
}

func (g *touchList) inst(in *ir.Inst, loops []*ir.Inst) {
	switch effect := in.Spec().Effect; g.scope {
	case byFences:
		g.fences(in, effect.Fence())
		return
	case byMeetings:
		g.fences(in, effect == ir.FenceCores)
		return
	}
	mode := in.Spec().WriteMode(in)
	for k := range in.Args { // inputs first: what an instruction overwrites is there when it reads
		i := (k + int(in.NOut)) % len(in.Args)
		l := in.Args[i].Loc
		if l == nil {
			continue
		}
		writes := i < int(in.NOut)
		g.operand(&in.Args[i], loops, touch{inst: in.ID, reads: !writes || mode != ir.Overwrites, writes: writes, ends: writes, loc: l})
	}
	if in.ReadsAcc() || in.WritesAcc() {
		g.accumulator(in)
	}
	if clearsRegion(in) && in.Flag(ir.PStart) {
		g.region(in, loops)
	}
}

func (g *touchList) operand(o *ir.Operand, loops []*ir.Inst, t touch) {
	h := g.atlas.homes[o.Loc.ID]
	if o.IsAP() {
		t.form = formOf(o, h, loops)
	} else {
		t.form = wholeOf(o.Loc, h)
	}
	t.arg = o
	t.ends = t.ends && !h.wild && t.exact()
	g.add(h.store, t, loops)
}

// exact tells whether the form of an access is what it touches, and not only what holds it.
func (t *touch) exact() bool {
	if t.arg == nil || !t.arg.Symbolic() || !t.loc.Type.OnChip() {
		return true
	}
	_, ok := rowBound(t.arg)
	return ok
}

func (g *touchList) add(store int32, t touch, loops []*ir.Inst) {
	t.store, t.box = store, t.form.hull(loops, 0)
	g.list = append(g.list, t)
}

// accumulators returns which accumulators an instruction of the engine may use, as columns. An unassigned one may come to either engine.
func accumulators(e ir.Engine) (lo, hi int64) {
	switch e {
	case ir.Activation:
		return 0, 1
	case ir.DVE:
		return 1, 2
	}
	return 0, 2
}

// accumulator lists the use of hidden state: a row a lane, counted from the first one of the output.
func (g *touchList) accumulator(in *ir.Inst) {
	lo, hi := accumulators(in.Engine)
	lanes := int64(ir.Partitions)
	if in.NOut > 0 {
		lanes = in.Args[0].Lanes()
	}
	h := g.atlas.home(storeKey{none, int32(g.core), accumulatorSpace}, chipFold)
	g.add(h.store, touch{inst: in.ID, form: rowsOf(lo, hi-lo, lanes), reads: in.ReadsAcc(), writes: in.WritesAcc(), ends: in.WritesAcc() && hi-lo == 1, hidden: true}, nil)
}

// region lists what a matmul that starts clears beside what it writes (semantics §4): the banks around its output, in groups of
// 2^psum_zero_region, in the partitions of the output. What is not placed has no neighbours.
func (g *touchList) region(in *ir.Inst, loops []*ir.Inst) {
	for i := range in.Outs() {
		o := &in.Args[i]
		if o.Loc == nil || o.Loc.Type != ir.PSUM {
			continue
		}
		h := g.atlas.homes[o.Loc.ID]
		f := formOf(o, h, loops)
		box := f.hull(loops, 0)
		from, to := int64(0), o.Loc.RowBytes
		if l := o.Loc; l.Allocated {
			log := in.Int(ir.PZeroRegion)
			first, last := l.Bank, l.Bank+(l.Addr+l.RowBytes-1)/ir.PSUMBankBytes
			from, to = first>>log<<log*ir.PSUMBankBytes, (last>>log+1)<<log*ir.PSUMBankBytes
		}
		cleared := rowsOf(box.Row*chipFold+from, to-from, box.RowEnd-box.Row)
		g.add(h.store, touch{inst: in.ID, form: cleared, writes: true, loc: o.Loc}, loops)
	}
}

// fences lists what stands for the order of fences: each writes one byte, which every access to memory that fences order reads.
func (g *touchList) fences(in *ir.Inst, fence bool) {
	sees := slices.ContainsFunc(in.Args, func(o ir.Operand) bool { return o.Loc != nil && g.fenced[g.atlas.aliases.Of(o.Loc)] })
	if fence || sees {
		h := g.atlas.home(storeKey{none, int32(g.core), visibleSpace}, 1)
		g.add(h.store, touch{inst: in.ID, form: form{run: 1, fold: 1}, reads: !fence, writes: fence, ends: fence}, nil)
	}
}

// byStore returns the touches storage by storage, each in program order, those alone where something is written and more than one may meet.
func (g *touchList) byStore() [][]*touch {
	n := len(g.atlas.folds)
	ends, written := make([]int, n+1), make([]bool, n)
	for i := range g.list {
		t := &g.list[i]
		ends[t.store+1]++
		written[t.store] = written[t.store] || t.writes
	}
	for i := range n {
		ends[i+1] += ends[i]
	}
	sorted, next := make([]*touch, len(g.list)), slices.Clone(ends)
	for i := range g.list {
		t := &g.list[i]
		sorted[next[t.store]] = t
		next[t.store]++
	}
	var lists [][]*touch
	for i := range n {
		if l := sorted[ends[i]:ends[i+1]]; written[i] && (len(l) > 1 || len(g.nodes[l[0].inst].loops) > 0) {
			lists = append(lists, l)
		}
	}
	return lists
}
