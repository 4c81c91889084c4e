package ir

import (
	"encoding/base64"
	"maps"
	"slices"

	"birfuzz/ir/num"
)

// set writes the declaration of a set.
func (w *printer) set(s *Set) {
	w.startLine()
	if len(s.Locs) == 1 {
		w.single(s, s.Locs[0])
		return
	}
	w.kind(s)
	w.str("set ")
	w.name(s.Name)
	w.str(": ")
	w.tensorType(s.DType, s.Shape)
	w.setProperties(s)
	w.open()
	for _, l := range s.Locs {
		w.startLine()
		w.str(memWords.of(int(l.Type)), " ")
		w.name(l.Name)
		w.str(": ")
		w.dims(l)
		w.locProperties(l)
		w.endLine()
	}
	w.shut()
}

// single writes a set with one location, whose name gives the set's.
func (w *printer) single(s *Set, l *Loc) {
	before := len(w.buf)
	w.kind(s)
	bare := len(w.buf) == before
	if mem := defaultMem(s.Kind); bare || l.Type != mem {
		if bare && (l.Type == Input || l.Type == Output) { // the word alone would be a kind
			w.str(kindWords[Internal], " ")
		}
		w.str(memWords.of(int(l.Type)), " ")
	}
	w.name(l.Name)
	if l.Type != REG || !s.isRegister() {
		w.str(": ")
		w.tensorType(s.DType, s.Shape)
	}
	rows, rowBytes, ok := naturalDims(l.Type, s.Shape, s.DType)
	if !ok || rows != l.Rows || rowBytes != l.RowBytes {
		w.str(" dims=")
		w.dims(l)
	}
	if s.Name != l.Name+"_set" {
		w.str(" set=")
		w.name(s.Name)
	}
	w.setProperties(s)
	w.locProperties(l)
	w.endLine()
}

// kind writes the kind and the space, Internal and Local left out.
func (w *printer) kind(s *Set) {
	if s.Space == Shared {
		w.str("shared ")
	}
	if s.Kind != Internal {
		w.str(kindWords.of(int(s.Kind)), " ")
	}
}

func (w *printer) tensorType(d DType, shape []int64) {
	w.str(dtypeWords.of(int(d)), "[")
	for i, n := range shape {
		if i > 0 {
			w.str(",")
		}
		w.int(n)
	}
	w.str("]")
}

func (w *printer) dims(l *Loc) {
	w.int(l.Rows)
	w.str("x")
	w.int(l.RowBytes)
}

func (w *printer) setProperties(s *Set) {
	if s.Class != defaultClass {
		w.str(" class=")
		w.name(s.Class)
	}
	switch {
	case s.PartDim == defaultPartDim(s.Kind):
	case s.PartDim == NoPartDim:
		w.str(" part=none")
	default:
		w.str(" part=")
		w.int(int64(s.PartDim))
	}
	w.raw("set_extra", s.Extra)
}

func (w *printer) locProperties(l *Loc) {
	w.placement(l)
	for _, word := range locFlags {
		if *l.flag(word) {
			w.str(" ", word)
		}
	}
	list(w, "alias", l.Alias, func(a *Alias) {
		w.str(aliasWords.of(int(a.Kind)), " ")
		w.name(a.Loc.Name)
	})
	w.raw("remote_local_target", l.RemoteLocalTarget)
	w.raw("extra", l.Extra)
}

// placement writes the numbers that mean something for the memory, and others that are not zero.
func (w *printer) placement(l *Loc) {
	if !l.Allocated && l.Base == 0 && l.Bank == 0 && l.Addr == 0 {
		return
	}
	w.str(" ", placeWord(l.Allocated))
	if l.Base != 0 || l.Allocated && l.Type.OnChip() {
		w.str(" base ")
		w.int(l.Base)
	}
	if l.Bank != 0 || l.Allocated && l.Type == PSUM {
		w.str(" bank ")
		w.int(l.Bank)
	}
	if l.Addr != 0 || l.Allocated {
		w.str(" addr ")
		w.int(l.Addr)
	}
}

func placeWord(allocated bool) string {
	if allocated {
		return "at"
	}
	return "unplaced"
}

// Data of up to maxListed elements is written as numbers, longer data and data with NaNs in lines of base64Bytes bytes.
const (
	maxListed   = 64
	base64Bytes = 90
)

// consts writes the data of constants by name.
func (w *printer) consts(vs Values) {
	for i, name := range slices.Sorted(maps.Keys(vs)) {
		if i == 0 {
			w.endLine()
		}
		t := vs[name]
		w.str("data ")
		w.name(name)
		w.str(": ")
		w.tensorType(t.DType, t.Shape)
		w.str(" = ")
		if !w.elements(t) {
			w.base64(t.Data)
		}
		w.endLine()
	}
}

// elements writes data as numbers if they stand for exactly these bytes.
func (w *printer) elements(t Tensor) bool {
	size, start := t.DType.Size(), len(w.buf)
	if size == 0 || len(t.Data)%size != 0 || len(t.Data) > maxListed*size {
		return false
	}
	w.str("[")
	for i := 0; i < len(t.Data); i += size {
		if i > 0 {
			w.str(", ")
		}
		want := num.Load(t.Data[i:], t.DType)
		text := elementText(t.DType, want)
		if got, ok := elementBits(t.DType, text); !ok || got != want {
			w.buf = w.buf[:start]
			return false
		}
		w.str(text)
	}
	w.str("]")
	return true
}

func (w *printer) base64(data []byte) {
	w.str("base64(")
	for chunk := range slices.Chunk(data, base64Bytes) {
		w.str("\n  ")
		w.buf = base64.StdEncoding.AppendEncode(w.buf, chunk)
	}
	w.str(")")
}
