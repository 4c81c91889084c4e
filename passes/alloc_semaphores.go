package passes

import "birfuzz/ir"

var (
	ruleSemaAssign = &Rule{
		Name: "sema.assign", Must: true,
		Doc: "Gives every virtual semaphore one of the machine's, for the stretch between two resets in which it counts. Where there are too few of them the pass changes nothing. " +
			"Asked once, for the whole program.",
	}
	ruleSemaReuse = &Rule{
		Name: "sema.reuse",
		Doc: "Gives it one that another one of the stretch has had, if that is at rest: the last instruction that raises the older is complete before the first that raises the newer. " +
			"The newer counts on from what the older has come to.",
	}
)

// allocSemaphores is L22 of the tail that every level runs (walrus.md §3.7).
//
// The documents name the pass and its ceiling. Ours takes the virtual semaphores of a stretch in the order in which they are first raised. All
// start at 0 in each stretch, so a number that one stretch has used is free in the next. Within a stretch a number may be used again for a
// semaphore whose first update comes, in every schedule, after the last of the older one: when anybody raises the newer, the older stands at its
// total a, so that its waits, all for at most a, hold for good and mean what they meant; and as it never adds more than a, a number that has
// come to a+v says that the newer has come to v. Both need that each semaphore is raised in one lane, where updates come one after the other;
// one that is not gets a number to itself.
//
// A program whose semaphores are the machine's already is not looked at (needs Virtual).
func allocSemaphores() Pass {
	return Pass{
		Name:     "alloc_semaphores",
		Doc:      "Gives virtual semaphores numbers of the machine.",
		Rules:    []*Rule{ruleSemaAssign, ruleSemaReuse},
		Knobs:    []Knob{{Name: "NumSemaphores", Doc: "how many semaphores a core has", Value: ir.NumSemaphores, Worth: [2]int64{1, ir.NumSemaphores}}},
		Contract: ir.Contract{Needs: ir.Synced | ir.Virtual, Drops: ir.Virtual, Order: ir.OrderSame, Same: everyLaw()},
		Run:      runAllocSemaphores,
	}
}

// noSemaphore is why a program keeps its virtual semaphores.
const noSemaphore = "more semaphores than a core has"

func runAllocSemaphores(c *Ctx) error {
	var all []*semaScan
	for _, f := range c.Program().Cores {
		list, why := stretches(f, c.Program().Arch)
		for _, insts := range list {
			s := newSemaScan(c, insts)
			if all = append(all, s); s.leaks {
				why = "a semaphore is raised where all are set back"
			}
		}
		if why == "" && idleSemaphores(f.Blocks, false) {
			why = "semaphores in a loop without trips"
		}
		if why != "" {
			c.Refuse(ruleSemaAssign, nil, why)
			c.Decline(why)
			return nil
		}
	}
	used := false
	for _, s := range all {
		used = used || len(s.virtual) > 0
		if !s.assign(func(*ir.Inst) bool { return true }) {
			c.Refuse(ruleSemaAssign, s.insts[0], noSemaphore)
			c.Decline(noSemaphore)
			return nil
		}
	}
	if !used || !c.Allow(ruleSemaAssign, nil) {
		return nil
	}
	for _, s := range all {
		s.choose()
		s.write()
	}
	return nil
}

// idleSemaphores tells whether there is sync_info that no stretch has: in a loop without trips. idle: the blocks stand in one.
func idleSemaphores(bs []*ir.Block, idle bool) bool {
	for _, b := range bs {
		for _, in := range b.Insts {
			if idle && in.HasSync() || in.Loop != nil && idleSemaphores(in.Loop.Blocks, idle || in.Loop.Trips() == 0) {
				return true
			}
		}
	}
	return false
}

// semaScan gives the semaphores of one stretch numbers.
type semaScan struct {
	ctx     *Ctx
	insts   []*ir.Inst
	virtual map[int64]*virtualSema
	owner   []*virtualSema // by number: who has it, or had it last
	leaks   bool           // a semaphore may not be at 0 when the next stretch begins
}

// virtualSema is a virtual semaphore in one stretch.
type virtualSema struct {
	lane    syncLane
	alone   bool    // it is raised in one lane
	raisers []int32 // the instructions that raise it, in order
	reaches []int64 // what it has come to with each
	number  int64   // of the machine's semaphore; noNumber: not given yet
	base    int64   // what that stands at when this one begins to count
}

const noNumber = -1

func newSemaScan(c *Ctx, insts []*ir.Inst) *semaScan {
	s := &semaScan{ctx: c, insts: insts, virtual: map[int64]*virtualSema{}}
	arch := c.Program().Arch
	for i, in := range insts {
		s.leaks = s.leaks || len(in.Update) > 0 && (joins(in) || in.Spec().Resets)
		for _, u := range in.Update {
			v := s.of(u.ID)
			lane := syncLaneOf(in, arch)
			if len(v.raisers) == 0 {
				v.lane, v.alone = lane, true
			}
			v.alone = v.alone && v.lane == lane
			v.raisers, v.reaches = append(v.raisers, int32(i)), append(v.reaches, v.total()+u.Value)
		}
		for _, w := range in.Wait {
			s.of(w.ID)
		}
	}
	return s
}

func (s *semaScan) of(id int64) *virtualSema {
	v := s.virtual[id]
	if v == nil {
		v = &virtualSema{}
		s.virtual[id] = v
	}
	return v
}

// total returns what the semaphore has come to so far.
func (v *virtualSema) total() int64 {
	if n := len(v.reaches); n > 0 {
		return v.reaches[n-1]
	}
	return 0
}

// choose numbers the semaphores again, and asks wherever one is to be used again. Where what is refused would need more than there are, nothing is.
func (s *semaScan) choose() {
	if !s.assign(func(at *ir.Inst) bool { return s.ctx.Allow(ruleSemaReuse, at) }) {
		s.assign(func(*ir.Inst) bool { return true })
	}
}

// assign goes through the stretch and gives every semaphore that it meets a number; false if there are too few. reuse says whether one that is
// at rest may be used again by an instruction.
func (s *semaScan) assign(reuse func(at *ir.Inst) bool) bool {
	s.owner = s.owner[:0]
	for _, v := range s.virtual {
		v.number, v.base = noNumber, 0
	}
	o := newWaitOrder(s.insts, s.ctx.Program().Arch)
	for i, in := range s.insts {
		o.enter()
		for _, w := range in.Wait {
			if j := s.virtual[w.ID].reached(w.Value); j >= 0 && int(j) < i {
				o.wait(int(j))
			}
		}
		for _, list := range [2][]ir.Sem{in.Wait, in.Update} {
			for _, x := range list {
				if v := s.virtual[x.ID]; v.number == noNumber && !s.give(v, i, o, reuse) {
					return false
				}
			}
		}
		o.leave()
	}
	return true
}

// reached returns the instruction with which the semaphore comes to a value, if that says that it is complete; −1 if not.
func (v *virtualSema) reached(value int64) int32 {
	if !v.alone || value <= 0 {
		return none
	}
	for k, n := range v.reaches {
		if n >= value {
			return v.raisers[k]
		}
	}
	return none
}

// give gives a semaphore, first met at place i, a number: one at rest, else a new one.
func (s *semaScan) give(v *virtualSema, i int, o *waitOrder, reuse func(at *ir.Inst) bool) bool {
	for n, u := range s.owner {
		if s.atRest(u, v, i, o) && reuse(s.insts[i]) {
			v.number, v.base = int64(n), u.base+u.total()
			s.owner[n] = v
			return true
		}
	}
	if int64(len(s.owner)) >= min(s.ctx.Knob("NumSemaphores"), ir.NumSemaphores) {
		return false
	}
	v.number = int64(len(s.owner))
	s.owner = append(s.owner, v)
	return true
}

// atRest tells whether u is never raised again once v, which instruction i is the first to raise, begins to count, and has room for what v adds.
func (s *semaScan) atRest(u, v *virtualSema, i int, o *waitOrder) bool {
	if !u.alone || !v.alone || int(v.raisers[0]) != i || len(u.raisers) == 0 || u.base+u.total()+v.total() > ir.MaxSemValue {
		return false
	}
	last := int(u.raisers[len(u.raisers)-1])
	return last < i && o.has(last)
}

// write renames the semaphores of the stretch.
func (s *semaScan) write() {
	if len(s.virtual) == 0 {
		return
	}
	s.ctx.Edit().Change(func() {
		for _, in := range s.insts {
			for k := range in.Wait {
				w := &in.Wait[k]
				v := s.virtual[w.ID]
				if w.ID = v.number; w.Value > 0 { // what waits for 0 does not wait, and must not begin to
					w.Value += v.base
				}
			}
			for k := range in.Update {
				in.Update[k].ID = s.virtual[in.Update[k].ID].number
			}
		}
	})
}
