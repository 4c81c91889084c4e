package passes

import (
	"fmt"
	"slices"
	"strings"
)

// Row is one place in a level's pass list, as the documents give it.
type Row struct {
	Order  int // walrus.md's order number; in the lists that have none, the position counted from 1; 0 where levels 1–3 leave it unknown
	Name   string
	Flag   string // the vendor's flag without which the place is off, and left out of Pipeline; OffByDefault where none is named; "": on
	Knobs  []Knob // those of the pass, with the level's values; of a pass that does not exist, those that the level sets
	Exists bool   // there is a pass of that name here; the rest of Pass is empty otherwise
	Pass   Pass
}

// OffByDefault is the Flag of a place that the documents call off without saying what turns it on.
const OffByDefault = "off"

// known returns every pass that exists, one row each.
func known() []Pass {
	return []Pass{lncSplitter(), unroll(), deadCodeElimO0(), deadCodeElimO1(), localizeSharedMemory(), birVerifier(), lncVerifier(), oomChecker(), instructionReorder(),
		flattenSmallLoops(), loopOptimization(), sbSizeLegalization(), fullUnrollSome(), heuristicUnroll(), fullUnrollAll(),
		buildFdeps(), antiDependencyAnalyzer(), orderConstraints(), nonSsaLegalization(), preSched(), memoryAnalysisAfterPreSched(), linearScanAllocator(),
		lowerControl(), synchronizer(), allocSemaphores()}
}

// Levels returns the names of the pipelines.
func Levels() []string {
	names := make([]string, len(levels))
	for i := range levels {
		names[i] = levels[i].name
	}
	return names
}

// Rows returns every place of the level's list, those without a pass here too. The error of an unknown level names the known ones.
func Rows(level string) ([]Row, error) {
	for _, l := range levels {
		if l.name == level {
			return rowsFrom(l.list, l.knobs, known()), nil
		}
	}
	return nil, fmt.Errorf("no level %q; the levels are %s", level, strings.Join(Levels(), ", "))
}

// rowsFrom reads a list: `order:name?flag`, order and flag where there are any.
func rowsFrom(list string, set []levelKnob, have []Pass) []Row {
	var rows []Row
	for _, word := range strings.Fields(list) {
		r := Row{}
		word, r.Flag, _ = strings.Cut(word, "?")
		r.Name = word
		if n, name, ok := strings.Cut(word, ":"); ok {
			r.Name = name
			fmt.Sscan(n, &r.Order)
		}
		if i := slices.IndexFunc(have, func(p Pass) bool { return p.Name == r.Name }); i >= 0 {
			r.Exists, r.Pass = true, have[i]
			r.Pass.Order = r.Order
			r.Knobs = slices.Clone(r.Pass.Knobs)
		}
		r.turn(set)
		rows = append(rows, r)
	}
	return rows
}

// turn gives the row's knobs the values that the level sets.
func (r *Row) turn(set []levelKnob) {
	for _, s := range set {
		if s.pass != r.Name {
			continue
		}
		if i := slices.IndexFunc(r.Knobs, func(k Knob) bool { return k.Name == s.knob }); i >= 0 {
			r.Knobs[i].Value = s.value
		} else if !r.Exists {
			r.Knobs = append(r.Knobs, Knob{Name: s.knob, Value: s.value})
		} else {
			panic("pass " + r.Name + " has no knob " + s.knob)
		}
	}
	if r.Exists {
		r.Pass.Knobs = r.Knobs
	}
}

// Pipeline returns the passes of the level that exist and are on, in the documents' order.
func Pipeline(level string) ([]Pass, error) {
	rows, err := Rows(level)
	if err != nil {
		return nil, err
	}
	return existing(rows), nil
}

func existing(rows []Row) []Pass {
	var ps []Pass
	for _, r := range rows {
		if r.Exists && r.Flag == "" {
			ps = append(ps, r.Pass)
		}
	}
	return ps
}

// Known returns the names of the passes that exist.
func Known() []string {
	var names []string
	for _, p := range known() {
		names = append(names, p.Name)
	}
	return names
}

// RowsOf returns a list of passes as rows.
func RowsOf(ps []Pass) []Row {
	rows := make([]Row, len(ps))
	for i, p := range ps {
		rows[i] = Row{Order: p.Order, Name: p.Name, Knobs: p.Knobs, Exists: true, Pass: p}
	}
	return rows
}
