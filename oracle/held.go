package oracle

import "birfuzz/ir"

// roster lists the parts of the prepared program that its code points to, in program order.
type roster struct {
	insts []*ir.Inst
	locs  []*ir.Loc
}

// call writes the roster of p.
func (r *roster) call(p *ir.Program) {
	r.insts, r.locs = r.insts[:0], r.locs[:0]
	for _, f := range p.Cores {
		for in := range f.Insts {
			r.insts = append(r.insts, in)
		}
		for l := range f.Locs {
			r.locs = append(r.locs, l)
		}
	}
}

// holds tells whether the parts of p are the ones of the roster, in their order. A pass may put equal parts in the place of others and use
// those for something else: the content of p does not tell that, but the code would run them.
func (r *roster) holds(p *ir.Program) bool {
	i, l := 0, 0
	for _, f := range p.Cores {
		for in := range f.Insts {
			if i == len(r.insts) || r.insts[i] != in {
				return false
			}
			i++
		}
		for x := range f.Locs {
			if l == len(r.locs) || r.locs[l] != x {
				return false
			}
			l++
		}
	}
	return i == len(r.insts) && l == len(r.locs)
}

// lab is a machine and what it holds.
type lab struct {
	machine *Machine
	watch   *watcher     // of the machine's tracker
	cells   *cellTracker // the tracker, if it is of that grain
	elems   *elementTracker
	program *ir.Program // nil: nothing
	hash    uint64      // content of program when it was prepared
	joined  bool
	roster  roster
	err     error // of Prepare
}

func newLab(t tracker, w *watcher) *lab { return &lab{machine: newMachine(t), watch: w} }

func newElementLab() *lab {
	t := &elementTracker{}
	b := newLab(t, &t.watcher)
	b.elems = t
	return b
}

func newCellLab() *lab {
	t := &cellTracker{}
	b := newLab(t, &t.watcher)
	b.cells = t
	return b
}

// follow has the runs to come, of cell grain, enter what they do into a ledger, or replay what stands in it.
func (b *lab) follow(k *ledger, replay bool) {
	b.cells.known, b.cells.replay, b.cells.lost = k, replay, false
	if b.machine.replay = nil; replay {
		b.machine.replay = b.cells
	}
}

// prepare has the machine hold p, whose content has that hash. What it holds already is not compiled again: passes change programs in place,
// so the pointer alone tells nothing.
func (b *lab) prepare(p *ir.Program, hash uint64, l Layout) error {
	if b.program == p && b.hash == hash && b.joined == l.Joined && b.roster.holds(p) {
		return b.err
	}
	b.program, b.hash, b.joined = p, hash, l.Joined
	b.roster.call(p)
	b.err = b.machine.Prepare(p, l)
	return b.err
}

// run runs the program that the lab holds, and fills the outcome that it observes.
func (b *lab) run(in ir.Values, w Way, o *outcome) error {
	got, err := b.machine.Run(in, w)
	if err != nil {
		return err
	}
	o.inProgramOrder(b.machine)
	o.steps, o.limited = got.Steps, got.Limited
	if o.room(); o.crowded {
		return nil
	}
	if got.Fault != nil {
		o.faulted, o.fault = true, *got.Fault
		b.watch.stopAt(got.Fault)
	} else if !got.Limited {
		b.watch.finish()
	}
	return nil
}
