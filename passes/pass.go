// Package passes holds the rewrites under test and their order: one file and one row a pass, the pipelines of the documents, and passes
// that are commands of somebody else.
//
// A pass sees a program only through its Ctx: it asks (Allow) before every rewrite and changes the program only through ir.Edit.
package passes

import (
	"fmt"
	"time"

	"birfuzz/ir"
)

// Rule is one kind of rewrite that a pass makes.
type Rule struct {
	Name   string // "dce.dead-store", unique among all passes
	Doc    string // what it rewrites, and what keeps it from doing so
	Must   bool   // owed to a fact that the pass gives: without the rewrite the fact does not hold
	Shared string // the code that shows that the rewrite is legal or makes it, where several rules have that in common; "": it has its own
}

// Pass is one row of a pipeline.
type Pass struct {
	Name     string
	Doc      string
	Order    int // place in the documents' list of levels 1–3 (walrus.md §3.2); 0 for an external pass
	Rules    []*Rule
	Knobs    []Knob
	Chaos    int64  // seed by which rewrites of rules that are not Must are refused; 0: none is. Spelled as if it were a knob
	Verifies bool   // it only looks: a program that it finds fault with is a Failure (walrus.md §3.1, isRealPass() == false)
	Rests    []Pass // those that write down what this one computes for itself by the same code
	Contract ir.Contract
	Run      func(*Ctx) error // may be called from several goroutines at once, each with its own Ctx
	Command  *Command         // of an external pass, else nil
}

// Knob is a setting of a pass, at its default value until a level's row gives it another.
type Knob struct {
	Name  string // as the vendor spells it, where it is known
	Doc   string
	Value int64
	Min   int64 // the least value that it may have
	Max   int64 // the greatest; 0: there is none
	// Worth is the least and the greatest value of which a run tells something new, where Min and Max say too little (Freedom).
	Worth [2]int64
}

// allows says what values the knob may have; empty where n is one of them.
func (k *Knob) allows(n int64) string {
	switch {
	case n >= k.Min && (n <= k.Max || k.Max == 0):
		return ""
	case k.Max == 0:
		return fmt.Sprintf("%d or more", k.Min)
	case k.Max == k.Min+1:
		return fmt.Sprintf("%d or %d", k.Min, k.Max)
	}
	return fmt.Sprintf("%d to %d", k.Min, k.Max)
}

// Options steer one Run. Its zero value grants nothing to the first pass: start from Unlimited.
type Options struct {
	Fuel    int           // in step FuelAt only the first Fuel rewrites are granted; negative: no limit
	FuelAt  int           // index of the pass that Fuel limits
	Timeout time.Duration // time limit of an external pass; 0: the command's own
	// Refuse is asked of every rewrite at the instruction, or to the location, of that name ("": the whole program): what it says true to is not granted. nil: nothing.
	Refuse func(r *Rule, inst string) bool
	Copies *ir.Copies // where Step.Before comes from; it goes back when visit has let the step pass. nil: it is visit's for good
}

// Unlimited returns the options of a run in which every rewrite is granted.
func Unlimited() Options { return Options{Fuel: -1} }

// Count says how often a rule was met in one step. Considered = Fired + Refused.
type Count struct {
	Rule       *Rule
	Considered int
	Fired      int
	Refused    int
	Why        []Reason // why refused, in first-met order
}

// Reason is one ground of refusal and how often it held.
type Reason struct {
	Why string
	N   int
}

// OutOfFuel is the Reason of a rewrite that the fuel limit refused.
const OutOfFuel = "out of fuel"

// SwitchedOff is the Reason of a rewrite that Options.Refuse refused.
const SwitchedOff = "switched off"

// Event is one rewrite that was granted (Rule set), or one line that the pass logged (Rule nil).
type Event struct {
	Rule *Rule
	Inst string // name of the instruction, or of the location that the rewrite is made to; "": the whole program
	Text string
}

// Step is what one pass did to a program.
type Step struct {
	Pass     *Pass
	Index    int         // of the pass in the list that was run
	Before   *ir.Program // the program as it was: a snapshot when Changed, else what After is but for its facts
	After    *ir.Program
	Changed  bool
	Gained   ir.Facts // facts that hold After, by the pass's word, and did not before; an unchanged program may gain some
	Declined string   // why the pass did not do its work and gives no facts; "" otherwise
	Tally    []Count  // one a rule of the pass, in its order
	Events   []Event
	Failure  *Failure // the pass broke down; After is then the program as it was
}

// Promised returns the contract that this step stands by: a pass that declined gives nothing and need not have drawn what fences order, and
// facts that it withdrew are dropped. One that was kept from a rewrite may find it again.
func (s *Step) Promised() ir.Contract {
	c := s.Pass.Contract
	if s.Declined != "" {
		c.Gives = 0
		if c.Fences == ir.FencesDrawn {
			c.Fences = ir.FencesKept
		}
	}
	c.Drops |= s.Before.Facts &^ s.After.Facts
	c.Once = c.Once && !refused(s.Tally)
	return c
}

// Claims tells whether a step that changed nothing says something new of the program all the same, which may not be so.
func (s *Step) Claims() bool { return s.Gained != 0 || s.Promised().Fences == ir.FencesDrawn }

// The classes of Failure.
const (
	Crash   = "crash"   // a panic, an error, a non-zero exit
	Hang    = "hang"    // a time-out
	Garbage = "garbage" // output that is no JSON, or too much of it
	Illegal = "illegal" // JSON that is no program: dangling or double names, wrong types; or what a verifier finds fault with
)

// Failure says how a pass broke down.
type Failure struct {
	Class  string
	Detail string
}

// Error returns "class: detail".
func (f *Failure) Error() string { return f.Class + ": " + f.Detail }
