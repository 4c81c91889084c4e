package oracle

// clocks are the vector clocks of all jobs: for each job and lane, how many jobs of that lane are complete before the job is, in every run.
//
// They are exact, and cost one run without effects a lane. The run for a lane lets a job of it happen only when nothing else can; and since
// semaphores only grow, nothing that can run is ever held up by what runs beside it, so everything that can happen without that job has
// happened by then. What is complete later waits for it, whatever the order, and nothing else does: a wait ≥ v joins those updates, and those
// alone, without which v cannot be reached (semantics §2). Where several lanes put transfers into one queue the moment of issue matters too:
// a transfer is issued only when nothing else can happen without that, and then put off. A GroupResetSemaphores takes values away again; it
// must be ordered with every wait and update of its core (see races), and then it parts the run into pieces for which the same holds.
type clocks struct {
	*lanes
	order []int32   // all jobs, as they run in order
	done  [][]int32 // by lane, then by job; nil for lanes in which only the end of the core stands
}

// clocksOf runs the program once in order and once for each lane. The fault is the deadlock in which one of the runs ended, if one did.
func clocksOf(s *lanes) (*clocks, *Fault) {
	c := &clocks{lanes: s, done: make([][]int32, len(s.list))}
	p := s.newPlay(nil)
	if f := p.run(&inOrder{}, func() { c.order = append(c.order, p.members...) }); f != nil {
		return nil, f
	}
	homes, users := make([]bool, len(s.list)), make([]int, s.queues)
	for i := range s.jobs {
		homes[s.jobs[i].lane] = homes[s.jobs[i].lane] || s.jobs[i].kind != ends
	}
	for l := range s.list {
		if q := s.list[l].queue; q != none {
			users[q]++
		}
	}
	for l := range s.list {
		if !homes[l] {
			continue
		}
		p.reset()
		w := clockRun{play: p, lane: int32(l), seen: make([]int32, len(s.jobs))}
		q := s.list[l].queue
		f := w.follow(q != none && users[q] > 1)
		if f != nil {
			if f != limitReached {
				f.Detail += " (schedule starve:" + s.list[l].name + ")"
			}
			return nil, f
		}
		c.done[l] = w.seen
	}
	return c, nil
}

// has tells whether job j is complete before job i begins, or with it at one meeting.
func (c *clocks) has(i, j int32) bool {
	x := &c.jobs[j]
	return c.done[x.lane][i] >= x.place
}

// clockRun is the run for one lane.
type clockRun struct {
	*play
	lane int32
	seen []int32 // by job: how many jobs of the lane were complete with it, and 1; 0: the job is not complete
}

// follow lets one job of the lane happen after the other. shared: other lanes put transfers into the lane's queue.
func (w *clockRun) follow(shared bool) *Fault {
	for _, j := range w.list[w.lane].jobs {
		hold := j
		if shared {
			hold-- // its issue, see laneBuilder.instance
		}
		if f := w.advance(&without{job: hold}, func() { w.note(w.play) }); f != nil {
			return f
		}
		if shared {
			q := w.clone()
			q.advance(&without{job: j}, func() { w.note(q) })
			w.budget = q.budget
		}
	}
	if f := w.run(&without{job: none}, func() { w.note(w.play) }); f != nil {
		return f
	}
	for j := range w.seen {
		w.seen[j]--
	}
	return nil
}

// note writes down what the last step of a run completed.
func (w *clockRun) note(p *play) {
	for _, j := range p.members {
		if w.seen[j] == 0 {
			w.seen[j] = p.head[w.lane] + 1
		}
	}
}
