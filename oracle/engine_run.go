package oracle

import "math"

// runAs runs the prepared program in the order that the way says.
func (m *Machine) runAs() (*Fault, error) {
	m.begin()
	switch m.way.Schedule.kind {
	case programOrder:
		return m.schedule(), nil
	case byEdges:
		s, err := lanesByEdges(m)
		if err != nil {
			return nil, err
		}
		return s.execute(&m.way.Schedule)
	}
	if err := m.cutLanes(); err != nil {
		return nil, err
	}
	f, err := m.lanes.execute(&m.way.Schedule)
	if b := m.lanes.broken; b != nil && !m.way.Racy && f != limitReached && (f == nil || f.Kind != DeadlockFault) {
		f = b // whatever this schedule showed: it need not show the race
	}
	return f, err
}

// cutLanes cuts the prepared program into lanes and looks for races and deadlocks, once for each Prepare. The error is a *LimitError.
func (m *Machine) cutLanes() error {
	if m.lanes != nil {
		return nil
	}
	s, err := lanesOf(m)
	if err != nil {
		return err
	}
	c, f := clocksOf(s)
	if f == nil {
		f = raceOf(c)
	}
	if f == limitReached {
		return tooLarge("%d jobs in %d lanes are more than can be compared", len(s.jobs), len(s.list))
	}
	s.broken, m.lanes = f, s
	return nil
}

// execute runs the lanes with their effects.
func (s *lanes) execute(w *Schedule) (*Fault, error) {
	t, err := w.turns(s)
	if err != nil {
		return nil, err
	}
	r := &laneRun{play: s.newPlay(nil)}
	r.effects = r
	f := r.play.run(t, nil)
	r.standStill()
	return f, nil
}

// laneRun is a run with effects: the executor's, on the threads of its cores.
type laneRun struct{ *play }

// stand puts the thread of a job's core where the job is.
func (r *laneRun) stand(j int32) *thread {
	x := &r.jobs[j]
	t := &r.m.cores[x.core].thread
	t.rank = x.at
	t.state, t.axes = ready, append(t.axes[:0], r.instance(j).values...)
	t.pc = x.code.pc
	return t
}

// perform implements effects.
func (r *laneRun) perform(j int32) *Fault {
	m, x := r.m, &r.jobs[j]
	switch {
	case x.kind == ends:
		m.cores[x.core].thread.rank = math.MaxInt32
		if m.track != nil {
			m.track.fence(int(x.core), nil)
		}
		return nil
	case x.kind == issues || x.code == nil:
		return nil
	}
	if m.steps += x.code.weight; m.steps > m.way.MaxSteps {
		return limitReached
	}
	f := m.effect(r.stand(j), x.code)
	if f != nil && f.Inst == "" {
		f.Core, f.Inst = int(x.core), x.code.inst.Name
	}
	return f
}

// hold implements effects.
func (r *laneRun) hold(members []int32) *Fault {
	g := &r.m.met
	g.members, g.numbers = g.members[:0], g.numbers[:0]
	for _, j := range members {
		if r.m.steps += r.jobs[j].code.weight; r.m.steps > r.m.way.MaxSteps {
			return limitReached
		}
		t := r.stand(j)
		g.members = append(g.members, member{core: t.core.id, c: r.jobs[j].code})
		g.numbers = append(g.numbers, r.m.number(t.core.id))
	}
	return r.m.hold(&r.m.cores[r.jobs[members[0]].core].thread)
}

// standStill puts the thread of every core where its first job in program order is that is not complete.
func (r *laneRun) standStill() {
	for k := range r.m.cores {
		t := &r.m.cores[k].thread
		t.pc, t.rank = len(r.m.cores[k].code), math.MaxInt32
	}
	for l := range r.list {
		j := r.next(int32(l))
		if j == none {
			continue
		}
		x := &r.jobs[j]
		if t := &r.m.cores[x.core].thread; x.at < t.rank {
			if t.rank = x.at; x.code != nil {
				t.pc = x.code.pc
			}
		}
	}
}
