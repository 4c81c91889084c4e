package birtest

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// Text is a .bir file that carries its own expectations as comments: `; key: value` lines anywhere, key one lower-case word, and last, after
// the line `; want:`, the expected result as comment lines. A file is a program like any other; a finding can be dropped among tests.
type Text struct {
	File       string
	Source     string // the whole file; a program
	Directives []Directive
	Want       string // lines of the want section without their comment marks
}

// Directive is one expectation.
type Directive struct {
	Key, Value string
	Line       int // from 1
}

const (
	wantKey     = "want"
	commentMark = "; "
)

// ReadText reads a file. keys are the directives that the reader knows; any other is an error that names the line, so that no misspelt
// expectation goes unchecked.
func ReadText(file string, keys ...string) (*Text, error) {
	src, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	t := &Text{File: file, Source: string(src)}
	var want []string
	for i, line := range strings.Split(strings.TrimSuffix(t.Source, "\n"), "\n") {
		if want != nil {
			want = append(want, strings.TrimPrefix(strings.TrimPrefix(line, ";"), " "))
			continue
		}
		d, ok := directive(line)
		switch {
		case !ok:
			continue
		case d.Key == wantKey:
			want = []string{}
			continue
		case !slices.Contains(keys, d.Key):
			return nil, fmt.Errorf("%s:%d: got directive %q, want one of %s", file, i+1, d.Key, strings.Join(append(keys, wantKey), ", "))
		}
		d.Line = i + 1
		t.Directives = append(t.Directives, d)
	}
	t.Want = strings.Join(want, "\n")
	return t, nil
}

// directive reads `; key: value`. Prose comments begin with a capital or hold spaces before their first colon.
func directive(line string) (Directive, bool) {
	rest, ok := strings.CutPrefix(line, commentMark)
	if !ok {
		return Directive{}, false
	}
	key, value, ok := strings.Cut(rest, ":")
	if !ok || key == "" || strings.ContainsFunc(key, func(r rune) bool { return r < 'a' || r > 'z' }) {
		return Directive{}, false
	}
	return Directive{Key: key, Value: strings.TrimSpace(value)}, true
}

// Values returns the values of all directives of that key, in file order.
func (t *Text) Values(key string) []string {
	var out []string
	for _, d := range t.Directives {
		if d.Key == key {
			out = append(out, d.Value)
		}
	}
	return out
}

// SetWant writes the file anew with want as its want section, comments and program as they were.
func (t *Text) SetWant(want string) error {
	var b strings.Builder
	for line := range strings.Lines(t.Source) {
		if d, ok := directive(strings.TrimSuffix(line, "\n")); ok && d.Key == wantKey {
			break
		}
		b.WriteString(line)
	}
	b.WriteString("; want:\n")
	for line := range strings.Lines(strings.TrimSuffix(want, "\n") + "\n") {
		b.WriteString(strings.TrimRight(commentMark+line, " \n") + "\n")
	}
	t.Want = strings.TrimSuffix(want, "\n")
	return os.WriteFile(t.File, []byte(b.String()), 0o666)
}
