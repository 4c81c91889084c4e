package oracle

import (
	"slices"
	"strings"

	"birfuzz/ir"
)

// Check is one question about the programs before and after a pass. Each stands alone and can be switched off.
type Check struct {
	Name string
	Doc  string

	static func(*change) *flaw     // asked of the two programs; nil: nothing is wrong
	run    func(*comparison) *flaw // asked of two runs on the same inputs
}

// checks is the table, in the order of classes (semantics §6): the class of a finding is the first that failed.
var checks = [...]Check{
	{Name: "illegal", Doc: "Is the program well-formed, and do the facts that the pass promises hold?", static: checkIllegal},
	{Name: "limits", Doc: "Capacity, banks, partitions, alignment, engine and element type legality.", static: checkLimits},
	{Name: deadlockCheck, Doc: "Does every core, and every engine once Synced, come to its end in every order?", run: checkDeadlock},
	{Name: raceCheck, Doc: "Is every pair of conflicting accesses of two cores ordered by barriers, and of two engines, once Synced, by semaphores?", run: checkRace},
	{Name: scheduleCheck, Doc: "Do edges point back in program order, and is what conflicts, and what was Ordered, still ordered where the fact Deps says so?", static: checkSchedule},
	{Name: "fences", Doc: "Are the fences the same, in the same order, and has no access to visible memory crossed one?", run: checkFences},
	{Name: "accumulation", Doc: "Is no accumulation used in part that was only used as a whole before, and none started, added to or read where its group is in another state?", run: checkAccumulation},
	{Name: "undefined", Doc: "No fault, and no poison in outputs or visible memory, that was not there before.", run: checkUndefined},
	{Name: "value", Doc: "The same output bytes?", run: checkValue},
	{Name: "publish", Doc: "The same visible contents at every fence?", run: checkPublish},
	{Name: "provenance", Doc: "The same origin for every byte of every output, and of visible memory at every fence?", run: checkProvenance},
	{Name: "contract", Doc: "What this pass alone promises.", static: checkContract},
	{Name: steadyCheck, Doc: "Same input, same output, twice; idempotent where the pass says so. Judge.Steady asks it, of one changed step in 32."},
}

// Checks returns the table of checks in the order of classes.
func Checks() []Check { return slices.Clone(checks[:]) }

// Static tells whether the failures of a class are found without running anything: what they say of a program is about its text alone.
func Static(class string) bool {
	i := slices.IndexFunc(checks[:], func(c Check) bool { return c.Name == class })
	return i >= 0 && checks[i].static != nil
}

// change is a pass's work as the static checks see it.
type change struct {
	before, after *ir.Program
	contract      ir.Contract
	external      bool           // a pass without contract
	complaints    ir.Complaints  // of after
	old           []ir.Complaint // of before, filled when needed
	scheduler     *scheduler
}

// facts returns what must hold of after. A program whose pass has no contract says itself what still holds.
func (s *change) facts() ir.Facts {
	if s.external {
		return s.before.Facts & s.after.Facts
	}
	return s.before.Facts&^s.contract.Drops | s.contract.Gives
}

// limitRules are the rules of ir.Verify about what the machine has room and parts for.
var limitRules = map[string]bool{
	ir.RuleEngine: true, ir.RuleDType: true, ir.RulePartition: true, ir.RuleBank: true, ir.RuleCapacity: true, ir.RuleAlignment: true,
	ir.RuleArch: true, ir.RuleMemory: true,
}

func checkIllegal(s *change) *flaw { return s.complain(false) }

func checkLimits(s *change) *flaw { return s.complain(true) }

// complain returns the first new complaint of the kind.
func (s *change) complain(limits bool) *flaw {
	for _, c := range s.complaints {
		if limitRules[c.Rule] == limits && !slices.Contains(s.old, c) {
			return &flaw{c.Error(), s.accused(&c)}
		}
	}
	return nil
}

// accused finds the instruction that a complaint is about.
func (s *change) accused(c *ir.Complaint) *Witness {
	_, rest, ok := strings.Cut(c.Place, "inst ")
	if !ok {
		return nil
	}
	name, _, _ := strings.Cut(rest, ",")
	for i, f := range s.after.Cores {
		for in := range f.Insts {
			if in.Name == name && strings.HasPrefix(c.Place, "func "+f.Name+",") {
				p := partyOf(in)
				p.Core = i
				return &Witness{Parties: []Party{p}}
			}
		}
	}
	return nil
}
