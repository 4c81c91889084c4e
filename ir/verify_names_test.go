package ir

import (
	"bytes"
	"testing"
)

// TestControls: every byte in every place of a name of every length is seen to be a control character, or not to be one.
func TestControls(t *testing.T) {
	for n := 1; n <= shortName; n++ {
		for at := range n {
			for c := range 256 {
				name := bytes.Repeat([]byte{'~'}, n)
				name[at] = byte(c)
				a, b := words(string(name))
				if got, want := controls(a) || controls(b), c < ' ' || c == 0x7f; got != want {
					t.Fatalf("byte %#x at %d of %d: control %t", c, at, n, got)
				}
			}
		}
	}
}

// TestWords: two names of one length that differ in one byte have different words, so different names rarely share a hash.
func TestWords(t *testing.T) {
	for n := 1; n <= shortName; n++ {
		for at := range n {
			x, y := bytes.Repeat([]byte{'a'}, n), bytes.Repeat([]byte{'a'}, n)
			y[at] = 'b'
			a, b := words(string(x))
			c, d := words(string(y))
			if a == c && b == d {
				t.Errorf("names of %d bytes that differ at %d have the same words", n, at)
			}
		}
	}
}

// TestNameSet: names of all lengths are found the second time, and no other is.
func TestNameSet(t *testing.T) {
	var s nameSet
	long := "abcdefghijklmnopqrstuvwxyz"
	for range 3 {
		s.reset(2 * len(long))
		for i := range long {
			if !s.add(long[i:]) || s.add(long[i:]) {
				t.Errorf("%q is not new once", long[i:])
			}
			if i > 0 && (!s.add(long[:i]) || s.add(long[:i])) {
				t.Errorf("%q is not new once", long[:i])
			}
		}
	}
}
