package num

import (
	"encoding/binary"
	"testing"
)

func TestLoadStore(t *testing.T) {
	bits := uint64(0x8182838485868788)
	for _, d := range DTypes() {
		b := []byte{9, 9, 9, 9, 9, 9, 9, 9, 9}
		Store(b, d, bits)
		want := bits & (1<<(8*d.Size()-1)<<1 - 1)
		if got := Load(b, d); got != want {
			t.Errorf("%v: stored %#x, loaded %#x", d, want, got)
		}
		if b[0] != 0x88 || b[d.Size()] != 9 {
			t.Errorf("%v: bytes are % x", d, b)
		}
	}
}

func TestViews(t *testing.T) {
	words := []uint64{0x3f8000003f800000, 0x4000000040000000}
	b := bytesOf(words)
	if binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		if _, ok := AsUint64(b); ok {
			t.Fatal("a view on a big-endian machine")
		}
		return
	}
	f, okF := AsFloat32(b)
	h, okH := AsUint16(b)
	w, okW := AsUint32(b)
	q, okQ := AsUint64(b)
	if !okF || !okH || !okW || !okQ || len(f) != 4 || len(h) != 8 || len(w) != 4 || len(q) != 2 {
		t.Fatalf("views of 16 aligned bytes: %v %v %v %v", f, h, w, q)
	}
	if f[0] != 1 || f[3] != 2 || h[1] != 0x3f80 || w[2] != 0x40000000 || q[1] != words[1] {
		t.Errorf("views read %v %#x %#x %#x", f, h, w, q)
	}
	f[0] = 2
	if words[0] != 0x3f80000040000000 {
		t.Error("the view does not share memory")
	}
}

// TestNoView: a start off the boundary or a length that is no whole number of
// elements is refused; nothing at all is fine.
func TestNoView(t *testing.T) {
	b := bytesOf(make([]uint64, 2))
	for name, ok := range map[string]bool{
		"uint16 start":  second(AsUint16(b[1:15])),
		"uint16 length": second(AsUint16(b[:3])),
		"float32 start": second(AsFloat32(b[2:14])),
		"uint32 start":  second(AsUint32(b[2:14])),
		"uint32 length": second(AsUint32(b[:6])),
		"uint64 start":  second(AsUint64(b[4:12])),
		"uint64 length": second(AsUint64(b[:12])),
	} {
		if ok {
			t.Errorf("%s: a view was given", name)
		}
	}
	if v, ok := AsFloat32(nil); len(v) != 0 || !ok {
		t.Errorf("view of nothing: %v, %v", v, ok)
	}
}

func second[T any](_ T, ok bool) bool { return ok }
