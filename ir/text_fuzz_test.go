package ir

import (
	"os"
	"path/filepath"
	"testing"
)

// FuzzParse: no text makes the parser panic; whatever it takes has one canonical text, which parses to the same program, and a clone
// with the same text.
func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("testdata/text/*.bir")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(src))
	}
	f.Fuzz(func(t *testing.T, src string) {
		p, err := Parse("fuzz.bir", src)
		if err != nil {
			return
		}
		text := p.String()
		q, err := Parse("printed.bir", text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		sameText(t, q.String(), text)
		c := p.Clone()
		sameText(t, c.String(), text)
		if p.Hash() != q.Hash() || p.Hash() != c.Hash() {
			t.Fatalf("one text, but hashes %x, parsed again %x, cloned %x\n%s", p.Hash(), q.Hash(), c.Hash(), text)
		}
		if d := Diff(p, q); d != "" {
			t.Fatalf("one text, but a diff:\n%s", d)
		}
	})
}
