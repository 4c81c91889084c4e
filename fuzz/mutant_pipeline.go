package fuzz

import (
	"fmt"
	"slices"
	"strings"

	"birfuzz/oracle"
	"birfuzz/passes"
)

// checkNames checks that there are such rules, classes and passes.
func (m *Mutant) checkNames() error {
	for _, rule := range m.Rules {
		if len(passesOf([]string{rule})) == 0 {
			return fmt.Errorf("%s:%d: no pass has a rule %q", m.Path, m.lines["rule"], rule)
		}
	}
	failures := []string{passes.Crash, passes.Hang, passes.Garbage, passes.Illegal}
	for _, class := range m.Caught {
		if _, ok := oracle.CheckNamed(class); !ok && !slices.Contains(failures, class) {
			return fmt.Errorf("%s: caught: no check and no class %q", m.Path, class)
		}
	}
	_, err := m.pipeline(nil)
	return err
}

// passesOf returns the names of the passes that have one of the rules.
func passesOf(rules []string) []string {
	ps, err := passes.Named(strings.Join(passes.Known(), ","))
	if err != nil {
		return nil // no name is known that is not known
	}
	var names []string
	for i := range ps {
		if hasRule(&ps[i], rules...) {
			names = append(names, ps[i].Name)
		}
	}
	return names
}

func hasRule(p *passes.Pass, rules ...string) bool {
	return slices.ContainsFunc(p.Rules, func(r *passes.Rule) bool { return slices.Contains(rules, r.Name) })
}

// pipeline returns the passes with which a campaign meets the mutant: those that the mutant names, else the first of the levels that has a
// pass with the mutant's first rule, else the first of all levels, else the pass alone. What a level runs behind the last pass with one of the
// mutant's rules is left out: the mutant has had its say, and every step before it is as in the whole level.
func (m *Mutant) pipeline(levels []string) ([]passes.Pass, error) {
	ps, line, err := m.wholePipeline(levels)
	if err != nil {
		return nil, fmt.Errorf("%s:%d: %w", m.Path, line, err)
	}
	last := 0
	for i := range ps {
		if hasRule(&ps[i], m.Rules...) {
			last = i + 1
		}
	}
	if last == 0 {
		return nil, fmt.Errorf("%s:%d: no pass that is run has the rule %s", m.Path, line, strings.Join(m.Rules, " or "))
	}
	return ps[:last], nil
}

// wholePipeline is pipeline with all that a level runs; line is that of the key that decides.
func (m *Mutant) wholePipeline(levels []string) (ps []passes.Pass, line int, err error) {
	switch {
	case m.Passes != "":
		ps, err = passes.Named(m.Passes)
		return ps, m.lines["passes"], err
	case m.Level != "":
		ps, err = passes.Pipeline(m.Level)
		return ps, m.lines["level"], err
	}
	line = m.lines["rule"]
	for _, level := range slices.Concat(levels, passes.Levels()) {
		ps, err = passes.Pipeline(level)
		if err != nil || slices.ContainsFunc(ps, func(p passes.Pass) bool { return hasRule(&p, m.Rules[0]) }) {
			return ps, line, err
		}
	}
	ps, err = passes.Named(passesOf(m.Rules[:1])[0])
	return ps, line, err
}
