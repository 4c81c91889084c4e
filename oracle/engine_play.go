package oracle

import "slices"

// play is one run through lanes: how far each has come, and what the semaphores hold. Without effects it only tells what can happen.
type play struct {
	*lanes
	effects effects // nil: none
	head    []int32 // by lane: jobs complete
	open    []int32 // by job: jobs, and lanes in which it stands, that it still waits for
	sems    [][]int64
	queue   [][]int32 // by queue: the transfers issued and not complete
	met     []int32   // by core: meetings held
	left    int       // jobs to go
	members []int32   // of the meeting that was assembled last, in core order
	budget  int64     // how often more it may be asked what can go on; below 0: the run is given up
}

// effects is what jobs do when they run. A fault ends the run.
type effects interface {
	perform(j int32) *Fault      // a job that is no meeting, or the end of a core
	hold(members []int32) *Fault // a barrier or collective, members in core order
}

// maxAsked bounds how often the runs of one play ask whether a lane can go on.
const maxAsked = 1 << 26

// newPlay begins a run.
func (s *lanes) newPlay(e effects) *play {
	p := &play{lanes: s, effects: e, budget: maxAsked}
	p.reset()
	return p
}

// reset begins another run.
func (p *play) reset() {
	p.head, p.open = resize(p.head, len(p.list)), resize(p.open, len(p.jobs))
	p.sems, p.met, p.queue = resize(p.sems, len(p.traces)), resize(p.met, len(p.traces)), resize(p.queue, p.queues)
	clear(p.head)
	for k := range p.sems {
		p.sems[k] = resize(p.sems[k], len(p.m.cores[k].sems))
		clear(p.sems[k])
	}
	clear(p.met)
	for i := range p.jobs {
		p.open[i] = p.jobs[i].waits
		if p.jobs[i].wide {
			p.open[i] += int32(len(p.engines[p.jobs[i].core]))
		}
	}
	for l := range p.list {
		p.arrive(int32(l))
	}
	for i := range p.queue {
		p.queue[i] = p.queue[i][:0]
	}
	p.left = len(p.jobs)
}

// next returns the job that a lane comes to; none where all are complete.
func (p *play) next(l int32) int32 {
	if q := &p.list[l]; int(p.head[l]) < len(q.jobs) {
		return q.jobs[p.head[l]]
	}
	return none
}

// arrive notes that a lane has come to its next job: one that stands in many lanes waits for all of them.
func (p *play) arrive(l int32) {
	if j := p.next(l); j != none && p.jobs[j].wide {
		p.open[j]--
	}
}

// done tells whether a job is complete.
func (p *play) done(j int32) bool { return p.head[p.jobs[j].lane] >= p.jobs[j].place }

// ready tells whether a lane can go on. A meeting that can be held is in p.members then.
func (p *play) ready(l int32) bool {
	p.budget--
	j := p.next(l)
	if j == none || !p.able(j) {
		return false
	}
	if p.meets(j) {
		return p.assemble(j)
	}
	p.members = append(p.members[:0], j)
	return true
}

// meets tells whether a job is one where cores meet.
func (s *lanes) meets(j int32) bool {
	c := s.jobs[j].code
	return c != nil && (c.kind == meetBarrier || c.kind == meetCollective)
}

// able tells whether a job can run as far as its own core goes.
func (p *play) able(j int32) bool {
	x := &p.jobs[j]
	if p.open[j] > 0 {
		return false
	}
	if x.kind == carries {
		return p.queue[p.list[x.lane].queue][0] == j
	}
	return x.code == nil || p.short(j) < 0
}

// short returns the first wait of a job that does not hold, as an index; −1: all hold.
func (p *play) short(j int32) int {
	for i, w := range p.jobs[j].code.inst.Wait {
		if p.sems[p.jobs[j].core][w.ID] < w.Value {
			return i
		}
	}
	return -1
}

// assemble lists the members of the meeting that job j, which is able to run, belongs to, and tells whether all stand at it.
func (p *play) assemble(j int32) bool {
	p.members = p.members[:0]
	self := int(p.jobs[j].core)
	for k := range p.traces {
		if !p.m.takesPart(k, self, p.jobs[j].code) {
			continue
		}
		at := j
		if k != self {
			at = p.partner(k, p.jobs[j].code)
		}
		if at == none {
			return false
		}
		p.members = append(p.members, at)
	}
	return p.m.present(p.jobs[j].code)
}

// partner returns the job of core k that stands at the meeting of c; none if there is none.
func (p *play) partner(k int, c *code) int32 {
	for _, l := range p.engines[k] {
		if j := p.next(l); j != none && p.meets(j) && agree(c, p.jobs[j].code) && p.able(j) {
			return j
		}
	}
	return none
}

// step lets a lane that is ready go on by one job, and with it all lanes that the job holds up.
func (p *play) step(l int32) *Fault {
	if !p.ready(l) {
		return p.deadlock()
	}
	if f := p.perform(); f != nil {
		return f
	}
	for _, j := range p.members {
		p.complete(j)
	}
	return nil
}

// perform does what the members of the meeting, or the one job, do.
func (p *play) perform() *Fault {
	if p.effects == nil {
		return nil
	}
	if j := p.members[0]; !p.meets(j) {
		return p.effects.perform(j)
	}
	return p.effects.hold(p.members)
}

// complete moves the lanes past a job and lets others see that it is done.
func (p *play) complete(j int32) {
	x := &p.jobs[j]
	p.left--
	if x.wide {
		for _, l := range p.engines[x.core] {
			p.head[l]++
			p.arrive(l)
		}
	} else {
		p.head[x.lane]++
		p.arrive(x.lane)
	}
	for _, b := range x.before {
		p.open[b]--
	}
	switch {
	case x.kind == issues:
		q := p.list[p.jobs[j+1].lane].queue
		p.queue[q] = append(p.queue[q], j+1)
		return
	case x.kind == carries:
		q := p.list[x.lane].queue
		p.queue[q] = p.queue[q][1:]
	case x.code == nil:
		return
	case p.meets(j):
		p.met[x.core]++
	}
	if x.code.spec.Resets {
		clear(p.sems[x.core])
	}
	for _, s := range x.code.inst.Update {
		p.sems[x.core][s.ID] += s.Value
	}
}

// turns says which lane goes on where several can.
type turns interface {
	// pick returns a lane that is ready; none if there is none.
	pick(p *play) int32
}

// run lets lanes go on as t says until all jobs are complete, nothing can go on, or a job has a fault.
func (p *play) run(t turns, saw func()) *Fault {
	if f := p.advance(t, saw); f != nil || p.left == 0 {
		return f
	}
	return p.deadlock()
}

// advance lets lanes go on as t says until it names none any more, or a job has a fault. It calls saw, unless that is nil, after every step,
// whose jobs are p.members.
func (p *play) advance(t turns, saw func()) *Fault {
	for p.left > 0 {
		l := t.pick(p)
		if p.budget < 0 {
			return limitReached
		}
		if l == none {
			return nil
		}
		if f := p.step(l); f != nil {
			return f
		}
		if saw != nil {
			saw()
		}
	}
	return nil
}

// clone returns a run that goes on from here by itself.
func (p *play) clone() *play {
	q := *p
	q.head, q.open, q.sems, q.met, q.members = slices.Clone(p.head), slices.Clone(p.open), make([][]int64, len(p.sems)), slices.Clone(p.met), nil
	for k := range p.sems {
		q.sems[k] = slices.Clone(p.sems[k])
	}
	q.queue = make([][]int32, len(p.queue))
	for i := range p.queue {
		q.queue[i] = slices.Clone(p.queue[i])
	}
	return &q
}
