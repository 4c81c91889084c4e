package oracle

import (
	"fmt"
	"slices"
	"strings"
)

// deadlock describes a run in which nothing can go on and not all is complete: who waits for whom, as far as the cycle, or the end, of waits.
func (p *play) deadlock() *Fault {
	at := p.foremost()
	var path []int32
	var links []string
	for {
		if i := slices.Index(path, at); i >= 0 {
			return p.fault(path[i:], links[i:], true)
		}
		text, next := p.obstacle(at)
		path, links = append(path, at), append(links, text)
		if next == none {
			return p.fault(path, links, false)
		}
		front := p.next(p.jobs[next].lane)
		if front != next {
			links[len(links)-1] += fmt.Sprintf(", which stands behind %s", p.label(front))
		}
		at = front
	}
}

// fault describes a chain of waits.
func (p *play) fault(path []int32, links []string, cycle bool) *Fault {
	w := &Witness{Cycle: cycle}
	for i, j := range path {
		w.Parties = append(w.Parties, p.party(j, links[i]))
	}
	f := &Fault{Kind: DeadlockFault, Core: w.Parties[0].Core, Inst: w.Parties[0].Inst, Detail: strings.Join(links, "; "), Witness: w}
	if cycle {
		f.Detail += ": a cycle"
	}
	return f
}

// foremost returns the first job in program order at which a lane stands.
func (p *play) foremost() int32 {
	best := none
	for l := range p.list {
		if j := p.next(int32(l)); j != none && (best == none || p.earlier(j, best)) {
			best = j
		}
	}
	return best
}

// earlier tells whether job i stands before j, core by core.
func (p *play) earlier(i, j int32) bool {
	x, y := &p.jobs[i], &p.jobs[j]
	if x.core != y.core {
		return x.core < y.core
	}
	return x.at < y.at || x.at == y.at && i < j
}

// obstacle says why the job at the front of a lane cannot run, and which job it waits for; none where nothing that is left could help it.
func (p *play) obstacle(j int32) (string, int32) {
	x := &p.jobs[j]
	if p.open[j] > 0 {
		for i := range p.jobs {
			if slices.Contains(p.jobs[i].before, j) && !p.done(int32(i)) {
				return fmt.Sprintf("%s waits for %s", p.label(j), p.label(int32(i))), int32(i)
			}
		}
	}
	if x.wide {
		for _, l := range p.engines[x.core] {
			if front := p.next(l); front != j {
				return fmt.Sprintf("%s waits for %s, which is at %s", p.label(j), p.list[l].name, p.label(front)), front
			}
		}
	}
	if x.kind == carries {
		front := p.queue[p.list[x.lane].queue][0]
		return fmt.Sprintf("%s stands in its queue behind %s", p.label(j), p.label(front)), front
	}
	if i := p.short(j); i >= 0 {
		return p.starved(j, i)
	}
	return p.alone(j)
}

// starved says what wait i of job j lacks.
func (p *play) starved(j int32, i int) (string, int32) {
	core, w := p.jobs[j].core, p.jobs[j].code.inst.Wait[i]
	text := fmt.Sprintf("%s waits for semaphore %d >= %d, which is %d", p.label(j), w.ID, w.Value, p.sems[core][w.ID])
	best := none
	for k := range p.jobs {
		u := int32(k)
		if p.jobs[k].core == core && p.updates(u, w.ID) > 0 && !p.done(u) && (best == none || p.earlier(u, best)) {
			best = u
		}
	}
	if best == none {
		return text + " and which nothing that is left raises", none
	}
	return fmt.Sprintf("%s and which %s would raise", text, p.label(best)), best
}

// updates returns what a job adds to a semaphore when it is complete.
func (s *lanes) updates(j int32, id int64) int64 {
	x, n := &s.jobs[j], int64(0)
	if x.code == nil || x.kind == issues {
		return 0
	}
	for _, u := range x.code.inst.Update {
		if u.ID == id {
			n += u.Value
		}
	}
	return n
}

// alone says who does not come to the meeting at which job j stands.
func (p *play) alone(j int32) (string, int32) {
	x := &p.jobs[j]
	for k := range p.traces {
		if k == int(x.core) || !p.m.takesPart(k, int(x.core), x.code) || p.partner(k, x.code) != none {
			continue
		}
		best := none
		for l := range p.list {
			if i := p.next(int32(l)); p.list[l].core == k && i != none && (best == none || p.earlier(i, best)) {
				best = i
			}
		}
		if best == none {
			return fmt.Sprintf("%s meets nobody: core %d has come to its end", p.label(j), k), none
		}
		return fmt.Sprintf("%s waits for core %d, which is at %s", p.label(j), k, p.label(best)), best
	}
	return p.label(j) + " waits for a core that the module does not have", none
}
