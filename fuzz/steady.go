package fuzz

import (
	"birfuzz/ir"
	"birfuzz/oracle"
	"birfuzz/passes"
)

// askTwice has a pass make a step again, and if it promises to be idempotent work on its own output, and has the answers judged (check steady).
// o are the options of the pipeline that made the step.
func (t *Tester) askTwice(s *passes.Step, o passes.Options) oracle.Verdict {
	if o.FuelAt != s.Index {
		o.Fuel = -1
	}
	o.FuelAt, o.Copies = 0, nil
	again, failed := t.answer(s.Before, s.Pass, o)
	if failed != nil {
		return brokenDown(failed, oracle.SteadyClass, "asked the same again, the pass breaks down: ")
	}
	var twice *ir.Program
	if s.Pass.Contract.Once && s.Declined == "" && o.Fuel < 0 && s.Pass.Command == nil {
		if twice, failed = t.answer(s.After, s.Pass, o); failed != nil {
			return brokenDown(failed, oracle.SteadyClass, "asked of its own output, the pass breaks down: ")
		}
	}
	return t.judge.Steady(s.After, again, twice, s.Promised())
}

// answer runs one pass on a copy of a program.
func (t *Tester) answer(p *ir.Program, pass *passes.Pass, o passes.Options) (out *ir.Program, failed *passes.Failure) {
	passes.Run(p.Clone(), []passes.Pass{*pass}, o, func(s *passes.Step) bool {
		out, failed = s.After, s.Failure
		return false
	})
	return out, failed
}

// brokenDown is the verdict on a pass that failed by itself, as a check has shown.
func brokenDown(f *passes.Failure, check, when string) oracle.Verdict {
	return oracle.Verdict{Kind: oracle.Different, Class: f.Class, Failed: []oracle.Failure{{Check: check, Detail: when + f.Detail}}}
}
