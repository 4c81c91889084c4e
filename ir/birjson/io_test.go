package birjson_test

import (
	"bytes"
	"strings"
	"testing"

	"birfuzz/ir"
	"birfuzz/ir/birjson"
	"birfuzz/ir/num"
)

const ioText = `{
  "flags": ["sum order"],
  "inputs": {"x": {"shape": [1, 2], "dtype": "int16", "data": "AQACAA==", "kind": "exact"}},
  "source": "hand",
  "licence": "same as the project",
  "expect": {
    "z": {"dtype": "float32", "shape": [], "data": "AACAPw==", "rtol": 1e-5, "atol": 0},
    "y": {"dtype": "uint8", "shape": [0, 3], "data": ""}
  }
}`

const ioWant = `{
  "expect": {
    "y": {
      "data": "",
      "dtype": "uint8",
      "shape": [0, 3]
    },
    "z": {
      "data": "AACAPw==",
      "dtype": "float32",
      "rtol": 1e-05,
      "shape": []
    }
  },
  "flags": [
    "sum order"
  ],
  "inputs": {
    "x": {
      "data": "AQACAA==",
      "dtype": "int16",
      "kind": "exact",
      "shape": [1, 2]
    }
  },
  "licence": "same as the project",
  "source": "hand"
}
`

func TestIO(t *testing.T) {
	x, err := birjson.ReadIO(strings.NewReader(ioText), "case.io.json")
	if err != nil {
		t.Fatal(err)
	}
	in, out := x.Inputs["x"], x.Expect["z"]
	if in.DType != num.Int16 || !bytes.Equal(in.Data, []byte{1, 0, 2, 0}) || len(in.Shape) != 2 {
		t.Errorf("input x is %+v", in)
	}
	if out.RTol != 1e-5 || out.ATol != 0 || !bytes.Equal(out.Data, []byte{0, 0, 128, 63}) {
		t.Errorf("output z is %+v", out)
	}
	if got := writeIO(t, x); got != ioWant {
		t.Errorf("got\n%s\nwant\n%s", got, ioWant)
	}
}

// TestIODropsNotes: what was known about a tensor goes with it.
func TestIODropsNotes(t *testing.T) {
	x, err := birjson.ReadIO(strings.NewReader(ioText), "case.io.json")
	if err != nil {
		t.Fatal(err)
	}
	x.Inputs = ir.Values{"w": x.Inputs["x"]}
	if got := writeIO(t, x); strings.Contains(got, `"x"`) || strings.Contains(got, "exact") || !strings.Contains(got, `"w"`) {
		t.Errorf("got\n%s", got)
	}
}

func writeIO(t *testing.T, x *birjson.IO) string {
	t.Helper()
	var buf bytes.Buffer
	if err := birjson.WriteIO(&buf, x); err != nil {
		t.Fatal(err)
	}
	return buf.String()
}

func TestIllegalIO(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`7`, `: got 7, want an object`},
		{`{"source":1}`, `: source: got 1, want a string`},
		{`{"inputs":{"x":{"dtype":"int8","shape":[1]}}}`, `: inputs.x: no "data"`},
		{`{"inputs":{"x":{"dtype":"bool","shape":[1],"data":"AA=="}}}`, `: inputs.x.dtype: got "bool", want a dtype`},
		{`{"inputs":{"x":{"dtype":"int8","shape":[2],"data":"AA=="}}}`, `: inputs.x.data: got 1 bytes, want 2`},
		{`{"inputs":{"x":{"dtype":"int8","shape":[-1],"data":"AA=="}}}`, `: inputs.x.shape[0]: got -1, want an integer from 0 to 1099511627776`},
		{`{"inputs":{"x":{"dtype":"int8","shape":[1048576,1048577],"data":"AA=="}}}`, `: inputs.x.shape: more than 1099511627776 bytes`},
		{`{"inputs":{"x":{"dtype":"int8","shape":[1],"data":"AA="}}}`, `: inputs.x.data: got "AA=", want base64 (illegal base64 data at input byte 3)`},
		{`{"inputs":{"x":{"dtype":"int8","shape":[1],"data":"AB=="}}}`, `: inputs.x.data: got "AB==", want base64 (illegal base64 data at input byte 2)`},
		{`{"expect":{"x y":{"dtype":"int8","shape":[1],"data":"AA==","rtol":-1}}}`, `: expect["x y"].rtol: got -1, want a number, 0 or more`},
		{`{"expect":{"x":{"dtype":"int8","shape":[1],"data":"AA==","atol":"nan"}}}`, `: expect.x.atol: got "nan", want a number, 0 or more`},
		{`{"expect":{"x":1,"x":2}}`, `: expect.x: got 1, want an object`},
		{`{"expect":{},"expect":{}}`, `: the key "expect" stands twice`},
	} {
		_, err := birjson.ReadIO(strings.NewReader(c.text), "case.io.json")
		if want := "case.io.json" + c.want; err == nil || err.Error() != want {
			t.Errorf("%s:\ngot  %v\nwant %s", c.text, err, want)
		}
	}
}
