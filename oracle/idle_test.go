package oracle

import (
	"fmt"
	"testing"

	"birfuzz/ir"
	"birfuzz/ir/birtest"
)

// TestIdleIsBounded: a judge lets go of the memory of a large program with the next one, and keeps that of a small one.
func TestIdleIsBounded(t *testing.T) {
	if birtest.Quick() {
		t.Skip("takes hundreds of megabytes")
	}
	j := NewJudge(Options{Elements: true})
	judge := func(bytes int) {
		p := parse(t, fmt.Sprintf("func f {\n  input x: u8[1,%d]\n  output y: u8[1,%[1]d]\n  a: y = DMACopy x\n}", bytes))
		if v := j.Start(p, []ir.Values{testInputs(p, 1)}); v.Kind != Same {
			t.Fatal(v)
		}
	}
	judge(1000)
	small := j.elems
	judge(2 << 20)
	if j.elems != small || j.elems.held() < maxIdleLab {
		t.Fatalf("%d bytes held", j.elems.held())
	}
	judge(1000)
	if n := j.elems.held(); j.elems == small || n > maxIdleLab {
		t.Errorf("%d bytes held", n)
	}
	small = j.elems
	for g, list := range j.spare {
		for _, o := range list {
			if o.held() > maxIdleOutcome {
				t.Errorf("%v: an outcome of %d bytes is kept", grain(g), o.held())
			}
		}
	}
	if judge(1000); j.elems != small {
		t.Error("the memory of a small program is given away")
	}
}
