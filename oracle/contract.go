package oracle

import (
	"fmt"
	"slices"

	"birfuzz/ir"
)

// checkContract asks what the pass alone promises (semantics §6): the laws of what stays the same, and how the instruction list may change.
// It never demands that a rewrite happen. A pass without contract has promised nothing.
func checkContract(s *change) *flaw {
	if s.external || s.idle() {
		return nil
	}
	m := match(s.before, s.after)
	found := said(s.broken(m))
	if found != nil && m.accused != nil {
		found.witness = &Witness{Parties: []Party{partyOf(m.accused)}}
	}
	return found
}

// broken says which promise was not kept.
func (s *change) broken(m *matched) string {
	m.freeAttrs = s.contract.Attributes
	if slices.Contains(s.contract.Same, ir.KeepButReduce) {
		m.cuts = map[*ir.Loc]int64{}
	}
	for _, l := range s.contract.Same {
		if d := laws[l](m); d != "" {
			return d
		}
	}
	if ask := orders[s.contract.Order]; ask != nil {
		if d := ask(m); d != "" {
			return d
		}
	}
	if s.contract.Fences == ir.FencesNoCross {
		return m.crossed()
	}
	return ""
}

// idle tells whether the pass handed on the functions that it was given, and so kept its contract: each law and rule says how far after may be
// from before, and here it is no step away. Two rules want something of after whatever before was, and are asked: OrderSchedule that no Flow edge
// is left, OrderInsertSync that nothing carries more waits and updates than there is room for.
func (s *change) idle() bool {
	o := s.contract.Order
	return o != ir.OrderSchedule && o != ir.OrderInsertSync && slices.Equal(s.before.Cores, s.after.Cores)
}

// orders is the table of how the instruction list may change; a rule without a question leaves it free.
var orders = [...]func(*matched) string{
	ir.OrderFree:          nil,
	ir.OrderPermute:       (*matched).permuted,
	ir.OrderDelete:        (*matched).deleted,
	ir.OrderRebind:        (*matched).rebound,
	ir.OrderInsertMoves:   (*matched).inserted,
	ir.OrderSchedule:      (*matched).scheduled,
	ir.OrderInstances:     (*matched).instances,
	ir.OrderInstancesMove: (*matched).instancesMoved,
	ir.OrderShrink:        (*matched).shrunk,
	ir.OrderInsertFences:  (*matched).fenced,
	ir.OrderInsertSync:    (*matched).synchronised,
	ir.OrderSame:          (*matched).unchanged,
}

// laws is the table of what may be promised to stay the same.
var laws = [...]func(*matched) string{
	ir.KeepEngine:      (*matched).engines,
	ir.KeepQueue:       (*matched).queues,
	ir.KeepOrder:       (*matched).orders,
	ir.KeepPredicates:  (*matched).predicates,
	ir.KeepFlags:       (*matched).flags,
	ir.KeepLocations:   (*matched).locations,
	ir.KeepLoops:       (*matched).loops,
	ir.KeepAttributes:  (*matched).attributes,
	ir.KeepButLocalize: (*matched).localized,
	ir.KeepPlaced:      (*matched).placed,
	ir.KeepButReduce:   (*matched).locations,
	ir.KeepButSerial:   (*matched).serial,
}

// matched pairs the functions of two programs, and what survives in them by name.
type matched struct {
	before, after *ir.Program
	insts         []instPair
	old           []map[string]*ir.Inst // of before, by function
	left          []map[*ir.Inst]bool   // instructions of before that survive, by function of after
	blocks        [2][]string           // see displaced
	accused       *ir.Inst              // whom the complaint is about, if it is about an instruction
	freeAttrs     []string              // function attributes that may come and go
	cuts          map[*ir.Loc]int64     // bytes a row lost before what is left of them, of locations of after, as the first access shows; nil: none may be cut
}

// instPair is an instruction that survives a pass.
type instPair struct {
	a, b *ir.Inst
	core int // function of after
}

// match pairs instructions by function and name. Where one function became several, each is paired with that one.
func match(before, after *ir.Program) *matched {
	m := &matched{before: before, after: after}
	for _, f := range before.Cores {
		names := map[string]*ir.Inst{}
		for in := range f.Insts {
			names[in.Name] = in
		}
		m.old = append(m.old, names)
	}
	for i, f := range after.Cores {
		left := map[*ir.Inst]bool{}
		for in := range f.Insts {
			if a := m.old[m.core(i)][in.Name]; a != nil {
				m.insts = append(m.insts, instPair{a, in, i})
				left[a] = true
			}
		}
		m.left = append(m.left, left)
	}
	return m
}

// core returns the function of before that function i of after comes from.
func (m *matched) core(i int) int { return coreBefore(m.before, i) }

// accuse is a complaint about an instruction.
func (m *matched) accuse(in *ir.Inst, what string) string {
	m.accused = in
	return in.Name + what
}

// each returns the first complaint of f about a surviving instruction.
func (m *matched) each(f func(p instPair) string) string {
	for _, p := range m.insts {
		if d := f(p); d != "" {
			return m.accuse(p.b, ": "+d)
		}
	}
	return ""
}

func (m *matched) engines() string {
	return m.each(func(p instPair) string {
		if p.a.Engine != p.b.Engine {
			return fmt.Sprintf("engine is %s, was %s", p.b.Engine, p.a.Engine)
		}
		return ""
	})
}

func (m *matched) queues() string {
	return m.each(func(p instPair) string {
		if p.a.Queue != p.b.Queue {
			return fmt.Sprintf("queue is %q, was %q", p.b.Queue, p.a.Queue)
		}
		return ""
	})
}

func (m *matched) orders() string {
	return m.each(func(p instPair) string {
		if !slices.EqualFunc(p.a.Order, p.b.Order, ir.SameExpr) {
			return "the order vector has changed"
		}
		return ""
	})
}

func (m *matched) predicates() string {
	return m.each(func(p instPair) string {
		if !slices.EqualFunc(p.a.Pred, p.b.Pred, ir.SamePredicate) {
			return "the predicates have changed"
		}
		return ""
	})
}

// groupFlags are the settings that KeepFlags keeps.
var groupFlags = [...]ir.ParamID{ir.PStart, ir.PStop, ir.PZeroRegion}

func (m *matched) flags() string {
	return m.each(func(p instPair) string {
		if p.a.Acc() != p.b.Acc() {
			return "acc has changed"
		}
		for _, id := range groupFlags {
			if p.a.Int(id) != p.b.Int(id) {
				return fmt.Sprintf("%s is %d, was %d", id.Spec().Key, p.b.Int(id), p.a.Int(id))
			}
		}
		return ""
	})
}

func (m *matched) loops() string { return m.keepLoops(false) }

// serial is loops for a pass that may take isParallel from a loop, but not give it.
func (m *matched) serial() string { return m.keepLoops(true) }

func (m *matched) keepLoops(serial bool) string {
	return m.each(func(p instPair) string {
		a, b := p.a.Loop, p.b.Loop
		if a != nil && b != nil && (a.NoReorder != b.NoReorder || a.Parallel != b.Parallel && (b.Parallel || !serial)) {
			return "no_reorder or isParallel has changed"
		}
		return m.carried(p)
	})
}

// carried: loop-carried edges stay, but for those to instructions that are gone.
func (m *matched) carried(p instPair) string {
	for _, d := range p.a.LoopDeps {
		if !slices.ContainsFunc(p.b.LoopDeps, func(e ir.LoopDep) bool {
			return e.On.Name == d.On.Name && e.Kind == d.Kind && slices.Equal(e.Dist, d.Dist)
		}) && m.left[p.core][d.On] {
			return "the loop-carried edge to " + d.On.Name + " is gone"
		}
	}
	return ""
}

// survives tells whether an instruction of before is left in a function of after.
func (m *matched) survives(in *ir.Inst) bool {
	return slices.ContainsFunc(m.left, func(left map[*ir.Inst]bool) bool { return left[in] })
}

func (m *matched) attributes() string {
	for i, f := range m.after.Cores {
		g := m.before.Cores[m.core(i)]
		for _, a := range g.Attrs {
			if !f.HasAttr(a) && !slices.Contains(m.freeAttrs, a) {
				return fmt.Sprintf("function %s lost the attribute %s", f.Name, a)
			}
		}
		for _, a := range f.Attrs {
			if !g.HasAttr(a) && !slices.Contains(m.freeAttrs, a) {
				return fmt.Sprintf("function %s gained the attribute %s", f.Name, a)
			}
		}
	}
	return ""
}

// locations: what is left of storage is as it was.
func (m *matched) locations() string {
	return m.eachLoc(func(_ int, a, b *ir.Loc) string {
		if a.Set.Space != b.Set.Space {
			return "addr_space has changed"
		}
		return moved(a, b)
	})
}

// moved tells whether a location lies elsewhere than it did.
func moved(a, b *ir.Loc) string {
	if a.Allocated != b.Allocated || a.Allocated && (a.Addr != b.Addr || a.Base != b.Base || a.Bank != b.Bank) {
		return "the placement has changed"
	}
	return ""
}

// eachLoc returns the first complaint about a surviving location: that it has changed otherwise than in its address space and its place, or
// what f says of it, before and after, in a function of before.
func (m *matched) eachLoc(f func(core int, a, b *ir.Loc) string) string {
	for i, fn := range m.after.Cores {
		old, left := map[string]*ir.Loc{}, map[string]bool{}
		for l := range m.before.Cores[m.core(i)].Locs {
			old[l.Name] = l
		}
		for l := range fn.Locs {
			left[l.Name] = true
		}
		for l := range fn.Locs {
			a := old[l.Name]
			if a == nil {
				continue
			}
			if what := changedLoc(a, l, left); what != "" && !m.mayCut(what, a, l) {
				return fmt.Sprintf("location %s: %s has changed", l.Name, what)
			}
			if what := f(m.core(i), a, l); what != "" {
				return fmt.Sprintf("location %s: %s", l.Name, what)
			}
		}
	}
	return ""
}

// changedDims is the change that a contract may allow.
const changedDims = "dims"

// changedLoc names what is different in a surviving location, its address space and place apart; left are the names that survive.
func changedLoc(a, b *ir.Loc, left map[string]bool) string {
	switch {
	case a.Type != b.Type || a.Set.Kind != b.Set.Kind || a.Set.DType != b.Set.DType:
		return "its kind"
	case a.Pinned != b.Pinned:
		return "pinned"
	case !keepsAliases(a, b, left) || !keepsAliases(b, a, nil):
		return "alias"
	case a.Rows != b.Rows || a.RowBytes != b.RowBytes: // last: it may be allowed (mayCut)
		return changedDims
	}
	return ""
}

// keepsAliases tells whether b has every alias of a whose location is left; nil: any.
func keepsAliases(a, b *ir.Loc, left map[string]bool) bool {
	for _, x := range a.Alias {
		if (left == nil || left[x.Loc.Name]) &&
			!slices.ContainsFunc(b.Alias, func(y ir.Alias) bool { return y.Loc.Name == x.Loc.Name && y.Kind == x.Kind }) {
			return false
		}
	}
	return true
}
