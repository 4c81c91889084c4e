package oracle

import (
	"fmt"
	"slices"

	"birfuzz/ir"
)

// checkSchedule: edges point back in program order, so with the order of the queues they are acyclic. With the fact Deps they also suffice.
func checkSchedule(s *change) string {
	if detail := forwardEdge(s.after); detail != "" {
		if forwardEdge(s.before) != "" {
			return ""
		}
		return detail
	}
	owed := owed{bytes: s.facts().Has(ir.Deps), fences: s.contract.Fences == ir.FencesDrawn}
	if !owed.bytes && !owed.fences {
		return ""
	}
	return s.scheduler.check(s.before, s.after, owed)
}

func forwardEdge(p *ir.Program) string {
	for in := range p.Insts {
		for _, d := range in.Deps {
			if d.On.ID >= in.ID {
				return in.Name + " waits for " + d.On.Name + ", which stands behind it"
			}
		}
	}
	return ""
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
func (s *scheduler) check(before, after *ir.Program, o owed) string {
	was := before
	if !o.bytes || !hasOrdered(before) {
		was = nil
	}
	detail, ok := s.ordered(after, was, o)
	if detail != "" && o.bytes && before.Facts.Has(ir.Deps) {
		if old, sure := s.ordered(before, nil, owed{bytes: true}); old != "" || !sure {
			detail, ok = "", false
		}
	}
	if ok {
		s.whole++
	} else {
		s.cut++
	}
	return detail
}

// ordered looks for two instances on one core that have no order though they conflict, or an Ordered edge of was joined them; was may be nil.
// It tells whether it could look at all.
func (s *scheduler) ordered(p, was *ir.Program, o owed) (detail string, ok bool) {
	cores := coresOf(p)
	if s.atlas.chart(p, cores, Layout{Joined: true}, 0) != nil {
		return "", false
	}
	if was != nil && coresOf(was) != cores {
		was = nil // other cores than before: nothing says which of them is which
	}
	s.claims.open(&s.atlas, p, cores, o)
	for k := range cores {
		t := traceOf(p, k, maxScheduled)
		if t == nil {
			return "", false
		}
		t.end()
		s.precedence.reset(t, p, o)
		s.claims.reset(k)
		if detail, ok := s.conflicts(t); detail != "" || !ok {
			return detail, ok
		}
		if was == nil {
			continue
		}
		old := traceOf(was, k, maxScheduled)
		if old == nil {
			return "", false
		}
		if detail := s.precedence.kept(old); detail != "" {
			return detail, true
		}
	}
	return "", true
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
func (s *scheduler) conflicts(t *trace) (detail string, ok bool) {
	for i := range t.list {
		x := &t.list[i]
		sees := s.claims.sees(x.in)
		s.precedence.next(int32(i), sees)
		if e, u := s.claims.next(int32(i), x, sees, &s.precedence); e != nil {
			return s.missing(t, e, u), true
		}
		if s.claims.left < 0 {
			return "", false
		}
	}
	return "", true
}

// missing says which edge is missing between two instances that conflict by the claims e and u.
func (s *scheduler) missing(t *trace, e, u *claim) string {
	x, y := &t.list[e.by], &t.list[u.by]
	return fmt.Sprintf("%s need not wait for %s, though %s: the %s edge to %s%s is missing",
		y.label(), x.label(), s.claims.share(e, u), kindOfConflict(e, u), x.in.Name, distance(x, y))
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
