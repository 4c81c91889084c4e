package gen

import (
	"birfuzz/ir"
)

// conflict is a pair of instructions of one block, from before to, of which one writes what the other touches.
type conflict struct {
	from, to int32 // positions in the block
	kind     ir.EdgeKind
}

// record is one access of an instruction of the block.
type record struct {
	at    int32
	arg   *ir.Operand // nil: hidden state
	reads bool
	write bool
	next  int32 // index of the previous record of the storage, -1 if none
}

// analyst finds the conflicts inside blocks. It keeps its scratch memory between them.
type analyst struct {
	flow    *flow
	last    []int32 // by storage: its latest record, -1 if none
	records []record
	pairs   []conflict
}

func newAnalyst(f *flow) *analyst {
	a := &analyst{flow: f, last: make([]int32, len(f.at)+int(ir.NumEngines))}
	return a
}

// conflicts returns the conflicting pairs of a block, ordered by their later instruction. A loop counts as all that its body touches.
func (a *analyst) conflicts(bl *ir.Block) []conflict {
	for i := range a.last {
		a.last[i] = -1
	}
	a.records, a.pairs = a.records[:0], a.pairs[:0]
	for i, in := range bl.Insts {
		a.inst(int32(i), in)
		if in.Loop != nil {
			for sub := range in.Loop.Insts {
				a.inst(int32(i), sub)
			}
		}
	}
	return a.pairs
}

func (a *analyst) inst(at int32, in *ir.Inst) {
	keeps := in.Spec().WriteMode(in) != ir.Overwrites
	for i := range in.Args {
		o := &in.Args[i]
		if o.Loc == nil {
			continue
		}
		out := i < int(in.NOut)
		a.touch(a.flow.root[o.Loc.ID], record{at: at, arg: o, reads: !out || keeps, write: out})
	}
	if r, w := in.ReadsAcc(), in.WritesAcc(); r || w {
		a.touch(int32(len(a.flow.at))+int32(in.Engine), record{at: at, reads: r, write: w})
	}
}

// touch compares an access with the earlier ones of its storage and records it.
func (a *analyst) touch(storage int32, r record) {
	for k := a.last[storage]; k >= 0; k = a.records[k].next {
		e := &a.records[k]
		if e.at == r.at || !e.write && !r.write || r.arg != nil && !ir.Overlap(e.arg, r.arg) {
			continue
		}
		if e.write && r.reads {
			a.pair(e.at, r.at, ir.Flow)
		}
		if e.write && r.write {
			a.pair(e.at, r.at, ir.OutputDep)
		}
		if e.reads && r.write {
			a.pair(e.at, r.at, ir.Anti)
		}
	}
	r.next = a.last[storage]
	a.last[storage] = int32(len(a.records))
	a.records = append(a.records, r)
}

// pair adds a conflict; of two kinds for one pair the stronger stands.
func (a *analyst) pair(from, to int32, kind ir.EdgeKind) {
	for i := len(a.pairs) - 1; i >= 0 && a.pairs[i].to == to; i-- {
		if a.pairs[i].from == from {
			a.pairs[i].kind = max(a.pairs[i].kind, kind)
			return
		}
	}
	a.pairs = append(a.pairs, conflict{from, to, kind})
}

// dependences gives the program edges and order vectors, if it is to have them.
func (b *builder) dependences() {
	edges := b.on(Edges) && b.straight()
	if !edges && !b.on(Orders) {
		return
	}
	r := b.fork("order")
	a := newAnalyst(&b.flow)
	for _, f := range b.prog.Cores {
		for bl := range f.AllBlocks {
			pairs := a.conflicts(bl)
			if edges {
				pairs = b.edges(&r, bl, pairs)
			}
			if b.on(Orders) {
				orderBlock(&r, bl, pairs)
			}
		}
	}
	if edges {
		b.prog.Facts |= ir.Deps
	}
}

// straight tells whether all edges of the program stand inside one block: every function has one, and no loop.
func (b *builder) straight() bool {
	for _, f := range b.prog.Cores {
		if len(f.Blocks) != 1 {
			return false
		}
	}
	for in := range b.prog.Insts {
		if in.Loop != nil {
			return false
		}
	}
	return true
}

// edges adds an edge for each conflict, and a few that only order. It returns all pairs that are ordered.
func (b *builder) edges(r *Rand, bl *ir.Block, pairs []conflict) []conflict {
	for n := len(bl.Insts); n > 1 && r.Bool(0.2); {
		to := r.Between(1, n-1)
		pairs = append(pairs, conflict{int32(r.IntN(to)), int32(to), ir.Ordered})
	}
	for _, c := range pairs {
		in := bl.Insts[c.to]
		in.Deps = ir.AddDep(in.Deps, ir.Dep{On: bl.Insts[c.from], Kind: c.kind})
	}
	return pairs
}
