package ir_test

import (
	"os"
	"testing"

	"birfuzz/ir"
	"birfuzz/ir/bircmp"
	"birfuzz/ir/birtest"
)

// TestEverythingComesBack: as an object, field by field, a program is the same behind its text and as a clone. Texts that are equal do not say so
// of what they do not show.
func TestEverythingComesBack(t *testing.T) {
	files := []string{"testdata/text/sample.bir", "testdata/text/everything.bir"}
	if birtest.Quick() {
		files = files[:1]
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		p, err := ir.Parse(file, string(text))
		if err != nil {
			t.Fatal(err)
		}
		q, err := ir.Parse(file, p.String())
		if err != nil {
			t.Fatal(err)
		}
		if d := bircmp.Differences(p, q); d != "" {
			t.Errorf("%s changes in the text form (-is +becomes):\n%s", file, d)
		}
		if d := bircmp.Differences(p, p.Clone()); d != "" {
			t.Errorf("%s changes when cloned (-is +becomes):\n%s", file, d)
		}
	}
}
