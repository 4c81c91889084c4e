package fuzz

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"birfuzz/passes"
)

// What became of an operator mutant.
const (
	FateFound    = "found"    // a campaign saw a program change its meaning
	FateCrash    = "crash"    // a campaign saw the pass fail, hang or hand over what is no program
	FateTests    = "tests"    // no campaign saw it, but a test of the package fails
	FateSurvives = "survives" // nobody sees it: a gap, or it changes nothing that counts
)

// OperatorOutcome is what became of one operator mutant. The JSON keys are those of the command's -json output; they are never renamed.
type OperatorOutcome struct {
	Place    string  `json:"place"`          // file:line:column
	Operator string  `json:"operator"`       // relational, boolean, arithmetic, off-by-one or deletion
	Change   string  `json:"change"`         // what was done
	Fate     string  `json:"fate"`           // found, crash, tests or survives
	Check    string  `json:"check"`          // the class of the finding, of the first two fates
	Level    string  `json:"level"`          // the pipeline that showed it
	Programs int     `json:"programs"`       // judged until then, or all
	Seconds  float64 `json:"seconds"`        // of processor time, in campaigns
	Note     string  `json:"note,omitempty"` // why a finding of a campaign does not count

	site *operatorSite
}

// OperatorScore is the second score: what -operators -json prints.
type OperatorScore struct {
	Sites    int               `json:"sites"`    // changes that the operators can make in the passes
	Reached  int               `json:"reached"`  // of those in code that the measured campaigns go through; the sample is of these
	Measured int               `json:"measured"` // programs a level by which that was measured
	Levels   []string          `json:"levels"`   // measured and hunted in
	Total    int               `json:"total"`    // mutants that were tried
	Killed   int               `json:"killed"`   // by a campaign: found and crash
	Fates    map[string]int    `json:"fates"`
	Mutants  []OperatorOutcome `json:"mutants"`
}

// DefaultOperatorTime is the time that the campaigns for one operator mutant are given, all together.
const DefaultOperatorTime = 20 * time.Second

// operatorLevels are hunted in unless the hunt names some: one of each list of passes.
var operatorLevels = []string{"O2", "O2-loops", "O3-loops", "O2-loops-sync"}

// Operators makes a sample of n of the mutants that the operators of mutation testing (relational, boolean, arithmetic, off by one, deletion of
// statements) make in the code of the passes that campaigns go through. Each is hunted in the two levels that are busiest at its place; the
// tests of the package are asked of those that no campaign finds.
func (h *Hunt) Operators(ctx context.Context, n int) (*OperatorScore, error) {
	sites, sources, err := operatorSites(h.Root)
	if err != nil {
		return nil, err
	}
	b, err := newBench(h)
	if err != nil {
		return nil, err
	}
	defer b.close()
	s := &OperatorScore{Sites: len(sites), Levels: h.Levels, Measured: cmp.Or(h.Count, reachPrograms), Fates: map[string]int{}, Mutants: []OperatorOutcome{}}
	if len(s.Levels) == 0 {
		s.Levels = operatorLevels
	}
	r, err := b.measure(ctx, s.Levels, s.Measured)
	if err != nil {
		return nil, err
	}
	var reached []operatorHunt
	for i := range sites {
		if levels := r.of(&sites[i]); len(levels) > 0 {
			reached = append(reached, operatorHunt{site: &sites[i], levels: levels[:min(2, len(levels))]})
		}
	}
	s.Reached = len(reached)
	sample, ms := drawn(reached, n, h.Seed, sources)
	if len(sample) == 0 {
		return s, nil
	}
	if err := b.openWithTests(ctx, ms); err != nil {
		return nil, err
	}
	s.Mutants = spread(ctx, h, len(sample), func(i int) string { return ms[i].Name }, func(i int) OperatorOutcome { return b.tryOperator(ctx, &sample[i]) })
	slices.SortFunc(s.Mutants, func(a, b OperatorOutcome) int { return a.site.compare(b.site) })
	for _, o := range s.Mutants {
		s.Total++
		s.Fates[o.Fate]++
	}
	s.Killed = s.Fates[FateFound] + s.Fates[FateCrash]
	return s, nil
}

// operatorHunt is an operator mutant and where it is hunted.
type operatorHunt struct {
	site   *operatorSite
	levels []string
	mutant *Mutant
}

// drawn returns n of the hunts and their mutants in a random order, so that what is tried before an interrupt is a sample too.
func drawn(all []operatorHunt, n int, seed uint64, sources map[string]string) ([]operatorHunt, []*Mutant) {
	order := rand.New(rand.NewPCG(seed, 0)).Perm(len(all))[:min(n, len(all))]
	sample, ms := make([]operatorHunt, 0, len(order)), make([]*Mutant, 0, len(order))
	for _, i := range order {
		o := all[i]
		o.mutant = o.site.mutant(sources[o.site.file])
		sample, ms = append(sample, o), append(ms, o.mutant)
	}
	return sample, ms
}

// openWithTests builds one birfuzz and one test binary of the package with all the mutants. The tests must pass without any.
func (b *bench) openWithTests(ctx context.Context, ms []*Mutant) error {
	if err := b.open(ctx, ms); err != nil {
		return err
	}
	if len(b.number) < len(ms) {
		return fmt.Errorf("%d of %d operator mutants do not share a build", len(ms)-len(b.number), len(ms))
	}
	files, _, err := schemata(b.hunt.Root, ms)
	if err != nil {
		return err
	}
	b.tests = filepath.Join(b.tmp, "tests")
	if err := b.compile(ctx, goCommand{verb: []string{"test", "-c"}, target: "./" + operatorPackage}, b.tests, files); err != nil {
		return fmt.Errorf("the tests of %s: it %w", operatorPackage, err)
	}
	if !b.pass(ctx, 0) {
		return fmt.Errorf("the tests of %s fail without a mutant: mend that first", operatorPackage)
	}
	return nil
}

// testTime is how long the tests of the package may take.
const testTime = 2 * time.Minute

// pass tells whether the short tests of the package pass with a mutant planted.
func (b *bench) pass(ctx context.Context, number int) bool {
	cmd := exec.CommandContext(ctx, b.tests, "-test.short", "-test.failfast", "-test.timeout", testTime.String())
	cmd.Dir = filepath.Join(b.hunt.Root, operatorPackage)
	cmd.Env = executable{number: number}.env()
	return cmd.Run() == nil
}

// tryOperator hunts one operator mutant.
func (b *bench) tryOperator(ctx context.Context, h *operatorHunt) OperatorOutcome {
	o := OperatorOutcome{site: h.site, Place: h.site.String(), Operator: h.site.operator, Change: h.site.change(), Fate: FateSurvives}
	planted := executable{binary: b.shared.binary, number: b.number[h.mutant]}
	for _, level := range h.levels {
		limit := cmp.Or(b.hunt.Duration, DefaultOperatorTime) / time.Duration(len(h.levels))
		r, took, err := b.first(ctx, planted, h.mutant.Name, level, limit)
		if err != nil {
			o.Fate, o.Check, o.Level = FateCrash, err.Error(), level
			return o
		}
		o.Programs += r.Programs
		o.Seconds += took.Seconds()
		if len(r.Findings) == 0 {
			continue
		}
		f := r.Findings[0]
		if o.Note = b.confirm(ctx, planted, f); o.Note == "" {
			o.Fate, o.Check, o.Level = FateFound, f.Class, level
			if slices.Contains([]string{passes.Crash, passes.Hang, passes.Garbage}, f.Class) {
				o.Fate = FateCrash
			}
			return o
		}
	}
	if !b.pass(ctx, planted.number) {
		o.Fate = FateTests
	}
	return o
}

// first runs a campaign until it has a finding. The error is a campaign that broke down.
func (b *bench) first(ctx context.Context, planted executable, name, level string, limit time.Duration) (*Report, time.Duration, error) {
	within, cancel := context.WithTimeout(ctx, limit+hangGrace)
	defer cancel()
	return planted.run(within, []string{"fuzz", "-json", "-stop-after", "1", "-seed", fmt.Sprint(b.hunt.Seed), "-duration", limit.String(),
		"-level", level, "-out", filepath.Join(b.tmp, "found", fileName(name))})
}
