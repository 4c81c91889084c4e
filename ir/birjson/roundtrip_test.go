package birjson_test

import (
	"bytes"
	"testing"

	"birfuzz/ir"
	"birfuzz/ir/birjson"
	"birfuzz/ir/birtest"
)

func read(t testing.TB, file string, text []byte) *ir.Program {
	t.Helper()
	p, err := birjson.Read(bytes.NewReader(text), file)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func write(t testing.TB, p *ir.Program) []byte {
	t.Helper()
	var buf bytes.Buffer
	if err := birjson.Write(&buf, p); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// TestConformance reads every case, writes it and reads it again: the same program in the text form, and the same bytes from then on, in
// the long form and in the compact one.
func TestConformance(t *testing.T) {
	for c, err := range birtest.Conformance() {
		if err != nil {
			t.Fatal(err)
		}
		p := read(t, c.File(), c.BIR)
		once := write(t, p)
		q := read(t, c.File(), once)
		if a, b := p.String(), q.String(); a != b {
			t.Fatalf("%s changes when it is written and read:\n%s\nbecomes\n%s", c.File(), a, b)
		}
		if twice := write(t, q); !bytes.Equal(once, twice) {
			t.Fatalf("%s: written twice, other bytes", c.File())
		}
		short, err := birjson.Compact(p)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.ContainsAny(short, "\n ") {
			t.Fatalf("%s: white space in the compact form", c.File())
		}
		if long := write(t, read(t, c.File(), short)); !bytes.Equal(once, long) {
			t.Fatalf("%s: the compact form reads as another program", c.File())
		}
	}
}

func TestConformanceIO(t *testing.T) {
	for c, err := range birtest.Conformance() {
		if err != nil {
			t.Fatal(err)
		}
		x, err := birjson.ReadIO(bytes.NewReader(c.IO), c.File())
		if err != nil {
			t.Fatal(err)
		}
		var once, twice bytes.Buffer
		if err := birjson.WriteIO(&once, x); err != nil {
			t.Fatal(err)
		}
		y, err := birjson.ReadIO(bytes.NewReader(once.Bytes()), c.File())
		if err != nil {
			t.Fatal(err)
		}
		if err := birjson.WriteIO(&twice, y); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(once.Bytes(), twice.Bytes()) {
			t.Fatalf("%s: written twice, other bytes", c.File())
		}
		if len(y.Inputs) != len(x.Inputs) || len(y.Expect) == 0 || len(y.Expect) != len(x.Expect) {
			t.Fatalf("%s: tensors lost", c.File())
		}
	}
}
