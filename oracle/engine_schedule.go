package oracle

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Schedule says in which order a program runs (semantics §2). It is a short text that replays a run exactly, on this program and, as far as
// lanes keep their names, on a smaller one:
//
//	(empty)         in program order, one instruction after another
//	engines         as engines, each as soon as program order has it, transfers as soon as they are issued
//	early           as engines, transfers as early as possible
//	late            as engines, transfers as late as possible
//	starve:LANE     as engines, that lane as late as possible
//	pct:SEED:DEPTH  as engines, seeded random with DEPTH−1 preemptions
//	path:0.2.1      as engines, choice by choice: which of the lanes that can go on does, where there are several
//	edges:SEED      by edges, one of their orders
//
// LANE is an engine ("DVE"), an instruction without one, or the transfers that one issues ("SP.dma", or "SP.q0" in queue q0), behind the
// number of the core unless that is 0 ("1/DVE").
type Schedule struct {
	kind  scheduleKind
	lane  string
	seed  uint64
	depth int
	path  string // choices, joined by dots
}

type scheduleKind uint8

const (
	programOrder scheduleKind = iota
	asEngines
	asEnginesEarly
	asEnginesLate
	asEnginesStarved
	asEnginesDrawn
	asEnginesChosen
	byEdges
)

var scheduleWords = [...]string{"", "engines", "early", "late", "starve", "pct", "path", "edges"}

// ParseSchedule reads the text of a schedule.
func ParseSchedule(text string) (Schedule, error) {
	word, rest, _ := strings.Cut(text, ":")
	for k := range scheduleWords {
		if scheduleWords[k] != word {
			continue
		}
		s := Schedule{kind: scheduleKind(k)}
		if ok := s.parse(rest); ok && s.String() == text {
			return s, nil
		}
	}
	return Schedule{}, fmt.Errorf("got schedule %q, want engines, early, late, starve:LANE, pct:SEED:DEPTH, path:0.2.1 or edges:SEED", text)
}

// parse reads what stands behind the word.
func (s *Schedule) parse(rest string) bool {
	var err error
	switch s.kind {
	case asEnginesStarved:
		s.lane = rest
		return rest != ""
	case asEnginesChosen:
		s.path = rest
		_, err = s.choices()
	case byEdges:
		s.seed, err = strconv.ParseUint(rest, 10, 64)
	case asEnginesDrawn:
		seed, depth, _ := strings.Cut(rest, ":")
		if s.seed, err = strconv.ParseUint(seed, 10, 64); err == nil {
			s.depth, err = strconv.Atoi(depth)
		}
		if s.depth < 1 || s.depth > maxDepth {
			return false
		}
	}
	return err == nil
}

// choices returns the numbers of a path.
func (s *Schedule) choices() ([]int, error) {
	var path []int
	if s.path == "" {
		return nil, nil
	}
	for _, w := range strings.Split(s.path, ".") {
		n, err := strconv.ParseUint(w, 10, 31)
		if err != nil {
			return nil, err
		}
		path = append(path, int(n))
	}
	return path, nil
}

// pathOf returns the schedule of such choices.
func pathOf(choices []int) Schedule {
	words := make([]string, len(choices))
	for i, n := range choices {
		words[i] = strconv.Itoa(n)
	}
	return Schedule{kind: asEnginesChosen, path: strings.Join(words, ".")}
}

// String returns the text.
func (s Schedule) String() string {
	word := scheduleWords[s.kind]
	switch s.kind {
	case asEnginesStarved:
		return word + ":" + s.lane
	case asEnginesDrawn:
		return fmt.Sprintf("%s:%d:%d", word, s.seed, s.depth)
	case asEnginesChosen:
		return word + ":" + s.path
	case byEdges:
		return fmt.Sprintf("%s:%d", word, s.seed)
	}
	return word
}

// turns returns what the schedule means for a program.
func (s *Schedule) turns(l *lanes) (turns, error) {
	switch s.kind {
	case asEnginesEarly:
		return &inOrder{level: transfersFirst}, nil
	case asEnginesLate:
		return &inOrder{level: transfersLast}, nil
	case asEnginesStarved:
		for i := range l.list {
			if l.list[i].name == s.lane {
				return &starve{lane: int32(i)}, nil
			}
		}
		return nil, fmt.Errorf("schedule %s: the program has no such lane", s)
	case asEnginesDrawn:
		return newByPriority(l, s.seed, s.depth), nil
	case asEnginesChosen:
		path, err := s.choices()
		return &byPath{path: path}, err
	case byEdges:
		return &atRandom{seed: s.seed}, nil
	}
	return &inOrder{}, nil
}

// ByEdges tells whether the schedule is an order by edges; any other but the empty one is one of engines.
func (s Schedule) ByEdges() bool { return s.kind == byEdges }

// maxSimpler bounds what Simpler proposes.
const maxSimpler = 24

// Simpler returns schedules that are easier to follow than this one, the easiest first: what a shrinker tries in its place.
func (s Schedule) Simpler() []Schedule {
	var out []Schedule
	switch s.kind {
	case byEdges:
		for seed := range min(s.seed, 4) {
			out = append(out, Schedule{kind: byEdges, seed: seed})
		}
	case asEnginesStarved, asEnginesDrawn, asEnginesChosen:
		out = append(out, Schedule{kind: asEnginesEarly}, Schedule{kind: asEnginesLate})
	}
	for depth := 1; s.kind == asEnginesDrawn && depth < min(s.depth, maxSimpler); depth++ {
		out = append(out, Schedule{kind: asEnginesDrawn, seed: s.seed, depth: depth})
	}
	if s.kind == asEnginesChosen {
		out = append(out, s.shorter()...)
	}
	return out
}

// shorter returns paths with fewer choices than this one, or with a first lane in the place of another.
func (s *Schedule) shorter() []Schedule {
	path, err := s.choices()
	if err != nil || len(path) == 0 {
		return nil
	}
	out := []Schedule{pathOf(path[:len(path)/2]), pathOf(path[:len(path)-1])}
	for i, n := range path {
		if n > 0 && len(out) < maxSimpler {
			plain := slices.Clone(path)
			plain[i] = 0
			out = append(out, pathOf(plain))
		}
	}
	return out
}

// Adversarial returns schedules of the prepared program that are likely to show a race or a deadlock where there is one: each lane starved,
// transfers early and late, and n drawn ones.
func (m *Machine) Adversarial(n int) ([]Schedule, error) {
	if err := m.cutLanes(); err != nil {
		return nil, err
	}
	all := []Schedule{{kind: asEnginesEarly}, {kind: asEnginesLate}}
	for i := range m.lanes.list {
		if len(m.lanes.list[i].jobs) > 1 {
			all = append(all, Schedule{kind: asEnginesStarved, lane: m.lanes.list[i].name})
		}
	}
	for i := range n {
		all = append(all, Schedule{kind: asEnginesDrawn, seed: uint64(i), depth: 1 + i%4})
	}
	return all, nil
}

// Explore returns all schedules of the prepared program as paths; false if they are more than most.
func (m *Machine) Explore(most int) ([]Schedule, bool, error) {
	if err := m.cutLanes(); err != nil {
		return nil, false, err
	}
	var all []Schedule
	p := m.lanes.newPlay(nil)
	for path := []int{}; path != nil; {
		if len(all) == most {
			return all, false, nil
		}
		t := &byPath{path: path}
		p.reset()
		p.run(t, nil)
		all = append(all, pathOf(path))
		path = following(path, t.width)
	}
	return all, true, nil
}

// following returns the path after one that met choices so wide; nil if it was the last.
func following(path, width []int) []int {
	next := append(make([]int, 0, len(width)), path...)[:len(width)]
	for i := len(width) - 1; i >= 0; i-- {
		if next[i]+1 < width[i] {
			next[i]++
			return next[:i+1]
		}
	}
	return nil
}
