package oracle

import (
	"strings"
	"testing"

	"birfuzz/gen"
	"birfuzz/ir"
)

// TestIdleKeepsContracts: what change.idle rests on. No law and no rule but OrderSchedule and OrderInsertSync, which no program
// here has reason to break, has anything to say of a program and its copy.
func TestIdleKeepsContracts(t *testing.T) {
	n := 20
	if testing.Short() {
		n = 6
	}
	ps, _, _ := generated(gen.Default(), 23, n)
	ps = append(ps, parse(t, waits))
	for i, p := range ps {
		for order := range orders {
			c := ir.Contract{Order: ir.OrderRule(order), Fences: ir.FencesNoCross}
			for l := range laws {
				c.Same = append(c.Same, ir.Law(l))
			}
			if c.Order == ir.OrderSchedule {
				continue
			}
			s := change{before: p, after: p.Clone(), contract: c}
			if d := checkContract(&s); d != nil {
				t.Errorf("program %d, rule %d of order: %v\n%s", i, order, d, p)
			}
		}
	}
}

// waits is a program with a Flow edge.
const waits = `func f {
  input x: f32[4,4]
  output y: f32[4,4]
  sb t: f32[4,4]
  a: t = Load x
  b: y = Save t after(flow a)
}`

// TestIdleIsAsked: who promised of the program what it is not, and did nothing, has not kept that.
func TestIdleIsAsked(t *testing.T) {
	crowded := strings.Replace(waits, "after(flow a)", "wait(1>=0, 2>=0, 3>=0)", 1)
	for order, src := range map[ir.OrderRule]string{ir.OrderSchedule: waits, ir.OrderInsertSync: crowded} {
		p := parse(t, src)
		s := change{before: p, after: p, contract: ir.Contract{Order: order, Same: []ir.Law{ir.KeepEngine}}}
		if checkContract(&s) == nil {
			t.Errorf("%s: nobody says so", order)
		}
	}
}

// TestHiddenByCells: memory that is no longer Shared is not looked at, so cells alone decide a step that made it Local.
func TestHiddenByCells(t *testing.T) {
	src := func(space string) *ir.Program {
		return parse(t, `func f {
  input x: f32[4,4]
  output y: f32[4,4]
  `+space+` s: f32[4,4]
  sb t: f32[4,4]
  a: t = Load x
  b: s = Save t
  c: t = Load s
  d: y = Save t
}`)
	}
	j := NewJudge(Options{})
	if v := chainOf(t, j, src("shared"), src("dram")); v.Kind != Same || j.Tally().Elements != 0 {
		t.Error(v, j.Tally())
	}
}
