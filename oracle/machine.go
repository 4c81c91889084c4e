package oracle

import (
	"unsafe"

	"birfuzz/ir"
	"birfuzz/ir/num"
)

// Machine runs programs. It is reusable, and not for concurrent use: Prepare compiles a program, Run executes it as often as wanted. After
// the first Run of a program the others allocate nothing. Memory is not cleared between runs or programs: what a program did not write has
// any value (see Way.Clear), and the tracker knows which bytes these are.
type Machine struct {
	atlas
	program *ir.Program // nil: nothing is prepared
	needs   []census    // of each function
	terms   []term      // of all compiled expressions
	cores   []core
	loops   []*ir.Loop // scratch of the compiler
	track   tracker    // nil: values only
	replay  replayer   // not nil: no numbers are computed, see ledger
	arena   []byte     // holds data with room to align it
	data    []byte     // all storages
	floats  []float32  // data as float32; nil on a machine of another byte order
	inputs  []int32    // locations that the host fills
	x       exec
	way     Way
	steps   int64
	met     meeting
	zeroes  []zeroed  // scratch of clearRegion
	claims  claimList // scratch of raceOf
	lanes   *lanes    // of the program, once it ran as engines
}

// Way says how a prepared program is run.
type Way struct {
	Downward bool     // isParallel loops run from their last value to their first
	Clear    bool     // bytes that nobody wrote are 0xFF, so that values never depend on what ran before; costs a pass over the memory
	Schedule Schedule // in which order; zero: program order
	Racy     bool     // as engines: no fault for races and deadlocks that only other schedules show
	MaxSteps int64    // limit of executed instructions, large ones counting more (256 elements or 4,096 products a step); 0: DefaultMaxSteps
}

// DefaultMaxSteps is the limit of steps where a Way names none: some seconds.
const DefaultMaxSteps = 50_000_000

// Outcome is how a run ended.
type Outcome struct {
	Fault   *Fault // the program has no meaning
	Limited bool   // MaxSteps was reached; nothing is known
	Steps   int64
}

// NewMachine returns a machine that computes values only.
func NewMachine() *Machine { return newMachine(nil) }

// maxSlack bounds what the arena is made larger than needed, for the next program.
const maxSlack = 16 << 20

// newMachine returns a machine that reports to t; nil: to nobody.
func newMachine(t tracker) *Machine {
	m := &Machine{track: t}
	m.x.m = m
	m.x.eval.Machine = &m.x
	return m
}

// allot gives the arena the size that the program needs.
func (m *Machine) allot() {
	if cap(m.arena) < m.size+storageAlign {
		m.arena = make([]byte, m.size+storageAlign+min(m.size/4, maxSlack))
	}
	m.arena = m.arena[:cap(m.arena)]
	at := int(-uintptr(unsafe.Pointer(unsafe.SliceData(m.arena))) & (storageAlign - 1))
	m.data = m.arena[at : at+m.size : at+m.size]
	m.floats, _ = num.AsFloat32(m.data)
}

// Run executes the prepared program on the given inputs. An error means that an input is missing or does not fit, or that nothing is prepared.
func (m *Machine) Run(in ir.Values, w Way) (Outcome, error) {
	if m.program == nil {
		return Outcome{}, errNotPrepared
	}
	if w.MaxSteps <= 0 {
		w.MaxSteps = DefaultMaxSteps
	}
	m.way, m.steps = w, 0
	if w.Clear {
		fill(m.data, 0xFF)
	}
	if m.track != nil {
		m.track.reset()
	}
	if err := m.load(in); err != nil {
		return Outcome{}, err
	}
	f, err := m.runAs()
	if err != nil {
		return Outcome{}, err
	}
	out := Outcome{Fault: f, Steps: m.steps}
	if f == limitReached {
		out.Fault, out.Limited = nil, true
	}
	return out, nil
}
