package gen

import (
	"slices"
	"strconv"

	"birfuzz/ir"
)

// Varier makes other programs of legal ones. The zero value is ready. It is not for concurrent use.
type Varier struct {
	Tried   int // changes made
	Refused int // of these, those after which the program did not verify: they were taken back

	verifier ir.Verifier
}

// mostVaried is how many instructions a program may have so that a change may add some.
const mostVaried = 96

// Vary returns a copy of p with 1 to 16 small changes; nil if none of those that were drawn fits. It takes one number from r, which decides
// all with p, and leaves p alone. p must be legal, and so is what is returned, on inputs that are drawn anew (Inputs): facts that a change may
// break are dropped, and changes are drawn so that nothing reads what is not defined.
//
// That an instruction's result differs does not matter: passes must keep the meaning of whatever program there is. So a change only has to
// heed four things. A byte must have been written before it is read. Values that somebody relies on (an index, the argument of a function with
// a domain) must stay what was moved from an input. Cores must not race. And trips that may run in any order must not come to depend on each
// other: a loop loses that mark where a change might make them.
func (v *Varier) Vary(r *Rand, p *ir.Program) *ir.Program {
	own := r.split()
	want, made := 1<<own.Pick([]int{3, 3, 3, 2, 1}), 0
	best := p
	for tries := 4 * want; tries > 0 && made < want; tries-- {
		if q := v.change(&own, best); q != nil {
			best = q
			made++
		}
	}
	if made == 0 {
		return nil
	}
	return best
}

// change returns a copy of p with one change; nil if the one that was drawn does not fit.
func (v *Varier) change(r *Rand, p *ir.Program) *ir.Program {
	own := r.split()
	c := &changes[own.Pick(changeWeights[:])]
	if p.Facts.Has(ir.Synced) && !c.still || c.grows && p.NumInsts() > mostVaried {
		return nil
	}
	w := newPatch(own, p.Clone())
	if !c.make(w) {
		return nil
	}
	w.prog.Facts &^= c.drops
	w.prog.Number()
	v.Tried++
	if len(v.verifier.Verify(w.prog, w.prog.Facts)) > 0 {
		v.Refused++
		return nil
	}
	return w.prog
}

// changed is a kind of change.
type changed struct {
	name   string
	weight int
	still  bool     // everybody touches the bytes that he touched, when he did: semaphores still order what they ordered
	grows  bool     // there are more instructions
	drops  ir.Facts // what may no longer hold
	make   func(*patch) bool
}

// changes are what Vary draws from.
var changes = [...]changed{
	{"setting", 6, true, false, ir.Grouped, (*patch).setting},
	{"row", 6, true, false, ir.Grouped, (*patch).row},
	{"type", 3, true, false, ir.Grouped, (*patch).retype},
	{"broadcast", 2, true, false, 0, (*patch).broadcast},
	{"engine", 2, false, false, ir.Deps | ir.Grouped, (*patch).engine},
	{"queue", 2, false, false, ir.Deps, (*patch).queue},
	{"read", 6, false, false, ir.Deps, (*patch).reread},
	{"reuse", 4, false, false, ir.Deps | ir.Grouped, (*patch).reuse},
	{"relay", 4, false, true, ir.Deps | ir.Placed, (*patch).relay},
	{"drop", 4, false, false, ir.Deps | ir.Grouped, (*patch).drop},
	{"twice", 4, false, true, ir.Deps | ir.Grouped, (*patch).twice},
	{"move", 5, false, false, ir.Deps, (*patch).move},
	{"order", 4, true, false, 0, (*patch).order},
	{"edge", 2, true, false, 0, (*patch).edge},
	{"no-edge", 1, false, false, ir.Deps, (*patch).noEdge},
	{"wrap", 5, false, true, ir.Unrolled | ir.Deps | ir.Grouped, (*patch).wrap},
	{"trips", 3, false, false, ir.Deps | ir.Grouped, (*patch).trips},
	{"axis", 2, true, false, 0, (*patch).axis},
	{"guard", 2, false, false, ir.Deps | ir.Grouped, (*patch).guard},
	{"marks", 1, true, false, 0, (*patch).marks},
}

var changeWeights = weightsOf(changes[:])

func weightsOf(list []changed) (w [len(changes)]int) {
	for i := range list {
		w[i] = list[i].weight
	}
	return w
}

// patch is a program that is being changed, with what changes ask about it.
type patch struct {
	Rand
	prog    *ir.Program
	sites   []spot
	flow    flow
	bound   []bool // by storage: somebody relies on the values there
	read    []bool // by storage: an instruction reads it
	several bool   // several cores run the program
	overlay bool   // two locations have addresses that overlap: what stands in one is undone by writing the other
	names   map[string]bool
}

// spot is where an instruction stands.
type spot struct {
	fn     *ir.Func
	block  *ir.Block
	at     int // in the block
	in     *ir.Inst
	around []*ir.Loop // outermost first
}

func newPatch(r Rand, p *ir.Program) *patch {
	w := &patch{Rand: r, prog: p, several: len(p.Cores) > 1}
	w.flow.locate(p)
	w.bound, w.read = make([]bool, len(w.flow.at)), make([]bool, len(w.flow.at))
	for _, f := range p.Cores {
		w.collect(f, f.Blocks, nil)
		w.overlay = w.overlay || overlaid(f)
	}
	for i := range w.sites {
		w.note(w.sites[i].in)
	}
	for again := true; again; { // what is moved to where values are relied on is relied on
		again = false
		for i := range w.sites {
			again = w.rely(w.sites[i].in) || again
		}
	}
	return w
}

func (w *patch) collect(f *ir.Func, bs []*ir.Block, around []*ir.Loop) {
	for _, b := range bs {
		for i, in := range b.Insts {
			w.sites = append(w.sites, spot{f, b, i, in, around})
			if in.Loop != nil {
				w.collect(f, in.Loop.Blocks, append(around[:len(around):len(around)], in.Loop))
			}
		}
	}
}

// overlaid tells whether two placed locations of a function share bytes.
func overlaid(f *ir.Func) bool {
	var placed []*ir.Loc
	for l := range f.Locs {
		if l.Allocated {
			placed = append(placed, l)
		}
	}
	for i, l := range placed {
		if slices.ContainsFunc(placed[:i], func(m *ir.Loc) bool { return ir.SameStorage(l, m) }) {
			return true
		}
	}
	return false
}

// note marks what an instruction reads and relies on.
func (w *patch) note(in *ir.Inst) {
	for i := range in.Ins() {
		if l := in.Ins()[i].Loc; l != nil && i < len(in.Spec().Ins) {
			w.read[w.root(l)] = true
			w.bound[w.root(l)] = w.bound[w.root(l)] || !valuesOf(in, i).any()
		}
	}
	for i := range in.Args {
		w.several = w.several || slices.ContainsFunc(in.Args[i].Off.Terms, isShard)
	}
	for i := range in.Pred {
		w.several = w.several || slices.ContainsFunc(in.Pred[i].Expr.Terms, isShard)
	}
}

// isShard tells whether a term stands for the number of the core, or holds one that does.
func isShard(t ir.Term) bool {
	return t.Kind == ir.ShardTerm || t.Sub != nil && slices.ContainsFunc(t.Sub.Terms, isShard)
}

// rely marks what an instruction moves to where values are relied on; it reports whether that is news.
func (w *patch) rely(in *ir.Inst) (news bool) {
	if in.Spec().Flow != ir.FlowMove || !w.binds(in) {
		return false
	}
	for i := range in.Ins() {
		if l := in.Ins()[i].Loc; l != nil && !w.bound[w.root(l)] {
			w.bound[w.root(l)], news = true, true
		}
	}
	return news
}

func (w *patch) root(l *ir.Loc) int32 { return w.flow.root[l.ID] }

// binds tells whether an instruction writes values that somebody relies on.
func (w *patch) binds(in *ir.Inst) bool {
	return slices.ContainsFunc(in.Outs(), func(o ir.Operand) bool { return o.Loc != nil && w.bound[w.root(o.Loc)] })
}

// pick returns one of the sites for which ok holds.
func (w *patch) pick(ok func(*spot) bool) *spot {
	n := len(w.sites)
	if n == 0 {
		return nil
	}
	for k, first := 0, w.IntN(n); k < n; k++ {
		if s := &w.sites[(first+k)%n]; ok(s) {
			return s
		}
	}
	return nil
}

// computes tells whether an instruction writes memory from memory, and does nothing else: it is no fence and no loop, and touches no semaphore,
// register or accumulator. Its result may be any other.
func (w *patch) computes(in *ir.Inst) bool {
	s := in.Spec()
	if s.Effect != ir.Pure || s.State.State != ir.NoHidden || in.NOut == 0 || in.HasSync() || usesAcc(in) || w.binds(in) {
		return false
	}
	return !slices.ContainsFunc(in.Args, func(o ir.Operand) bool { return o.Kind == ir.RegOperand })
}

// loose tells whether an instruction may run again, or at another time: it computes, clears nothing beside what it writes, meets no other core,
// and relies on no values, which might be others then.
func (w *patch) loose(in *ir.Inst) bool {
	if !w.computes(in) || w.overlay || in.Int(ir.PZeroRegion) >= 0 || !anyInputs(in) {
		return false
	}
	return !w.several || !slices.ContainsFunc(in.Args, func(o ir.Operand) bool { return o.Loc != nil && o.Loc.Global() })
}

// anyInputs tells whether an instruction takes whatever its inputs hold.
func anyInputs(in *ir.Inst) bool {
	for i := range min(len(in.Ins()), len(in.Spec().Ins)) {
		if !valuesOf(in, i).any() {
			return false
		}
	}
	return true
}

// serial takes from loops the mark that their trips may run in any order.
func serial(loops []*ir.Loop) {
	for _, l := range loops {
		l.Parallel = false
	}
}

// fresh returns a name that nothing in the program has.
func (w *patch) fresh(prefix string) string {
	if w.names == nil {
		w.names = namesOf(w.prog)
	}
	for i := 0; ; i++ {
		if name := prefix + strconv.Itoa(i); !w.names[name] {
			w.names[name] = true
			return name
		}
	}
}

// namesOf returns the names of everything in a program that has one.
func namesOf(p *ir.Program) map[string]bool {
	names := map[string]bool{}
	for _, f := range p.Cores {
		for _, s := range f.Sets {
			names[s.Name] = true
			for _, l := range s.Locs {
				names[l.Name] = true
			}
		}
		for b := range f.AllBlocks {
			names[b.Name] = true
		}
		for in := range f.Insts {
			names[in.Name] = true
			if in.Loop != nil {
				names[in.Loop.Axis] = true
			}
		}
	}
	return names
}
