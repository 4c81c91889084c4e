package fuzz

import (
	"cmp"
	"fmt"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Mutant is a planted bug: a small edit of one source file, made for one build only (`go build -overlay`), so that the code under test knows
// nothing of it. A .mutant file holds, in this order:
//
//	; comment lines: what is wrong
//	file:    passes/dead_code_elim.go   (the edited source, from the module root)
//	rule:    dce.dead-write             (the rule to be blamed; several, with commas, if the edit spoils what they share)
//	caught:  value                      (the class of the finding; several, with commas, if it depends on the program)
//	within:  2000                       (programs after which it must be found)
//	minimum: 3                          (instructions of the smallest program that shows it, in the class and by the rule of a hunt from seed 1)
//	level:   O2-loops                   (may be left out: the pipeline in which it is hunted, if it lives in that one alone)
//	passes:  dead_code_elim_o1          (the same as a list of passes, see passes.Named; one of the two at most)
//	catalogue: B16                      (may be left out: the entries of mutants/catalogue.txt that it plants, with commas)
//	-	if a.Overlaps(b) {
//	+	if a == b {
//
// Lines with "-" are old text, lines with "+" what stands in its place, both as whole lines. A "-" after a "+", a blank line or a comment
// begins the next edit.
type Mutant struct {
	Name    string   // file name without its ending
	Path    string   // of the .mutant file, for messages
	Doc     string   // the comment above the keys
	Source  string   // the edited file, slash-separated, from the module root
	Rules   []string // the rules that may be blamed
	Caught  []string // the classes in which it may be caught
	Within  int      // programs
	Minimum int      // instructions
	Level   string   // the pipeline to hunt in; "": whichever runs its rules
	Passes  string   // that pipeline as a list of passes
	Entries []string // of the catalogue
	Edits   []MutantEdit

	lines map[string]int // of the keys in the file, for messages
}

// MutantEdit replaces lines of the source by others, which may be none.
type MutantEdit struct {
	Line     int // of the first old line in the .mutant file
	Place    int // line of the source, from 1, at which the old text begins; 0: where it stands, which must be one place
	Old, New []string
}

// mutantEnding is how the names of mutant files end.
const mutantEnding = ".mutant"

// ParseMutant reads the text of a .mutant file. Errors begin with "path:line: ".
func ParseMutant(path, text string) (*Mutant, error) {
	seen := map[string]int{}
	r := mutantReader{m: &Mutant{Name: strings.TrimSuffix(filepath.Base(path), mutantEnding), Path: path, lines: seen}, seen: seen}
	for line := range strings.Lines(text) {
		r.line++
		if err := r.read(strings.TrimRight(line, "\r\n")); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, r.line, err)
		}
	}
	if err := r.complete(); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", path, max(r.line, 1), err)
	}
	return r.m, nil
}

// mutantReader reads a .mutant file line by line.
type mutantReader struct {
	m    *Mutant
	line int
	seen map[string]int // keys, by their line
	open bool           // the last edit may still get lines
}

func (r *mutantReader) read(line string) error {
	switch {
	case strings.HasPrefix(line, ";"):
		r.open = false
		if len(r.seen) == 0 {
			r.m.Doc = strings.TrimSpace(r.m.Doc + " " + strings.TrimSpace(line[1:]))
		}
	case strings.TrimSpace(line) == "":
		r.open = false
	case line[0] == '-':
		return r.old(line[1:])
	case line[0] == '+':
		return r.new(line[1:])
	case len(r.m.Edits) > 0:
		return fmt.Errorf("want a line that begins with '-', '+' or ';' after the first edit, got %q", line)
	default:
		return r.key(line)
	}
	return nil
}

func (r *mutantReader) old(text string) error {
	if err := r.lacks(); err != nil {
		return err
	}
	if !r.open || len(r.last().New) > 0 {
		r.m.Edits = append(r.m.Edits, MutantEdit{Line: r.line})
		r.open = true
	}
	e := r.last()
	e.Old = append(e.Old, text)
	return nil
}

func (r *mutantReader) new(text string) error {
	if !r.open {
		return fmt.Errorf("new text without old text above it: a line with '-' says where it goes")
	}
	e := r.last()
	e.New = append(e.New, text)
	return nil
}

func (r *mutantReader) last() *MutantEdit { return &r.m.Edits[len(r.m.Edits)-1] }

// mutantKeys are the keys of a .mutant file, each given once; those behind the first mutantMusts may be left out.
var mutantKeys = []string{"file", "rule", "caught", "within", "minimum", "level", "passes", "catalogue"}

const mutantMusts = 5

func (r *mutantReader) key(line string) error {
	key, value, ok := strings.Cut(line, ":")
	key, value = strings.TrimSpace(key), strings.TrimSpace(value)
	switch {
	case !ok || !slices.Contains(mutantKeys, key):
		return fmt.Errorf("want one of the keys %s, got %q", strings.Join(mutantKeys, ", "), line)
	case r.seen[key] > 0:
		return fmt.Errorf("a second %s: the first is in line %d", key, r.seen[key])
	case value == "":
		return fmt.Errorf("%s: want a value", key)
	}
	r.seen[key] = r.line
	var err error
	switch key {
	case "file":
		r.m.Source, err = sourceName(value)
	case "rule":
		r.m.Rules, err = listOf(key, value)
	case "caught":
		r.m.Caught, err = listOf(key, value)
	case "within":
		r.m.Within, err = countOfKey(key, value, 1)
	case "minimum":
		r.m.Minimum, err = countOfKey(key, value, 0) // locations alone may show it
	case "level":
		r.m.Level = value
	case "passes":
		r.m.Passes = value
	case "catalogue":
		r.m.Entries, err = listOf(key, value)
	}
	if r.m.Level != "" && r.m.Passes != "" {
		return fmt.Errorf("both level and passes: want one of them at most")
	}
	return err
}

// sourceName takes names of Go files inside the module only.
func sourceName(value string) (string, error) {
	if !filepath.IsLocal(value) || strings.Contains(value, `\`) || !strings.HasSuffix(value, ".go") {
		return "", fmt.Errorf("file: want a Go file, from the module root, got %q", value)
	}
	return value, nil
}

func listOf(key, value string) ([]string, error) {
	words := strings.Split(value, ",")
	for i, w := range words {
		if words[i] = strings.TrimSpace(w); words[i] == "" {
			return nil, fmt.Errorf("%s: want names separated by commas, got %q", key, value)
		}
	}
	return words, nil
}

// maxMutantCount bounds within and minimum.
const maxMutantCount = 1_000_000

func countOfKey(key, value string, least int) (int, error) {
	n, err := strconv.Atoi(value)
	if err != nil || n < least || n > maxMutantCount {
		return 0, fmt.Errorf("%s: want a number from %d to %d, got %q", key, least, maxMutantCount, value)
	}
	return n, nil
}

// lacks names the first key that was not given.
func (r *mutantReader) lacks() error {
	for _, key := range mutantKeys[:mutantMusts] {
		if r.seen[key] == 0 {
			return fmt.Errorf("the key %s is missing", key)
		}
	}
	return nil
}

func (r *mutantReader) complete() error {
	if err := r.lacks(); err != nil {
		return err
	}
	if len(r.m.Edits) == 0 {
		return fmt.Errorf("no edit: want a line that begins with '-'")
	}
	return nil
}

// Apply returns the source with every edit made. It fails unless the old text of each edit stands exactly once in it, as whole lines, and
// unless the outcome is other Go code than before.
func (m *Mutant) Apply(source string) (string, error) {
	lines := strings.Split(source, "\n")
	type place struct {
		at   int
		edit *MutantEdit
	}
	var places []place
	for i := range m.Edits {
		e := &m.Edits[i]
		at, n := find(lines, e.Old)
		if e.Place > 0 {
			at, n = e.Place-1, 1
		}
		switch {
		case n != 1:
			return "", fmt.Errorf("%s:%d: the old text stands %d times in %s, want once", m.Path, e.Line, n, m.Source)
		case slices.Equal(e.Old, e.New):
			return "", fmt.Errorf("%s:%d: the new text is the old text", m.Path, e.Line)
		}
		places = append(places, place{at, e})
	}
	slices.SortFunc(places, func(a, b place) int { return cmp.Compare(a.at, b.at) })
	var out []string
	next := 0 // the first line that was not taken yet
	for _, p := range places {
		if p.at < next {
			return "", fmt.Errorf("%s:%d: the old text overlaps that of another edit", m.Path, p.edit.Line)
		}
		out = append(append(out, lines[next:p.at]...), p.edit.New...)
		next = p.at + len(p.edit.Old)
	}
	edited := strings.Join(append(out, lines[next:]...), "\n")
	if _, err := parser.ParseFile(token.NewFileSet(), m.Source, edited, parser.SkipObjectResolution); err != nil {
		return "", fmt.Errorf("%s:%d: the edited text is no Go: %w", m.Path, m.Edits[0].Line, err)
	}
	return edited, nil
}

// find returns where the block of lines stands, the last place of several, and how often.
func find(lines, block []string) (at, n int) {
	for i := 0; i+len(block) <= len(lines); i++ {
		if slices.Equal(lines[i:i+len(block)], block) {
			at = i
			n++
		}
	}
	return at, n
}
