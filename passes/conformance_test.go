package passes

import (
	"bytes"
	"testing"

	"birfuzz/ir"
	"birfuzz/ir/birjson"
	"birfuzz/ir/birtest"
)

// No pass breaks down on a conformance program or makes it illegal, and none removes what a host sees.
func TestConformancePrograms(t *testing.T) {
	ps, err := Pipeline("O2")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for c, err := range birtest.Conformance() {
		if err != nil {
			t.Fatal(err)
		}
		if birtest.Quick() && c.Group != "programs" {
			continue
		}
		p, err := birjson.Read(bytes.NewReader(c.BIR), c.File())
		if err != nil {
			t.Fatal(err)
		}
		n++
		was := len(ir.Verify(p, p.Facts))
		Run(p, ps, Unlimited(), func(s *Step) bool {
			if s.Failure != nil {
				t.Errorf("%s: %s: %v", c.File(), s.Pass.Name, s.Failure)
			}
			if cs := ir.Verify(s.After, s.After.Facts); len(cs) > was {
				t.Errorf("%s: illegal after %s:\n%v", c.File(), s.Pass.Name, cs)
			}
			return true
		})
	}
	if n < 10 {
		t.Errorf("got %d programs", n)
	}
}
