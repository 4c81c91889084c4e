package gen

import (
	"strings"
	"testing"

	"birfuzz/ir"
)

// TestReuseAliased: what a location is used for does not go elsewhere while another name reads it, though that name alone says so.
func TestReuseAliased(t *testing.T) {
	const text = `module gen3

func f {
  input x: f32[4,8]
  dram a: f32[4,8]
  dram b: f32[4,8]
  dram c: f32[4,8] alias(must b)
  output y: f32[4,8]
  output z: f32[4,8]
Block1:
  I-0: a = DMACopy x
  I-1: y = DMACopy a
  I-2: b = DMACopy x
  I-3: z = DMACopy c
}
`
	reused := func(text string) bool {
		p, err := ir.Parse("t.bir", text)
		if err != nil {
			t.Fatal(err)
		}
		w := newPatch(*New(1), p)
		made := w.reuse()
		if bad := defect(w.prog); bad != "" {
			t.Errorf("reuse made a program with %s", bad)
		}
		return made
	}
	if reused(text) {
		t.Error("b was put into a, though c is b")
	}
	if !reused(strings.NewReplacer(" alias(must b)", "", "DMACopy c", "DMACopy b").Replace(text)) {
		t.Error("b is not put into a, though nobody else reads it")
	}
}
