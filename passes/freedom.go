package passes

import (
	"fmt"
	"strings"

	"birfuzz/ir"
)

// Freedom says what of a level may be another than the level's list has it: a compiler's flags, what its heuristics leave alone, the order of
// its passes. What a pass makes of a program must be right under all of it.
type Freedom uint8

// The freedoms.
const (
	FreeKnobs Freedom = 1 << iota // knobs stand at other values of their ranges
	FreeChaos                     // rewrites that no fact is owed are refused here and there (Pass.Chaos)
	FreeOrder                     // passes stand elsewhere, twice, or not at all

	AllFreedom = FreeKnobs | FreeChaos | FreeOrder
)

var freedomNames = [...]string{"knobs", "chaos", "order"}

// String returns the names joined by commas, "none" for no freedom: what ParseFreedom takes.
func (f Freedom) String() string {
	var names []string
	for i, n := range freedomNames {
		if f>>i&1 != 0 {
			names = append(names, n)
		}
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ",")
}

// ParseFreedom reads a comma-separated list of freedoms; "none" and "all" stand alone.
func ParseFreedom(text string) (Freedom, error) {
	switch text {
	case "none":
		return 0, nil
	case "all":
		return AllFreedom, nil
	}
	var f Freedom
next:
	for word := range strings.SplitSeq(text, ",") {
		for i, n := range freedomNames {
			if strings.TrimSpace(word) == n {
				f |= 1 << i
				continue next
			}
		}
		if word == "all" || word == "none" {
			return 0, fmt.Errorf("got %q, but %s stands alone", text, word)
		}
		return 0, fmt.Errorf("got %q, want some of %s, or all, or none", word, strings.Join(freedomNames[:], ", "))
	}
	return f, nil
}

// DrawRange returns the least and the greatest value that are worth drawing; they are equal where the knob is none to be drawn.
func (k *Knob) DrawRange() (least, most int64) {
	switch {
	case k.Worth != [2]int64{}:
		return k.Worth[0], k.Worth[1]
	case k.Max > 0:
		return k.Min, k.Max
	}
	return k.Value, k.Value
}

// Legal returns the list without the passes that would decline every program with these facts, since they need what nobody gives before them.
func Legal(ps []Pass, facts ir.Facts) []Pass {
	var out []Pass
	for i := range ps {
		if Check(append(out[:len(out):len(out)], ps[i]), facts) == nil {
			out = append(out, ps[i])
		}
	}
	return out
}

// Simpler returns the pass with one setting less that differs from its default, once for each: first without chaos, then each knob.
func (p *Pass) Simpler() []Pass {
	var out []Pass
	list, usual := p.settings(), p.usual()
	for i := len(list) - 1; i >= 0; i-- {
		if i < len(usual) && list[i].Value != usual[i].Value {
			q := *p
			back := append([]Knob(nil), list...)
			back[i].Value = usual[i].Value
			q.set(back)
			out = append(out, q)
		}
	}
	return out
}
