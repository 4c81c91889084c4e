package passes

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Named returns the passes of a comma-separated list, in that order; a name may stand more than once. Knobs that are not to stand at their
// defaults follow the name in brackets: `unroll,pre_sched(level=1,max-spills=2)`. more are passes that the list may name beside the known
// ones. The error of an unknown name lists those that can be named.
func Named(list string, more ...Pass) ([]Pass, error) {
	have := append(known(), more...)
	var ps []Pass
	for _, spelt := range splitNames(list) {
		name, knobs, turned := strings.Cut(spelt, "(")
		name = strings.TrimSpace(name)
		i := slices.IndexFunc(have, func(p Pass) bool { return p.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("no pass %q; the passes are %s", name, namesOf(have))
		}
		p := have[i]
		if turned {
			settings, err := turnedKnobs(p.settings(), knobs)
			if err != nil {
				return nil, fmt.Errorf("pass %s: %w", name, err)
			}
			p.set(settings)
		}
		ps = append(ps, p)
	}
	return ps, nil
}

// splitNames splits a list at its commas, but not inside brackets.
func splitNames(list string) []string {
	var names []string
	depth, from := 0, 0
	for i := range len(list) {
		switch list[i] {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth <= 0 {
				names = append(names, list[from:i])
				from = i + 1
			}
		}
	}
	return append(names, list[from:])
}

// turnedKnobs returns the knobs with the values of `name=value,…)`, which is what follows the opening bracket.
func turnedKnobs(knobs []Knob, text string) ([]Knob, error) {
	text = strings.TrimSpace(text)
	inner, closed := strings.CutSuffix(text, ")")
	if !closed {
		return nil, fmt.Errorf("want ) after the knobs, got %q", text)
	}
	knobs = slices.Clone(knobs)
	var turned []string
	for _, setting := range strings.Split(inner, ",") {
		name, value, _ := strings.Cut(setting, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		i := slices.IndexFunc(knobs, func(k Knob) bool { return k.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("no knob %q; %s", name, knobsOf(knobs))
		}
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("knob %s: want a whole number, got %q", name, value)
		}
		if want := knobs[i].allows(n); want != "" {
			return nil, fmt.Errorf("knob %s: got %d, want %s", name, n, want)
		}
		if slices.Contains(turned, name) {
			return nil, fmt.Errorf("knob %s stands twice", name)
		}
		knobs[i].Value, turned = n, append(turned, name)
	}
	return knobs, nil
}

func knobsOf(knobs []Knob) string {
	if len(knobs) == 0 {
		return "the pass has none"
	}
	names := make([]string, len(knobs))
	for i := range knobs {
		names[i] = knobs[i].Name
	}
	return "the knobs are " + strings.Join(names, ", ")
}

// Spelling returns the pass as Named takes it: its name, with the knobs in brackets that do not stand at their defaults.
func (p *Pass) Spelling() string {
	usual := p.usual()
	var turned []string
	for i, k := range p.settings() {
		if unknown := i >= len(usual); unknown && k != (Knob{Name: knobChaos}) || !unknown && usual[i].Value != k.Value {
			turned = append(turned, fmt.Sprintf("%s=%d", k.Name, k.Value))
		}
	}
	if len(turned) == 0 {
		return p.Name
	}
	return p.Name + "(" + strings.Join(turned, ",") + ")"
}

// usual returns the settings of the known pass of that name, each at its default; none of an external pass.
func (p *Pass) usual() []Knob {
	if have := known(); p.Command == nil {
		if i := slices.IndexFunc(have, func(q Pass) bool { return q.Name == p.Name }); i >= 0 {
			return have[i].settings()
		}
	}
	return nil
}

// Spellings returns a list of passes as Named takes it.
func Spellings(ps []Pass) string {
	spelt := make([]string, len(ps))
	for i := range ps {
		spelt[i] = ps[i].Spelling()
	}
	return strings.Join(spelt, ",")
}

func namesOf(ps []Pass) string {
	names := make([]string, len(ps))
	for i := range ps {
		names[i] = ps[i].Name
	}
	return strings.Join(names, ", ")
}
