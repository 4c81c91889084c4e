package birjson

import (
	"strings"
	"testing"
	"testing/iotest"
)

// TestTooLong: the limit holds for readers that know their length and for others.
func TestTooLong(t *testing.T) {
	const text, limit = "[1,2,3]", 6
	for _, r := range []interface {
		Read([]byte) (int, error)
	}{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text))} {
		_, err := open(r, "case.json", limit)
		if want := "case.json:1:1: more than 6 bytes"; err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
		if e, ok := err.(*SyntaxError); !ok {
			t.Errorf("got a %T, want %T", err, e)
		}
	}
	if _, err := open(strings.NewReader(text), "case.json", len(text)); err != nil {
		t.Error(err)
	}
}

func TestFits(t *testing.T) {
	for _, c := range []struct {
		factors []int64
		want    bool
	}{
		{nil, true},
		{[]int64{maxSize}, true},
		{[]int64{maxSize + 1}, false},
		{[]int64{maxSize, 1, 1}, true},
		{[]int64{maxSize, 2}, false},
		{[]int64{1 << 20, 1 << 20}, true},
		{[]int64{1 << 20, 1<<20 + 1}, false},
		{[]int64{maxSize, maxSize, maxSize, 0}, true},
	} {
		if got := fits(c.factors...); got != c.want {
			t.Errorf("fits(%v) = %v", c.factors, got)
		}
	}
}
