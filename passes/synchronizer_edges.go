package passes

import (
	"slices"

	"birfuzz/ir"
)

// syncEdges says what must be complete before what begins, where both run in one iteration.
type syncEdges struct {
	before [][]int32 // by ID: the IDs of what must be complete before
	why    string    // not all is known; "" if it is
}

func newSyncEdges(p *ir.Program) *syncEdges {
	aliases := ir.NewFamilies(p)
	e := &syncEdges{before: make([][]int32, p.NumInsts())}
	for _, scope := range []depScope{byStorage, byMeetings} {
		d := newDependences(p, aliases, scope)
		if d.cut {
			e.why = d.incomplete
			return e
		}
		for _, x := range d.edges {
			if x.dist == nil {
				e.before[x.of] = append(e.before[x.of], x.on)
			}
		}
	}
	for in := range p.Insts {
		for _, d := range in.Deps {
			e.before[in.ID] = append(e.before[in.ID], d.On.ID)
		}
	}
	return e
}

// need fills in the nodes of a stretch. An edge between stretches is kept by what lies between them, and what the order of engines and queues, or
// a barrier, gives needs no semaphore.
func (s *syncStretch) need(e *syncEdges) {
	place := map[int32]int32{}
	s.nodes = make([]syncNode, len(s.insts))
	for i, in := range s.insts {
		n := &s.nodes[i]
		for _, id := range e.before[in.ID] {
			if j, ok := place[id]; ok {
				n.needs = append(n.needs, j)
				s.nodes[j].parts = s.nodes[j].parts || s.stuck(int(j))
			}
		}
		slices.Sort(n.needs)
		n.needs = slices.Compact(n.needs)
		place[in.ID] = int32(i)
	}
	o := newWaitOrder(s.insts, s.arch)
	for i := range s.nodes {
		n := &s.nodes[i]
		o.enter()
		n.needs = slices.DeleteFunc(n.needs, func(j int32) bool { return o.has(int(j)) })
		if n.halts = s.stuck(i) && len(n.needs) > 0; n.halts {
			n.needs = nil
			o.still()
		}
		o.leave()
		if n.parts {
			o.still()
		}
	}
}

// syncLane is whose instructions raise one semaphore of a stretch.
type syncLane struct {
	by       sequencer
	transfer bool
	queue    string
	maybe    bool // transfers under predicates: Drains behind them raise it
}

func syncLaneOf(in *ir.Inst, arch ir.Arch) syncLane {
	l := syncLane{by: sequencerOf(in)}
	if in.Transfers(arch) {
		l.transfer, l.queue, l.maybe = true, in.Queue, len(in.Pred) > 0
	}
	return l
}

// semaphores returns how many the stretch has at most: one a lane, and one a carrier of what has no engine.
func (s *syncStretch) semaphores() int {
	lanes, carriers := map[syncLane]bool{}, 0
	for i, in := range s.insts {
		lanes[syncLaneOf(in, s.arch)] = true
		if in.Engine == ir.Unassigned {
			carriers += len(s.nodes[i].needs)
		}
	}
	return len(lanes) + carriers
}
