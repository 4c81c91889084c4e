package ir_test

import (
	"bytes"
	"testing"

	"birfuzz/ir"
	"birfuzz/ir/birjson"
	"birfuzz/ir/birtest"
)

// TestConformanceIsLegal: every conformance program verifies clean, and those that hold what a fact says verify with it.
func TestConformanceIsLegal(t *testing.T) {
	var v ir.Verifier
	n := 0
	for c, err := range birtest.Conformance() {
		if err != nil {
			t.Fatal(err)
		}
		p, err := birjson.Read(bytes.NewReader(c.BIR), c.File())
		if err != nil {
			t.Fatal(err)
		}
		if list := v.Verify(p, p.Facts); list != nil {
			t.Errorf("%s:\n%v", c.File(), list)
		}
		n++
	}
	if n < 500 {
		t.Errorf("only %d cases", n)
	}
}
