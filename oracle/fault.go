package oracle

import "fmt"

// FaultKind says in which way a program has no meaning (semantics §5).
type FaultKind uint8

// The kinds of faults.
const (
	RangeFault    FaultKind = iota // an access or an index leaves its location or table
	PoisonFault                    // poison as an index, register or semaphore value
	OverlapFault                   // an output overlaps an input in a way that §1 forbids
	DeadlockFault                  // nothing can go on and not all has ended
	RaceFault                      // two cores touch the same bytes, one writes, and nothing orders them
	ValueFault                     // an instruction has no result for these operands
	GroupFault                     // an accumulation group is left, entered or read where it is open, or added to where it is not (semantics §4)
)

var faultNames = [...]string{"range", "poison", "overlap", "deadlock", "race", "value", "group"}

// String returns the name of the kind.
func (k FaultKind) String() string { return faultNames[k] }

// Fault is the first place where the program has no meaning.
type Fault struct {
	Kind    FaultKind
	Core    int
	Inst    string // name of the instruction; empty at the end of a core's code
	Detail  string
	Witness *Witness // of races and deadlocks as engines; else nil
}

// Error describes the fault on one line.
func (f *Fault) Error() string {
	return fmt.Sprintf("%s fault on core %d at %q: %s", f.Kind, f.Core, f.Inst, f.Detail)
}

// flaw is the fault as what a check found.
func (f *Fault) flaw() *flaw {
	w := f.Witness
	if w == nil {
		w = &Witness{Parties: []Party{{Core: f.Core, Inst: f.Inst}}}
	}
	return &flaw{f.Error(), w}
}
