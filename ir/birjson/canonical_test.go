package birjson_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"birfuzz/ir/birjson"
	"birfuzz/ir/birtest"
)

// TestCanonical holds the writer against another one: an unknown key is printed from its text, sorted and laid out by code that knows
// nothing of modules. So a module kept as an unknown key must come out as Write prints it; a key that Write prints out of order does not.
func TestCanonical(t *testing.T) {
	texts := map[string][]byte{"every key": write(t, everyKey(t))}
	for c, err := range birtest.Conformance() {
		if err != nil {
			t.Fatal(err)
		}
		texts[c.File()] = write(t, read(t, c.File(), c.BIR))
		if birtest.Quick() && len(texts) > 50 {
			break
		}
	}
	for name, text := range texts {
		short := compactJSON(t, text)
		p := read(t, name, []byte(`{"module":`+string(text)+`}`))
		if want := `{"module":` + short + `}`; string(p.Extra) != want {
			t.Fatalf("%s: %s", name, firstDifference(p.Extra, []byte(want)))
		}
		kept := write(t, p)
		inner := bytes.TrimSuffix(bytes.TrimPrefix(kept, []byte("{\n  \"module\": ")), []byte("\n}\n"))
		if got := append(bytes.ReplaceAll(inner, []byte("\n  "), []byte("\n")), '\n'); !bytes.Equal(got, text) {
			t.Fatalf("%s: %s", name, firstDifference(got, text))
		}
		if got, err := birjson.Compact(read(t, name, text)); err != nil || string(got) != short {
			t.Fatalf("%s: the compact form is another value (%v)", name, err)
		}
	}
}

// compactJSON removes white space, by the standard library.
func compactJSON(t *testing.T, text []byte) string {
	t.Helper()
	var buf bytes.Buffer
	if err := json.Compact(&buf, text); err != nil {
		t.Fatal(err)
	}
	return buf.String()
}
