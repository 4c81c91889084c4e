package passes

import "birfuzz/ir"

// lncVerifier is the check at place 14 of levels 1–3: what the cores of a split module must agree on, as ir.VerifyCores says.
func lncVerifier() Pass {
	return Pass{
		Name: "lnc_verifier",
		Doc: "Checks that the functions of a module agree: barriers and collectives are met by all their members in one order, and a location that several " +
			"functions mean as one is the same to each. Rewrites nothing.",
		Order:    14,
		Verifies: true,
		Contract: verifierContract(),
		Run:      func(c *Ctx) error { return failedBy(ir.VerifyCores(c.Program())) },
	}
}
