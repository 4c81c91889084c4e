package ir

import (
	"strings"
	"testing"
)

const mapped = `module gen3 extra({"tensor_map":{"a<b":{"id":1},"t":{"id":2},"t_set":[3],"w":{"id":4},"z":null},"zeta":1.50})

func sg0000 {
  input x: f32[4,8]
  sb t: f32[4,8]
  sb w: f32[4,8]
  sb v: f32[4,8]
  I-0: v = Load x @SP
}

func sg0001 {
  input x: f32[4,8]
  sb w: f32[4,8]
  I-0: w = Load x @SP
}
`

func deleteNamed(p *Program, core int, names ...string) {
	gone := map[*Loc]bool{}
	for l := range p.Cores[core].Locs {
		for _, n := range names {
			if l.Name == n {
				gone[l] = true
			}
		}
	}
	e := NewEdit(p)
	e.DeleteLocs(p.Cores[core], gone)
	e.Done()
}

// The tensor map loses the names that nobody bears any longer, and nothing else: w lives on in the other function, "a<b" and z never were
// locations.
func TestTensorMapPruned(t *testing.T) {
	p, err := Parse("map.bir", mapped)
	if err != nil {
		t.Fatal(err)
	}
	deleteNamed(p, 0, "t", "w")
	if want := `{"tensor_map":{"a<b":{"id":1},"w":{"id":4},"z":null},"zeta":1.50}`; string(p.Extra) != want {
		t.Errorf("got %s, want %s", p.Extra, want)
	}
	if s := p.String(); strings.Contains(s, "sb t:") || strings.Count(s, "sb w:") != 1 {
		t.Errorf("got\n%s", s)
	}
}

// What is no tensor map of the form that we know is left as it stands, byte for byte.
func TestTensorMapLeftAlone(t *testing.T) {
	for _, extra := range []string{`{"tensor_map":["t","t_set"]}`, `{"a": "\"tensor_map\"","t":1}`, `{"tensor_map":null}`, `{"tensor_map":{"v":1, "x":2}}`} {
		p, err := Parse("map.bir", mapped)
		if err != nil {
			t.Fatal(err)
		}
		p.Extra = []byte(extra)
		deleteNamed(p, 0, "t")
		if string(p.Extra) != extra {
			t.Errorf("got %s, want %s", p.Extra, extra)
		}
	}
}
