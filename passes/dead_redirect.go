package passes

import "birfuzz/ir"

var ruleInternalCopy = &Rule{
	Name: "dce.internal-copy",
	Doc: "Deletes a DMA copy from one internal DRAM location of this core to another, and lets the readers of the destination read the source. The destination is " +
		"written by the copy alone and read, under whatever name, only behind it in its block and inside what it copies; both sides are runs without gaps, and the reads' element sizes divide the distance between them. Nothing writes to the " +
		"source before the last of the reads has run; nor later, where edges order the program, for no edge keeps that write behind the new reader. " +
		"Neither side has an address, the two do not alias, and the copy has no predicate.",
}

// internalCopies is remove_redundant_internal2internal_dmacopy. Both sides are DRAM, so that a redirected read is as legal for its engine
// and queue as it was.
func (d *dce) internalCopies(b *ir.Block, gate string) {
	for _, in := range b.Insts {
		t, ok := d.transfer(in)
		if !ok || !d.inDRAM(t) || !d.internal(t.dst) || !d.internal(t.src) {
			continue
		}
		r := redirection{dce: d, t: t}
		switch why := r.prepare(); {
		case len(r.readers) == 0 && why == "": // the sweep's business
		case gate != "":
			d.ctx.Refuse(ruleInternalCopy, in, gate)
		case why != "":
			d.ctx.Refuse(ruleInternalCopy, in, why)
		case d.ask(ruleInternalCopy, in):
			d.ctx.Edit().Change(r.apply)
			d.take(in)
		}
	}
}

func (d *dce) internal(e *access) bool {
	set := d.operand(e).Loc.Set
	return set.Kind == ir.Internal && set.Space == ir.Local
}

// redirection is the work of making the readers of a copy's destination read its source.
type redirection struct {
	*dce
	t       transfer
	shift   int64 // bytes from a place of the destination to the same place of the source
	readers []*access
}

// prepare finds the readers. It returns why they may not be redirected, "" if they may.
func (r *redirection) prepare() string {
	dst, src := r.operand(r.t.dst), r.operand(r.t.src)
	switch why := r.holdsTransfer(r.t); {
	case why != "":
		return why
	case r.familyOfAccess(r.t.dst).kept || r.familyOfAccess(r.t.src).kept:
		return "location that must stay"
	case r.aliases.Of(dst.Loc) == r.aliases.Of(src.Loc):
		return "source and destination may be one"
	case r.placed(r.t):
		return "placed: what lies there too may come between"
	case len(r.t.in.Pred) > 0:
		return "predicate"
	case dst.Symbolic() || src.Symbolic():
		return "the place depends on an axis"
	}
	to, from := dst.Walk(), src.Walk()
	if to.N > 0 || from.N > 0 {
		return "strided"
	}
	r.shift = from.Base - to.Base
	if why := r.findReaders(&to); why != "" || len(r.readers) == 0 {
		return why
	}
	return r.sourceStays()
}

// findReaders lists who reads the destination, which the copy writes at the bytes of the walk.
func (r *redirection) findReaders(copied *ir.Walk) string {
	lo, hi := copied.Extent()
	n := 0
	for i := r.familyOfAccess(r.t.dst).head; i != none; i = r.list[i].next {
		x := &r.list[i]
		if x == r.t.dst {
			continue
		}
		if n++; n > maxLook {
			return tooMany
		}
		o := r.operand(x)
		hull := o.Hull()
		from, to := hull.Extent()
		switch {
		case x.writes:
			return "the destination is written elsewhere too"
		case x.inst < r.t.in.ID:
			return "read before the copy"
		case r.blockOf[x.inst] != r.blockOf[r.t.in.ID]:
			return "accessed in several blocks"
		case from < lo || to > hi:
			return "read beyond what is copied"
		case r.shift%int64(o.DType.Size()) != 0:
			return "the source starts inside an element"
		}
		r.readers = append(r.readers, x)
	}
	return ""
}

// sourceStays tells why the source may not be what it was when a reader comes, "" if it is.
func (r *redirection) sourceStays() string {
	last := r.readers[len(r.readers)-1].inst
	edges := r.ctx.Program().Facts.Has(ir.Deps)
	n := 0
	for i := r.t.src.next; i != none; i = r.list[i].next {
		x := &r.list[i]
		if x.inst > last && !edges {
			break
		}
		if n++; n > maxLook {
			return tooMany
		}
		switch {
		case !x.writes || !r.touches(x, r.t.src):
		case x.inst > last:
			return "written again later, and edges order the program"
		default:
			return "the source is written before the last read"
		}
	}
	if edges && r.blocks[r.blockOf[r.t.in.ID]].inLoop {
		return "edges order the program's loops" // the next iteration may write to the source
	}
	return ""
}

// apply redirects the readers, which stand in program order, and moves them to the source's list of accesses.
func (r *redirection) apply() {
	src := r.operand(r.t.src).Loc
	from, to := r.familyOfAccess(r.t.dst), r.familyOfAccess(r.t.src)
	prev := r.t.src.index
	for _, x := range r.readers {
		o := r.operand(x)
		r.unlink(from, x.index)
		for next := r.list[prev].next; next != none && next < x.index; next = r.list[prev].next {
			prev = next
		}
		r.link(to, x.index, prev)
		prev = x.index
		o.Loc = src
		o.Off.C += r.shift / int64(o.DType.Size())
		if r.boxes != nil {
			r.boxes[x.index] = ir.Box{}
		}
	}
}
