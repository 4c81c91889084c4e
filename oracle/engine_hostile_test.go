package oracle

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"birfuzz/ir/birtest"
)

// TestEngineLimits: what is too large to be followed is a limit, soon and without much memory.
func TestEngineLimits(t *testing.T) {
	lanes := 1000
	if birtest.Quick() {
		lanes = 300
	}
	many := func(n int, line string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "  I-%d: %s\n", i, strings.ReplaceAll(line, "#", fmt.Sprint(i)))
		}
		return b.String()
	}
	for name, c := range map[string]struct {
		body string
		ok   bool
	}{
		"endless loop":          {"  L: for i = 0..1000000000 { I: NoOp @SP update(1+=1) }\n", false},
		"empty endless loop":    {"  L: for i = 0..1000000000 { M: for j = 0..1000000000 { } }\n", false},
		"a lane an instruction": {many(5000, "t = Memset constant=0"), false},
		"many lanes":            {many(lanes, "t = Memset constant=0 update(1+=1) wait(1>=#)"), true},
		"many trips":            {"  L: for i = 0..5000 { I: t = Memset constant=0 @DVE update(1+=1)\n J: NoOp @Pool wait(1>=1) update(2+=1)\n K: u = Memset constant=0 @Pool wait(1>=1) }\n", true},
		"many bytes that meet":  {"  L: for i = 0..3000 { I: t[:, 0:1] = Memset constant=0 @DVE\n J: t[:, 1:2] = Memset constant=0 @Pool\n K: NoOp @SP }\n", true},
	} {
		m := NewMachine()
		p := mustParse(t, name, "module gen3 facts(Synced)\nfunc f {\n  sb t: f32[128,8]\n  sb u: f32[128,8]\n"+c.body+"}")
		if err := m.Prepare(p, Layout{}); err != nil {
			t.Fatal(name, err)
		}
		begin := time.Now()
		_, err := m.Run(nil, Way{Schedule: Schedule{kind: asEngines}})
		var limit *LimitError
		if took := time.Since(begin); took > 20*time.Second || (err == nil) != c.ok || err != nil && !errors.As(err, &limit) {
			t.Errorf("%s: %v after %v", name, err, took)
		} else if testing.Verbose() {
			t.Log(name, err, took)
		}
	}
}

// synchronised is a straight program of n loads, n computations and n stores that semaphores order, on three engines and in two tiles.
func synchronised(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "module gen3 facts(Synced)\nfunc f {\n  input x: f32[4,%d]\n  output y: f32[4,%d]\n  sb a: f32[4,4]\n  sb b: f32[4,4]\n", 4*n, 4*n)
	for i := range n {
		fmt.Fprintf(&b, "  A-%d: a = Load x[:, %d:%d] @SP update(1+=1) wait(2>=%d)\n", i, 4*i, 4*i+4, i)
		fmt.Fprintf(&b, "  B-%d: b = TensorScalar a op0=add const0=1 @DVE update(2+=1) wait(1>=%d, 3>=%d)\n", i, i+1, i)
		fmt.Fprintf(&b, "  C-%d: y[:, %d:%d] = Save b @Activation update(3+=1) wait(2>=%d)\n", i, 4*i, 4*i+4, i+1)
	}
	return b.String() + "}"
}

// BenchmarkEngines: what it costs to run a program of 100 instructions in order, as engines, and to find out that it has no race.
func BenchmarkEngines(b *testing.B) {
	p := mustParse(b, "bench", synchronised(33))
	in := testInputs(p, 0)
	for _, text := range []string{"", "engines", "late"} {
		b.Run("run "+text, func(b *testing.B) {
			s, _ := ParseSchedule(text)
			m := newMachine(newTracker(cellGrain, p))
			if err := m.Prepare(p, Layout{}); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if got, err := m.Run(in, Way{Schedule: s}); err != nil || got.Fault != nil {
					b.Fatal(err, got.Fault)
				}
			}
		})
	}
	b.Run("races", func(b *testing.B) {
		m := NewMachine()
		if err := m.Prepare(p, Layout{}); err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			m.lanes = nil
			if err := m.cutLanes(); err != nil || m.lanes.broken != nil {
				b.Fatal(err, m.lanes.broken)
			}
		}
	})
}
