package passes

import "birfuzz/ir"

// oomChecker is the check at place 15 of levels 1–3. The documents give its name only; what it counts, and why so little of what is not yet
// placed, stands at ir.VerifyRoom: what it rejects cannot be placed by any allocator.
func oomChecker() Pass {
	return Pass{
		Name: "oom_checker",
		Doc: "Checks that memory suffices: what one instruction names fits into SBUF and PSUM at the same time, and what must be in DRAM at the same time into " +
			"the device. Rewrites nothing.",
		Order:    15,
		Verifies: true,
		Contract: verifierContract(),
		Run:      func(c *Ctx) error { return failedBy(ir.VerifyRoom(c.Program())) },
	}
}
