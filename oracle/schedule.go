package oracle

import (
	"fmt"
	"slices"

	"birfuzz/ir"
)

// checkSchedule: edges point back in program order, so with the order of the queues they are acyclic. With the fact Deps they also suffice.
func checkSchedule(s *change) *flaw {
	if found := forwardEdge(s.after); found != nil {
		if forwardEdge(s.before) != nil {
			return nil
		}
		return found
	}
	owed := owed{bytes: s.facts().Has(ir.Deps), fences: s.contract.Fences == ir.FencesDrawn}
	if !owed.bytes && !owed.fences {
		return nil
	}
	return s.scheduler.check(s.before, s.after, owed)
}

func forwardEdge(p *ir.Program) *flaw {
	for in := range p.Insts {
		for _, d := range in.Deps {
			if d.On.ID >= in.ID {
				return &flaw{in.Name + " waits for " + d.On.Name + ", which stands behind it",
					&Witness{Parties: []Party{partyOf(in), partyOf(d.On)}, Edge: d.Kind.String()}}
			}
		}
	}
	return nil
}

// maxScheduled bounds the instances of one core whose order is looked at, and maxMeetings what comparing their accesses may cost, in pairs
// and in runs of bytes. Beyond them the check says nothing, and counts the program as one of which nobody knows (Tally).
const (
	maxScheduled = 1 << 12
	maxMeetings  = 1 << 20
)

// owed says what must be ordered.
type owed struct {
	bytes  bool // whatever shares bytes, by edges, queues and fences (fact Deps)
	fences bool // fences and accesses to visible memory, by edges and queues (contract FencesDrawn); fences give no order then
}

// scheduler answers whether everything in a program waits for what it must wait for (semantics §2, by edges). It walks the instances of each
// core in program order and knows, for each, all those before it that it surely waits for. It derives conflicts by itself, one instance at a
// time and byte by byte, and so shares nothing with the analyses of passes, which argue about whole loops. Its memory is reused.
type scheduler struct {
	atlas      atlas
	claims     claimList
	precedence precedence
	whole, cut int // programs of which all was looked at, and the others
}

// check returns what is wrong with the order of after; empty: nothing, or nobody can tell. A program that was not ordered before though its
// facts said so (a person wrote it, or a reduction took edges away) says nothing about the pass.
func (s *scheduler) check(before, after *ir.Program, o owed) *flaw {
	was := before
	if !o.bytes || !hasOrdered(before) {
		was = nil
	}
	found, ok := s.ordered(after, was, o)
	if found != nil && o.bytes && before.Facts.Has(ir.Deps) {
		if old, sure := s.ordered(before, nil, owed{bytes: true}); old != nil || !sure {
			found, ok = nil, false
		}
	}
	if ok {
		s.whole++
	} else {
		s.cut++
	}
	return found
}

// ordered looks for two instances on one core that have no order though they conflict, or an Ordered edge of was joined them; was may be nil.
// It tells whether it could look at all.
func (s *scheduler) ordered(p, was *ir.Program, o owed) (found *flaw, ok bool) {
	cores := coresOf(p)
	if s.atlas.chart(p, cores, Layout{Joined: true}, 0) != nil {
		return nil, false
	}
	if was != nil && coresOf(was) != cores {
		was = nil // other cores than before: nothing says which of them is which
	}
	s.claims.open(&s.atlas, p, cores, o)
	for k := range cores {
		t := traceOf(p, k, maxScheduled)
		if t == nil {
			return nil, false
		}
		t.end()
		s.precedence.reset(t, p, o)
		s.claims.reset(k)
		if found, ok := s.conflicts(t, k); found != nil || !ok {
			return found, ok
		}
		if was == nil {
			continue
		}
		old := traceOf(was, k, maxScheduled)
		if old == nil {
			return nil, false
		}
		if found := said(s.precedence.kept(old)); found != nil {
			return found, true
		}
	}
	return nil, true
}

// end cuts the trace where the core halts.
func (t *trace) end() {
	for i := range t.list {
		if kindOf(t.list[i].in.Spec()) == haltCore {
			t.list = t.list[:i+1]
			return
		}
	}
}

// conflicts looks at every instance of a core: it waits for all before it with which it conflicts. It tells whether it came to the end.
func (s *scheduler) conflicts(t *trace, core int) (found *flaw, ok bool) {
	for i := range t.list {
		x := &t.list[i]
		sees := s.claims.sees(x.in)
		s.precedence.next(int32(i), sees)
		if e, u := s.claims.next(int32(i), x, sees, &s.precedence); e != nil {
			return s.missing(t, core, e, u), true
		}
		if s.claims.left < 0 {
			return nil, false
		}
	}
	return nil, true
}

// missing says which edge is missing between two instances that conflict by the claims e and u.
func (s *scheduler) missing(t *trace, core int, e, u *claim) *flaw {
	x, y := &t.list[e.by], &t.list[u.by]
	edge := fmt.Sprintf("the %s edge to %s%s", kindOfConflict(e, u), x.in.Name, distance(x, y))
	w := &Witness{Parties: []Party{x.party(core, e.verb()), y.party(core, u.verb())}, Edge: kindOfConflict(e, u).String(),
		Mend: edge + " on " + y.in.Name}
	if !e.fence && !u.fence {
		w.Place = s.claims.meeting(e, u)
	}
	return &flaw{fmt.Sprintf("%s need not wait for %s, though %s: %s is missing", y.label(), x.label(), s.claims.share(e, u), edge), w}
}

func kindOfConflict(e, u *claim) ir.EdgeKind {
	switch {
	case e.fence || u.fence:
		return ir.Ordered
	case !e.writes:
		return ir.Anti
	case u.writes:
		return ir.OutputDep
	}
	return ir.Flow
}

// label names an instance as it stands in its program.
func (x *instance) label() string {
	if len(x.values) == 0 {
		return x.in.Name
	}
	return x.in.Name + fmt.Sprint(x.values)
}

// distance says how many trips of the common loops lie between two instances; empty: none.
func distance(x, y *instance) string {
	var d []int64
	for i, l := range x.loops {
		if i >= len(y.loops) || y.loops[i] != l {
			break
		}
		d = append(d, (y.values[i]-x.values[i])/l.Stride)
	}
	if !slices.ContainsFunc(d, func(n int64) bool { return n != 0 }) {
		return ""
	}
	return fmt.Sprintf(" at distance %v", d)
}

// hasOrdered tells whether a program has an edge that stands for no conflict.
func hasOrdered(p *ir.Program) bool {
	for in := range p.Insts {
		if slices.ContainsFunc(in.Deps, func(d ir.Dep) bool { return d.Kind == ir.Ordered }) ||
			slices.ContainsFunc(in.LoopDeps, func(d ir.LoopDep) bool { return d.Kind == ir.Ordered }) {
			return true
		}
	}
	return false
}
