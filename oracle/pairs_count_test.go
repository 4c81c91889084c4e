package oracle

import (
	"path/filepath"
	"strings"
	"testing"
)

// What there has to be for each check: pairs that it finds wrong, one of them found by nothing else, and pairs that one would expect it to find
// wrong and that are right.
const (
	wrongPairs = 5
	rightPairs = 3
)

// TestEveryCheckHasItsPairs: the table of checks is complete with pairs worked by hand. That each of them is judged as it says is TestPairs.
func TestEveryCheckHasItsPairs(t *testing.T) {
	files, err := filepath.Glob("testdata/pairs/*.bir")
	if err != nil || len(files) == 0 {
		t.Fatal("no pairs", err)
	}
	wrong, alone, right := map[string]int{}, map[string]int{}, map[string]int{}
	for _, file := range files {
		for _, c := range readPairs(t, file) {
			failed := strings.Fields(c.want)
			for _, name := range failed {
				wrong[name]++
			}
			if len(failed) == 1 {
				alone[failed[0]]++
			}
			for _, name := range c.tempts {
				if _, ok := CheckNamed(name); !ok || c.want != "same" {
					t.Errorf("%s: %s: not %s of what is %s", file, c.name, name, c.want)
				}
				right[name]++
			}
		}
	}
	for _, c := range Checks() {
		if wrong[c.Name] < wrongPairs || alone[c.Name] == 0 || right[c.Name] < rightPairs {
			t.Errorf("%s: %d wrong pairs, %d of them found by it alone, %d right ones; want %d, 1 and %d", c.Name, wrong[c.Name], alone[c.Name], right[c.Name], wrongPairs, rightPairs)
		}
	}
}

// TestOnlyThisCheck: a pair that one check alone finds wrong is the same to all others together. What is not well-formed is found by others too
// where nobody asks for it, since it cannot be run; some of it can.
func TestOnlyThisCheck(t *testing.T) {
	alone := map[string]int{}
	eachPair(t, func(t *testing.T, c pairCase) {
		set, ok := CheckNamed(c.want)
		if !ok {
			return // right, or found by several
		}
		switch v := judgePair(t, c, Options{Checks: AllChecks &^ set}); {
		case v.Kind == Same:
			alone[c.want]++
		case c.want != checks[0].Name:
			t.Errorf("without %s: %s", c.want, v)
		}
	})
	for _, c := range Checks() {
		if alone[c.Name] == 0 {
			t.Errorf("there is no pair that %s alone finds wrong", c.Name)
		}
	}
}
