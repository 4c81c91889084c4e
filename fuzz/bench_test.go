package fuzz

import (
	"fmt"
	"runtime"
	"testing"

	"birfuzz/gen"
	"birfuzz/ir"
	"birfuzz/oracle"
	"birfuzz/passes"
)

// touch is a right pass that always changes the program: it swaps the first neighbours that it may, from the place of its number on.
func touch(n int) passes.Pass {
	rule := &passes.Rule{Name: fmt.Sprintf("touch%d.swap", n), Doc: "Swaps two independent neighbours."}
	return passes.Pass{Name: fmt.Sprintf("touch%d", n), Rules: []*passes.Rule{rule}, Run: func(c *passes.Ctx) error {
		families := ir.NewFamilies(c.Program())
		for _, f := range c.Program().Cores {
			for b := range f.AllBlocks {
				for i := n; i+1 < len(b.Insts); i++ {
					if independent(families, b.Insts[i], b.Insts[i+1]) && c.Allow(rule, b.Insts[i]) {
						order := append([]*ir.Inst(nil), b.Insts...)
						order[i], order[i+1] = order[i+1], order[i]
						c.Edit().Reorder(b, order)
						return nil
					}
				}
			}
		}
		return nil
	}}
}

func independent(families *ir.Families, a, b *ir.Inst) bool {
	if a.HasEffect() || b.HasEffect() || a.ReadsAcc() || b.ReadsAcc() || len(a.Deps)+len(b.Deps)+len(a.LoopDeps)+len(b.LoopDeps) > 0 {
		return false
	}
	for i := range a.Args {
		for j := range b.Args {
			if (i < int(a.NOut) || j < int(b.NOut)) && families.Overlap(&a.Args[i], &b.Args[j]) {
				return false
			}
		}
	}
	return true
}

// benchCases are the pinned programs of gen.Bench with their inputs.
func benchCases(n int) []Case {
	cfg := gen.Bench()
	out := make([]Case, n)
	for i := range out {
		out[i] = Generate(1, i, &cfg)
	}
	return out
}

// oneCore keeps a benchmark to one core, its garbage collector and what it starts included: its rate is a core's.
func oneCore(b *testing.B) {
	before := runtime.GOMAXPROCS(1)
	b.Cleanup(func() { runtime.GOMAXPROCS(before) })
}

func rate(b *testing.B) {
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "programs/s")
}

// BenchmarkEndToEnd is the whole way of one program on one core: made, given inputs, run through three passes that change it, judged on
// one input set a step and on all at the end.
func BenchmarkEndToEnd(b *testing.B) {
	oneCore(b)
	ps := []passes.Pass{touch(0), touch(3), touch(6)}
	cfg := gen.Bench()
	t := NewTester(ps, oracle.Options{})
	for i := 0; b.Loop(); i++ {
		if r := t.Test(Generate(1, i%1000, &cfg)); r.Verdict.Kind != oracle.Same {
			b.Fatalf("program %d: %+v", i, r.Verdict)
		}
	}
	rate(b)
}

// BenchmarkJudged is the same without making the program and its inputs.
func BenchmarkJudged(b *testing.B) {
	oneCore(b)
	ps := []passes.Pass{touch(0), touch(3), touch(6)}
	cases := benchCases(200)
	t := NewTester(ps, oracle.Options{})
	for i := 0; b.Loop(); i++ {
		if r := t.Test(cases[i%len(cases)]); r.Verdict.Kind != oracle.Same {
			b.Fatalf("program %d: %+v", i, r.Verdict)
		}
	}
	rate(b)
}

// BenchmarkUnchangedStep is a pass of ours that finds nothing to do on a program of the bench.
func BenchmarkUnchangedStep(b *testing.B) {
	idle := passes.Pass{Name: "idle", Run: func(*passes.Ctx) error { return nil }}
	p := benchCases(1)[0].Program
	for b.Loop() {
		passes.Run(p, []passes.Pass{idle}, passes.Unlimited(), func(*passes.Step) bool { return true })
	}
}

// BenchmarkParts prints what one program of the bench costs in each part, in nanoseconds an instruction.
func BenchmarkParts(b *testing.B) {
	cases := benchCases(200)
	insts := 0
	for i := range cases {
		insts += cases[i].Program.NumInsts()
	}
	m := oracle.NewMachine()
	var v ir.Verifier
	parts := []struct {
		name string
		run  func(*ir.Program)
	}{
		{"clone", func(p *ir.Program) { p.Clone() }},
		{"verify", func(p *ir.Program) { v.Verify(p, p.Facts) }},
		{"hash", func(p *ir.Program) { p.Hash() }},
		{"compile", func(p *ir.Program) { _ = m.Prepare(p, oracle.Layout{}) }},
	}
	for _, part := range parts {
		b.Run(part.name, func(b *testing.B) {
			for b.Loop() {
				for i := range cases {
					part.run(cases[i].Program)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(insts), "ns/inst")
		})
	}
}
