package birjson_test

import (
	"testing"

	"birfuzz/ir/bircmp"
	"birfuzz/ir/birtest"
)

// TestNothingIsLost: as an object, field by field, a program is the same when it has been written and read. Texts that are equal do not say so
// of what they do not show.
func TestNothingIsLost(t *testing.T) {
	n := 0
	for c, err := range birtest.Conformance() {
		if err != nil {
			t.Fatal(err)
		}
		if n++; n%2 != 0 || birtest.Quick() && n%32 != 0 {
			continue
		}
		p := read(t, c.File(), c.BIR)
		if p.NumInsts() > 20 {
			continue // comparing takes milliseconds an instruction
		}
		if d := bircmp.Differences(p, read(t, c.File(), write(t, p))); d != "" {
			t.Errorf("%s changes (-is +becomes):\n%s", c.File(), d)
		}
	}
}
