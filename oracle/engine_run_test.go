package oracle

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"birfuzz/ir"
	"birfuzz/ir/birtest"
)

// scheduled runs the prepared program in one schedule and returns what it left, and its fault.
func scheduled(t testing.TB, m *Machine, in ir.Values, s Schedule) (string, *Fault) {
	t.Helper()
	got, err := m.Run(in, Way{Clear: true, Schedule: s})
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for i := range m.locations {
		if l := &m.locations[i]; l.loc.Type != ir.REG {
			text += fmt.Sprintln(l.name, m.read(nil, l))
		}
	}
	return text, got.Fault
}

// TestAnyScheduleOfASoundProgram: a program without a race leaves the same in every schedule, all of them where they are few; and where two
// schedules leave something else, the clocks know of a race.
func TestAnyScheduleOfASoundProgram(t *testing.T) {
	most := 400
	if birtest.Quick() {
		most = 60
	}
	sound, racy, shown, explored := 0, 0, 0, 0
	for seed := range uint64(most) {
		src := drawnProgram(rand.New(rand.NewPCG(seed, 2)), seed%2 == 0)
		p := mustParse(t, "drawn", src)
		m := NewMachine()
		if err := m.Prepare(p, Layout{}); err != nil {
			t.Fatal(err)
		}
		all, whole, err := m.Explore(60)
		if err != nil {
			t.Fatal(err)
		}
		if whole {
			explored++
		}
		more, _ := m.Adversarial(10)
		in := testInputs(p, 0)
		want, f := scheduled(t, m, in, Schedule{kind: asEngines})
		if f != nil && f.Kind == DeadlockFault {
			continue
		}
		differ := ""
		if got, g := scheduled(t, m, in, Schedule{}); g == nil && f == nil && got != want {
			differ = "in order"
		}
		for _, s := range append(all, more...) {
			if got, g := scheduled(t, m, in, s); got != want || (f == nil) != (g == nil) {
				differ = s.String()
			}
		}
		switch {
		case f != nil && f.Kind == RaceFault && differ != "":
			racy++
			shown++
		case f != nil && f.Kind == RaceFault:
			racy++
		case differ != "":
			t.Fatalf("seed %d: schedule %s leaves something else than engines, fault %v\n%s", seed, differ, f, src)
		default:
			sound++
		}
	}
	if sound < most/40 || shown < most/10 || explored < most/10 {
		t.Errorf("the test tests little")
	}
	t.Logf("%d sound, %d racy, %d of them shown by a schedule, %d explored as a whole", sound, racy, shown, explored)
}

// TestScheduleText: what is printed is read again, and nothing else is.
func TestScheduleText(t *testing.T) {
	for _, text := range []string{"", "engines", "early", "late", "starve:DVE", "starve:1/SP.q0", "pct:7:3", "path:0.2.1", "path:", "edges:12"} {
		if s, err := ParseSchedule(text); err != nil || s.String() != text {
			t.Errorf("%q: %q, %v", text, s, err)
		}
	}
	for _, text := range []string{"x", "engines:1", "pct:7", "pct:7:0", "pct:-1:2", "path:a", "path:0..1", "edges:", "edges:1:2", "pct:1:2:3"} {
		if s, err := ParseSchedule(text); err == nil {
			t.Errorf("%q was read as %q", text, s)
		}
	}
}

// TestPairsInOtherOrders: what the other orders of a program show is what the checks said of all of them.
func TestPairsInOtherOrders(t *testing.T) {
	eachPair(t, func(t *testing.T, c pairCase) {
		if v := judgePair(t, c, Options{Orders: 1}); failedNames(v) != c.want {
			t.Errorf("got %s, want %s\n%s", failedNames(v), c.want, v)
		}
	})
}

// TestOtherOrdersCheckTheChecks: where the check that answers for all orders is switched off, running in other ones shows lost edges as well.
func TestOtherOrdersCheckTheChecks(t *testing.T) {
	set, _ := CheckNamed(scheduleCheck)
	seen := 0
	eachPair(t, func(t *testing.T, c pairCase) {
		if c.want != scheduleCheck {
			return
		}
		if v := judgePair(t, c, Options{Checks: AllChecks &^ set, Orders: 1}); v.Kind == Different {
			seen++
		}
	})
	if seen < 6 {
		t.Errorf("other orders show %d of the pairs with a wrong schedule", seen)
	}
}

// TestExplore: as many schedules as there are ways to merge what two engines do, and the limit is kept.
func TestExplore(t *testing.T) {
	m := NewMachine()
	p := mustParse(t, "explore", `func f {
  sb a: f32[1,1]
  sb b: f32[1,1]
  I-0: a = Memset @DVE
  I-1: a = Memset @DVE
  I-2: a = Memset @DVE
  J-0: b = Memset @Pool
  J-1: b = Memset @Pool
}`)
	if err := m.Prepare(p, Layout{}); err != nil {
		t.Fatal(err)
	}
	for most, want := range map[int]int{100: 10, 10: 10, 7: 7} {
		all, whole, err := m.Explore(most)
		if err != nil || len(all) != want || whole != (most >= 10) {
			t.Errorf("at most %d: %d schedules, whole %t, %v; want %d", most, len(all), whole, err, want)
		}
		seen := map[Schedule]bool{}
		for _, s := range all {
			if seen[s] {
				t.Errorf("%s comes twice", s)
			}
			seen[s] = true
		}
	}
}

// TestSchedulesByName: lanes have names that people and schedules use, and a lane that is not there is an error.
func TestSchedulesByName(t *testing.T) {
	m := NewMachine()
	p := mustParse(t, "names", `func f {
  input x: f32[1,1]
  dram d: f32[1,1]
  shared dram s: f32[1,1]
  I-0: d = DMACopy x @SP
  I-1: d = DMACopy x @SP queue=q7
  I-2: NoOp @DVE update(1+=1)
  I-3: d = DMACopy x
}
func g {
  I-0: NoOp @DVE update(1+=1)
}`)
	if err := m.Prepare(p, Layout{}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"SP", "SP.dma", "SP.q7", "DVE", "I-3", "I-3.dma", "1/DVE", "ALL"} {
		s, err := ParseSchedule("starve:" + name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.Run(ir.Values{"x": floats(1)}, Way{Schedule: s}); err != nil {
			t.Error(err)
		}
	}
	s, _ := ParseSchedule("starve:PE")
	if _, err := m.Run(ir.Values{"x": floats(1)}, Way{Schedule: s}); err == nil {
		t.Error("no error where no lane has the name")
	}
}
