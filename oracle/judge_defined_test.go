package oracle

import (
	"testing"

	"birfuzz/ir"
)

// TestUndefined: an output that nothing filled is named, in whole or in part, and one that is filled is not.
func TestUndefined(t *testing.T) {
	tests := []struct{ code, want string }{
		{"  I-0: t = Memset\n  I-1: y = Save t\n", ""},
		{"  I-0: t[0:4, 0:4] = Memset\n  I-1: y = Save t\n", "byte 16 of output y"},
		{"  I-0: t[0:4, 0:4] = Memset\n  I-1: t[0:4, 4:8] = Memset\n  I-2: y = Save t\n", ""},
		{"  I-1: y = Save t\n", "byte 0 of output y"},
		{"  I-0: t = Memset\n", "byte 0 of output y"},
	}
	for _, tt := range tests {
		p, err := ir.Parse("t.bir", "module gen3\n\nfunc f {\n  sb t: f32[4,8]\n  output y: f32[4,8]\nBlock1:\n"+tt.code+"}\n")
		if err != nil {
			t.Fatal(err)
		}
		j := NewJudge(Options{})
		if v := j.Start(p, []ir.Values{{}}); v.Kind != Same {
			t.Fatalf("%s%v", tt.code, v)
		}
		if got, v := j.Undefined(); got != tt.want || v.Kind != Same {
			t.Errorf("%sgot %q, %v, want %q", tt.code, got, v, tt.want)
		}
	}
}
