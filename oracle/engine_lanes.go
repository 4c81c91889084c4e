package oracle

import (
	"fmt"
	"slices"

	"birfuzz/ir"
)

// lanes is a program as its engines and queues run it (semantics §2, as engines): what each core executes, cut into jobs, and the lanes in
// which jobs follow each other. What a core executes depends on no data, so all of this is known before anything runs; only who comes first
// among lanes is open. Programs that run by edges are cut into the same jobs, and every job has a lane of its own (see lanesByEdges).
//
// How an engine walks its part of the program [ours]: each engine runs the loops by itself, with all their trips, and issues its own
// instructions of the bodies; predicates are asked of the axis values of that engine. An instruction without engine has a sequencer of its own.
// One on ALL waits until every sequencer of the core stands at it and every transfer issued before is complete; an AllEngineBarrier, whichever
// engine it names, waits for the sequencers and not for transfers; a Drain waits for the transfers that its engine issued. What stands behind
// a Halt that is reached in program order does not run. Sequencers and queues are lanes; transfers that two engines issue into one queue
// have a lane each, for nothing but the moment of issue says which of them comes first.
type lanes struct {
	m       *Machine
	traces  []*trace // by core
	list    []lane
	jobs    []job
	queues  int
	engines [][]int32 // by core: the lanes that issue
	broken  *Fault    // as engines: the race or deadlock that some schedule comes to
}

// lane is a list of jobs of which each runs when the one before is complete.
type lane struct {
	core   int
	name   string  // unique
	jobs   []int32 // in order
	queue  int32   // lanes of transfers: the queue that runs them, else none
	issuer int32   // lanes of transfers: who issues them, else none
}

// job is one instance as an engine executes or issues it, or as a queue runs it.
type job struct {
	core   int32
	at     int32 // the instance, as a position in the trace of its core; past its end: the end of the core
	lane   int32 // where it stands
	place  int32 // which of that lane it is, from 1
	kind   jobKind
	wide   bool    // it stands in all lanes of its core that issue
	code   *code   // nil: nothing to execute
	waits  int32   // how many jobs it waits for by itself, its lane apart
	before []int32 // jobs that wait for it, their lanes apart
}

// jobKind says what becomes of a job's waits, effect and updates.
type jobKind uint8

const (
	works   jobKind = iota // waits, effect and updates, in one
	issues                 // waits, and puts the next job, a transfer, into its queue
	carries                // a transfer: effect and updates
	ends                   // the end of a core
)

// Limits of what is followed of a program that engines or edges order.
const (
	maxJobs      = 1 << 17 // of one core
	maxJobLevels = 1 << 22 // jobs times lanes
)

// laneKey tells the lanes of a core apart.
type laneKey struct {
	engine   ir.Engine
	inst     *ir.Inst // has no engine
	transfer bool
	queue    string
}

// laneBuilder cuts a program into lanes.
type laneBuilder struct {
	*lanes
	core   int
	of     map[laneKey]int32
	queue  map[string]int32 // by name
	codes  []*code          // by ID of an instruction
	issued map[int32]int32  // lane of transfers → its latest
}

// lanesOf cuts the prepared program into lanes. The error is a *LimitError.
func lanesOf(m *Machine) (*lanes, error) {
	s := &lanes{m: m, engines: make([][]int32, len(m.cores))}
	for k := range m.cores {
		t, err := s.follow(k)
		if err != nil {
			return nil, err
		}
		b := laneBuilder{lanes: s, core: k, of: map[laneKey]int32{}, queue: map[string]int32{}, codes: m.codesOf(k), issued: map[int32]int32{}}
		b.build(t)
		if len(s.jobs)*len(s.list) > maxJobLevels {
			return nil, tooLarge("%d jobs in %d lanes are more than can be followed", len(s.jobs), len(s.list))
		}
	}
	return s, nil
}

// follow lists what core k executes.
func (s *lanes) follow(k int) (*trace, error) {
	t := traceOf(s.m.program, k, maxJobs)
	if t == nil {
		return nil, tooLarge("core %d executes more than %d instructions, trips included, and more than that are not followed", k, maxJobs)
	}
	t.end()
	s.traces = append(s.traces, t)
	return t, nil
}

// codesOf returns the code of each instruction on core k, by ID.
func (m *Machine) codesOf(k int) []*code {
	of := make([]*code, m.program.NumInsts())
	for i := range m.cores[k].code {
		if c := &m.cores[k].code[i]; c.kind != loopBegin && c.kind != loopEnd {
			of[c.inst.ID] = c
		}
	}
	return of
}

// build makes the lanes of one core and fills them.
func (b *laneBuilder) build(t *trace) {
	b.lane(laneKey{engine: ir.ALL}, none)
	for i := range t.list {
		b.lane(keyOf(t.list[i].in), none)
	}
	b.jobs = slices.Grow(b.jobs, 2*len(t.list)+1)
	for i := range t.list {
		b.instance(int32(i), t.list[i].in)
	}
	if n := len(t.list); n == 0 || kindOf(t.list[n-1].in.Spec()) != haltCore {
		b.add(job{at: int32(n), kind: ends, wide: true}, b.of[laneKey{engine: ir.ALL}])
		b.drain(none)
	}
}

// keyOf says which lane issues an instruction.
func keyOf(in *ir.Inst) laneKey {
	if in.Engine == ir.Unassigned {
		return laneKey{inst: in}
	}
	return laneKey{engine: in.Engine}
}

// lane returns the lane of that key, which it makes if there is none. Those of transfers have an issuer.
func (b *laneBuilder) lane(k laneKey, issuer int32) int32 {
	if l, ok := b.of[k]; ok {
		return l
	}
	l := int32(len(b.list))
	b.of[k] = l
	b.list = append(b.list, lane{core: b.core, name: b.name(k, issuer), queue: none, issuer: issuer})
	if issuer == none {
		b.engines[b.core] = append(b.engines[b.core], l)
	} else {
		b.list[l].queue = b.queueOf(k, issuer)
	}
	return l
}

// name names a lane for people and for schedules: the engine, the instruction that has none, or the queue and who issues into it.
func (b *laneBuilder) name(k laneKey, issuer int32) string {
	switch {
	case issuer != none && k.queue == "":
		return b.list[issuer].name + ".dma"
	case issuer != none:
		return b.list[issuer].name + "." + k.queue
	}
	text := k.engine.String()
	if k.inst != nil {
		text = k.inst.Name
	}
	if b.core > 0 {
		text = fmt.Sprint(b.core, "/", text)
	}
	return text
}

// queueOf returns the number of the queue into which a lane of transfers puts them: the named one, or the issuer's own.
func (b *laneBuilder) queueOf(k laneKey, issuer int32) int32 {
	name := "q " + k.queue
	if k.queue == "" {
		name = b.list[issuer].name
	}
	q, ok := b.queue[name]
	if !ok {
		q = int32(b.queues)
		b.queues++
		b.queue[name] = q
	}
	return q
}

// instance adds the jobs of one instance.
func (b *laneBuilder) instance(at int32, in *ir.Inst) {
	c, sync := b.codes[in.ID], in.Spec().Sync()
	wide := in.Engine == ir.ALL || sync == ir.SyncJoins
	if c == nil && !wide {
		return
	}
	l := b.of[keyOf(in)]
	if !in.Transfers(b.m.program.Arch) {
		b.add(job{at: at, code: c, wide: wide}, l)
		if in.Engine == ir.ALL {
			b.drain(none)
		} else if sync == ir.SyncDrains {
			b.drain(l)
		}
		return
	}
	issue := b.add(job{at: at, code: c, kind: issues}, l)
	k := keyOf(in)
	k.transfer, k.queue = true, in.Queue
	to := b.lane(k, l)
	b.after(b.add(job{at: at, code: c, kind: carries}, to), issue)
	b.issued[to] = int32(len(b.jobs)) - 1
}

// add appends a job to its lane and, if it is wide, to all that issue.
func (b *laneBuilder) add(j job, l int32) int32 {
	id := int32(len(b.jobs))
	into := []int32{l}
	if j.wide {
		into = b.engines[b.core]
	}
	for _, i := range into {
		b.list[i].jobs = append(b.list[i].jobs, id)
	}
	j.core, j.lane, j.place = int32(b.core), l, int32(len(b.list[l].jobs))
	b.jobs = append(b.jobs, j)
	return id
}

// after makes job j wait for job i.
func (s *lanes) after(j, i int32) {
	s.jobs[j].waits++
	s.jobs[i].before = append(s.jobs[i].before, j)
}

// drain makes the last job wait for the transfers issued so far: those of one issuer, or of all.
func (b *laneBuilder) drain(issuer int32) {
	last := int32(len(b.jobs)) - 1
	for l := range b.list {
		if t, ok := b.issued[int32(l)]; ok && (issuer == none || b.list[l].issuer == issuer) {
			b.after(last, t)
		}
	}
}

// in returns the instruction of a job; nil at the end of a core.
func (s *lanes) in(j int32) *ir.Inst {
	if x := s.instance(j); x != nil {
		return x.in
	}
	return nil
}

// instance returns the instance of a job; nil at the end of a core.
func (s *lanes) instance(j int32) *instance {
	t := s.traces[s.jobs[j].core]
	if at := int(s.jobs[j].at); at < len(t.list) {
		return &t.list[at]
	}
	return nil
}

// label names a job for a reader: the instance, and where it runs unless that is a lane of its own.
func (s *lanes) label(j int32) string {
	if x := s.instance(j); x != nil {
		if s.list[s.jobs[j].lane].name == x.in.Name {
			return x.label()
		}
		return x.label() + " on " + s.list[s.jobs[j].lane].name
	}
	return fmt.Sprintf("the end of core %d", s.jobs[j].core)
}
