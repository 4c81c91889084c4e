package fuzz_test

import (
	"bytes"
	"flag"
	"iter"
	"maps"
	"slices"
	"strings"
	"testing"

	"birfuzz/fuzz"
	"birfuzz/gen"
	"birfuzz/ir"
	"birfuzz/ir/birtest"
	"birfuzz/oracle"
	"birfuzz/passes"
)

// How much the tests of this file try: `go test ./fuzz -run 'Synced|LostWait' -synced 100000 -synced-from 7 -timeout 0`.
var (
	synced     = flag.Int("synced", 240, "programs that are synchronised and run in many schedules")
	syncedFrom = flag.Uint64("synced-from", 41, "seed of those programs")
)

// syncLists are what programs go through on the way to semaphores: straight-line code, loops, and all as it was generated, with and without many
// semaphores.
var syncLists = []string{"level:O2-sync", "level:O2-loops-sync", "lower_control,synchronizer,alloc_semaphores", "lower_control,synchronizer,alloc_semaphores(NumSemaphores=12)"}

func syncPasses(t *testing.T, list string) []passes.Pass {
	t.Helper()
	var ps []passes.Pass
	var err error
	if level, ok := strings.CutPrefix(list, "level:"); ok {
		ps, err = passes.Pipeline(level)
	} else {
		ps, err = passes.Named(list)
	}
	if err != nil {
		t.Fatal(err)
	}
	return ps
}

// syncer runs programs through passes and then in schedules.
type syncer struct {
	t     *testing.T
	lists [][]passes.Pass
	m     *oracle.Machine
}

func newSyncer(t *testing.T) *syncer {
	s := &syncer{t: t, m: oracle.NewMachine()}
	for _, list := range syncLists {
		s.lists = append(s.lists, syncPasses(t, list))
	}
	return s
}

// program generates a program and has it synchronised; nil where it was so before, or is not for some reason that the passes give.
func (s *syncer) program(i int) (*ir.Program, ir.Values, string) {
	c := fuzz.Generate(*syncedFrom, i, nil)
	p := c.Program
	if p.Facts.Has(ir.Synced) {
		return nil, nil, c.Name
	}
	passes.Run(p, s.lists[i%len(s.lists)], passes.Unlimited(), func(step *passes.Step) bool {
		if step.Failure != nil {
			s.t.Fatalf("%s: %s: %s", c.Name, step.Pass.Name, step.Failure)
		}
		p = step.After
		return true
	})
	if !p.Facts.Has(ir.Synced) || s.m.Prepare(p, oracle.Layout{}) != nil {
		return nil, nil, c.Name
	}
	return p, c.Inputs[0].Values, c.Name
}

// ordered is a program that the synchronizer has ordered, and what it leaves in program order.
type ordered struct {
	p    *ir.Program
	in   ir.Values
	want map[string][]byte
	name string
}

// each yields the programs with numbers up to most that were synchronised, each prepared.
func (s *syncer) each(most int) iter.Seq2[int, ordered] {
	return func(yield func(int, ordered) bool) {
		for i := range most {
			p, in, name := s.program(i)
			if p == nil {
				continue
			}
			want, ok := s.run(in, "", false)
			if !ok {
				s.t.Fatalf("%s does not run in program order\n%s", name, p)
			}
			if !yield(i, ordered{p, in, want, name}) {
				return
			}
		}
	}
}

// run runs the prepared program in a schedule and returns its outputs; false where it came to a fault or a limit. racy: only faults of this
// schedule count, not what others may come to.
func (s *syncer) run(in ir.Values, schedule string, racy bool) (map[string][]byte, bool) {
	s.t.Helper()
	order, err := oracle.ParseSchedule(schedule)
	if err != nil {
		s.t.Fatal(err)
	}
	got, err := s.m.Run(in, oracle.Way{Clear: true, Schedule: order, Racy: racy})
	if err != nil || got.Fault != nil || got.Limited {
		return nil, false
	}
	out := map[string][]byte{}
	for name, v := range s.m.Outputs() {
		out[name] = bytes.Clone(v.Data)
	}
	return out, true
}

// unlike returns the first of n schedules of the prepared program that does not leave want; "" if none does.
func (s *syncer) unlike(in ir.Values, want map[string][]byte, n int) string {
	s.t.Helper()
	list, err := s.m.Adversarial(n)
	if err != nil {
		return ""
	}
	if len(list) > n { // the lanes in turn: those that are starved first are not always the same
		list = slices.Delete(list, 2, 2+len(list)-n)
	}
	for _, o := range list {
		if got, ok := s.run(in, o.String(), true); !ok || !maps.EqualFunc(got, want, bytes.Equal) {
			return o.String()
		}
	}
	return ""
}

// TestSyncedPrograms: generated programs that the synchronizer orders have no race and no deadlock by the clocks, and leave in each of 20 schedules
// what they leave in program order.
func TestSyncedPrograms(t *testing.T) {
	most := *synced
	if birtest.Quick() {
		most = min(most, 60)
	}
	s, ran, large, waits := newSyncer(t), 0, 0, 0
	for _, x := range s.each(most) {
		if _, err := s.m.Adversarial(0); err != nil { // more than can be followed
			large++
			continue
		}
		if got, ok := s.run(x.in, "engines", false); !ok || !maps.EqualFunc(got, x.want, bytes.Equal) {
			t.Fatalf("%s: a race, a deadlock, or other outputs (%t)\n%s", x.name, ok, x.p)
		}
		if o := s.unlike(x.in, x.want, 20); o != "" {
			t.Fatalf("%s: schedule %s leaves something else\n%s", x.name, o, x.p)
		}
		for in := range x.p.Insts {
			waits += len(in.Wait)
		}
		ran++
	}
	if ran < most*2/3 || waits < 5*ran || large > most/50 {
		t.Errorf("%d of %d programs ran, with %d waits; %d are too large", ran, most, waits, large)
	}
	t.Logf("%d of %d programs ran, with %d waits; %d are too large", ran, most, waits, large)
}

// dropWait takes one wait of a program away; false if it has none.
func dropWait(r *gen.Rand, p *ir.Program) bool {
	var all []*ir.Inst
	for in := range p.Insts {
		for range in.Wait {
			all = append(all, in)
		}
	}
	if len(all) == 0 {
		return false
	}
	in := all[r.IntN(len(all))]
	k := r.IntN(len(in.Wait))
	in.Wait = slices.Delete(slices.Clone(in.Wait), k, k+1)
	return true
}

// TestLostWaits: of the waits of the synchronizer one is taken away. Where any of 50 schedules shows that, one run of the clocks knows.
func TestLostWaits(t *testing.T) {
	most := *synced
	if birtest.Quick() {
		most = min(most, 40)
	}
	s, ran, known, shown := newSyncer(t), 0, 0, 0
	for i, x := range s.each(most) {
		p := x.p.Clone()
		if !dropWait(gen.New(uint64(i)), p) || s.m.Prepare(p, oracle.Layout{}) != nil {
			continue
		}
		ran++
		_, fine := s.run(x.in, "engines", false)
		if !fine {
			known++
		}
		if fine || known%8 == 1 {
			if o := s.unlike(x.in, x.want, 50); o != "" && fine {
				t.Fatalf("%s: schedule %s shows a lost wait that the clocks do not know of\n%s", x.name, o, p)
			} else if o != "" {
				shown++
			}
		}
	}
	if known < ran/2 || shown < known/8/4 {
		t.Errorf("%d programs lost a wait, the clocks knew of %d, schedules showed %d of %d", ran, known, shown, known/8)
	}
	t.Logf("%d programs lost a wait, the clocks knew of %d, schedules showed %d of %d", ran, known, shown, known/8)
}
