package passes

import (
	"fmt"

	"birfuzz/ir"
)

// birVerifier is the check at place 13 of levels 1–3, and around them in level 6: ir.Verify, which is this project's form of the documents'
// rules (walrus.md §8.1–8.4), with the facts that the program carries.
//
// The oracle verifies every step too. Here a program is stopped where a vendor's compiler would stop it, also when the oracle's checks are
// switched off, and for what comes out of an external pass before it.
//
// Of the rules of §8.1 two are left to others: that a byte is read which nobody wrote (a flag there) is the oracle's poison, and that legacy
// and OCP 8-bit floats do not meet in one module is no rule of bir.json's, which lists both.
func birVerifier() Pass {
	return Pass{
		Name:     "birverifier",
		Doc:      "Checks that the program is legal: structure, engines, types, memories, access patterns, settings, placement, facts. Rewrites nothing.",
		Order:    13,
		Verifies: true,
		Knobs: []Knob{{Name: "max-instruction-limit", Value: 5_000_000,
			Doc: "the most instructions that a module may hold, those of loop bodies counted once (error EBVF030; its value is not documented, this one is ours)"}},
		Contract: verifierContract(),
		Run: func(c *Ctx) error {
			p := c.Program()
			cs := ir.Verify(p, p.Facts)
			if n, most := int64(p.NumInsts()), c.Knob("max-instruction-limit"); n > most {
				cs = append(cs, ir.Complaint{Place: "module", Rule: ir.RuleSize, Got: fmt.Sprintf("%d instructions", n), Want: fmt.Sprintf("at most %d", most)})
			}
			return failedBy(cs)
		},
	}
}

// verifierContract is what a check promises: it changes nothing.
func verifierContract() ir.Contract {
	return ir.Contract{Order: ir.OrderSame, Same: everyLaw(), Once: true}
}

// maxComplaints is how many complaints a verifier lists.
const maxComplaints = 20

// failedBy turns complaints into the failure of a verifier. Its class is Illegal: the program is at fault, whoever made it.
func failedBy(cs ir.Complaints) error {
	if len(cs) == 0 {
		return nil
	}
	return &Failure{Illegal, cs.First(maxComplaints)}
}
