package fuzz

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"birfuzz/ir"
	"birfuzz/ir/birtest"
)

// smallest are the instructions of the smallest program that each planted bug breaks in the class in which it is found: a producer and its reader
// out of order; a constant and who publishes it; a factor, the product of it that is added to nothing, and who computes with that; one instruction; a
// publisher and a barrier.
var smallest = map[string]int{"swap": 2, "constant": 2, "accumulate": 3, "past-end": 1, "cross-barrier": 2}

// mostCalls bounds the predicate calls, at the median, for programs of 64 instructions.
const mostCalls = 150

// TestShrinkReachesTheMinimum: what is left of programs of 64 instructions is, for each bug, the smallest program with it at the median and within
// a quarter of that on average, and does not take many calls. A short run, whose few programs may show a bug in a class that takes more, asks for
// the average over all bugs alone.
func TestShrinkReachesTheMinimum(t *testing.T) {
	t.Parallel()
	n := 15
	if birtest.Quick() {
		n = 2
	}
	all, least := 0, 0
	for bug, minimum := range smallest {
		var calls, left []int
		total := 0
		pass := planted(bug)
		for _, c := range shrinkable(t, pass, "", 64, n) {
			w, before := showing(t, pass, c)
			small, asked := shrink(context.Background(), before, w.still, Budget{})
			if !w.still(small) {
				t.Fatalf("%s, %s: what is left does not fail\n%s", bug, c.Name, small)
			}
			calls, left = append(calls, asked), append(left, small.NumInsts())
			total += small.NumInsts()
		}
		if got := median(calls); got > mostCalls {
			t.Errorf("%s: %v calls, want at most %d at the median", bug, calls, mostCalls)
		}
		if !birtest.Quick() && (median(left) > float64(minimum) || total*4 > n*minimum*5) {
			t.Errorf("%s: %v instructions are left, the smallest program has %d", bug, left, minimum)
		}
		all, least = all+total, least+n*minimum
	}
	if all*4 > least*5 {
		t.Errorf("%d instructions are left, the smallest programs have %d", all, least)
	}
}

// TestShrinkAnyWorkers: any number of workers comes to one program, by as many counted calls.
func TestShrinkAnyWorkers(t *testing.T) {
	t.Parallel()
	n, size := 6, 48
	if birtest.Quick() {
		n, size = 1, 24
	}
	for _, bug := range []string{"constant", "accumulate"} {
		pass := planted(bug)
		for _, c := range shrinkable(t, pass, "", size, n) {
			w, before := showing(t, pass, c)
			want, calls := shrink(context.Background(), before, w.still, Budget{Workers: 1})
			for _, workers := range []int{2, 4} {
				got, asked := shrink(context.Background(), before, w.still, Budget{crew: w.hire(workers)})
				if got.String() != want.String() || asked != calls {
					t.Errorf("%s, %s: %d workers ask %d times and come to\n%s\none asks %d times and comes to\n%s", bug, c.Name, workers, asked, got, calls, want)
				}
			}
		}
	}
}

// TestShrinkAnyTime: who is interrupted gets the smallest program so far, and what is answered after that is not believed.
func TestShrinkAnyTime(t *testing.T) {
	t.Parallel()
	pass := planted("constant")
	w, before := showing(t, pass, shrinkable(t, pass, "", 48, 1)[0])
	for _, workers := range []int{1, 3} {
		for _, after := range []int{1, 5, 20} {
			ctx, stop := context.WithCancel(context.Background())
			var mu sync.Mutex
			asked, held := 0, []string{before.String()}
			got := Shrink(ctx, before, func(p *ir.Program) bool {
				mu.Lock()
				defer mu.Unlock()
				if asked++; asked > after {
					stop()
					return true // as what a killed process says
				}
				holds := w.still(p)
				if holds {
					held = append(held, p.String())
				}
				return holds
			}, Budget{Workers: workers})
			stop()
			if !slices.Contains(held, got.String()) {
				t.Errorf("%d workers, interrupted after %d calls: a program that did not hold before\n%s", workers, after, got)
			}
			if workers == 1 && got.String() != held[len(held)-1] {
				t.Errorf("interrupted after %d calls: not the last that held\n%s", after, got)
			}
		}
	}
}

// TestShrinkBudget: no more calls are counted than are allowed.
func TestShrinkBudget(t *testing.T) {
	t.Parallel()
	pass := planted("swap")
	w, before := showing(t, pass, shrinkable(t, pass, "", 48, 1)[0])
	if _, calls := shrink(context.Background(), before, w.still, Budget{Calls: 7}); calls != 7 {
		t.Errorf("%d calls, want 7", calls)
	}
}

// TestShrinkBreakdown: who is asked may break down, and does so in a goroutine of its own; its panic comes out of Shrink.
func TestShrinkBreakdown(t *testing.T) {
	t.Parallel()
	p := Generate(1, 0, nil).Program
	for _, workers := range []int{1, 3} {
		broke := guarded(func() {
			Shrink(context.Background(), p, func(*ir.Program) bool { panic("the judge is at fault") }, Budget{Workers: workers})
		})
		if !strings.HasPrefix(broke, "panic: the judge is at fault (shrink_search_test.go:") {
			t.Errorf("%d workers: got %q", workers, broke)
		}
	}
}

// TestCrewBeside: who has a worker free is helped, who has none does it himself, and a panic of the helper comes out where the help is waited for.
func TestCrewBeside(t *testing.T) {
	c := newCrew(2)
	c.take()
	started, goOn := make(chan struct{}), make(chan struct{})
	join := c.beside(func() { close(started); <-goOn })
	<-started
	done := false
	c.beside(func() { done = true })()
	if !done {
		t.Error("nobody did what there was no worker for")
	}
	close(goOn)
	join()
	c.take() // the helper is free again
	c.release()
	join = c.beside(func() { panic("the judge is at fault") })
	if broke := guarded(join); !strings.HasPrefix(broke, "panic: the judge is at fault (shrink_search_test.go:") {
		t.Errorf("got %q", broke)
	}
}
