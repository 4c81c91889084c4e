package passes

import (
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"birfuzz/ir"
	"birfuzz/ir/birtest"
)

var update = flag.Bool("update", false, "rewrite the want sections of testdata")

// unchanged stands in a want section for the program as it was.
const unchanged = "unchanged"

// textFiles yields the text tests of every pass.
func textFiles(t *testing.T) []*birtest.Text {
	files, err := filepath.Glob("testdata/*/*.bir")
	if err != nil || len(files) == 0 {
		t.Fatalf("no text tests: %v", err)
	}
	var out []*birtest.Text
	for _, f := range files {
		text, err := birtest.ReadText(f, "run", "fires", "refuses", "fails", "declines")
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, text)
	}
	return out
}

// outcome is what a run of a text test did: "rule" and "rule reason" with their numbers, and the program after.
type outcome struct {
	fired, refused   map[string]int
	failed, declined string // of the first pass that did
	after            string
}

func runText(t *testing.T, text *birtest.Text) outcome {
	t.Helper()
	p, err := ir.Parse(text.File, text.Source)
	if err != nil {
		t.Fatal(err)
	}
	fails := len(text.Values("fails")) > 0 // what a verifier is to find fault with need not be legal
	if cs := ir.Verify(p, p.Facts); len(cs) > 0 && !fails {
		t.Fatalf("%s is not legal:\n%v", text.File, cs)
	}
	ps, err := Named(strings.Join(text.Values("run"), ","))
	if err != nil {
		t.Fatal(err)
	}
	before := p.String()
	o := outcome{fired: map[string]int{}, refused: map[string]int{}, after: unchanged}
	Run(p, ps, Unlimited(), func(s *Step) bool {
		if s.Failure != nil && !fails {
			t.Fatalf("%s: %v", text.File, s.Failure)
		} else if s.Failure != nil {
			o.failed = s.Failure.Error()
			return false
		}
		if o.declined == "" {
			o.declined = s.Declined
		}
		for _, n := range s.Tally {
			if n.Fired > 0 {
				o.fired[n.Rule.Name] += n.Fired
			}
			for _, why := range n.Why {
				o.refused[n.Rule.Name+" "+why.Why] += why.N
			}
		}
		if s.Changed && s.Before.String() == s.After.String() {
			t.Errorf("%s: a step that says it changed the program did not", text.File)
		}
		if cs := ir.Verify(s.After, s.After.Facts); len(cs) > 0 {
			t.Errorf("%s: illegal after %s:\n%v", text.File, s.Pass.Name, cs)
		}
		p = s.After
		return true
	})
	if after := p.String(); after != before {
		o.after = strings.TrimSuffix(after, "\n")
	}
	return o
}

// numbered splits "text 3" into text and number; without a number it is 1.
func numbered(value string) (string, int) {
	if i := strings.LastIndexByte(value, ' '); i >= 0 {
		if n, err := strconv.Atoi(value[i+1:]); err == nil {
			return value[:i], n
		}
	}
	return value, 1
}

func expected(values []string) map[string]int {
	out := map[string]int{}
	for _, v := range values {
		name, n := numbered(v)
		out[name] += n
	}
	return out
}

// TestText runs every .bir file in testdata through the passes that it names. What it says fires must fire as often as it says, and nothing
// else; what it says is refused must be refused.
func TestText(t *testing.T) {
	for _, text := range textFiles(t) {
		t.Run(strings.TrimPrefix(text.File, "testdata/"), func(t *testing.T) {
			o := runText(t, text)
			if want := expected(text.Values("fires")); fmt.Sprint(o.fired) != fmt.Sprint(want) {
				t.Errorf("fires: got %v, want %v", o.fired, want)
			}
			if want := strings.Join(text.Values("fails"), "\n"); o.failed != want {
				t.Errorf("fails: got %q, want %q", o.failed, want)
			}
			if want := text.Values("declines"); len(want) > 0 && o.declined != want[0] {
				t.Errorf("declines: got %q, want %q", o.declined, want[0])
			}
			for name, n := range expected(text.Values("refuses")) {
				if o.refused[name] != n {
					t.Errorf("refuses %s: got %d, want %d (all: %v)", name, o.refused[name], n, o.refused)
				}
			}
			if *update {
				if err := text.SetWant(o.after); err != nil {
					t.Fatal(err)
				}
			}
			if text.Want != o.after {
				t.Errorf("got\n%s\nwant\n%s", o.after, text.Want)
			}
		})
	}
}

// runsPass tells whether a text runs a pass, whatever its knobs.
func runsPass(text *birtest.Text, name string) bool {
	return slices.ContainsFunc(text.Values("run"), func(spelt string) bool { return spelt == name || strings.HasPrefix(spelt, name+"(") })
}

// TestRulesHaveTexts: every rule of every pass fires in a text test and stays quiet in another test of the same pass; a verifier fails in one
// and not in another.
func TestRulesHaveTexts(t *testing.T) {
	texts := textFiles(t)
	for _, p := range known() {
		if p.Verifies {
			fails, passes := false, false
			for _, text := range texts {
				if runsPass(text, p.Name) {
					fails = fails || len(text.Values("fails")) > 0
					passes = passes || len(text.Values("fails")) == 0
				}
			}
			if !fails || !passes {
				t.Errorf("%s: fails in a text test: %v, passes one: %v", p.Name, fails, passes)
			}
		}
		for _, r := range p.Rules {
			fires, quiet := false, false
			for _, text := range texts {
				if runsPass(text, p.Name) {
					_, does := expected(text.Values("fires"))[r.Name]
					fires = fires || does
					quiet = quiet || !does
				}
			}
			if !fires || !quiet {
				t.Errorf("%s, rule %s: fires in a text test: %v, stays quiet in one: %v", p.Name, r.Name, fires, quiet)
			}
		}
	}
}

// TestOnce: a pass that says so finds nothing to do in its own output.
func TestOnce(t *testing.T) {
	for _, text := range textFiles(t) {
		p, err := ir.Parse(text.File, text.Source)
		if err != nil {
			t.Fatal(err)
		}
		for _, pass := range known() {
			if !pass.Contract.Once || pass.Verifies {
				continue
			}
			Run(p.Clone(), []Pass{pass, pass}, Unlimited(), func(s *Step) bool {
				if s.Failure != nil || s.Index == 1 && s.Changed {
					t.Errorf("%s: %s again: changed %v, failure %v", text.File, pass.Name, s.Changed, s.Failure)
				}
				return true
			})
		}
	}
}
