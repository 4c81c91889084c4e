package passes

import (
	"slices"

	"birfuzz/ir"
)

// rowsNotHoisted are the opcodes that LICM's filter skips, by their numbers in the document: 27; 22 (3, AbstractCopy, is not in the dialect);
// 43, 46 and 105 by the bit mask. Beyond 105 nothing is a candidate.
var rowsNotHoisted = [...]string{"TensorReduce", "Save", "IndirectLoad", "IndirectSaveAccumulate", "Loop"}

// loopDefs is what a loop does, all its trips and what is nested in it together.
type loopDefs struct {
	touches *loopTouches
	core    int
	loop    *ir.Inst
	depth   int           // loops around the loop
	why     string        // why nothing may leave the loop, "" if something may
	defined map[int32]int // by family: how many in the loop write to it; the document's in-loop-def set
	stores  map[int32][]*touch
	at      map[int32]int // by instruction ID: position in the loop, of what has not left it
}

// newLoopDefs looks at a loop. around are the loops around it, outermost first.
func newLoopDefs(t *loopTouches, core int, l *ir.Inst, around []*ir.Inst) *loopDefs {
	d := &loopDefs{touches: t, core: core, loop: l, depth: len(around), defined: map[int32]int{}, stores: map[int32][]*touch{}, at: map[int32]int{}}
	nest := append(slices.Clip(around), l)
	switch {
	case slices.ContainsFunc(nest, func(in *ir.Inst) bool { return in.Loop.Trips() == 0 }):
		d.why = hoistTrips
	case len(l.Pred) > 0:
		d.why = hoistGuarded
	case l.Loop.NoReorder:
		d.why = hoistPinned
	default:
		d.enter(l.Loop.Blocks, nest)
	}
	return d
}

// enter notes what the instructions of blocks in the loop do. A loop without trips has no instances.
func (d *loopDefs) enter(bs []*ir.Block, nest []*ir.Inst) {
	for _, b := range bs {
		for _, in := range b.Insts {
			d.at[in.ID] = len(d.at)
			switch {
			case in.Spec().Ends:
				d.why = hoistHalt
			case in.Loop == nil:
				d.define(in, 1)
				ts := d.touches.of(in, d.core, nest)
				for i := range ts {
					d.stores[ts[i].store] = append(d.stores[ts[i].store], &ts[i])
				}
			case in.Loop.Trips() > 0:
				d.enter(in.Loop.Blocks, append(slices.Clip(nest), in))
			default: // edges lead there all the same
				for sub := range in.Loop.Insts {
					d.at[sub.ID] = len(d.at)
				}
			}
		}
	}
}

// define counts the definitions of an instruction n times.
func (d *loopDefs) define(in *ir.Inst, n int) {
	for _, o := range in.Outs() {
		if o.Loc != nil {
			d.defined[d.family(o.Loc)] += n
		}
	}
}

// family returns the ID that stands for all locations that are one storage with l.
func (d *loopDefs) family(l *ir.Loc) int32 { return d.touches.atlas.aliases.Of(l) }

// leave takes an instruction, which has been hoisted, out of what the loop does.
func (d *loopDefs) leave(in *ir.Inst) {
	delete(d.at, in.ID)
	d.define(in, -1)
}

// forbids tells why an instruction that stands directly in the loop must stay in it; "" if it may run once, before the loop.
func (d *loopDefs) forbids(in *ir.Inst) string {
	if d.why != "" {
		return d.why
	}
	if why := d.moves(in); why != "" {
		return why
	}
	if why := notHoisted(in); why != "" {
		return why
	}
	if d.bound(in) {
		return hoistEdge
	}
	for _, o := range in.Ins() {
		if o.IsAP() && d.defined[d.family(o.Loc)] > 0 {
			return hoistDefined
		}
	}
	return d.conflict(in)
}

// moves tells why the instruction is not the same in all trips; "" if it is.
func (d *loopDefs) moves(in *ir.Inst) string {
	on := func(a *ir.Affine) bool { return uses(a, d.loop.Loop) }
	switch {
	case slices.ContainsFunc(in.Order, func(a ir.Affine) bool { return on(&a) }):
		return hoistOrder
	case slices.ContainsFunc(in.Pred, func(p ir.Predicate) bool { return on(&p.Expr) }):
		return hoistPredicate
	case slices.ContainsFunc(in.Args, func(o ir.Operand) bool { return on(&o.Off) }):
		return hoistAxis
	}
	return ""
}

// notHoisted asks of the instruction itself: the opcode filter and the operand kinds of the document, that it does nothing but overwrite its
// outputs, and that nobody touches its operands whom the program does not show.
func notHoisted(in *ir.Inst) string {
	switch {
	case slices.Contains(rowsNotHoisted[:], in.Spec().JSON):
		return hoistFiltered
	case in.WritesAcc():
		return hoistCommand
	case in.HasEffect():
		return hoistEffect
	case in.NOut == 0:
		return hoistResult
	case slices.ContainsFunc(in.Args, func(o ir.Operand) bool { return o.Kind == ir.RegOperand }):
		return hoistKind
	case in.Spec().WriteMode(in) != ir.Overwrites:
		return hoistAdds
	case slices.ContainsFunc(in.Args, func(o ir.Operand) bool { return o.Loc != nil && foreignLoc(o.Loc) }):
		return hoistForeign
	}
	return ""
}

// bound tells whether an edge of in says that it waits for something in the loop. One to an earlier trip does not count where it says only that
// who read the output then, behind in, has done so before it is written again: it will not be.
func (d *loopDefs) bound(in *ir.Inst) bool {
	holds := func(on *ir.Inst) bool {
		_, ok := d.at[on.ID]
		return ok || on == d.loop
	}
	return slices.ContainsFunc(in.Deps, func(e ir.Dep) bool { return holds(e.On) }) ||
		slices.ContainsFunc(in.LoopDeps, func(e ir.LoopDep) bool {
			again := e.On == in || e.Kind == ir.Anti && d.at[e.On.ID] > d.at[in.ID]
			return holds(e.On) && !again
		})
}

// conflict asks, byte by byte and whatever the trips are, whether anybody else in the loop has to do with what the instruction touches. Who
// stands behind it may read what it has written, and where the loop has one trip only, may do anything.
func (d *loopDefs) conflict(in *ir.Inst) string {
	ts := d.touches.known[in]
	once, looked := d.loop.Loop.Trips() == 1, 0
	for i := range ts {
		t := &ts[i]
		for _, e := range d.stores[t.store] {
			at, here := d.at[e.inst]
			self, behind := e.inst == in.ID, at > d.at[in.ID]
			if !here || !e.writes && !t.writes || self && (once || e.writes == t.writes) || behind && (once || !e.writes) {
				continue
			}
			if looked++; looked > maxLook {
				return tooMany
			}
			if e.box.Meets(&t.box) && conflictHere(e, t, d.depth, d.touches.nodes) {
				return conflictWhy(e, t)
			}
		}
	}
	return ""
}

// conflictWhy says what the touch e of another has to do with t.
func conflictWhy(e, t *touch) string {
	switch {
	case e.loc == nil && !e.hidden:
		return hoistFence
	case !t.writes:
		return hoistOverlap
	case e.writes:
		return hoistWritten
	}
	return hoistRead
}
