package fuzz

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"birfuzz/gen"
	"birfuzz/ir"
	"birfuzz/ir/bircheck"
	"birfuzz/ir/birjson"
	"birfuzz/oracle"
)

// Validation looks at generated programs and nothing else: are they legal by ir.Verify, by the second validator (ir/bircheck, on their
// bir.json), and do they mean something on exact inputs, with no undefined byte in an output? Do the edges of those with the fact Deps suffice?
// Programs are those of a Campaign of that seed.
type Validation struct {
	Seed    uint64
	Count   int
	Workers int // 0 is one a CPU
	Config  *gen.Config
}

// Validated is what came of a Validation. All but Programs, Insts and Seconds should be 0; Unknown may not be.
type Validated struct {
	Programs   int     `json:"programs"`
	Insts      int     `json:"instructions"`
	Illegal    int     `json:"illegal"`     // by ir.Verify, or it cannot be written
	Second     int     `json:"illegal_too"` // by the second validator
	Void       int     `json:"void"`        // a fault: no meaning
	Undefined  int     `json:"undefined"`   // an output byte that nothing defined
	Unordered  int     `json:"unordered"`   // it has the fact Deps, and edges do not suffice
	Unknown    int     `json:"unknown"`     // a limit was reached, or memory is too large for a shadow
	Broken     int     `json:"broken"`      // birfuzz itself broke down on it
	Seconds    float64 `json:"seconds"`
	Complaints []Fault `json:"complaints"` // by program number
}

// Fault is what is wrong with one generated program.
type Fault struct {
	Program int    `json:"program"` // its number in the campaign
	Kind    string `json:"kind"`    // illegal, illegal_too, void, undefined, unordered or broken
	Text    string `json:"text"`
}

// String is the fault on one line.
func (f Fault) String() string { return fmt.Sprintf("program %d is %s: %s", f.Program, f.Kind, f.Text) }

// OK tells whether nothing is wrong with any of the programs.
func (v *Validated) OK() bool { return len(v.Complaints) == 0 }

// Run looks at the programs until all are done or ctx is. Any number of workers finds the same.
func (v Validation) Run(ctx context.Context) Validated {
	start := time.Now()
	var next atomic.Int64
	parts := make([]*checking, Workers(v.Workers))
	var wg sync.WaitGroup
	for w := range parts {
		parts[w] = newChecking(v.Seed)
		wg.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= v.Count {
					return
				}
				parts[w].look(i, v.Config)
			}
		})
	}
	wg.Wait()
	all := Validated{Complaints: []Fault{}}
	for _, k := range parts {
		all.merge(&k.found)
	}
	slices.SortStableFunc(all.Complaints, func(a, b Fault) int { return cmp.Compare(a.Program, b.Program) })
	all.Seconds = time.Since(start).Seconds()
	return all
}

func (v *Validated) merge(o *Validated) {
	v.Programs += o.Programs
	v.Insts += o.Insts
	v.Illegal += o.Illegal
	v.Second += o.Second
	v.Void += o.Void
	v.Undefined += o.Undefined
	v.Unordered += o.Unordered
	v.Unknown += o.Unknown
	v.Broken += o.Broken
	v.Complaints = append(v.Complaints, o.Complaints...)
}

// checking is what one worker uses and finds.
type checking struct {
	seed     uint64
	maker    gen.Maker
	verifier ir.Verifier
	judge    *oracle.Judge
	found    Validated
}

func newChecking(seed uint64) *checking {
	return &checking{seed: seed, judge: oracle.NewJudge(oracle.Options{})}
}

// look draws a program and looks at it. If birfuzz itself breaks down on that, new tools are taken: nobody knows what the old ones are left with.
func (k *checking) look(index int, config *gen.Config) {
	why := guarded(func() {
		r, c := Drawing(k.seed, index, config)
		k.add(index, k.maker.Program(r, &c))
	})
	if why != "" {
		found := k.found
		*k = *newChecking(k.seed)
		k.found = found
		k.found.note(&k.found.Broken, index, "broken", why)
	}
}

// add looks at one program. One that is illegal is not run.
func (k *checking) add(index int, p *ir.Program) {
	v := &k.found
	v.Programs++
	v.Insts += p.NumInsts()
	first, second := "", ""
	if bad := k.verifier.Verify(p, p.Facts); bad != nil {
		first = fmt.Sprint(bad[0])
	}
	if text, err := birjson.Compact(p); err != nil {
		first = err.Error()
	} else if bad := bircheck.Check(text); bad != nil {
		second = bad[0].String()
	}
	v.note(&v.Illegal, index, "illegal", first)
	v.note(&v.Second, index, "illegal_too", second)
	if first+second == "" {
		k.run(index, p)
		k.edges(index, p)
	}
}

// note counts what is wrong with a program, if text says anything.
func (v *Validated) note(n *int, index int, kind, text string) {
	if text != "" {
		*n++
		v.Complaints = append(v.Complaints, Fault{index, kind, text})
	}
}

// run executes a legal program once.
func (k *checking) run(index int, p *ir.Program) {
	v := &k.found
	in := gen.NeedsOf(p).Inputs(gen.New(k.seed).Fork("inputs 0"), gen.Exact)
	verdict, undefined := k.judge.Start(p, []ir.Values{in}), ""
	if verdict.Kind == oracle.Same {
		undefined, verdict = k.judge.Undefined()
	}
	switch verdict.Kind {
	case oracle.Same:
		v.note(&v.Undefined, index, "undefined", undefined)
	case oracle.Unknown:
		v.Unknown++
	default:
		v.note(&v.Void, index, "void", verdict.Why)
	}
}
