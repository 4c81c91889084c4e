package passes

import (
	"strings"
	"testing"

	"birfuzz/ir"
)

// A verifier that edits is broken, whatever it asked for.
func TestVerifierEdits(t *testing.T) {
	bad := Pass{Name: "bad", Verifies: true, Rules: []*Rule{testRule}, Run: func(c *Ctx) error {
		c.Allow(testRule, nil)
		c.Edit().Change(func() { c.Program().Cores[0].Attrs = []string{"x"} })
		return nil
	}}
	s := steps(parse(t, sample), Unlimited(), bad)[0]
	if s.Failure == nil || s.Failure.Class != Crash || s.Failure.Detail != "1 edits by a verifier" || s.After.Cores[0].Attrs != nil {
		t.Errorf("got %v, attributes %v", s.Failure, s.After.Cores[0].Attrs)
	}
}

// birverifier counts instructions against its knob, which a level may turn.
func TestInstructionLimit(t *testing.T) {
	pass := birVerifier()
	pass.Knobs = []Knob{{Name: "max-instruction-limit", Value: 4}}
	if s := steps(parse(t, sample), Unlimited(), pass)[0]; s.Failure != nil {
		t.Errorf("4 of 4: %v", s.Failure)
	}
	pass.Knobs[0].Value = 3
	s := steps(parse(t, sample), Unlimited(), pass)[0]
	if s.Failure == nil || s.Failure.Error() != "illegal: module: size: got 4 instructions, want at most 3" {
		t.Errorf("4 of 3: %v", s.Failure)
	}
}

// A program with more faults than anybody reads is not described in full.
func TestManyComplaints(t *testing.T) {
	var b strings.Builder
	b.WriteString("func sg0000 {\n  sb t: f32[4,8]\n")
	for i := range 100 {
		b.WriteString("  I-" + string(rune('a'+i/10)) + string(rune('a'+i%10)) + ": t = Memset @PE\n")
	}
	p := parse(t, b.String()+"}\n")
	s := steps(p, Unlimited(), birVerifier())[0]
	if s.Failure == nil || strings.Count(s.Failure.Detail, "\n") != maxComplaints || !strings.HasSuffix(s.Failure.Detail, "… and 80 more") {
		t.Errorf("got %v", s.Failure)
	}
	if n := len(ir.Verify(p, 0)); n != 100 {
		t.Errorf("%d complaints", n)
	}
}
