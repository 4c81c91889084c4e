package fuzz

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"birfuzz/passes"
)

// TestMutantsFit: every planted bug still edits exactly one place of the source it was made for, and names a rule that exists.
func TestMutantsFit(t *testing.T) {
	files, err := filepath.Glob("mutants/*.mutant")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d mutants, %v", len(files), err)
	}
	rules := map[string]bool{}
	ps, err := passes.Named(strings.Join(passes.Known(), ","))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range ps {
		for _, r := range p.Rules {
			rules[r.Name] = true
		}
	}
	for _, file := range files {
		keys, old := readMutant(t, file)
		if !rules[keys["rule"]] {
			t.Errorf("%s: no rule %q", file, keys["rule"])
		}
		src, err := os.ReadFile(filepath.Join("..", keys["file"]))
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if n := strings.Count(string(src), old); n != 1 {
			t.Errorf("%s: its old text stands %d times in %s, want once", file, n, keys["file"])
		}
	}
}

// readMutant returns the keys of a mutant file and the text that it replaces.
func readMutant(t *testing.T, file string) (keys map[string]string, old string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	keys = map[string]string{}
	var lines []string
	for line := range strings.Lines(string(text)) {
		switch {
		case strings.HasPrefix(line, "-"):
			lines = append(lines, line[1:])
		case strings.HasPrefix(line, ";") || strings.HasPrefix(line, "+"):
		default:
			k, v, _ := strings.Cut(line, ":")
			keys[strings.TrimSpace(k)] = strings.TrimSpace(v)
		}
	}
	return keys, strings.Join(lines, "")
}
