package ir

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// parse parses a program that must be good.
func parse(t testing.TB, src string) *Program {
	t.Helper()
	p, err := Parse("test.bir", src)
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return p
}

// uncommented drops comments that stand on lines of their own.
func uncommented(src string) string {
	var out strings.Builder
	for line := range strings.Lines(src) {
		if !strings.HasPrefix(line, ";") {
			out.WriteString(line)
		}
	}
	return out.String()
}

// TestGoldenPrint: the files of testdata/text are in canonical form, so that printing what was parsed gives them back.
func TestGoldenPrint(t *testing.T) {
	files, err := filepath.Glob("testdata/text/*.bir")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		p, err := Parse(f, string(src))
		if err != nil {
			t.Error(err)
			continue
		}
		if got, want := p.String(), uncommented(string(src)); got != want {
			t.Errorf("%s prints as\n%s\nwant\n%s", f, got, want)
		}
	}
}
