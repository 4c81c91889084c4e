package fuzz

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"birfuzz/ir/birtest"
	"birfuzz/passes"
)

// TestMutantsFit: every planted bug reads well, edits one place of the source it was made for, and names rules and classes that exist.
func TestMutantsFit(t *testing.T) {
	files, err := filepath.Glob("mutants/*" + mutantEnding)
	if err != nil || len(files) == 0 {
		t.Fatalf("%d mutants, %v", len(files), err)
	}
	for _, file := range files {
		if m, err := readMutant("..", filepath.Join("..", "fuzz", file)); err != nil {
			t.Error(err)
		} else if m.Doc == "" {
			t.Errorf("%s: no comment says what is wrong", file)
		}
	}
}

// TestEveryRuleHasAMutant: every rule of every pass is one that some planted bug is blamed on.
func TestEveryRuleHasAMutant(t *testing.T) {
	ms, err := ReadMutants("..", regexp.MustCompile(""))
	if err != nil {
		t.Fatal(err)
	}
	blamed := map[string]bool{}
	for _, m := range ms {
		for _, rule := range m.Rules {
			blamed[rule] = true
		}
	}
	ps, err := passes.Named(strings.Join(passes.Known(), ","))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range ps {
		for _, r := range p.Rules {
			if !blamed[r.Name] {
				t.Errorf("%s: no mutant names rule %s", p.Name, r.Name)
			}
		}
	}
}

// everyDay names the mutants that every test run hunts: each is found within a few dozen programs.
var everyDay = []string{"dce-first-element", "dce-user-kept", "reorder-no-dependence-check", "sync-no-anti", "unroll-last-trip"}

// smallEnough is how many instructions the reproducer of an everyday mutant may have.
const smallEnough = 8

// TestMutantsKilled plants a few bugs and sees each found, blamed and made small. `birfuzz mutants` hunts them all.
func TestMutantsKilled(t *testing.T) {
	t.Parallel()
	b := benchForTest(t)
	for _, m := range b.named(t, everyDay...) {
		switch o := b.try(context.Background(), m); {
		case !o.Killed:
			t.Errorf("%s survives: %s %v", o.Name, o.Note, o.Err)
		case !o.Blame:
			t.Errorf("%s: rule %s blamed, want %v", o.Name, o.Rule, o.Mutant.Rules)
		case o.Insts > smallEnough:
			t.Errorf("%s: %d instructions are left, want at most %d", o.Name, o.Insts, smallEnough)
		}
	}
}

func hunt(t *testing.T, ms ...*Mutant) *MutantScore {
	t.Helper()
	root, err := SourceTree(".")
	if err != nil {
		t.Fatal(err)
	}
	h := Hunt{Root: root, Seed: 1, Levels: []string{"O2"}}
	s, err := h.Run(context.Background(), ms)
	if err != nil {
		t.Fatal(err)
	}
	if s.Total != len(ms) {
		t.Fatalf("%d mutants hunted, want %d", s.Total, len(ms))
	}
	return s
}

// TestHuntTellsApart: what does nothing survives, and what does not build is no kill.
func TestHuntTellsApart(t *testing.T) {
	t.Parallel()
	if birtest.Quick() {
		t.Skip("builds the command several times")
	}
	keys := "file: passes/ctx.go\nrule: reorder.place\ncaught: value\nwithin: 20\nminimum: 1\n"
	idle := mustParse(t, keys+"-import (\n+import ( // changed\n")
	broken := mustParse(t, keys+"-import (\n+import (\n+\t_ \"no/such/package\"\n")
	idle.Name, broken.Name = "idle", "broken"
	missed, err := ReadMutants("..", regexp.MustCompile("^reorder-no-dependence-check$"))
	if err != nil {
		t.Fatal(err)
	}
	missed[0].Within = 1 // program 0 has not the shape
	s := hunt(t, idle, broken, missed[0])
	for i, want := range []struct {
		programs        int
		note, complaint string
	}{
		{20, "not found in 20 programs; its rules were considered", ""},
		{0, "", "does not build: passes/ctx.go:4:2: package no/such/package is not in std"},
		{1, "passes/testdata/instruction_reorder/against_", ""},
	} {
		o := s.Mutants[i]
		complaint := ""
		if o.Err != nil {
			complaint = o.Err.Error()
		}
		if o.Killed || o.Programs != want.programs || !strings.Contains(o.Note, want.note) || !strings.Contains(complaint, want.complaint) || (want.complaint == "") != (o.Err == nil) {
			t.Errorf("%s: %+v, want %+v", o.Name, o, want)
		}
	}
	if o := s.Mutants[0]; !strings.Contains(o.Note, "no text test of its passes shows it") {
		t.Errorf("a mutant that does nothing: %s", o.Note)
	}
	if s.Killed != 0 {
		t.Errorf("%d killed, want 0", s.Killed)
	}
}

// TestHuntNeedsGo: without the Go tool, or in a tree that does not build, there is one clear error.
func TestHuntNeedsGo(t *testing.T) {
	h := Hunt{Root: t.TempDir()}
	if !birtest.Quick() {
		if _, err := h.Run(context.Background(), nil); err == nil || !strings.Contains(err.Error(), "without a mutant does not build: ") {
			t.Errorf("an empty tree: error %v", err)
		}
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := h.Run(context.Background(), nil); err == nil || !strings.Contains(err.Error(), "mutants are built with the Go tool") {
		t.Errorf("no Go tool: error %v", err)
	}
}

// TestStopAtFindings: a campaign that stops at its first finding stops at the same one, made as small, with any number of workers.
func TestStopAtFindings(t *testing.T) {
	run := func(workers int) string {
		c := &Campaign{Seed: 4, Count: 200, Workers: workers, Findings: 1, Passes: []passes.Pass{planted("swap")}}
		r, err := c.Run(context.Background())
		if err != nil || len(r.Findings) != 1 {
			t.Fatalf("%d findings, %v, want 1", len(r.Findings), err)
		}
		return fmt.Sprintln(r.Programs, "programs") + r.Findings[0].Text()
	}
	want := run(1)
	crews := []int{1, 3}
	if birtest.Quick() {
		crews = []int{3}
	}
	for _, workers := range crews {
		if got := run(workers); got != want {
			t.Errorf("%d workers:\n%s\nwant\n%s", workers, got, want)
		}
	}
}

// keysOfAll are good keys in five lines.
const keysOfAll = "file: passes/x.go\nrule: a.b, c.d\ncaught: value,undefined\nwithin: 10\nminimum: 2\n"

func mustParse(t *testing.T, text string) *Mutant {
	t.Helper()
	m, err := ParseMutant("m"+mutantEnding, text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestParseMutant(t *testing.T) {
	m := mustParse(t, "; one\n;  two\n\n"+keysOfAll+"; three\n-\ta\n-\tb\n+\tc\n-d\n\n-e\n+\n")
	if m.Name != "m" || m.Doc != "one two" || m.Source != "passes/x.go" || strings.Join(m.Rules, "|") != "a.b|c.d" ||
		strings.Join(m.Caught, "|") != "value|undefined" || m.Within != 10 || m.Minimum != 2 {
		t.Errorf("keys: %+v", m)
	}
	var edits []string
	for _, e := range m.Edits {
		edits = append(edits, strings.Join(e.Old, "/")+">"+strings.Join(e.New, "/"))
	}
	if got, want := strings.Join(edits, " "), "\ta/\tb>\tc d> e>"; got != want || m.Edits[0].Line != 10 || len(m.Edits[2].New) != 1 {
		t.Errorf("edits %q, want %q, the first in line 10: %+v", got, want, m.Edits)
	}
}

// TestMutantPipeline: a mutant is hunted where it says, else where its first rule is run, and no pass is run behind its rules.
func TestMutantPipeline(t *testing.T) {
	for _, c := range []struct {
		rules, keys string
		levels      []string
		want        string
	}{
		{"reorder.place", "", []string{"O0", "O2"}, "localize_shared_memory,birverifier,lnc_verifier,oom_checker,instruction_reorder"},
		{"unroll.loop", "", []string{"O0", "O2"}, "unroll"},
		{"unroll.loop, dce.no-user", "", []string{"O0"}, "unroll,dead_code_elim_o0"},
		{"unroll.loop", "passes: dead_code_elim_o1, unroll, unroll,birverifier\n", []string{"O0"}, "dead_code_elim_o1,unroll,unroll"},
		{"flatten.loop", "level: O2-loops\n", []string{"O0"}, "birverifier,lnc_verifier,flatten_small_loops"},
		{"flatten.loop", "", nil, "birverifier,lnc_verifier,flatten_small_loops"},
		{"presched.place", "level: O1\n", nil, "pre_sched(level=1)"},
	} {
		ps, err := mustParse(t, strings.Replace(keysOfAll, "a.b, c.d", c.rules, 1)+c.keys+"-x\n").pipeline(c.levels)
		if got := passes.Spellings(ps); err != nil || !strings.HasSuffix(got, c.want) {
			t.Errorf("%s: %s %v, want %s", c.rules, got, err, c.want)
		}
	}
}

func TestParseMutantErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "m.mutant:1: the key file is missing"},
		{"speed: 3\n", `m.mutant:1: want one of the keys file, rule, caught, within, minimum, level, passes, catalogue, got "speed: 3"`},
		{"file passes/x.go\n", "m.mutant:1: want one of the keys"},
		{"file: a.go\nfile: b.go\n", "m.mutant:2: a second file: the first is in line 1"},
		{"file:\n", "m.mutant:1: file: want a value"},
		{"file: ../../etc/x.go\n", `m.mutant:1: file: want a Go file, from the module root, got "../../etc/x.go"`},
		{"file: /etc/x.go\n", "m.mutant:1: file: want a Go file"},
		{"file: passes/x.txt\n", "m.mutant:1: file: want a Go file"},
		{"rule: a,,b\n", "m.mutant:1: rule: want names separated by commas"},
		{"within: many\n", `m.mutant:1: within: want a number from 1 to 1000000, got "many"`},
		{"minimum: -1\n", "m.mutant:1: minimum: want a number from 0"},
		{"within: 99999999999999999999\n", "m.mutant:1: within: want a number from 1"},
		{"file: a.go\n-x\n", "m.mutant:2: the key rule is missing"},
		{keysOfAll, "m.mutant:5: no edit"},
		{"level: O2\npasses: unroll\n", "m.mutant:2: both level and passes: want one of them at most"},
		{keysOfAll + "+x\n", "m.mutant:6: new text without old text"},
		{keysOfAll + "-x\n\n+x\n", "m.mutant:8: new text without old text"},
		{keysOfAll + "-x\n+y\nwithin: 3\n", "m.mutant:8: want a line that begins with"},
	} {
		_, err := ParseMutant("m"+mutantEnding, c.text)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q: error %v, want %s", c.text, err, c.want)
		}
	}
}

func TestMutantApply(t *testing.T) {
	const source = "package x\n\nvar a = 1\nvar b = 2\nvar c = 1\n"
	for _, c := range []struct{ edits, want string }{
		{"-var a = 1\n+var a = 3\n", "package x\n\nvar a = 3\nvar b = 2\nvar c = 1\n"},
		{"-var c = 1\n-var a = 1\n-var b = 2\n+var b = 9\n", "the old text stands 0 times"},
		{"-var c = 1\n\n-var a = 1\n-var b = 2\n+var b = 9\n", "package x\n\nvar b = 9\n"},
		{"-a = 1\n+a = 2\n", "m.mutant:6: the old text stands 0 times in passes/x.go, want once"},
		{"-var a = 1\n+var a = 1\n", "m.mutant:6: the new text is the old text"},
		{"-var a = 1\n-var b = 2\n+\n-var b = 2\n+\n", "m.mutant:9: the old text overlaps"},
		{"-var a = 1\n+var a = (\n", "m.mutant:6: the edited text is no Go: passes/x.go:"},
	} {
		got, err := mustParse(t, keysOfAll+c.edits).Apply(source)
		if err != nil {
			got = err.Error()
		}
		if got != c.want && (err == nil || !strings.Contains(got, c.want)) {
			t.Errorf("%q: got %q, want %q", c.edits, got, c.want)
		}
	}
	if _, err := mustParse(t, keysOfAll+"-var a = 1\n+var z = 1\n").Apply(source + "var a = 1\n"); err == nil || !strings.Contains(err.Error(), "stands 2 times") {
		t.Errorf("two places: error %v", err)
	}
}

// TestReadMutantsErrors: a tree, a file or a pattern that is of no use is named.
func TestReadMutantsErrors(t *testing.T) {
	root := t.TempDir()
	if _, err := SourceTree(root); err == nil || !strings.Contains(err.Error(), "no source tree of birfuzz") {
		t.Errorf("a folder without a module: error %v", err)
	}
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	expect := func(want string) {
		t.Helper()
		if _, err := ReadMutants(root, regexp.MustCompile("^m")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	expect("no mutants: want *.mutant files in")
	write("fuzz/mutants/other.mutant", "nonsense")
	expect(`no mutant of 1 has a name that matches "^m"`)
	write("fuzz/mutants/m.mutant", keysOfAll+"-x\n+y\n")
	expect(`fuzz/mutants/m.mutant:2: no pass has a rule "a.b"`)
	known := strings.Replace(keysOfAll, "a.b, c.d", "reorder.place", 1)
	for add, want := range map[string]string{
		"level: O9":                        `:6: no level "O9"`,
		"passes: zebra":                    `:6: no pass "zebra"`,
		"level: O0":                        ":6: no pass that is run has the rule reorder.place",
		"passes: unroll,dead_code_elim_o1": ":6: no pass that is run has the rule reorder.place",
	} {
		write("fuzz/mutants/m.mutant", known+add+"\n-x\n+y\n")
		expect("fuzz/mutants/m.mutant" + want)
	}
	good := strings.Replace(keysOfAll, "a.b, c.d", "reorder.place", 1)
	write("fuzz/mutants/m.mutant", strings.Replace(good, "value,", "valeu,", 1)+"-x\n+y\n")
	expect(`no check and no class "valeu"`)
	write("fuzz/mutants/m.mutant", good+"-package x\n+package y\n")
	expect("passes/x.go: no such file")
	write("passes/x.go", "package z\n")
	expect("the old text stands 0 times in passes/x.go")
	write("passes/x.go", "package x\n"+strings.Repeat("// x\n", maxMutantFile/5))
	expect("more than 1048576 bytes")
	write("passes/x.go", "package x\n")
	write("go.mod", "module birfuzz\n")
	if ms, err := ReadMutants(root, regexp.MustCompile("^m")); err != nil || len(ms) != 1 {
		t.Errorf("a good mutant: %v, %v", ms, err)
	}
	if at, err := SourceTree(filepath.Join(root, "fuzz", "mutants")); err != nil || at != root {
		t.Errorf("source tree %s, %v, want %s", at, err, root)
	}
}
