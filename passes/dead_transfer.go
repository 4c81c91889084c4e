package passes

import "birfuzz/ir"

// transfer is a DMA that carries the bits of one access to another unchanged: Load, Save and DMACopy between equal types.
type transfer struct {
	in       *ir.Inst
	dst, src *access
}

// transfer returns in as one, if it is one and nothing was decided about it yet. It asks the row: one place to one place, element by element.
func (d *dce) transfer(in *ir.Inst) (transfer, bool) {
	spec := in.Spec()
	if !d.open(in) || spec.Flow != ir.FlowMove || in.NOut != 1 || len(in.Args) != 2 || spec.Outs[0].Shape != "N" {
		return transfer{}, false
	}
	dst, src := &in.Args[0], &in.Args[1]
	if !dst.IsAP() || !src.IsAP() || src.Loc == nil || dst.DType != src.DType {
		return transfer{}, false
	}
	return transfer{in, &d.list[d.outs[in.ID]], &d.list[d.first[in.ID]]}, true
}

// memories returns the kinds of memory that a transfer leads to and from.
func (d *dce) memories(t transfer) (dst, src ir.MemType) {
	return d.operand(t.dst).Loc.Type, d.operand(t.src).Loc.Type
}

// inDRAM tells whether both sides of a transfer lie in DRAM: the DMA copies that the peepholes look at.
func (d *dce) inDRAM(t transfer) bool {
	dst, src := d.memories(t)
	return dst.IsDRAM() && src.IsDRAM()
}

// sameBytes tells whether two accesses walk the same bytes in the same order, one by one.
func (d *dce) sameBytes(x, y *access) bool {
	p, q := *d.operand(x), d.operand(y)
	if !d.aliases.MustBeOne(p.Loc, q.Loc) {
		return false
	}
	p.Loc = q.Loc
	return p.Equal(q)
}

// sharedStanding is the Shared of the rules that ask standing and holdsRepeat.
const sharedStanding = "a transfer that puts down what stands there"

// standing returns an earlier transfer of the block that left both sides of t equal, if nothing has written to either since: t then puts
// down what stands there. back tells that it led the other way.
func (d *dce) standing(t transfer) (e transfer, back, ok bool) {
	i := t.dst.prev
	for range maxLook {
		if i == none {
			return e, false, false
		}
		x := &d.list[i]
		if x.inst != t.in.ID && d.touches(x, t.dst) {
			if e, back, ok = d.twin(x, t); ok {
				return e, back, d.untouched(t.src, e.in.ID)
			}
			if x.writes {
				return e, false, false
			}
		}
		i = x.prev
	}
	return e, false, false
}

// twin returns the transfer to which access x belongs, if it joins the very bytes that t joins, in the same execution of the block.
func (d *dce) twin(x *access, t transfer) (e transfer, back, ok bool) {
	if d.blockOf[x.inst] != d.blockOf[t.in.ID] {
		return e, false, false
	}
	if e, ok = d.transfer(d.insts[x.inst]); !ok {
		return e, false, false
	}
	if d.sameBytes(e.dst, t.src) && d.sameBytes(e.src, t.dst) {
		return e, true, true
	}
	return e, false, d.sameBytes(e.dst, t.dst) && d.sameBytes(e.src, t.src)
}

// untouched tells whether no instruction between since and e's writes a byte of e.
func (d *dce) untouched(e *access, since int32) bool {
	i := e.prev
	for range maxLook {
		if i == none || d.list[i].inst <= since {
			return true
		}
		if x := &d.list[i]; x.writes && d.touches(x, e) {
			return false
		}
		i = d.list[i].prev
	}
	return false
}

// holdsTransfer tells why a transfer stays whatever it does, "" if there is no such reason: what it touches is not for this program text
// alone, or more than its data hangs on it.
func (d *dce) holdsTransfer(t transfer) string {
	dst, src := d.familyOfAccess(t.dst), d.familyOfAccess(t.src)
	switch {
	case d.synced:
		return "semaphores say what comes between"
	case dst.foreign || src.foreign:
		return "another core or the run-time may look"
	case dst.shared || src.shared:
		return "shared memory" // what is read there depends on the barriers passed (semantics §3.3)
	}
	return d.dontTouch(t.in)
}

// holdsRepeat tells why t stays although e left both sides equal before.
func (d *dce) holdsRepeat(t, e transfer) string {
	if why := d.holdsTransfer(t); why != "" {
		return why
	}
	dst, src := d.familyOfAccess(t.dst), d.familyOfAccess(t.src)
	switch {
	case len(e.in.Pred) > 0:
		return "the earlier copy has a predicate"
	case dst == src && d.touches(e.dst, e.src):
		return "source and destination may be one"
	case d.placed(t):
		return "placed: what lies there too may come between"
	case (dst.global || src.global) && d.fenceBetween(e.in.ID, t.in.ID):
		return "fence between"
	}
	return ""
}

// placed tells whether a side of the transfer has an address. Bytes at an address may be written under another location's name, which no
// list of accesses of this one shows.
func (d *dce) placed(t transfer) bool {
	return d.aliases.Placed(d.operand(t.dst).Loc) || d.aliases.Placed(d.operand(t.src).Loc)
}
