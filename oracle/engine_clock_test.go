package oracle

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"birfuzz/ir/birtest"
)

// drawnProgram returns the text of a small program whose semaphores are drawn: often it races, and often nobody raises what somebody waits for.
func drawnProgram(r *rand.Rand, resets bool) string {
	var b strings.Builder
	cores := 1 + r.IntN(4)/3
	for k := range cores {
		fmt.Fprintf(&b, "func f%d {\n  input x: f32[2,4]\n  output y%d: f32[2,4]\n  shared dram s: f32[2,4]\n", k, k)
		for _, t := range []string{"a", "b", "c"} {
			fmt.Fprintf(&b, "  sb %s: f32[2,4]\n", t)
		}
		n := 3 + r.IntN(5-2*(cores-1))
		loop := r.IntN(n * 2)
		for i := range n {
			if i == loop {
				fmt.Fprintf(&b, "  L: for i = 0..2 {\n")
			}
			fmt.Fprintf(&b, "  I-%d: %s\n", i, drawnInst(r, k, cores, resets))
			if i == loop+1 || i == loop && i == n-1 {
				fmt.Fprintf(&b, "  }\n")
			}
		}
		fmt.Fprintf(&b, "}\n")
	}
	return b.String()
}

func drawnInst(r *rand.Rand, core, cores int, resets bool) string {
	one := func(list ...string) string { return list[r.IntN(len(list))] }
	tile := func() string {
		return one("a", "b", "c") + one("", "", "[:, 0:2]", "[:, 2:4]", "[0:1, 1:3]")
	}
	engine := one("@DVE", "@Pool", "@SP", "@Activation")
	if r.IntN(12) == 0 {
		engine = one("", "@ALL")
	}
	queue := one("", "", " queue=q0", " queue=q1")
	var text string
	switch k := r.IntN(20); {
	case k < 5:
		text = fmt.Sprintf("%s = Memset constant=%d %s", tile(), r.IntN(9), one("@DVE", "@Pool", "@Activation"))
	case k < 9:
		side := one("[:, 0:2]", "[:, 2:4]")
		text = fmt.Sprintf("%s%s = TensorCopy %s%s %s", one("a", "b"), side, one("c", "b"), one("[:, 0:2]", "[:, 2:4]"), one("@DVE", "@Pool"))
	case k < 12:
		text = fmt.Sprintf("%s = Load %s %s%s", one("a", "b", "c"), one("x", "s"), one("@SP", "@Activation", "@Pool", ""), queue)
	case k < 15:
		text = fmt.Sprintf("%s = Save %s %s%s", one(fmt.Sprint("y", core), "s"), one("a", "b", "c"), one("@SP", "@Activation", "@Pool"), queue)
	case k < 16:
		text = "Drain " + engine
	case k < 17:
		text = "AllEngineBarrier " + engine
	case k < 18 && cores > 1:
		text = fmt.Sprintf("CoreBarrier id=%d %s", r.IntN(2), engine)
	case k < 18 && resets:
		text = "GroupResetSemaphores " + engine
	default:
		text = "EventSemaphore " + engine
	}
	if r.IntN(3) == 0 {
		text += fmt.Sprintf(" wait(%d>=%d)", 1+r.IntN(2), r.IntN(3))
	}
	if r.IntN(2) == 0 {
		text += fmt.Sprintf(" update(%d+=%d)", 1+r.IntN(2), 1+r.IntN(2))
	}
	return text
}

// lanesOfText cuts a program in text form into lanes.
func lanesOfText(t testing.TB, src string) *lanes {
	t.Helper()
	m := NewMachine()
	if err := m.Prepare(mustParse(t, "drawn", src), Layout{}); err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	s, err := lanesOf(m)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// futures is what all interleavings of a program of at most 64 jobs come to.
type futures struct {
	*lanes
	seen   map[string]bool
	unlike []uint64 // by job: those that were not complete, one bit each, when it was
	stuck  bool
	cut    bool // not every state was looked at
}

func futuresOf(s *lanes) *futures {
	f := &futures{lanes: s, seen: map[string]bool{}, unlike: make([]uint64, len(s.jobs)), cut: len(s.jobs) > 64}
	if !f.cut {
		f.explore(s.newPlay(nil))
	}
	return f
}

func (f *futures) explore(p *play) {
	key := p.state()
	if f.seen[key] || len(f.seen) > 5000 {
		f.cut = f.cut || !f.seen[key]
		return
	}
	f.seen[key] = true
	var done uint64
	for i := range p.jobs {
		if p.done(int32(i)) {
			done |= 1 << i
		}
	}
	for i := range p.jobs {
		if done>>i&1 != 0 {
			f.unlike[i] |= ^done
		}
	}
	moved := false
	for l := range p.list {
		if p.ready(int32(l)) {
			moved = true
			q := p.clone()
			q.step(int32(l))
			f.explore(q)
		}
	}
	f.stuck = f.stuck || !moved && p.left > 0
}

// state writes down all that what comes depends on.
func (p *play) state() string {
	var key []byte
	for _, h := range p.head {
		key = append(key, byte(h))
	}
	for _, q := range p.queue {
		key = append(key, 0xFF)
		for _, j := range q {
			key = append(key, byte(j))
		}
	}
	for k := range p.sems {
		for _, v := range p.sems[k] {
			key = append(key, byte(v))
		}
	}
	return string(key)
}

// TestClocksAreAllInterleavings: a job is before another by the clocks exactly where it is so in every interleaving, and a deadlock is found
// exactly where an interleaving comes to one. With resets that holds unless one of them races.
func TestClocksAreAllInterleavings(t *testing.T) {
	most := 400
	if birtest.Quick() {
		most = 40
	}
	for _, resets := range []bool{false, true} {
		sound, stuck, waits := 0, 0, 0
		for seed := range uint64(most) {
			src := drawnProgram(rand.New(rand.NewPCG(seed, 1)), resets)
			s := lanesOfText(t, src)
			f := futuresOf(s)
			c, fault := clocksOf(s)
			if fault == nil && resets {
				fault = (&races{clocks: c}).resets()
			}
			switch {
			case f.cut:
				continue
			case (fault != nil) != f.stuck && (!resets || f.stuck):
				t.Fatalf("seed %d: fault %v, some interleaving is stuck: %t\n%s", seed, fault, f.stuck, src)
			case fault != nil:
				stuck++
				continue
			}
			sound++
			n, detail := f.compare(c)
			if waits += n; detail != "" {
				t.Fatalf("seed %d: %s\n%s", seed, detail, src)
			}
		}
		if sound < most/10 || stuck < most/20 || waits < most {
			t.Errorf("%d programs ran, %d came to a deadlock, %d waits: the test tests little", sound, stuck, waits)
		}
		t.Logf("%d ran, %d came to a deadlock, %d pairs in different lanes are ordered", sound, stuck, waits)
	}
}

// compare counts the pairs of jobs in different lanes that are ordered, and describes the first of which the clocks say something else than
// the interleavings.
func (f *futures) compare(c *clocks) (waits int, detail string) {
	for i := range c.jobs {
		for j := range c.jobs {
			if i == j || c.jobs[i].kind == ends || c.jobs[j].kind == ends {
				continue
			}
			got, want := c.has(int32(i), int32(j)), f.unlike[i]>>j&1 == 0
			if got != want {
				return 0, fmt.Sprintf("%s waits for %s: %t by the clocks, %t by all interleavings", c.label(int32(i)), c.label(int32(j)), got, want)
			}
			if got && c.jobs[i].lane != c.jobs[j].lane {
				waits++
			}
		}
	}
	return waits, ""
}

// TestClocksOfASharedQueue: I-2 is put into the queue when the first transfer there is complete, and need not wait for the second, which the
// other engine may not have issued by then.
func TestClocksOfASharedQueue(t *testing.T) {
	s := lanesOfText(t, `func f {
  input x: f32[2,4]
  sb a: f32[2,4]
  sb b: f32[2,4]
  I-0: a = Load x @SP queue=q0 update(2+=1)
  I-1: a = Load x @SP queue=q0
  I-2: b = Load x @Activation queue=q0 wait(2>=1)
  I-3: NoOp @SP update(3+=1)
  I-4: NoOp @DVE wait(3>=1)
}`)
	c, fault := clocksOf(s)
	if fault != nil {
		t.Fatal(fault)
	}
	if _, detail := futuresOf(s).compare(c); detail != "" {
		t.Error(detail)
	}
	jobs := map[string]int32{}
	for j := range s.jobs {
		jobs[s.label(int32(j))] = int32(j)
	}
	second, other := jobs["I-2 on Activation.q0"], jobs["I-4 on DVE"]
	if !c.has(second, jobs["I-0 on SP.q0"]) || c.has(second, jobs["I-1 on SP.q0"]) || !c.has(other, jobs["I-1 on SP"]) || c.has(other, jobs["I-0 on SP.q0"]) {
		t.Error("the queue keeps another order than that of issue")
	}
}
