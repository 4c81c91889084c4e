package fuzz

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"birfuzz/ir"
	"birfuzz/ir/birtest"
)

// TestValidation: the generator's programs are right to both validators and mean something; any number of workers finds the same.
func TestValidation(t *testing.T) {
	n := 150
	if birtest.Quick() {
		n = 40
	}
	one := Validation{Seed: 5, Count: n, Workers: 1}.Run(context.Background())
	if !one.OK() || one.Programs != n || one.Insts < n {
		t.Errorf("%+v", one)
	}
	three := Validation{Seed: 5, Count: n, Workers: 3}.Run(context.Background())
	if d := cmp.Diff(one, three, cmpopts.IgnoreFields(Validated{}, "Seconds")); d != "" {
		t.Error(d)
	}
}

// TestValidationFinds: each kind of fault is found and counted by itself.
func TestValidationFinds(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"illegal", "  sb t: f32[4,8]\n  output y: f32[4,8]\nBlock1:\n  I-0: t = Memset @PE\n  I-1: y = Save t\n", "illegal illegal_too"},
		{"undefined", "  sb t: f32[4,8]\n  output y: f32[4,8]\nBlock1:\n  I-1: y = Save t\n", "undefined"},
		{"void", "  sb t: f32[4,8]\n  output y: f32[4,8]\nBlock1:\n  I-0: t = Memset\n  I-1: EventSemaphore @SP wait(3>=1)\n  I-2: y = Save t\n", "void"},
		{"unordered", "  sb t: f32[4,8]\n  output y: f32[4,8]\nBlock1:\n  I-0: t = Memset @DVE\n  I-1: y = Save t @SP\n", "unordered"},
		{"right", "  sb t: f32[4,8]\n  output y: f32[4,8]\nBlock1:\n  I-0: t = Memset\n  I-1: y = Save t\n", ""},
	}
	for _, tt := range tests {
		p, err := ir.Parse("t.bir", "module gen3\n\nfunc f {\n"+tt.text+"}\n")
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if tt.name == "unordered" {
			p.Facts |= ir.Deps
		}
		k := newChecking(1)
		k.add(7, p)
		v, got := k.found, ""
		for _, f := range v.Complaints {
			got += f.Kind
			if f != v.Complaints[len(v.Complaints)-1] {
				got += " "
			}
		}
		if got != tt.want {
			t.Errorf("%s: got %v, want %s", tt.name, v.Complaints, tt.want)
		}
	}
}

// TestOnceWrong: programs that a validator found fault with once are right now.
func TestOnceWrong(t *testing.T) {
	for _, w := range []struct {
		seed  uint64
		index int
		what  string
	}{
		{24, 4962, "a copy onto the same storage took a window of a loop for the whole location"},
		{11, 228184, "a row of a tile was longer than a partition"},
		{2, 177648, "a tile was repeated until its row was longer than a partition"},
		{2, 38852, "what a loop that does not run would have written was taken for written behind the next loop"},
		{2, 212168, "a loop read what the trip before should have left, and did not"},
	} {
		k := newChecking(w.seed)
		if k.add(w.index, Generate(w.seed, w.index, nil).Program); !k.found.OK() {
			t.Errorf("%s: %v", w.what, k.found.Complaints)
		}
	}
}

// TestValidationBreakdown: a program on which birfuzz itself breaks down is counted and named, and those behind it are looked at.
func TestValidationBreakdown(t *testing.T) {
	k := newChecking(1)
	k.judge = nil
	k.look(0, nil)
	k.look(1, nil)
	v := &k.found
	if v.Broken != 1 || v.Programs != 2 || len(v.Complaints) != 1 || !strings.HasPrefix(v.Complaints[0].String(), "program 0 is broken: panic: ") {
		t.Errorf("%d broken of %d: %v, want one of 2", v.Broken, v.Programs, v.Complaints)
	}
}
