package fuzz

import (
	"fmt"

	"birfuzz/ir"
	"birfuzz/oracle"
)

// excuse makes a case void in the place of a finding where its program was illegal before any pass saw it. Whatever a pass makes of such a program
// is right, and one that verifies is right to stop there: the fault is with who made the program. Files are verified when they are read.
func (r *Result) excuse(c *Case) {
	if !r.Failed {
		return
	}
	cs := ir.Verify(c.Program, c.Program.Facts)
	if len(cs) == 0 {
		return
	}
	why := fmt.Sprint("the program is illegal: ", cs[0])
	if c.File == "" {
		why = fmt.Sprint("the generator made an illegal program, which is a fault of birfuzz and of no pass: ", cs[0])
	}
	*r = Result{Step: -1, Verdict: oracle.Verdict{Kind: oracle.Void, Why: why}, Judged: r.Judged, Tally: r.Tally}
}
