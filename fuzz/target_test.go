package fuzz

import (
	"bytes"
	"strings"
	"testing"

	"birfuzz/oracle"
	"birfuzz/passes"
)

// TestTarget: bytes reach every level, small programs on which passes have something to do; a wrong pass is found, shrunk, and known by the
// first line.
func TestTarget(t *testing.T) {
	target, seen, fired := NewTarget(), map[int]bool{}, 0
	inputs := make([][]byte, 40)
	for i := range inputs {
		inputs[i] = bytes.Repeat([]byte{byte(i * 7), byte(i * 31), byte(i)}, 30)
		c, level := target.Decode(inputs[i])
		if n := c.Program.NumInsts(); n > 3*targetInsts {
			t.Errorf("input %d: %d instructions", i, n)
		}
		seen[level] = true
		f, n := target.Judge(inputs[i])
		if f != nil {
			t.Fatal(f.Panic())
		}
		fired += n
	}
	if len(seen) < 3 || fired < len(inputs) {
		t.Errorf("%d levels, %d rewrites", len(seen), fired)
	}
	for i := range target.testers {
		target.testers[i] = NewTester([]passes.Pass{planted("swap")}, oracle.Options{})
	}
	for _, data := range inputs {
		if f, _ := target.Judge(data); f != nil {
			if line, _, _ := strings.Cut(f.Panic(), "\n"); !strings.Contains(line, " by planted, rule ") || f.Insts > 8 {
				t.Errorf("%d instructions: %s", f.Insts, line)
			}
			return
		}
	}
	t.Error("a wrong pass is not found")
}
