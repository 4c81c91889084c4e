package fuzz

import "testing"

// TestReduceSync: waits and updates, and writers and readers of registers, go together.
func TestReduceSync(t *testing.T) {
	const synced = "  sb s: f32[1,8]\n  sb u: f32[1,8]\n"
	const insts = "  I-0: s = Memset @DVE update(1+=1, 2+=1)\n  I-1: s = Memset @DVE update(1+=2)\n  I-2: u = TensorCopy s @Pool wait(1>=3, 2>=1)\n"
	for _, c := range []struct {
		reduction  string
		at         int32
		text, want string
	}{
		{"semaphores", 0, inFunction(synced, insts),
			inFunction(synced, "  I-0: s = Memset @DVE update(2+=1)\n  I-1: s = Memset @DVE\n  I-2: u = TensorCopy s @Pool wait(2>=1)\n")},
		{"updating instructions", 0, inFunction(synced, insts),
			inFunction(synced, "  I-1: s = Memset @DVE update(1+=2)\n  I-2: u = TensorCopy s @Pool wait(1>=2)\n")},
		{"registers", 2, inFunction("  sb s: i32[1,1]\n  output y: i32[1,1]\n", "  I-0: $r = RegisterMove 5\n  I-1: $q = RegisterMove 3\n  I-2: y = TensorSave $r\n  I-3: s = TensorSave $q\n"),
			inFunction("  sb s: i32[1,1]\n  output y: i32[1,1]\n", "  I-1: $q = RegisterMove 3\n  I-3: s = TensorSave $q\n")},
	} {
		if got, want := reduced(t, c.reduction, c.text, c.at), "module gen3\n\n"+c.want; got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.reduction, got, want)
		}
	}
}
