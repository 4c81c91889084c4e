package fuzz

import "testing"

// TestLuck: two failures in a row are believed; after several, one candidate that holds is the exception.
func TestLuck(t *testing.T) {
	var l luck
	for i, step := range []struct{ holds, next bool }{
		{true, true}, {false, true}, {false, false}, {false, false}, {false, false}, {false, false},
		{true, false}, {false, false}, {true, false}, {true, false}, {true, true}, {false, false},
	} {
		if l.saw(step.holds); l.guess() != step.next {
			t.Errorf("step %d: guesses %v, want %v", i, l.guess(), step.next)
		}
	}
	if fresh := luck(0); !fresh.guess() || fresh.sure() {
		t.Error("a reduction that nothing is known of is not expected to help, or as if that were known")
	}
	if long, turned := luck(leastLuck), luck(leastLuck+1); !long.sure() || turned.sure() {
		t.Error("a guess is sure after one that was wrong, or not after many that were right")
	}
}
