package bircheck

import (
	"strings"
	"testing"
)

// respelt are keys of smallModule in another spelling, which makes them nobody's, and the rule that their absence breaks: none where what
// they said was of no consequence.
var respelt = []spoiled{
	{"", `"version":2`, `"Version":3`},
	{"arch", `"arch":"gen3"`, `"arch":"gen9","Arch":"gen3"`},
	{"", `"arch":"gen3"`, `"arch":"gen3","ARCH":"gen9"`},
	{"function", `"functions":[`, `"Functions":[`},
	{"kind", `"kind":"Internal"`, `"Kind":"Internal"`},
	{"opcode", `"opcode":"Load"`, `"Opcode":"Load"`},
	{"loop", `"LoopAxis"`, `"loopAxis"`},
	{"operands", `"memref":"x"`, `"memRef":"x"`},
	{"operands", `"memref":"x"`, `"mem\u0052ef":"x"`},
	{"", `"memref":"x"`, `"mem\u0072ef":"x"`},
	{"", `"engine":"SP"`, `"Engine":"Nobody"`},
	{"", `"engine":"SP"`, `"engine":"SP","MODE":{"ins":[{"Kind":1}]}`},
	{"size", `"dims":[4,32],"alias"`, `"dimſ":[4,32],"alias"`}, // ſ is an s to who ignores case
	{"const", `"const":{"k":`, `"const":{"K":`},                // a name, and no key of the dialect
}

// TestExactKeys: a key in another case is no key of the dialect, to both validators.
func TestExactKeys(t *testing.T) {
	for _, s := range respelt {
		text := strings.Replace(smallModule, s.right, s.wrong, 1)
		if text == smallModule {
			t.Errorf("%s is not in the module", s.right)
			continue
		}
		bad, rule := Check([]byte(text)), ""
		if len(bad) > 0 {
			rule = bad[0].Rule
		}
		if rule != s.rule {
			t.Errorf("%v, want rule %q: %s", bad, s.rule, s.wrong)
		}
		if err := other([]byte(text)); (err == nil) != (s.rule == "") {
			t.Errorf("the first validator: %v: %s", err, s.wrong)
		}
	}
}

// TestDeepText: text that nests deeper than any module, with a key that has to be looked at, is one complaint.
func TestDeepText(t *testing.T) {
	for _, open := range []string{"[", `{"a":`} {
		text := `{"Name":` + strings.Repeat(open, 1<<20)
		if bad := Check([]byte(text)); len(bad) != 1 || bad[0].Rule != "json" {
			t.Errorf("%v", bad)
		}
	}
}
