package ir

import "testing"

// TestAssumed: only sync_info on a row whose meaning it is not makes a program Synced (semantics §2).
func TestAssumed(t *testing.T) {
	const head = "func f {\n  output y: i32[1,4]\n  sb t: i32[1,4]\n"
	for body, want := range map[string]Facts{
		"  I-0: t = Memset constant=1 @DVE\n  I-1: y = Save t @SP\n}":                                                    0,
		"  I-0: t = Memset constant=1 @DVE\n  I-1: EventSemaphore @SP wait(1>=0) update(2+=1)\n  I-2: y = Save t @SP\n}": 0,
		"  I-0: t = Memset constant=1 @DVE update(1+=1)\n  I-1: EventSemaphore @SP wait(1>=1)\n  I-2: y = Save t @SP\n}": Synced,
		"  L-0: for i = 0..2 {\n    I-0: t = Memset constant=1 @DVE wait(1>=0)\n  }\n  I-1: y = Save t @SP\n}":           Synced,
	} {
		p, err := Parse("sync.bir", head+body)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Assumed(); got != want {
			t.Errorf("%s\nassumed %v, want %v", body, got, want)
		}
	}
}
