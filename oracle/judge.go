package oracle

import (
	"errors"
	"fmt"
	"slices"

	"birfuzz/ir"
)

// Options says how a judge judges.
type Options struct {
	Checks   CheckSet // which checks are asked; 0: AllChecks
	MaxSteps int64    // steps of one run, see Way.MaxSteps; 0: DefaultMaxSteps
	MaxBytes int64    // memory of one program, see Layout.MaxBytes; 0: half of DefaultMaxBytes, as there are two machines that large
	Elements bool     // every run is of element grain: slower, the same verdicts
	Orders   int      // every so manyth step is run in other orders as well; 0: DefaultOrders
	// Schedule, unless it is empty, takes the place of those: every changed step is run in this order too, where its facts allow it. Where the
	// check race is not asked, that shows what a race does.
	Schedule Schedule
	Steady   int // every so manyth changed step is made again; 0: DefaultSteady (see Judge.AsksTwice)
	// Beside, unless it is nil, calls a function, or has somebody else do so, and returns what waits for the end of the call: what of a judgement
	// may be done side by side is given to it. The verdicts are the same.
	Beside  func(func()) (join func())
	Numbers bool // every run computes its numbers, those known from earlier runs too: slower, the same verdicts
}

// auditEvery is how many chains there are to one that is run as Options.Numbers says. The program at its start decides, so that workers and
// their number do not.
const auditEvery = 16

// hangFactor is how many times the steps of before the program after a pass has to exceed to be called hanging.
const hangFactor = 100

// Judge says whether a pass kept the meaning of a program (semantics §6). It is reusable, and not for concurrent use. It remembers the runs
// of the program that it accepted last, so that a chain of passes costs one run a pass.
type Judge struct {
	options Options
	inputs  []ir.Values
	start   *ir.Program // the program of Start
	kept    *lab        // cells, for the program of Start, which Finish runs again; of programs up to maxKept
	steps   *lab        // cells, for the others
	elems   *lab        // elements
	twin    *lab        // elements too, for the program after where both run at once; nil before the first
	verify  ir.Verifier
	sorter  sorter
	order   scheduler

	ledgers []ledger // of the chain's input sets
	audit   bool     // the chain is run in full

	known record                       // the last program accepted
	next  record                       // the program at hand
	spare [elementGrain + 1][]*outcome // by grain: what a run of elements shows is much more
	tally Tally
	step  session

	stepped uint64 // content of the program before the step that was judged last, see AsksTwice
}

// Tally counts what the judge did.
type Tally struct {
	Cells, Elements int // comparisons of two runs: those that cells decided, and those that needed elements
	// Programs that must be ordered by edges (check schedule): those of which all was looked at, and those too large for that, of which
	// nobody knows.
	Ordered, Unordered int
	// Runs of cell grain, and how many of them were replayed: every step was known from earlier ones.
	Runs, Replayed int
	Scheduled      int // steps that were run in Options.Schedule too
}

// Tally returns the counts since the judge was made.
func (j *Judge) Tally() Tally {
	t := j.tally
	t.Ordered, t.Unordered = j.order.whole, j.order.cut
	return t
}

// Since returns what was counted since an earlier time.
func (t Tally) Since(had Tally) Tally {
	return Tally{Cells: t.Cells - had.Cells, Elements: t.Elements - had.Elements, Ordered: t.Ordered - had.Ordered, Unordered: t.Unordered - had.Unordered,
		Runs: t.Runs - had.Runs, Replayed: t.Replayed - had.Replayed, Scheduled: t.Scheduled - had.Scheduled}
}

// record is a program and the runs that are remembered of it.
type record struct {
	hash uint64
	runs []run
}

// run is one remembered outcome.
type run struct {
	way     runWay
	outcome *outcome
}

// runWay says how a run was made, but for its lens.
type runWay struct {
	set    int // input set
	grain  grain
	joined bool     // locations that may alias are one
	down   bool     // isParallel loops run downwards
	order  Schedule // zero: as the program's facts say
}

// NewJudge returns a judge.
func NewJudge(o Options) *Judge {
	if o.Checks == 0 {
		o.Checks = AllChecks
	}
	if o.Orders == 0 {
		o.Orders = DefaultOrders
	}
	if o.Steady == 0 {
		o.Steady = DefaultSteady
	}
	if o.MaxBytes == 0 {
		o.MaxBytes = DefaultMaxBytes / 2
	}
	return &Judge{options: o, kept: newCellLab(), steps: newCellLab(), elems: newElementLab()}
}

// Start begins a chain with p, numbered and legal, and its input sets, of which there is at least one. The verdict is Same, Void where the
// program has no meaning on the first set, or Unknown where a limit was reached.
func (j *Judge) Start(p *ir.Program, inputs []ir.Values) Verdict {
	j.inputs, j.start = inputs, p
	j.forget(&j.known)
	j.forget(&j.next)
	j.slim()
	j.known.hash = p.Hash()
	j.audit = j.options.Numbers || j.known.hash%auditEvery == 0
	j.ledgers = slices.Grow(j.ledgers[:0], len(inputs))[:len(inputs)]
	for i := range j.ledgers {
		j.ledgers[i].clear()
	}
	s := j.open(change{before: p, after: p}, &j.known)
	s.lens = s.lensOf()
	for _, joined := range layouts(p, p) {
		if v := s.sound(joined); v.Kind != Same {
			return v
		}
	}
	return Verdict{}
}

// Next judges one step of the chain: before is equal in content to the last program accepted, which Start's is and every after with verdict
// Same; another one is run anew. With all every input set is tried, otherwise the first. A zero contract whose Same is nil is that of a pass
// that promised nothing.
func (j *Judge) Next(before, after *ir.Program, c ir.Contract, all bool) Verdict {
	hash, old := after.Hash(), before.Hash()
	j.stepped = old
	if hash == old && hash == j.known.hash && (!all || len(j.inputs) <= 1) { // what was to be changed may not be
		return j.Claims(before, after, c)
	}
	if old != j.known.hash {
		j.forget(&j.known)
		j.known.hash = old
	}
	j.forget(&j.next)
	j.next.hash = hash
	s := j.open(change{before: before, after: after, contract: c, external: c.Same == nil}, &j.next)
	end := 1
	if all {
		end = len(j.inputs)
	}
	v := s.judge(end)
	if v.Kind == Same {
		j.known, j.next = j.next, j.known
	}
	return v
}

// Claims judges what a pass that changed nothing says of the program: before and after are one but for their facts, so only the checks are
// asked that look at programs and do not run them. The chain goes on with after.
func (j *Judge) Claims(before, after *ir.Program, c ir.Contract) Verdict {
	s := j.open(change{before: before, after: after, contract: c, external: c.Same == nil}, &j.next)
	s.static()
	v := s.found.verdict(0)
	if v.Kind == Same && before.Hash() == j.known.hash {
		j.known.hash = after.Hash()
	}
	return v
}

// Finish ends a chain: it compares the program at its start with the one at its end on every input set but the first, on which each step was
// judged already. Where that shows a difference, the chain must be walked again with all sets to tell which step made it.
func (j *Judge) Finish(first, last *ir.Program, c ir.Contract) Verdict {
	j.forget(&j.known)
	j.forget(&j.next)
	j.known.hash, j.next.hash = first.Hash(), last.Hash()
	if j.known.hash == j.next.hash {
		return Verdict{}
	}
	s := j.open(change{before: first, after: last, contract: c, external: true}, &j.next)
	return s.onSets(1, len(j.inputs))
}

// open begins a session on a change; next is the record of the program after it.
func (j *Judge) open(c change, next *record) *session {
	s := &j.step
	c.scheduler = &j.order
	*s = session{j: j, change: c, known: &j.known, next: next, found: judgement{failed: s.found.failed[:0]}}
	return s
}

// forget gives the outcomes of a record back.
func (j *Judge) forget(r *record) {
	for i := range r.runs {
		j.giveBack(r.runs[i].way.grain, r.runs[i].outcome)
	}
	r.runs, r.hash = r.runs[:0], 0
}

// outcome returns how p, whose record is r, runs, from memory where it is remembered.
func (j *Judge) outcome(p *ir.Program, r *record, w runWay, l lens) (*outcome, error) {
	if o := r.recall(w, &l); o != nil {
		return o, nil
	}
	o := j.fresh(w.grain)
	return j.keep(r, w, o, j.run(p, r.hash, w, l, o))
}

// recall returns the outcome of a run that is remembered, nil if there is none.
func (r *record) recall(w runWay, l *lens) *outcome {
	for i := range r.runs {
		if r.runs[i].way == w && r.runs[i].outcome.lens.same(l) {
			return r.runs[i].outcome
		}
	}
	return nil
}

// keep remembers the outcome of a run, unless that came to nothing.
func (j *Judge) keep(r *record, w runWay, o *outcome, err error) (*outcome, error) {
	if err != nil {
		j.giveBack(w.grain, o)
		return nil, err
	}
	r.runs = append(r.runs, run{w, o})
	return o, nil
}

func (j *Judge) fresh(g grain) *outcome {
	list := &j.spare[g]
	if n := len(*list); n > 0 {
		o := (*list)[n-1]
		*list = (*list)[:n-1]
		return o
	}
	return &outcome{}
}

func (j *Judge) giveBack(g grain, o *outcome) { j.spare[g] = append(j.spare[g], o) }

// maxKept bounds the memory of a program that is kept beside the one at hand.
const maxKept = 32 << 20

// prepare has a lab of cells hold p, whose content has that hash.
func (j *Judge) prepare(p *ir.Program, hash uint64, w runWay) (*lab, error) {
	l := Layout{Joined: w.joined, MaxBytes: j.options.MaxBytes}
	if p == j.start {
		small := Layout{Joined: w.joined, MaxBytes: min(l.MaxBytes, maxKept)}
		if err := j.kept.prepare(p, hash, small); limitText(err) == "" {
			return j.kept, err
		}
	}
	return j.steps, j.steps.prepare(p, hash, l)
}

// run runs a program, whose content has that hash, and fills o.
func (j *Judge) run(p *ir.Program, hash uint64, w runWay, l lens, o *outcome) error {
	if w.grain == elementGrain {
		return j.runElements(j.elems, p, hash, w, l, o)
	}
	b, err := j.prepare(p, hash, w)
	if err != nil {
		return err
	}
	in, way := j.inputs[w.set], j.wayOf(p, w)
	b.watch.observe(w.grain, l, o)
	j.tally.Runs++
	k := &j.ledgers[w.set]
	if k.steps.n > 0 && !j.audit {
		b.follow(k, true)
		if err := b.run(in, way, o); err == nil && !b.cells.lost && !o.faulted {
			j.tally.Replayed++
			return nil
		}
		b.watch.observe(w.grain, l, o)
	}
	b.follow(k, false)
	return b.run(in, way, o)
}

// runElements is run in a lab of elements.
func (j *Judge) runElements(b *lab, p *ir.Program, hash uint64, w runWay, l lens, o *outcome) error {
	if err := b.prepare(p, hash, Layout{Joined: w.joined, MaxBytes: j.options.MaxBytes}); err != nil {
		return err
	}
	if b.machine.size/l.unit > maxShadow/2 { // for there are two runs to compare
		return tooLarge("%d bytes of memory in elements of %d bytes are more than a shadow can follow", b.machine.size, l.unit)
	}
	b.watch.observe(w.grain, l, o)
	return b.run(j.inputs[w.set], j.wayOf(p, w), o)
}

// wayOf returns how a machine makes a run of p.
func (j *Judge) wayOf(p *ir.Program, w runWay) Way {
	way := Way{Downward: w.down, Clear: w.grain == elementGrain, Schedule: w.orderOf(p), MaxSteps: j.options.MaxSteps}
	way.Racy = w.order.kind != programOrder && w.order == j.options.Schedule && !j.options.Checks.Has(raceCheck)
	return way
}

// layouts returns the memory layouts in which a case is judged: locations that may alias are tried apart and joined.
func layouts(a, b *ir.Program) []bool {
	if mayJoin(a) || mayJoin(b) {
		return bothLayouts[:]
	}
	return bothLayouts[:1]
}

var bothLayouts = [...]bool{false, true}

// mayJoin tells whether the program has locations that may or may not share storage.
func mayJoin(p *ir.Program) bool {
	for _, f := range p.Cores {
		for l := range f.Locs {
			for _, x := range l.Alias {
				if x.Kind == ir.MayAlias && !(l.Allocated && x.Loc.Allocated) {
					return true
				}
			}
		}
	}
	return false
}

// parallel tells whether a loop of the program may run in any order.
func parallel(p *ir.Program) bool {
	for in := range p.Insts {
		if in.Loop != nil && in.Loop.Parallel && in.Loop.Trips() > 1 {
			return true
		}
	}
	return false
}

// limitText says which limit an error means; empty: none, the program does not hold together.
func limitText(err error) string {
	var l *LimitError
	if errors.As(err, &l) {
		return fmt.Sprintf("the program is too large: %s", l.Detail)
	}
	return ""
}
