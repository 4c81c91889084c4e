package fuzz_test

import (
	"fmt"
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

// bytesOf is a rectangle of an on-chip memory that a placed location has: partitions and bytes of each.
func bytesOf(l *ir.Loc) [4]int64 {
	at := l.Addr
	if l.Type == ir.PSUM {
		at += l.Bank * ir.PSUMBankBytes
	}
	return [4]int64{l.Base, l.Base + l.Rows, at, at + l.RowBytes}
}

// shareBytes tells whether two placed locations have bytes in common.
func shareBytes(a, b *ir.Loc) bool {
	x, y := bytesOf(a), bytesOf(b)
	return a.Type == b.Type && x[0] < y[1] && y[0] < x[1] && x[2] < y[3] && y[2] < x[3]
}

// meet tells whether two lists of stretches have a moment in common.
func meet(a, b [][2]int32) bool {
	return slices.ContainsFunc(a, func(s [2]int32) bool {
		return slices.ContainsFunc(b, func(t [2]int32) bool { return s[0] <= t[1] && t[0] <= s[1] })
	})
}

// TestLivenessAgainstExecution: what linear_scan_allocator puts into the same bytes, because it takes one for dead while the other lives, is never
// live at one moment when the program runs.
func TestLivenessAgainstExecution(t *testing.T) {
	most := 1500
	if birtest.Quick() {
		most = 60
	}
	ps, err := passes.Named("linear_scan_allocator")
	if err != nil {
		t.Fatal(err)
	}
	pairs, programs := 0, 0
	for i := range most {
		c := fuzz.Generate(31, i, nil)
		if c.Program.Facts.Has(ir.Synced) {
			continue // what order its instructions have in time no list of them tells
		}
		var after *ir.Program
		had := map[locOf]bool{} // what the pass gave no place
		for core, f := range c.Program.Cores {
			for l := range f.Locs {
				had[locOf{core, l.Name}] = l.Allocated
			}
		}
		passes.Run(c.Program, ps, passes.Unlimited(), func(s *passes.Step) bool {
			if s.Changed && s.Failure == nil {
				after = s.After
			}
			return true
		})
		if after == nil {
			continue
		}
		seen, err := oracle.Observe(after, c.Inputs[0].Values)
		if err != nil {
			continue
		}
		programs++
		pairs += sharedPairs(t, c.Name, after, seen, had)
	}
	if programs < most/20 || pairs < programs {
		t.Errorf("%d programs placed, %d pairs in the same bytes", programs, pairs)
	}
	t.Logf("%d programs placed, %d pairs in the same bytes", programs, pairs)
}

// locOf names a location: two cores may have one of the same name each.
type locOf struct {
	core int
	name string
}

// sharedPairs counts pairs of locations of a core in the same bytes, at least one of which the pass placed, none of which may be live with the other.
func sharedPairs(t *testing.T, name string, p *ir.Program, seen []oracle.Observed, had map[locOf]bool) int {
	t.Helper()
	n := 0
	for core, f := range p.Cores {
		live := map[string][][2]int32{}
		for _, o := range seen {
			if o.Core == core {
				live[o.Location] = o.Live
			}
		}
		var placed []*ir.Loc
		for l := range f.Locs {
			if l.Allocated && l.Type.OnChip() && live[l.Name] != nil && len(l.Alias) == 0 {
				placed = append(placed, l)
			}
		}
		for i, a := range placed {
			for _, b := range placed[i+1:] {
				if !shareBytes(a, b) || had[locOf{core, a.Name}] && had[locOf{core, b.Name}] {
					continue
				}
				if n++; meet(live[a.Name], live[b.Name]) {
					t.Errorf("%s, core %d: %s and %s share bytes and live at one moment: %v and %v\n%s", name, core, a.Name, b.Name, live[a.Name], live[b.Name], p)
				}
			}
		}
	}
	return n
}

// TestProfitAgainstExecution: the profit of a pair of loops, as loop_optimization publishes it once it has fused one pair, is twice the bytes of the
// tensors that both touch (and so is its footprint, liveN): never less than what a run touches of them, never more than they have, and in most pairs
// just that.
func TestProfitAgainstExecution(t *testing.T) {
	most := 1500
	if birtest.Quick() {
		most = 100
	}
	cfg := gen.Default()
	for _, f := range []gen.Feature{gen.Loops, gen.LoopPairs, gen.LoopRuns} {
		cfg.Features[f] = 1
	}
	ps, err := passes.Named("loop_optimization")
	if err != nil {
		t.Fatal(err)
	}
	pairs, exact := 0, 0
	for i := range most {
		c := fuzz.Generate(37, i, &cfg)
		var last *passes.Step
		passes.Run(c.Program, ps, passes.Options{Fuel: 1 + i%3}, func(s *passes.Step) bool {
			last = s
			return true
		})
		if last == nil || last.Failure != nil || !last.Changed {
			continue
		}
		seen, err := oracle.Observe(last.After, c.Inputs[0].Values)
		if err != nil {
			continue
		}
		n, same := profits(t, last, seen)
		pairs, exact = pairs+n, exact+same
	}
	if pairs < most/20 || exact < pairs/2 {
		t.Errorf("%d pairs scored, %d of them by what is touched", pairs, exact)
	}
	t.Logf("%d pairs scored, %d of them by what is touched", pairs, exact)
}

// profits compares the weights in the log of a step with what its program touched when it ran.
func profits(t *testing.T, s *passes.Step, seen []oracle.Observed) (pairs, exact int) {
	t.Helper()
	touched := map[string]int64{}
	for _, o := range seen {
		touched[o.Location] = o.Touched
	}
	loops, twice := map[string]*ir.Inst{}, map[string]bool{}
	for in := range s.After.Insts {
		if in.Loop == nil {
			continue
		}
		if loops[in.Name] != nil {
			twice[in.Name] = true // of two functions: the log does not say of which one it speaks
		}
		loops[in.Name] = in
	}
	events := s.Events // behind the last rewrite: before it the program was another
	for i := range s.Events {
		if s.Events[i].Rule != nil {
			events = s.Events[i+1:]
		}
	}
	for _, e := range events {
		var weight, again float64
		var first, second string
		if _, err := fmt.Sscanf(e.Text, "(LoopOpt::updateFPG) e -> : weight = %g / loop %s and loop %s weight = %g", &weight, &first, &second, &again); err != nil {
			continue
		}
		second = strings.TrimSuffix(second, ",")
		a, b := loops[first], loops[second]
		if a == nil || b == nil || twice[first] || twice[second] {
			continue
		}
		least, greatest := int64(0), int64(0)
		with := tensorsOf(b)
		for l := range tensorsOf(a) {
			if with[l] {
				least, greatest = least+2*touched[l.Name], greatest+2*l.Bytes()
			}
		}
		if pairs++; int64(weight) < least || int64(weight) > greatest {
			t.Errorf("%s and %s: a profit of %g, a run touches %d of %d bytes\n%s", first, second, weight, least/2, greatest/2, s.After)
		}
		if int64(weight) == least {
			exact++
		}
	}
	return pairs, exact
}

// tensorsOf returns the internal tensors that the instructions of a loop name; what has no trips touches nothing.
func tensorsOf(loop *ir.Inst) map[*ir.Loc]bool {
	out := map[*ir.Loc]bool{}
	var walk func(l *ir.Loop)
	walk = func(l *ir.Loop) {
		for _, b := range l.Blocks {
			for _, in := range b.Insts {
				if in.Loop != nil && in.Loop.Trips() > 0 {
					walk(in.Loop)
				}
				for i := range in.Args {
					if l := in.Args[i].Loc; l != nil && l.Set.Kind == ir.Internal && (l.Type.OnChip() || l.Type.IsDRAM()) {
						out[l] = true
					}
				}
			}
		}
	}
	if loop.Loop.Trips() > 0 {
		walk(loop.Loop)
	}
	return out
}
