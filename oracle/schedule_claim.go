package oracle

import (
	"fmt"
	"slices"

	"birfuzz/ir"
)

// claim is one access of one instance to one store: a set of locations that share bytes, an accumulator, or what stands for fences.
type claim struct {
	by     int32 // the instance, as a position in its trace
	next   int32 // the claim on the store before it that still matters; none
	store  int32
	writes bool
	fence  bool    // a fence, or an access to visible memory as a fence sees it
	dense  bool    // every byte of box
	loc    *ir.Loc // nil: no location
	box    box     // what the walk lies in
	walk   ir.Walk // in the addresses of the store
}

// rowSpan is the distance between rows of on-chip memory in the addresses of an ir.Walk; no row is longer.
const rowSpan = int64(1) << 20

// claimList is what the instances of a core touch. Kept for comparison is only what matters: a write ends the claims that it covers, for
// whoever meets one of those meets the write too, and the write waits for it.
type claimList struct {
	atlas   *atlas
	owed    owed
	arch    ir.Arch
	shards  bool
	cores   int
	core    int
	visible []bool  // by location: its bytes, or those of an alias, can be seen from outside
	list    []claim // of all instances so far
	last    []int32 // by store: its latest claim; none
	left    int64   // what comparing may still cost; below 0: the program is given up
}

// open begins with a program, whose locations lie as the atlas says.
func (l *claimList) open(a *atlas, p *ir.Program, cores int, o owed) {
	l.atlas, l.owed, l.arch, l.shards, l.cores = a, o, p.Arch, cores > len(p.Cores), cores
	n := len(a.locations)
	l.visible = slices.Grow(l.visible[:0], n)[:n]
	clear(l.visible)
	for i := range a.locations {
		if a.locations[i].loc.Visible() {
			l.visible[a.class.root(int32(i))] = true
		}
	}
}

// reset begins with a core.
func (l *claimList) reset(core int) {
	l.core, l.list, l.left = core, l.list[:0], maxMeetings
	n := len(l.atlas.locations) + l.cores*(int(ir.NumEngines)+1)
	l.last = slices.Grow(l.last[:0], n)[:n]
	for i := range l.last {
		l.last[i] = none
	}
}

// accStore returns the store of the accumulator of an engine of the core. Memory has the stores before it, by the root of its group.
func (l *claimList) accStore(e ir.Engine) int32 {
	return int32(len(l.atlas.locations)+l.core*(int(ir.NumEngines)+1)) + int32(e)
}

// fenceStore returns the store in which fences of the core meet what they order.
func (l *claimList) fenceStore() int32 { return l.accStore(ir.NumEngines) }

// sees tells whether an instance touches visible memory.
func (l *claimList) sees(in *ir.Inst) bool {
	for i := range in.Args {
		if k := l.atlas.find(in.Args[i].Loc, l.core, l.shards); k >= 0 && l.visible[l.atlas.class.root(k)] {
			return true
		}
	}
	return false
}

// ordering tells whether i waits for j, which came before it.
type ordering interface{ has(i, j int32) bool }

// next takes up instance i, and returns the first two claims that meet though p does not order them; nil if there are none.
func (l *claimList) next(i int32, x *instance, sees bool, p ordering) (e, u *claim) {
	first := len(l.list)
	if l.owed.bytes {
		l.bytes(i, x)
	}
	if fence := x.in.Spec().Effect.Fence(); l.owed.fences && (fence || sees) {
		l.add(claim{by: i, store: l.fenceStore(), writes: fence, fence: true, walk: ir.Walk{Run: 1}}, false)
	}
	return l.settle(first, p)
}

// settle compares the claims from first on with the earlier ones, as next does, and enters them.
func (l *claimList) settle(first int, p ordering) (e, u *claim) {
	for k := first; k < len(l.list); k++ {
		if e := l.meets(&l.list[k], p); e != nil {
			return e, &l.list[k]
		}
	}
	for k := first; k < len(l.list); k++ {
		l.enter(int32(k))
	}
	return nil, nil
}

// meets returns an earlier claim that u conflicts with and that its instance does not wait for; nil if there is none.
func (l *claimList) meets(u *claim, p ordering) *claim {
	for k := l.last[u.store]; k != none && l.left >= 0; k = l.list[k].next {
		e := &l.list[k]
		l.left--
		if (e.writes || u.writes) && !p.has(u.by, e.by) && l.shares(e, u) {
			return e
		}
	}
	return nil
}

// shares tells, exactly, whether two claims of a store have a byte in common.
func (l *claimList) shares(e, u *claim) bool {
	if !e.box.meets(&u.box) {
		return false
	}
	if e.dense && u.dense {
		return true
	}
	if l.left -= min(e.walk.Bytes()/e.walk.Run, u.walk.Bytes()/u.walk.Run); l.left < 0 {
		return false
	}
	return e.walk.Overlaps(&u.walk)
}

// enter makes a claim one of those to compare with, in the place of what it covers.
func (l *claimList) enter(k int32) {
	u := &l.list[k]
	if u.writes {
		at := &l.last[u.store]
		for *at != none {
			if e := &l.list[*at]; u.covers(e) {
				*at = e.next
			} else {
				at = &e.next
			}
		}
	}
	u.next, l.last[u.store] = l.last[u.store], k
}

// covers tells whether u surely has every byte of e.
func (u *claim) covers(e *claim) bool {
	return u.dense && u.box.holds(&e.box) || u.walk == e.walk
}

func (b *box) meets(c *box) bool {
	return b.row < c.rowEnd && c.row < b.rowEnd && b.col < c.colEnd && c.col < b.colEnd
}

func (b *box) holds(c *box) bool {
	return b.row <= c.row && c.rowEnd <= b.rowEnd && b.col <= c.col && c.colEnd <= b.colEnd
}

// bytes adds what an instance reads and writes.
func (l *claimList) bytes(i int32, x *instance) {
	in, log := x.in, x.in.Int(ir.PZeroRegion)
	for k := range in.Args {
		o, first := &in.Args[k], len(l.list)
		if o.Loc == nil {
			continue
		}
		l.operand(o, x, claim{by: i, writes: k < int(in.NOut), loc: o.Loc})
		if k < int(in.NOut) && log >= 0 && in.Flag(ir.PStart) && o.Loc.Type == ir.PSUM && len(l.list) > first {
			l.region(l.list[first], log)
		}
	}
	if (in.ReadsAcc() || in.WritesAcc()) && in.NOut > 0 {
		l.add(claim{by: i, store: l.accStore(accEngine(in, l.arch)), writes: in.WritesAcc(), walk: ir.Walk{Run: in.Args[0].Lanes()}}, false)
	}
}

// operand adds an access to a location. One that is not what an access can be is a fault of the run, and nothing to order.
func (l *claimList) operand(o *ir.Operand, x *instance, t claim) {
	k := l.atlas.find(o.Loc, l.core, l.shards)
	if k < 0 {
		return
	}
	t.store = l.atlas.group.root(k)
	if o.Kind == ir.RegOperand {
		t.walk.Run = 4
		l.add(t, false)
		return
	}
	off := o.Off.Eval(x)
	if o.Kind != ir.APOperand || !inside(o, off) {
		return
	}
	t.walk = o.WalkAt(off)
	_, base := ir.StorageOf(o.Loc)
	b := &l.atlas.boxes[k]
	t.walk.Base += b.row*rowSpan + b.col - base
	t.walk.Space = ir.Space{}
	l.add(t, o.Loc.Type.OnChip())
}

// inside tells whether an access from element off on stays in its location, so that its addresses mean something.
func inside(o *ir.Operand, off int64) bool {
	size, reach := int64(o.DType.Size()), off
	if size == 0 || off < 0 || o.N == 0 || int(o.N) > ir.MaxPairs || o.Loc.Type.OnChip() && o.Loc.RowBytes > rowSpan {
		return false
	}
	for _, p := range o.Pairs() {
		if p.Num <= 0 || p.Step < 0 {
			return false
		}
		reach += int64(p.Step) * int64(p.Num-1)
		if reach >= maxAddress {
			return false
		}
	}
	return (reach+1)*size <= o.Loc.Bytes()
}

// add completes a claim and appends it. rows: its addresses are those of memory in rows.
func (l *claimList) add(t claim, rows bool) {
	w := &t.walk
	if t.box = (box{0, 1, w.Base, w.Base + w.Run}); rows {
		row, col := w.Base/rowSpan, w.Base%rowSpan
		t.box = box{row, row + 1, col, col + w.Run}
	}
	t.dense = true
	for _, v := range w.Levels[:w.N] {
		if v.Step == 0 {
			continue
		}
		if far := v.Step * (v.Num - 1); rows && v.Step%rowSpan == 0 {
			t.box.rowEnd += far / rowSpan
			t.dense = t.dense && v.Step <= rowSpan
		} else {
			t.box.colEnd += far
			t.dense = false
		}
	}
	l.list = append(l.list, t)
}

// region adds what a matmul that starts clears beside its output: the 2^log banks around it, in the same partitions, in every store that has
// bytes there (semantics §4). What is not placed has its own rows alone, and begins with a bank (see Machine.clearRegion).
func (l *claimList) region(out claim, log int64) {
	b := out.box
	b.col = out.box.col / ir.PSUMBankBytes >> log << log * ir.PSUMBankBytes
	b.colEnd = ((out.box.colEnd-1)/ir.PSUMBankBytes>>log + 1) << log * ir.PSUMBankBytes
	if !out.loc.Allocated {
		b.colEnd = min(b.colEnd, out.loc.RowBytes)
	}
	t := claim{by: out.by, store: out.store, writes: true, loc: out.loc}
	t.walk = ir.Walk{Base: b.row*rowSpan + b.col, Run: b.colEnd - b.col, N: 1, Levels: [ir.MaxPairs]ir.Level{{Step: rowSpan, Num: b.rowEnd - b.row}}}
	if !out.loc.Allocated {
		l.add(t, true)
		return
	}
	first, space := len(l.list), spaceOf(out.loc, l.core)
	for i := range l.atlas.marks {
		m := &l.atlas.marks[i]
		if m.space != space || !m.meets(&b) {
			continue
		}
		t.store = l.atlas.group.root(m.loc)
		if !slices.ContainsFunc(l.list[first:], func(u claim) bool { return u.store == t.store }) {
			l.add(t, true)
		}
	}
}

// share says what two claims have in common.
func (l *claimList) share(e, u *claim) string {
	verb := func(t *claim) string {
		if t.writes {
			return "writes"
		}
		return "reads"
	}
	switch {
	case e.fence:
		return "fences keep the order of accesses to visible memory"
	case e.loc == nil:
		return fmt.Sprintf("this one %s the accumulator that that one %s", verb(u), verb(e))
	case e.loc == u.loc:
		return fmt.Sprintf("this one %s bytes of %q that that one %s", verb(u), u.loc.Name, verb(e))
	}
	return fmt.Sprintf("this one %s bytes of %q that that one %s as %q", verb(u), u.loc.Name, verb(e), e.loc.Name)
}
