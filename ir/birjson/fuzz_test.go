package birjson_test

import (
	"bytes"
	"errors"
	"testing"

	"birfuzz/ir/birjson"
)

// FuzzRead: any text is a program, garbage or illegal. A program that was read, written and read again gives the same bytes.
func FuzzRead(f *testing.F) {
	f.Add([]byte(module))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := birjson.Read(bytes.NewReader(text), "fuzz")
		if err != nil {
			classed(t, err)
			return
		}
		once := write(t, p)
		again, err := birjson.Read(bytes.NewReader(once), "written")
		if err != nil {
			t.Fatalf("%v\n%s", err, once)
		}
		if twice := write(t, again); !bytes.Equal(once, twice) {
			t.Fatalf("written twice: %s", firstDifference(twice, once))
		}
	})
}

// FuzzReadIO is the same for io.json.
func FuzzReadIO(f *testing.F) {
	f.Add([]byte(ioText))
	f.Fuzz(func(t *testing.T, text []byte) {
		x, err := birjson.ReadIO(bytes.NewReader(text), "fuzz")
		if err != nil {
			classed(t, err)
			return
		}
		once := writeIO(t, x)
		again, err := birjson.ReadIO(bytes.NewReader([]byte(once)), "written")
		if err != nil {
			t.Fatalf("%v\n%s", err, once)
		}
		if twice := writeIO(t, again); once != twice {
			t.Fatalf("written twice: %s", firstDifference([]byte(twice), []byte(once)))
		}
	})
}

// classed checks that an error is one of the two kinds.
func classed(t *testing.T, err error) {
	t.Helper()
	var garbage *birjson.SyntaxError
	var illegal *birjson.Error
	if !errors.As(err, &garbage) && !errors.As(err, &illegal) {
		t.Fatalf("a %T: %v", err, err)
	}
}
