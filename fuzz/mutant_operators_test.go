package fuzz

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/cover"

	"birfuzz/ir/birtest"
)

// TestOperatorSites: the operators find places in the passes, each operator some, and each of their mutants is other Go code that may share a build.
func TestOperatorSites(t *testing.T) {
	sites, sources, err := operatorSites("..")
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	every := 40 // one site in so many is applied
	if birtest.Quick() {
		every = 400
	}
	for i := range sites {
		s := &sites[i]
		count[s.operator]++
		if i%every != 0 {
			continue
		}
		source := sources[s.file]
		if source[s.from:s.to] != s.old {
			t.Fatalf("%s: the text there is %q, want %q", s, source[s.from:s.to], s.old)
		}
		m := s.mutant(source)
		edited, err := m.Apply(source)
		if err != nil {
			t.Error(err)
			continue
		}
		if want := source[:s.from] + s.new + source[s.to:]; edited != want {
			t.Errorf("%s: the edited text is not the source with %q for %q", s, s.new, s.old)
		}
		if _, ok := bodies(source, edited, 1); !ok {
			t.Errorf("%s: %s does not share a build", s, s.change())
		}
	}
	for _, operator := range []string{"relational", "boolean", "arithmetic", "off-by-one", deletion} {
		if count[operator] < 100 {
			t.Errorf("%s: %d places, want 100 or more", operator, count[operator])
		}
	}
}

// TestOperatorsLeaveAlone: strings, constants, messages and labels are not touched, and each swap is that of its operator.
func TestOperatorsLeaveAlone(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{`if a < b { return 1 }`, "deletion without if a < b { return 1 }; boolean a < b → !(a < b); relational < → <="},
		{`s := "x" + "y"; _ = s`, "deletion without _ = s"},
		{`c.Logf("%d", a+b)`, ""},
		{`a += b`, "deletion without a += b; arithmetic += → -="},
		{`return a - 1`, "arithmetic - → +; off-by-one 1 → 2"},
		{`return 3 * 4`, ""},
		{`return a << 1`, ""},
		{`L: for a < b { continue L }`, "relational < → <=; deletion without continue L"},
	} {
		if got := operatorsOf(t, c.body); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.body, got, c.want)
		}
	}
}

// TestReach: a place is in a block from its first column to the one before its last, and the busiest level comes first.
func TestReach(t *testing.T) {
	block := func(count int) map[string][]cover.ProfileBlock {
		return map[string][]cover.ProfileBlock{"passes/x.go": {{StartLine: 3, StartCol: 5, EndLine: 4, EndCol: 2, Count: count}}}
	}
	r := reach{levels: []string{"a", "b", "c"}, blocks: []map[string][]cover.ProfileBlock{block(2), block(9), block(0)}}
	for _, c := range []struct {
		line, column int
		want         string
	}{{3, 5, "b a"}, {3, 4, ""}, {3, 99, "b a"}, {4, 1, "b a"}, {4, 2, ""}, {9, 1, ""}} {
		s := operatorSite{file: "passes/x.go", at: token.Position{Line: c.line, Column: c.column}}
		if got := strings.Join(r.of(&s), " "); got != c.want {
			t.Errorf("%d:%d: levels %q, want %q", c.line, c.column, got, c.want)
		}
	}
}

// operatorsOf lists what the operators do to a function of the given body, in which a and b are integers.
func operatorsOf(t *testing.T, body string) string {
	t.Helper()
	text := "package x\n\ntype logger struct{}\n\nfunc (logger) Logf(string, ...any) {}\n\nfunc f(c logger, a, b int) int {\n\t" + body + "\n\treturn 0\n}\n"
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "passes/x.go", text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
	if _, err := (&types.Config{}).Check("x", set, []*ast.File{file}, info); err != nil {
		t.Fatal(err)
	}
	o := operators{set: set, info: info, file: "passes/x.go", text: text}
	var out []string
	for _, s := range o.in(file) {
		out = append(out, s.operator+" "+s.change())
	}
	return strings.Join(out, "; ")
}
