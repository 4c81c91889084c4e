package oracle

import (
	"fmt"
	"sync"

	"birfuzz/ir"
)

// session judges one step.
type session struct {
	j *Judge
	change
	known, next *record // of before and after
	found       judgement
	lens        lens
	sides       [2]comparison // as seen, and without counting fences
	order       Schedule      // of after; zero: as its facts say
}

// judge asks the static checks, then runs both programs on the input sets below end.
func (s *session) judge(end int) Verdict {
	s.static()
	for i := range s.found.failed {
		if s.found.failed[i].Check == checks[0].Name { // what is not well-formed cannot be run
			return s.found.verdict(0)
		}
	}
	return s.orders(s.onSets(0, end))
}

// onSets runs both programs on input sets first … end−1, until a check fails.
func (s *session) onSets(first, end int) Verdict {
	s.lens = s.lensOf()
	skipped := 0
	for set := first; set < end; set++ {
		v := s.onSet(set)
		if len(s.found.failed) > 0 {
			break
		}
		switch {
		case v.Kind == Same:
		case set > 0 && (v.Kind == Void || v.Kind == Unknown):
			skipped++
		default:
			return v
		}
	}
	return s.found.verdict(skipped)
}

// static asks the checks that look at the programs only.
func (s *session) static() {
	if s.j.options.Checks&3 != 0 {
		s.complaints = s.j.verify.Verify(s.after, s.facts())
		if len(s.complaints) > 0 {
			s.old = ir.Verify(s.before, s.before.Facts)
		}
	}
	for i := range checks {
		if checks[i].static != nil && s.j.options.Checks.has(i) {
			if d := checks[i].static(&s.change); d != nil {
				s.found.fail(checks[i].Name, d)
			}
		}
	}
}

// lensOf says what of the surroundings this step is compared on.
func (s *session) lensOf() lens {
	return lens{coresOnly: s.after.Facts.Has(ir.Synced), hidden: hiddenNames(s.before, s.after)}
}

// added is the lens for the program after a pass that may add fences: it knows those that were there.
func (s *session) added(l lens) lens {
	if s.contract.Fences != ir.FencesAdded {
		return l
	}
	l.known = map[string]bool{}
	for in := range s.before.Insts {
		if in.Spec().Effect.Fence() {
			l.known[in.Name] = true
		}
	}
	return l
}

// onSet runs both programs on one input set, in every layout and direction that the program allows.
func (s *session) onSet(set int) Verdict {
	for _, joined := range layouts(s.before, s.after) {
		if v := s.compare(runWay{set: set, joined: joined}, false); v.Kind != Same || len(s.found.failed) > 0 {
			return v
		}
		if set == 0 && parallel(s.after) {
			if v := s.compare(runWay{set: set, joined: joined}, true); v.Kind != Same || len(s.found.failed) > 0 {
				return v
			}
		}
	}
	return Verdict{}
}

// compare runs both programs, after downwards if down, and asks the checks. The verdict is Same even where checks failed.
func (s *session) compare(w runWay, down bool) Verdict {
	if !s.j.options.Elements {
		w.grain = cellGrain
		c, v := s.pair(w, s.lens, down)
		if v.Kind != Same {
			return v
		}
		if c.agree() {
			s.j.tally.Cells++
			return Verdict{}
		}
	}
	s.j.tally.Elements++
	w.grain = elementGrain
	l := s.lens
	l.unit = min(unitOf(s.before), unitOf(s.after))
	c, v := s.pair(w, l, down)
	if v.Kind != Same {
		return v
	}
	if c.before.faulted {
		return Verdict{Kind: Void, Why: c.before.fault.Error()}
	}
	if (c.before.news || c.after.news) && checkProvenance(c) != nil { // see comparison.plain
		l.noNews = true
		p, v := s.pair(w, l, down)
		if v.Kind != Same {
			return v
		}
		c.plain = p
	}
	c.text = s.describe(w, down)
	if s.contract.Number.Reassociate {
		c.exact = s.exact(w, down)
	}
	s.found.way = w
	s.found.way.down, s.found.way.order = down, s.order
	c.ask(s.j.options.Checks, &s.found)
	return Verdict{}
}

// exact tells whether no addition rounds in a run of either program, at most once.
func (s *session) exact(w runWay, down bool) func() bool {
	return sync.OnceValue(func() bool {
		in, most := s.j.inputs[w.set], s.j.options.MaxBytes
		after := w
		after.down, after.order = down, s.order
		return addsExactly(s.before, in, w, most) && addsExactly(s.after, in, after, most)
	})
}

// describe says which run a detail is about, where there are several.
func (s *session) describe(w runWay, down bool) func() string {
	if w.set == 0 && !w.joined && !down && s.order.kind == programOrder {
		return nil
	}
	return func() string {
		text := fmt.Sprintf("(on input set %d", w.set)
		if w.joined {
			text += ", with locations that may alias joined"
		}
		if down {
			text += ", with parallel loops run downwards"
		}
		if s.order.kind != programOrder {
			text += ", in the schedule " + s.order.String()
		}
		return text + ")"
	}
}

// sound tells whether a program has a meaning on the first input set: it runs without fault, and its parallel loops may run downwards.
func (s *session) sound(joined bool) Verdict {
	w := runWay{joined: joined, grain: cellGrain}
	if s.j.options.Elements {
		w.grain = elementGrain
	}
	l := lens{coresOnly: s.before.Facts.Has(ir.Synced)}
	if w.grain == elementGrain {
		l.unit = unitOf(s.before)
	}
	o, v := s.soundRun(w, l)
	if v.Kind != Same || o == nil {
		return v
	}
	if w.grain == cellGrain && (o.unsure != "" || o.faulted) {
		w.grain, l.unit = elementGrain, unitOf(s.before)
		if o, v = s.soundRun(w, l); v.Kind != Same {
			return v
		}
	}
	if o.faulted {
		return Verdict{Kind: Void, Why: o.fault.Error()}
	}
	if !parallel(s.before) {
		return Verdict{}
	}
	if v := s.compare(runWay{joined: joined}, true); v.Kind != Same {
		return v
	}
	if len(s.found.failed) > 0 {
		return Verdict{Kind: Void, Why: "a parallel loop gives another result downwards: " + s.found.failed[0].Detail}
	}
	return Verdict{}
}

func (s *session) soundRun(w runWay, l lens) (*outcome, Verdict) {
	o, err := s.j.outcome(s.before, s.known, w, l)
	if err != nil {
		return nil, trouble("before", err)
	}
	if o.crowded {
		return nil, Verdict{Kind: Unknown, Why: crowdedText}
	}
	if o.limited {
		return nil, Verdict{Kind: Unknown, Why: "the program reached the limit of steps"}
	}
	return o, Verdict{}
}
