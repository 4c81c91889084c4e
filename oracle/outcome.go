package oracle

// grain says how finely a run follows poison and origins.
type grain uint8

const (
	valuesOnly grain = iota // neither: for measuring what the shadow costs
	cellGrain
	elementGrain
)

// String names the grain.
func (g grain) String() string { return [...]string{"values", "cells", "elements"}[g] }

// lens says what of a program's surroundings a run looks at. Two outcomes can be compared only if they were seen through equal lenses.
type lens struct {
	coresOnly bool            // only fences of all cores publish: the program after the pass is Synced (semantics §3.2)
	noNews    bool            // reads of Shared memory do not count fences
	unit      int             // bytes of a unit, element grain
	hidden    map[string]bool // locations that are no longer Shared in one of the two programs (semantics §3.5)
	known     map[string]bool // names of the fences that count; nil: all do
}

// same tells whether two lenses show the same.
func (l *lens) same(m *lens) bool {
	return l.coresOnly == m.coresOnly && l.noNews == m.noNews && l.unit == m.unit && sameNames(l.hidden, m.hidden) && sameNames(l.known, m.known)
}

func sameNames(a, b map[string]bool) bool {
	if len(a) != len(b) || (a == nil) != (b == nil) {
		return false
	}
	for n := range a {
		if !b[n] {
			return false
		}
	}
	return true
}

// outcome is what one run showed. It holds no pointer into the program, which passes change in place, and is filled anew without allocating.
type outcome struct {
	grain   grain
	lens    lens
	faulted bool
	fault   Fault
	stop    fenceEvent // where a core stood when a fault ended the run, if that was a fence
	limited bool       // the step limit was reached
	steps   int64      // steps run
	crowded bool       // more happened than an outcome holds: nothing is known
	unsure  string     // cell grain: why the cells cannot tell; empty when they can
	news    bool       // Shared memory was read behind a publishing fence

	fences  []fenceEvent
	syncs   []syncEvent
	touches []touch
	visible []visible // in name order
	shots   []shot    // of visible memory at publishing fences, where something changed; then of the outputs at the end
	final   int       // index of the first shot of the end
	bytes   []byte    // data of the shots of outputs and, at element grain, of all
	origins []uint64  // element grain: an origin a unit for the same bytes

	used    bags    // accumulations that something used
	members wordSet // element grain: members made
	bases   wordSet // element grain: what other instructions wrote in PSUM, under members to come
}

// fenceEvent is one executed fence.
type fenceEvent struct {
	core       int32
	lo, hi     int32 // its waits and updates, in syncs
	waits      int32
	publishes  bool
	key        uint64 // opcode and cores
	engine     uint8
	rank       int32 // not in order: the instance, in program order
	moment     int32 // which of the publishing fences of the run it was; −1: it does not publish
	name, kind string
}

// syncEvent is one wait or update of an executed fence.
type syncEvent struct{ id, value int64 }

// touch is one access to visible memory, with the number of fences that its core had passed.
type touch struct {
	core, interval int32
	rank           int32 // not in order: the instance, in program order
	write          bool
	key            uint64
	inst, loc      string
}

// visible is a location that the outside world sees.
type visible struct {
	name   string
	dtype  uint8
	output bool
	size   int
	last   int // index of its latest shot, −1: none
}

// shot is the contents of a visible location at a moment.
type shot struct {
	moment int32 // publishing fences executed before this one, over all cores
	vis    int32 // index in visible
	state  shadowState
	origin uint64 // of all bytes, location-last-written rule applied
	value  uint64 // of the defined bytes
	at     int    // offset in bytes; −1: only hashed
	orgAt  int    // offset in origins; −1: none
}

// shadowState says whether bytes are defined.
type shadowState uint8

const (
	poisoned shadowState = iota
	defined
	maybe // some are, some are not: only elements can tell
)

// clear makes the outcome ready for a run.
func (o *outcome) clear(g grain, l lens) {
	o.grain, o.lens = g, l
	o.faulted, o.limited, o.unsure, o.news, o.steps, o.fault = false, false, "", false, 0, Fault{}
	o.stop, o.crowded = fenceEvent{}, false
	o.fences, o.syncs, o.touches = o.fences[:0], o.syncs[:0], o.touches[:0]
	o.visible, o.shots, o.final = o.visible[:0], o.shots[:0], 0
	o.bytes, o.origins = o.bytes[:0], o.origins[:0]
	o.used.clear()
	o.members.clear()
	o.bases.clear()
}

// Limits of what an outcome holds, far beyond what a program does that ends in a second.
const (
	maxEvents  = 1 << 18 // fences, their semaphores, and touches of visible memory, each
	maxShots   = 1 << 18 // changes of visible memory seen at fences
	maxBytes   = 1 << 27 // kept contents of visible memory
	maxMembers = 1 << 23 // members of accumulations
)

// room tells whether the outcome can hold more; if not, it holds nothing of worth any more.
func (o *outcome) room() bool {
	if len(o.fences) >= maxEvents || len(o.syncs) >= maxEvents || len(o.touches) >= maxEvents || len(o.shots) >= maxShots ||
		len(o.bytes) >= maxBytes || len(o.used.nodes) >= maxMembers {
		o.crowded = true
	}
	return !o.crowded
}

// doubt records why the cells cannot tell; the first reason stands.
func (o *outcome) doubt(why string) {
	if o.unsure == "" {
		o.unsure = why
	}
}

// data returns the bytes of a shot that kept them.
func (o *outcome) data(s *shot) []byte { return o.bytes[s.at : s.at+o.visible[s.vis].size] }

// unitsOf returns the origins of a shot of an element run.
func (o *outcome) unitsOf(s *shot) []uint64 {
	return o.origins[s.orgAt : s.orgAt+o.visible[s.vis].size/o.lens.unit]
}
