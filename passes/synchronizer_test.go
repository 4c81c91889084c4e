package passes

import (
	"fmt"
	"strings"
	"testing"

	"birfuzz/ir"
)

// TestManySemaphores: what has no engine and waits for hundreds of others, which have none either, has a carrier with a semaphore for nearly each.
// More than a program may have are not asked for.
func TestManySemaphores(t *testing.T) {
	const writers, room = 1000, ir.MaxVirtual / 1000
	for readers, want := range map[int]string{room / 10: "", room + 2: "too many semaphores"} {
		var text strings.Builder
		fmt.Fprintf(&text, "func sg0000 {\n sb a: f32[4,%d]\n", writers)
		for i := range readers {
			fmt.Fprintf(&text, " sb b%d: f32[4,1]\n", i)
		}
		for i := range writers {
			fmt.Fprintf(&text, " W-%d: a[:, %d:%d] = Memset constant=1\n", i, i, i+1)
		}
		for i := range readers {
			fmt.Fprintf(&text, " R-%d: b%d = TensorReduce a op=add\n", i, i)
		}
		text.WriteString("}\n")
		s := steps(parse(t, text.String()), Unlimited(), synchronizer())[0]
		if s.Failure != nil || s.Declined != want {
			t.Fatalf("%d readers: %v, declined: %q, want %q", readers, s.Failure, s.Declined, want)
		}
	}
}

// TestLongStretch: what is known of a stretch grows with the square of its length, so there is a bound, for both passes that want to know.
func TestLongStretch(t *testing.T) {
	for facts, pass := range map[string]Pass{"": synchronizer(), " facts(Synced, Virtual)": allocSemaphores()} {
		for n, want := range map[int]string{maxStretch: "", maxStretch + 1: "too many instructions between two resets"} {
			var text strings.Builder
			fmt.Fprintf(&text, "module gen3%s\nfunc sg0000 {\n", facts)
			for i := range n {
				fmt.Fprintf(&text, " I-%d: NoOp @DVE\n", i)
			}
			text.WriteString("}\n")
			s := steps(parse(t, text.String()), Unlimited(), pass)[0]
			if s.Failure != nil || s.Declined != want {
				t.Errorf("%s: %d instructions: %v, declined: %q, want %q", pass.Name, n, s.Failure, s.Declined, want)
			}
		}
	}
}
