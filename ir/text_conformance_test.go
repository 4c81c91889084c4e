package ir_test

import (
	"bytes"
	"testing"

	"birfuzz/ir"
	"birfuzz/ir/birjson"
	"birfuzz/ir/birtest"
)

// TestConformanceText: every conformance program survives the text form: the same bir.json, byte for byte, before and after.
func TestConformanceText(t *testing.T) {
	n := 0
	for c, err := range birtest.Conformance() {
		if err != nil {
			t.Fatal(err)
		}
		p, err := birjson.Read(bytes.NewReader(c.BIR), c.File())
		if err != nil {
			t.Error(err)
			continue
		}
		n++
		q, err := ir.Parse(c.Name+".bir", p.String())
		if err != nil {
			t.Errorf("%v\n%s", err, p)
			continue
		}
		if d := ir.Diff(p, q); d != "" || p.Hash() != q.Hash() {
			t.Errorf("%s: hash %x, parsed %x\n%s", c.File(), p.Hash(), q.Hash(), d)
		}
		if want, got := compactJSON(t, p), compactJSON(t, q); !bytes.Equal(got, want) {
			t.Errorf("%s: bir.json is\n%s\nwant\n%s", c.File(), got, want)
		}
	}
	if n < 500 {
		t.Errorf("only %d programs", n)
	}
}

func compactJSON(t *testing.T, p *ir.Program) []byte {
	t.Helper()
	b, err := birjson.Compact(p)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
