package oracle

import (
	"fmt"
	"strings"
	"testing"

	"birfuzz/ir"
)

// scheduleOf asks the check of a program and the same with one text in the place of another, which both have the fact Deps.
func scheduleOf(t *testing.T, s *scheduler, src, old, now string) string {
	t.Helper()
	changed := strings.Replace(src, old, now, 1)
	if changed == src && old != now {
		t.Fatalf("no %q in the program", old)
	}
	before, after := mustParse(t, "before", src), mustParse(t, "after", changed)
	if found := checkSchedule(&change{before: before, after: after, external: true, scheduler: s}); found != nil {
		return found.detail
	}
	return ""
}

// twoBuffers is a loop of so many trips whose edges suffice.
func twoBuffers(trips int) string {
	return fmt.Sprintf(`module gen3 facts(Deps)
func sg0000 {
  sb a: f32[4,4]
  sb b: f32[4,4]
  L-0: for i = 0..%d {
    I-0: a = Memset @DVE after(anti I-1[1])
    I-1: b = TensorCopy a @Pool after(I-0)
  }
}
`, trips)
}

func TestScheduleCountsWhatItCannotTell(t *testing.T) {
	for _, c := range []struct {
		trips  int
		detail bool
		tally  Tally
	}{
		{10, true, Tally{Ordered: 1}},
		{maxScheduled, false, Tally{Unordered: 1}},
		{1 << 30, false, Tally{Unordered: 1}},
	} {
		s := scheduler{}
		detail := scheduleOf(t, &s, twoBuffers(c.trips), "after(I-0)", "")
		if got := (Tally{Ordered: s.whole, Unordered: s.cut}); got != c.tally || (detail != "") != c.detail {
			t.Errorf("%d trips: got %q, %+v, want %+v", c.trips, detail, got, c.tally)
		}
	}
}

// TestScheduleManyMeetings: comparing accesses that all stay alive is bounded as well.
func TestScheduleManyMeetings(t *testing.T) {
	src := `module gen3 facts(Deps)
func sg0000 {
  sb a: f32[128,64]
  sb b: f32[128,64]
  L-0: for i = 0..1300 {
    I-0: b[:, 0:1] = TensorCopy a[:, 0:1] @DVE
    I-1: b[:, 1:2] = TensorCopy a[:, 1:2] @Pool
  }
}
`
	s := scheduler{}
	if detail := scheduleOf(t, &s, src, "@Pool", "@Activation"); detail != "" || s.cut != 1 {
		t.Errorf("got %q, %d cut", detail, s.cut)
	}
	src = strings.Replace(src, "1300", "20", 1)
	if detail := scheduleOf(t, &s, src, "@Pool", "@Activation"); detail != "" || s.whole != 1 {
		t.Errorf("got %q, %d whole", detail, s.whole)
	}
}

// TestScheduleBlamesNobodyForOldSins: a program that was not ordered before the pass, whatever its facts said, tells nothing about the pass.
func TestScheduleBlamesNobodyForOldSins(t *testing.T) {
	src := strings.Replace(twoBuffers(4), "after(I-0)", "", 1)
	s := scheduler{}
	if detail := scheduleOf(t, &s, src, "", ""); detail != "" || s.cut != 1 {
		t.Errorf("got %q, %d cut", detail, s.cut)
	}
}

// TestScheduleEndsWithHalt: what stands behind a Halt never runs.
func TestScheduleEndsWithHalt(t *testing.T) {
	src := `module gen3 facts(Deps)
func sg0000 {
  sb a: f32[4,4]
  sb b: f32[4,4]
  I-0: a = Memset @DVE
  I-1: Halt @SP
  I-2: b = TensorCopy a @Pool after(I-0)
}
`
	s := scheduler{}
	if detail := scheduleOf(t, &s, src, " after(I-0)", ""); detail != "" {
		t.Error(detail)
	}
	src = strings.Replace(src, "I-1: Halt @SP", "I-1: NoOp @SP", 1)
	if detail := scheduleOf(t, &s, src, " after(I-0)", ""); detail == "" {
		t.Error("without Halt it runs")
	}
}

// scheduleText is a program of n instructions on four engines with an edge for every conflict that matters.
func scheduleText(n int) string {
	var b strings.Builder
	b.WriteString("module gen3 facts(Deps)\nfunc sg0000 {\n")
	for i := range 8 {
		fmt.Fprintf(&b, "  sb s%d: f32[128,64] at addr %d base 0\n", i, 256*i)
	}
	for i := range n {
		from, to := (i+3)%8, i%8
		fmt.Fprintf(&b, "  I-%d: s%d[:, 0:32] = TensorCopy s%d[:, 0:32] @%s", i, to, from, [...]string{"DVE", "Pool", "Activation"}[i%3])
		if i > 8 {
			fmt.Fprintf(&b, " after(I-%d, anti I-%d, ordered I-%d)", i-1, i-3, i-5)
		} else if i > 0 {
			fmt.Fprintf(&b, " after(I-%d)", i-1)
		}
		b.WriteString("\n")
	}
	b.WriteString("}\n")
	return b.String()
}

func BenchmarkSchedule(b *testing.B) {
	for _, n := range []int{64, 1000, 4000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			p, err := ir.Parse("bench", scheduleText(n))
			if err != nil {
				b.Fatal(err)
			}
			s := scheduler{}
			for b.Loop() {
				if d := s.check(p, p, owed{bytes: true}); d != nil || s.cut > 0 {
					b.Fatal(d, s.cut)
				}
			}
		})
	}
}
