package fuzz

import (
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestBodies: a mutant shares a build if it changes nothing but bodies of functions.
func TestBodies(t *testing.T) {
	const source = "package x\n\nvar a = 1\n\n// f is.\nfunc f(n int) (m int, err error) {\n\treturn n, nil\n}\n\nfunc (T) g() {\n\ta++\n}\n"
	for _, c := range []struct{ old, new, want string }{
		{"return n, nil", "return 2, nil", "if plantedMutant == 7 {\nreturn func() (m int, err error) {\n\treturn 2, nil\n\n}()\n}"},
		{"a++", "a--", "if plantedMutant == 7 {\nfunc() {\n\ta--\n\n}()\nreturn\n}"},
		{"\n\ta++\n", "", "if plantedMutant == 7 {\nfunc() {\n}()\nreturn\n}"},
		{"a = 1", "a = 2", ""},
		{"(n int)", "(n int32)", ""},
		{"T", "*T", ""},
		{"g()", "h()", ""},
		{"func (T) g() {\n\ta++\n}", "", ""},
		{"func (T) g() {\n\ta++\n}", "func (T) g()", ""},
		{"// f is.", "// f was.", ""},
		{"return n, nil", "return (", ""},
	} {
		in, ok := bodies(source, strings.Replace(source, c.old, c.new, 1), 7)
		switch got := inserted(source, in); {
		case ok != (c.want != ""):
			t.Errorf("%s: shares a build: %v", c.new, ok)
		case ok && (!strings.Contains(got, "{\n"+c.want+"\n") || strings.Contains(got, "\n\n\n\n")):
			t.Errorf("%s:\n%s\nwant in it\n%s", c.new, got, c.want)
		}
	}
}

// TestSchemata: mutants of one file and of several go into one set of files, each by its own number, and those that must stay apart are left
// out.
func TestSchemata(t *testing.T) {
	ms, err := ReadMutants("..", nil)
	if err != nil {
		t.Fatal(err)
	}
	files, number, err := schemata("..", ms)
	if err != nil {
		t.Fatal(err)
	}
	if 10*len(number) < 9*len(ms) {
		t.Errorf("%d of %d mutants share a build, want 9 in 10", len(number), len(ms))
	}
	if got, want := slices.Sorted(maps.Values(number)), len(number); got[0] != 1 || got[want-1] != want || len(slices.Compact(got)) != want {
		t.Errorf("the numbers are %v", got)
	}
	for name, text := range files {
		if _, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution); err != nil {
			t.Error(err)
		}
	}
	for _, m := range ms {
		if n := number[m]; n > 0 && !strings.Contains(files[m.Source], fmt.Sprintf("if plantedMutant == %d {", n)) {
			t.Errorf("%s: mutant %d is not in %s", m.Name, n, m.Source)
		}
	}
}
