package passes

import (
	"fmt"
	"slices"

	"birfuzz/ir"
)

var (
	ruleSchedFlow = &Rule{
		Name: "presched.erase-flow", Must: true,
		Doc: "Takes the Flow edges out of the program (erase_flow_dependencies): whoever schedules or synchronises later draws its own. An edge of another kind to the same instruction stays. " +
			"Asked first: where it is refused nothing else is done.",
	}
	ruleSchedLocations = &Rule{
		Name: "presched.location-order",
		Doc: "Gives the Internal locations of a function the order of stage A: each behind those that what is written to it depends on, host copies in DRAM first, then what lies on the longest path. " +
			"At level 1 the order is the declared one, as far as dependences allow.",
	}
	ruleSchedPlace = &Rule{
		Name: "presched.place",
		Doc: "Places the next instruction of a block: the one whose result comes first in the order of locations, then the one that reads fewer bytes, then program order; but behind all of " +
			"its block that it waits for, by bytes, fences and edges of any kind. A refusal leaves the rest of the block in its old order.",
	}
)

// preSched is order 33 of levels 1–3, twice in level 6, and in level 8 (walrus.md §4.3): the first scheduler, by dependences alone.
//
// The driver is the documents': the guard against no_reorder, the spill analysis, the clean-up, the flow dependences, stage A (locations),
// stage B (instructions), assert_no_cycles for each (before anything moves), the flow edges erased, sb_hwm logged. What stages A and B wait for are the dependences
// of this package; they are scaffolding and never written into the program. The vendor's stages read the flow edges that the driver has built,
// and anti and output edges of an anti_dependency_analyzer that stands much later in its lists; here all of them are at hand.
//
// Ours, where the documents give a name only: the LayerSpiller counts the victims of a linear scan (linear_scan_allocator's);
// split_far_live_ranges, remove_redundant_memsets, reduce_tensor_size, LoadCloning and early_sched_io are told at their rules and at locNode.class.
//
// A module with several functions is several cores, each the one function of the documents' assertion. Program order is no order in time in a
// program that semaphores order (Synced): it is declined. Deps is dropped: flow edges are gone, and a pair may have stood in one queue.
func preSched() Pass {
	return Pass{
		Name:  "pre_sched",
		Doc:   "Orders locations, then the instructions of every block, by dependences and memory pressure; drops the flow edges.",
		Order: 33,
		Rules: []*Rule{ruleSchedFlow, ruleSchedSplit, ruleSchedMemset, ruleDeadStore, ruleSsaLoad, ruleNoUser, ruleDeadLocation, ruleSchedReduce, ruleSchedClone, ruleSchedLocations, ruleSchedPlace},
		Knobs: []Knob{
			{Name: "max-spills", Doc: "Locations that a linear scan may spill before the pass does nothing", Value: 16, Worth: [2]int64{0, 16}},
			{Name: "far-live-range", Doc: "Instructions between two uses from which on the later one is far", Value: 8, Min: 1, Worth: [2]int64{1, 32}},
			{Name: "level", Doc: "1: keep the declared order of locations; 2: order them by depth", Value: 2, Min: 1, Max: 2},
		},
		Rests:    dependenceWriters(),
		Contract: ir.Contract{Drops: ir.Deps, Order: ir.OrderSchedule, Same: reduceLaws()},
		Run:      runPreSched,
	}
}

func runPreSched(c *Ctx) error {
	level := c.Knob("level")
	if level != 1 && level != 2 {
		return fmt.Errorf("level is %d, want 1 or 2 (NeuronAssertion 828)", level)
	}
	p := c.Program()
	if why := unschedulable(p); why != "" {
		c.Decline(why)
		return nil
	}
	victims := layerSpiller(c)
	if int64(len(victims)) > c.Knob("max-spills") {
		c.Decline("Too many spills, skip pre scheduling")
		return nil
	}
	e := newFlowEraser(p)
	if e.needed && !c.Allow(ruleSchedFlow, nil) {
		return nil
	}
	late := splitFarLiveRanges(c, victims)
	cleanUp(c)
	reduceTensorSize(c)
	if len(victims) == 0 {
		cloneLoads(c)
	}
	if err := schedule(c, level, late); err != nil {
		return err
	}
	e.erase(c)
	p.Number()
	for _, f := range p.Cores {
		c.Logf("sb_hwm=%d", highWaterMark(lifetimes(f), ir.SB))
	}
	c.Logf("DONE PRE scheduling")
	return nil
}

// unschedulable tells why nothing in the program may be moved, "" if it may.
func unschedulable(p *ir.Program) string {
	for in := range p.Insts {
		if in.Loop != nil && in.Loop.NoReorder {
			return "Skipping pre-scheduling as we detected no_reorder block"
		}
	}
	if semaphores(p) {
		return againstSemaphores
	}
	return ""
}

// schedule is run_pre_sched: stage A for each function, then stage B. late is as in newListScheduler.
func schedule(c *Ctx, level int64, late map[*ir.Inst]bool) error {
	c.Logf("build flow dependencies")
	p := c.Program()
	_, locs := p.Number()
	g, why := newSchedGraph(p)
	if g == nil {
		c.Refuse(ruleSchedPlace, nil, why)
		return nil
	}
	rank := make([]int32, locs)
	for _, f := range p.Cores {
		if err := orderLocations(c, f, g, level, rank); err != nil {
			return err
		}
	}
	s := newListScheduler(c, g, rank, late)
	if err := assertNoCycles(s.after, func(id int32) string { return g.places[id].inst.Name }); err != nil {
		return err
	}
	s.blocks()
	return nil
}

// orderLocations is stage A. It fills in the rank of the function's locations, by ID.
func orderLocations(c *Ctx, f *ir.Func, g *schedGraph, level int64, rank []int32) error {
	d := newLocDAG(f, g)
	if len(d.nodes) == 0 {
		return nil
	}
	ranks := rank[d.base:]
	for at, i := range d.order(level) {
		ranks[i] = int32(at)
	}
	if err := assertNoCycles(d.digraph, func(i int32) string { return d.nodes[i].loc.Name }); err != nil {
		return err
	}
	d.writeBack(c, ranks)
	return nil
}

// assertNoCycles fails where a node of the graph must come before itself: no order would do, and the one that was made is wrong.
func assertNoCycles(g *digraph, name func(int32) string) error {
	if at := g.cycle(); at != none {
		return fmt.Errorf("assert_no_cycles: %s waits for itself", name(at))
	}
	return nil
}

// flowEraser remembers which edges are to stay. An edge to one instruction has one kind, and deleting an instruction between two may make it
// a Flow edge.
type flowEraser struct {
	needed bool
	others map[*ir.Inst][]ir.Dep // edges of other kinds
}

func newFlowEraser(p *ir.Program) *flowEraser {
	e := &flowEraser{others: map[*ir.Inst][]ir.Dep{}}
	for in := range p.Insts {
		for _, d := range in.Deps {
			if d.Kind == ir.Flow {
				e.needed = true
			} else {
				e.others[in] = append(e.others[in], d)
			}
		}
	}
	return e
}

// erase takes out the flow edges of a program that had some.
func (e *flowEraser) erase(c *Ctx) {
	if !e.needed {
		return
	}
	c.Edit().Change(func() {
		for in := range c.Program().Insts {
			for i := range in.Deps {
				for _, d := range e.others[in] {
					if d.On == in.Deps[i].On {
						in.Deps[i].Kind = d.Kind
					}
				}
			}
			in.Deps = slices.DeleteFunc(in.Deps, func(d ir.Dep) bool { return d.Kind == ir.Flow })
		}
	})
}
