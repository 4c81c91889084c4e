package fuzz

import (
	"os"
	"strings"
	"testing"

	"birfuzz/gen"
	"birfuzz/ir/birtest"
	"birfuzz/passes"
)

// fed is a line of testdata/features.txt.
type fed struct{ pass, rule, level, features string }

func readFed(t *testing.T) []fed {
	t.Helper()
	text, err := os.ReadFile("testdata/features.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out []fed
	for line := range strings.Lines(string(text)) {
		if w := strings.Fields(line); !strings.HasPrefix(line, ";") {
			if len(w) != 4 {
				t.Fatalf("want pass, rule, level and features: %s", line)
			}
			out = append(out, fed{w[0], w[1], w[2], w[3]})
		}
	}
	return out
}

// TestRulesAreFed: each rule has features of the generator that feed it: among programs that have them it fires. Every rule of a level has such
// a line, but those that no level feeds.
func TestRulesAreFed(t *testing.T) {
	list := readFed(t)
	known := map[string]bool{}
	for i, x := range list {
		known[x.pass+" "+x.rule] = true
		if birtest.Quick() && i%12 > 0 {
			continue
		}
		n := x.programs(t, 4000)
		t.Logf("%-26s %-30s %-14s %-24s %d", x.pass, x.rule, x.level, x.features, n)
		if n < 0 {
			t.Errorf("%s of %s does not fire at %s in 4000 programs with %s", x.rule, x.pass, x.level, x.features)
		}
	}
	for _, level := range passes.Levels() {
		for _, p := range mustPipeline(level) {
			for _, r := range p.Rules {
				if !known[p.Name+" "+r.Name] && passes.Starved(level, p.Name, r.Name, 0) == "" {
					t.Errorf("testdata/features.txt does not say what feeds %s of %s, at %s", r.Name, p.Name, level)
				}
			}
		}
	}
}

// programs returns how many programs with the features it takes until the rule fires; -1 where none of so many does it.
func (x fed) programs(t *testing.T, most int) int {
	t.Helper()
	cfg := gen.Default()
	for name := range strings.SplitSeq(x.features, "+") {
		f := gen.Feature(0)
		for f < gen.NumFeatures && f.String() != name {
			f++
		}
		if f == gen.NumFeatures {
			t.Fatalf("no feature %q", name)
		}
		cfg.Features[f] = 1
	}
	ps := mustPipeline(x.level)
	for i := range most {
		fired := false
		passes.Run(Generate(17, i, &cfg).Program, ps, passes.Unlimited(), func(s *passes.Step) bool {
			for _, n := range s.Tally {
				fired = fired || s.Pass.Name == x.pass && n.Rule.Name == x.rule && n.Fired > 0
			}
			return !fired
		})
		if fired {
			return i + 1
		}
	}
	return -1
}
