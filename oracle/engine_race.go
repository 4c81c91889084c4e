package oracle

import (
	"fmt"

	"birfuzz/ir"
)

// maxRaceCost bounds what comparing the accesses of one program may cost, as maxMeetings does for the check schedule.
const maxRaceCost = 1 << 24

// races looks for two jobs that touch the same bytes, one of them writing, without one being complete before the other begins (semantics §2).
// Barriers, collectives and Halt read all visible memory and write all Shared memory, as far as their own core touches it: who does not wait
// for them, or they for it, races with them (§3.2). A GroupResetSemaphores races with a wait or update of its core that it has no order with.
// The claims of jobs are entered as they run in order, so what a write covers need not be compared any more (see claimList).
type races struct {
	*clocks
	claims *claimList
	shared []bool // by location: Shared memory, or an alias of some
}

// raceOf returns the first race as a fault; nil if there is none. limitReached: nobody knows.
func raceOf(c *clocks) *Fault {
	m := c.m
	r := &races{clocks: c, claims: &m.claims}
	r.claims.open(&m.atlas, m.program, len(m.cores), owed{bytes: true})
	r.claims.reset(0)
	r.claims.left = maxRaceCost
	r.shared = make([]bool, len(m.locations))
	for i := range m.locations {
		if m.locations[i].loc.Set.Space == ir.Shared {
			r.shared[m.class.root(int32(i))] = true
		}
	}
	for _, j := range c.order {
		x := r.instance(j)
		if x == nil || r.jobs[j].code == nil || r.jobs[j].kind == issues {
			continue
		}
		if e, u := r.next(j, x); e != nil {
			return r.fault(e, u)
		}
		if r.claims.left < 0 {
			return limitReached
		}
	}
	return r.resets()
}

// next enters the claims of a job and returns the first two that race; nil if none do.
func (r *races) next(j int32, x *instance) (e, u *claim) {
	l := r.claims
	l.core = int(r.jobs[j].core)
	first := len(l.list)
	l.bytes(j, x)
	if fence := x.in.Spec().Effect == ir.FenceCores; fence || r.sees(x.in) {
		l.add(claim{by: j, store: l.fenceStore(), writes: fence, fence: true, walk: ir.Walk{Run: 1}}, false)
	}
	return l.settle(first, r.clocks)
}

// sees tells whether an instruction has something to do with what fences of cores read and write: it writes visible memory, or reads
// Shared memory.
func (r *races) sees(in *ir.Inst) bool {
	l := r.claims
	for i := range in.Args {
		k := l.atlas.find(in.Args[i].Loc, l.core, l.shards)
		if k < 0 {
			continue
		}
		if class := l.atlas.class.root(k); r.shared[class] || i < int(in.NOut) && l.visible[class] {
			return true
		}
	}
	return false
}

// fault describes a race: the two accesses, the first byte that they share, and what would order them.
func (r *races) fault(e, u *claim) *Fault {
	w := &Witness{Parties: []Party{r.party(e.by, e.verb()), r.party(u.by, u.verb())}, Mend: r.mend(e.by, u.by)}
	what := "what is published, or let in, depends on it"
	switch {
	case e.fence && e.writes && u.writes:
		what = "both publish visible memory"
	case !e.fence:
		l := r.claims
		l.core = int(r.jobs[e.by].core)
		w.Place = l.meeting(e, u)
		what = w.Place.shared()
	}
	return &Fault{Kind: RaceFault, Core: int(r.jobs[u.by].core), Inst: r.in(u.by).Name, Witness: w,
		Detail: fmt.Sprintf("%s and %s run in either order: %s; missing is %s", r.role(e), r.role(u), what, w.Mend)}
}

// role says who a claim is of, and what it does.
func (r *races) role(t *claim) string {
	text := r.label(t.by) + ", which " + t.verb()
	if t.loc != nil {
		text += fmt.Sprintf(" %q", t.loc.Name)
	}
	return text + ","
}

// shared says at which bytes two accesses meet; nil: they meet in no memory.
func (p *Place) shared() string {
	if p == nil {
		return "they use one accumulator"
	}
	return fmt.Sprintf("both touch %s from %s on", count(p.Bytes, "byte"), p.bytes())
}

func count(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// meetingOf returns the first byte, in the order of a's walk, that two walks have in common, and how many follow it without a gap.
func meetingOf(a, b *ir.Walk) (at, n int64) {
	one := ir.Walk{Space: b.Space, Run: 1}
	for run := range a.Runs {
		for i := range a.Run {
			one.Base = run + i
			switch {
			case one.Overlaps(b):
				if n == 0 {
					at = one.Base
				}
				n++
			case n > 0:
				return at, n
			}
		}
		if n > 0 {
			return at, n
		}
	}
	return at, n
}

// mend says what would make job u wait for job e: a wait for an update that is there already and comes when e is complete, where one is; else
// a new one.
func (r *races) mend(e, u int32) string {
	if r.jobs[e].core != r.jobs[u].core {
		return "they need a barrier between them"
	}
	u = r.issuer(u)
	by := r.label(u)
	for _, f := range r.order {
		if r.jobs[f].core != r.jobs[e].core || f != e && !r.has(f, e) || r.has(f, u) || r.jobs[f].code == nil || r.jobs[f].kind == issues {
			continue
		}
		for _, s := range r.jobs[f].code.inst.Update {
			if v, ok := r.without(s.ID, f, u); ok && s.Value > 0 {
				return fmt.Sprintf("wait(%d>=%d) on %s, for %s raises it", s.ID, v+1, by, r.label(f))
			}
		}
	}
	return fmt.Sprintf("a semaphore that %s raises and %s waits for", r.label(e), by)
}

// issuer returns the job whose waits are those of job j: of a transfer, its issue.
func (r *races) issuer(j int32) int32 {
	if r.jobs[j].kind == carries {
		return j - 1 // see laneBuilder.instance
	}
	return j
}

// without returns the most that a semaphore can hold before job u begins if job f does not happen; false where resets make that hard to say.
func (r *races) without(id int64, f, u int32) (most int64, ok bool) {
	for i := range r.jobs {
		j := int32(i)
		c := r.jobs[i].code
		if c == nil || r.jobs[i].core != r.jobs[u].core || r.jobs[i].kind == issues {
			continue
		}
		if c.spec.Resets {
			return 0, false
		}
		if j != f && !r.has(j, f) && j != u && !r.has(j, u) {
			most += r.updates(j, id)
		}
	}
	return most, true
}

// resets finds a reset of semaphores that is not ordered with a wait or update of its core.
func (r *races) resets() *Fault {
	for _, j := range r.order {
		c := r.jobs[j].code
		if c == nil || !c.spec.Resets {
			continue
		}
		for _, i := range r.order {
			x := &r.jobs[i]
			if i == j || x.core != r.jobs[j].core || x.code == nil || r.has(i, j) || r.has(j, i) {
				continue
			}
			in := x.code.inst
			if x.kind != carries && len(in.Wait) > 0 || x.kind != issues && len(in.Update) > 0 || x.code.spec.Resets {
				return r.resetFault(j, i)
			}
		}
	}
	return nil
}

// resetFault describes a race of a reset and a job that uses semaphores.
func (r *races) resetFault(reset, user int32) *Fault {
	w := &Witness{Parties: []Party{r.party(reset, "resets"), r.party(user, "uses")}, Mend: "a barrier of all engines between them, and for transfers their completion before it"}
	return &Fault{Kind: RaceFault, Core: int(r.jobs[user].core), Inst: r.in(user).Name, Witness: w,
		Detail: fmt.Sprintf("%s resets the semaphores and %s uses them in either order: %s is missing", r.label(reset), r.label(user), w.Mend)}
}
