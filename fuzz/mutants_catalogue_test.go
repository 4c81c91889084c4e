package fuzz

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"birfuzz/passes"
)

// catalogueEntry is a line of mutants/catalogue.txt: a known bug, or a warning of a founding document.
type catalogueEntry struct {
	id, text string
	why      string // "no pass", "test" or "none": what keeps it from being planted; "" if a mutant plants it
	names    string // what follows that: passes, a test, a reason
}

// readCatalogue reads the catalogue.
func readCatalogue(t *testing.T) []catalogueEntry {
	t.Helper()
	text, err := os.ReadFile("mutants/catalogue.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out []catalogueEntry
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, ";") {
			continue
		}
		part := strings.Split(line, " | ")
		if len(part) < 3 || len(part) > 4 {
			t.Fatalf("want ID | passes | mistake, and why it is not planted, got %q", line)
		}
		e := catalogueEntry{id: part[0], text: part[2]}
		if len(part) == 4 {
			e.why, e.names, _ = strings.Cut(part[3], ": ")
		}
		if slices.ContainsFunc(out, func(o catalogueEntry) bool { return o.id == e.id }) {
			t.Errorf("a second entry %s", e.id)
		}
		out = append(out, e)
	}
	return out
}

// TestCatalogue: every known bug that a pass here could have is planted by a mutant, every other one says why it is not, and that is true.
func TestCatalogue(t *testing.T) {
	ms, err := ReadMutants("..", nil)
	if err != nil {
		t.Fatal(err)
	}
	entries := readCatalogue(t)
	planted := map[string]int{}
	for _, m := range ms {
		for _, id := range m.Entries {
			if !slices.ContainsFunc(entries, func(e catalogueEntry) bool { return e.id == id }) {
				t.Errorf("%s: no entry %s in the catalogue", m.Path, id)
			}
			planted[id]++
		}
	}
	for _, e := range entries {
		if e.why != "" && planted[e.id] > 0 {
			t.Errorf("%s is planted, and is said not to be: %s: %s", e.id, e.why, e.names)
		}
		switch e.why {
		case "":
			if planted[e.id] == 0 {
				t.Errorf("%s (%s): no mutant plants it, and nothing says why", e.id, e.text)
			}
		case "no pass":
			for _, name := range strings.Split(e.names, ", ") {
				if slices.Contains(passes.Known(), name) {
					t.Errorf("%s (%s): there is a pass %s now, and no mutant", e.id, e.text, name)
				}
			}
		case "test":
			if !testOfPasses(t, e.names) {
				t.Errorf("%s: no test %s of the passes", e.id, e.names)
			}
		case "none":
			if e.names == "" {
				t.Errorf("%s: none, and no reason", e.id)
			}
		default:
			t.Errorf("%s: want no pass, test or none, got %q", e.id, e.why)
		}
	}
}

// testOfPasses tells whether package passes has a test function or a text test of that name.
func testOfPasses(t *testing.T, name string) bool {
	t.Helper()
	if strings.HasSuffix(name, ".bir") {
		found, err := filepath.Glob(filepath.Join("../passes/testdata/*", name))
		return err == nil && len(found) > 0
	}
	files, err := filepath.Glob("../passes/*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(files, func(file string) bool {
		text, err := os.ReadFile(file)
		return err == nil && strings.Contains(string(text), "\nfunc "+name+"(t *testing.T)")
	})
}
