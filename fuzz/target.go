package fuzz

import (
	"context"
	"fmt"

	"birfuzz/gen"
	"birfuzz/oracle"
	"birfuzz/passes"
)

// targetInsts bounds the programs that bytes decode to: engines that search by coverage want many small ones.
const targetInsts = 24

// Target is what engines that mutate bytes and watch coverage drive: bytes decode to a legal program and a level, whatever they are, and the
// level's passes are judged on it. It is used for many inputs, one at a time.
type Target struct {
	levels  []string
	testers []*Tester
}

// NewTarget returns a target over all levels.
func NewTarget() *Target {
	t := &Target{levels: passes.Levels()}
	for _, level := range t.levels {
		t.testers = append(t.testers, NewTester(mustPipeline(level), oracle.Options{}))
	}
	return t
}

func mustPipeline(level string) []passes.Pass {
	ps, err := passes.Pipeline(level)
	if err != nil {
		panic(err) // the name comes from the list of all levels
	}
	return ps
}

// Decode returns the case, with passes of its own or without, and the number of the level (among passes.Levels) that bytes stand for. Equal bytes
// stand for equal cases.
func (t *Target) Decode(data []byte) (c Case, level int) {
	r := gen.FromBytes(data)
	level = r.IntN(len(t.levels))
	cfg := gen.Swarm(r)
	cfg.MaxInsts = targetInsts
	p := gen.Program(r, cfg)
	c = Case{Name: fmt.Sprintf("%d bytes", len(data)), Program: p, Inputs: inputsOfKinds(1, p, inputKinds[:1])}
	c.free(r, t.testers[level].Passes, passes.AllFreedom)
	return c, level
}

// Judge runs what the bytes decode to. It returns a finding, shrunk and explained, where a step is not right, and else how many rewrites
// the passes made.
func (t *Target) Judge(data []byte) (f *Finding, fired int) {
	c, level := t.Decode(data)
	tester := t.testers[level]
	r := tester.Test(c)
	for _, step := range r.Tally {
		for _, n := range step.Rules {
			fired += n.Fired
		}
	}
	if !r.Failed {
		return nil, fired
	}
	f = newFinding(c, t.levels[level], oracle.Options{}, r, tester.FindBlame(c, r))
	Minimise(context.Background(), f, c, r, oracle.Options{}, false)
	return f, fired
}

// Panic is the text with which a finding ends an engine's run. Its first line depends on the cause alone, for engines tell crashes apart by it.
func (f *Finding) Panic() string {
	return fmt.Sprintf("%s by %s, rule %s\n%s", f.Class, f.Pass, f.Rule, f.Text())
}
