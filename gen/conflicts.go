package gen

import (
	"slices"

	"birfuzz/ir"
)

// conflict is a pair of instructions of one list, from before to, of which one writes what the other touches.
type conflict struct {
	from, to int32 // positions in the list

	// Where queues are asked about, who it is that touches it: those two, or what stands in the loops that they are, if that is one instruction alone.
	first, then *ir.Inst

	kind  ir.EdgeKind
	ahead bool      // no queue has then wait for first in the same trip of the loops around both
	back  bool      // no queue has first, in a later trip, wait for then
	meets distances // in trips of the innermost loop around, at which then meets an earlier first
	again distances // and first an earlier then
}

// record is one access of an instruction of the list.
type record struct {
	at    int32
	inst  *ir.Inst
	arg   *ir.Operand // nil: all of the storage, or hidden state
	reads bool
	write bool
	next  int32   // index of the previous record of the storage, -1 if none
	hull  bool    // walk is known
	walk  ir.Walk // of arg, if that is in memory: its hull, once it was compared
}

// analyst finds the conflicts inside lists of instructions. It keeps its scratch memory between them.
type analyst struct {
	flow    *flow
	arch    ir.Arch
	queues  bool                 // it is asked about queues
	rolled  bool                 // and about loops
	cleared map[*ir.Inst][]int32 // storage that the start of a sum clears, what it writes included
	last    []int32              // by storage: its latest record, -1 if none
	records []record
	pairs   []conflict
	list    []*ir.Inst // whose conflicts are looked for
}

// prepare makes the analyst ready for the storage of a program.
func (a *analyst) prepare(f *flow) {
	n := len(f.at) + int(ir.NumEngines)
	a.flow, a.last = f, slices.Grow(a.last[:0], n)[:n]
}

// conflicts returns the conflicting pairs of a list, ordered by their later instruction. A loop counts as all that its body touches.
func (a *analyst) conflicts(list []*ir.Inst) []conflict {
	for i := range a.last {
		a.last[i] = -1
	}
	a.records, a.pairs, a.list = a.records[:0], a.pairs[:0], list
	for i, in := range list {
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
		a.touch(a.flow.root[o.Loc.ID], at, in, o, !out || keeps, out)
	}
	for _, storage := range a.cleared[in] {
		a.touch(storage, at, in, nil, false, true)
	}
	if r, w := in.ReadsAcc(), in.WritesAcc(); r || w {
		a.touch(int32(len(a.flow.at))+int32(in.Engine), at, in, nil, r, w)
	}
}

// apart tells whether two records of one storage have no byte in common.
func (r *record) apart(e *record) bool {
	switch {
	case r.arg == nil || e.arg == nil:
		return false
	case r.arg.Loc == e.arg.Loc && r.arg.Kind == ir.APOperand:
		return !r.reach().Overlaps(e.reach())
	}
	return !overlap(e.arg, r.arg)
}

// reach returns the hull of the record's operand. Most are never asked for it: what is only read conflicts with nothing.
func (r *record) reach() *ir.Walk {
	if !r.hull {
		r.walk, r.hull = r.arg.Hull(), true
	}
	return &r.walk
}

// record adds a record of the storage to those there are, and returns it.
func (a *analyst) record(storage, at int32, in *ir.Inst, o *ir.Operand, reads, writes bool) *record {
	n := len(a.records)
	if n == cap(a.records) {
		a.records = slices.Grow(a.records, 1+n)
	}
	a.records = a.records[:n+1]
	r := &a.records[n] // its walk is an old one's
	r.at, r.inst, r.arg, r.reads, r.write, r.hull, r.next = at, in, o, reads, writes, false, a.last[storage]
	a.last[storage] = int32(n)
	return r
}

// touch records an access and compares it with the earlier ones of its storage.
func (a *analyst) touch(storage, at int32, in *ir.Inst, o *ir.Operand, reads, writes bool) {
	r := a.record(storage, at, in, o, reads, writes)
	for k := r.next; k >= 0; k = a.records[k].next {
		e := &a.records[k]
		if e.at == r.at || !e.write && !r.write || r.apart(e) {
			continue
		}
		if e.write && r.reads {
			a.pair(e, r, ir.Flow)
		}
		if e.write && r.write {
			a.pair(e, r, ir.OutputDep)
		}
		if e.reads && r.write {
			a.pair(e, r, ir.Anti)
		}
	}
}

// overlap tells whether two accesses of one storage can touch a common byte. Aliases are of one size: those that a third location makes one
// are compared as if the names were.
func overlap(o, p *ir.Operand) bool {
	if o.Kind == ir.APOperand && p.Kind == ir.APOperand && !ir.SameStorage(o.Loc, p.Loc) {
		q := *p
		q.Loc = o.Loc
		return ir.Overlap(o, &q)
	}
	return ir.Overlap(o, p)
}

// pair adds a conflict; of two kinds for one pair the stronger stands.
func (a *analyst) pair(e, r *record, kind ir.EdgeKind) {
	c := a.conflict(e.at, r.at, kind)
	if !a.queues {
		return
	}
	if c.first == nil {
		c.first, c.then = e.inst, r.inst
	}
	if c.first != e.inst {
		c.first = a.list[e.at]
	}
	if c.then != r.inst {
		c.then = a.list[r.at]
	}
	c.ahead = c.ahead || !inQueue(e.inst, r.inst, a.arch)
	c.back = c.back || a.rolled && !inQueue(r.inst, e.inst, a.arch)
}

// conflict returns the conflict of a pair, which is added if it is new: then it is between nobody yet.
func (a *analyst) conflict(from, to int32, kind ir.EdgeKind) *conflict {
	for i := len(a.pairs) - 1; i >= 0 && a.pairs[i].to == to; i-- {
		if c := &a.pairs[i]; c.from == from {
			c.kind = max(c.kind, kind)
			return c
		}
	}
	a.pairs = append(a.pairs, conflict{from: from, to: to, kind: kind})
	return &a.pairs[len(a.pairs)-1]
}

// inQueue tells whether an instruction waits for another, which comes before it in program order, because of the engines and queues that they
// are in and nothing else (semantics §2, as engines). What two engines put into one queue is not relied on.
func inQueue(first, then *ir.Inst, arch ir.Arch) bool {
	switch {
	case first == then || first.Engine == ir.ALL || then.Engine == ir.ALL:
		return true
	case first.Engine != then.Engine || first.Engine == ir.Unassigned:
		return false
	case !first.Transfers(arch): // it is complete before its engine goes on
		return true
	}
	return then.Transfers(arch) && first.Queue == then.Queue
}
