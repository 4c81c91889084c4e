package passes

import (
	"cmp"
	"math"
	"slices"

	"birfuzz/ir"
)

var (
	ruleScanPlace = &Rule{
		Name: "lsa.place", Must: true,
		Doc: "Gives an unallocated SB or PSUM location the best-fit rectangle of partitions and bytes (in PSUM: banks) that nobody else holds while it lives. " +
			"A location that several cores may reach lives throughout. What fits nowhere stays unallocated, and the pass does not give Placed.",
	}
	ruleScanSpill = &Rule{
		Name: "lsa.spill", Must: true,
		Doc: "Where a location finds no room, the one whose life ends last goes to spill storage: SB to DRAM by Save and Load, PSUM to SB by TensorCopy pairs. " +
			"Every instruction that touches it then gets a location of its own, reloaded before and saved after it. Never what was allocated before, what another core may reach, " +
			"or a member of an accumulation group that is grouped already.",
	}
)

// sbAllocated is the function attribute (number 10) that says that on-chip locations have their places; the late non_ssa_legalization and
// dead_code_elim ask for it.
const sbAllocated = "sb_allocated"

// linearScanAllocator is order 40 of levels 1–3 (with --allocator=lsa), and stands in levels 0 and 8 (walrus.md §3.2, §5).
//
// The documents name the scheme: expire what is dead, place by best fit in two dimensions, spill whose life ends last. Ours: lifetimes are
// flat stretches over loops (lifetimes), PSUM is allocated first since its spills live in SB, and a spill is everywhere: each instruction that
// touches the victim works on a piece of its own, so that a scan of the new program has less to hold at every position. Scans repeat until
// nothing is spilled; pieces are never spilled, so that ends. That is sound because nothing but storage changes: an instruction reads its
// piece with the bytes, defined or not, that the victim had, and lifetimes that overlap never share a byte.
//
// New neighbours in memory are new conflicts: Deps is dropped, and the edges come from anti_dependency_analyzer (76). A program that
// semaphores order already (Synced) keeps no one apart in the new places; it is declined. The pass is idempotent only where all found room: a
// second run spills the pieces of the first.
func linearScanAllocator() Pass {
	return Pass{
		Name:  "linear_scan_allocator",
		Doc:   "Gives every SB and PSUM location its place by a linear scan over lifetimes, and spills what does not fit.",
		Order: 40,
		Rules: []*Rule{ruleScanPlace, ruleScanSpill},
		Contract: ir.Contract{
			Gives: ir.Placed, Drops: ir.Deps, Order: ir.OrderInsertMoves,
			Same:       []ir.Law{ir.KeepEngine, ir.KeepQueue, ir.KeepOrder, ir.KeepPredicates, ir.KeepFlags, ir.KeepPlaced, ir.KeepLoops, ir.KeepAttributes},
			Attributes: []string{sbAllocated},
		},
		Run: runLinearScan,
	}
}

func runLinearScan(c *Ctx) error {
	if semaphores(c.Program()) {
		c.Decline(againstSemaphores)
		return nil
	}
	for _, f := range c.Program().Cores {
		s := scan{ctx: c, fn: f, names: newNameSet(c), settled: map[*ir.Loc]bool{}}
		for _, t := range []ir.MemType{ir.PSUM, ir.SB} {
			s.memory(t)
		}
	}
	return nil
}

// scan allocates one function.
type scan struct {
	ctx     *Ctx
	fn      *ir.Func
	names   *nameSet
	settled map[*ir.Loc]bool // never spilled: pieces of spilled locations, and what may not be
}

// memory allocates the locations of one memory: it scans, spills and scans again until nothing is left to spill, then gives the places.
func (s *scan) memory(t ir.MemType) {
	for {
		s.ctx.Program().Number()
		w := s.walk(t)
		if len(w.victims) == 0 {
			w.give()
			return
		}
		for _, v := range w.victims {
			if s.ctx.Allow(ruleScanSpill, v.users[0]) {
				s.spill(v)
			} else {
				s.settled[v.loc] = true
			}
		}
	}
}

// scanWalk is one linear scan over one memory of a function.
type scanWalk struct {
	*scan
	mem     memory
	placed  []*resident
	victims []*lifetime
	crowded []*lifetime // nothing could be spilled for them
}

func (s *scan) walk(t ir.MemType) *scanWalk {
	w := &scanWalk{scan: s, mem: memory{bytes: s.ctx.Program().Arch.SBUFBytes()}}
	if t == ir.PSUM {
		w.mem.bytes = ir.PSUMBanks * ir.PSUMBankBytes
	}
	var todo []*lifetime
	for _, x := range lifetimes(s.fn) {
		switch {
		case x.loc.Type != t:
		case x.loc.Allocated: // holds its place throughout: others may know it
			w.mem.live = append(w.mem.live, &resident{always(x), x.held()})
		case heldThroughout(x.loc):
			todo = append(todo, always(x))
		default:
			todo = append(todo, x)
		}
	}
	slices.SortStableFunc(todo, func(a, b *lifetime) int { return cmp.Compare(a.from, b.from) })
	for _, x := range todo {
		w.place(x)
	}
	return w
}

// place gives x the best place, taking it from those whose lives end last while there is none.
func (w *scanWalk) place(x *lifetime) {
	n := needOf(x)
	w.mem.expire(x.from)
	for {
		if at, ok := w.mem.bestFit(n); ok {
			r := &resident{x, at}
			w.mem.live, w.placed = append(w.mem.live, r), append(w.placed, r)
			return
		}
		v := w.victim(x)
		if v == nil {
			w.crowded = append(w.crowded, x)
			return
		}
		w.victims = append(w.victims, v)
		if v == x {
			return
		}
		w.mem.live = slices.DeleteFunc(w.mem.live, func(r *resident) bool { return r.life == v })
	}
}

// victim returns whose life ends last among x and those that live with it and may be spilled; nil if there is none.
func (w *scanWalk) victim(x *lifetime) *lifetime {
	var v *lifetime
	consider := func(t *lifetime) {
		if w.spillable(t) && (v == nil || t.to > v.to) {
			v = t
		}
	}
	consider(x)
	for _, r := range w.mem.live {
		consider(r.life)
	}
	return v
}

func (s *scan) spillable(t *lifetime) bool {
	grouped := t.loc.Type == ir.PSUM && s.ctx.Program().Facts.Has(ir.Grouped)
	return !s.settled[t.loc] && !t.loc.Allocated && t.from < t.to && !heldThroughout(t.loc) && !grouped
}

// give writes the places down.
func (w *scanWalk) give() {
	placed := 0
	for _, r := range w.placed {
		var at *ir.Inst
		if !r.life.unused() {
			at = r.life.users[0]
		}
		if w.ctx.Allow(ruleScanPlace, at) {
			w.ctx.Edit().Change(r.assign)
			placed++
		}
	}
	for _, x := range w.crowded {
		w.ctx.Refuse(ruleScanPlace, nil, "no room, and nothing left to spill")
		w.ctx.Decline("no room for " + x.loc.Name)
	}
	if whole := len(w.crowded) == 0 && placed == len(w.placed); whole && placed > 0 && !w.fn.HasAttr(sbAllocated) && w.all(ir.SB) {
		w.ctx.Edit().Change(func() { w.fn.Attrs = append(w.fn.Attrs, sbAllocated) })
	}
}

// all tells whether every location of a memory has its place.
func (s *scan) all(t ir.MemType) bool {
	for l := range s.fn.Locs {
		if l.Type == t && !l.Allocated {
			return false
		}
	}
	return true
}

// always is a lifetime over the whole function.
func always(x *lifetime) *lifetime {
	return &lifetime{loc: x.loc, from: math.MinInt32, to: math.MaxInt32, users: x.users}
}

// heldThroughout tells whether a location keeps its storage all the time and is never spilled: others may look there, or its place is pinned.
func heldThroughout(l *ir.Loc) bool { return l.Pinned || foreignLoc(l) }
