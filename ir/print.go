package ir

import (
	"encoding/json"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// WriteTo writes the text form (see Parse). It is canonical: equal programs have equal texts, and what Parse would assume is left out.
func (p *Program) WriteTo(w io.Writer) (int64, error) {
	n, err := w.Write(p.text())
	return int64(n), err
}

// String returns the text form.
func (p *Program) String() string { return string(p.text()) }

func (p *Program) text() []byte {
	w := &printer{}
	w.program(p)
	return w.buf
}

// printer builds the text form; every method appends to it.
type printer struct {
	buf    []byte
	indent int
}

func (w *printer) str(parts ...string) {
	for _, s := range parts {
		w.buf = append(w.buf, s...)
	}
}

func (w *printer) int(v int64) { w.buf = strconv.AppendInt(w.buf, v, 10) }

func (w *printer) startLine() {
	for range w.indent {
		w.str("  ")
	}
}

func (w *printer) endLine() { w.str("\n") }

// open begins a body in braces, shut ends it.
func (w *printer) open() {
	w.str(" {\n")
	w.indent++
}

func (w *printer) shut() {
	w.indent--
	w.startLine()
	w.str("}\n")
}

// list writes ` word(member, …)` if there is a member.
func list[T any](w *printer, word string, members []T, member func(*T)) {
	if len(members) == 0 {
		return
	}
	w.str(" ", word, "(")
	commas(w, members, member)
	w.str(")")
}

func commas[T any](w *printer, members []T, member func(*T)) {
	for i := range members {
		if i > 0 {
			w.str(", ")
		}
		member(&members[i])
	}
}

// name writes a name, in quotes where the parser would not read it as one.
func (w *printer) name(s string) {
	if isPlain(s) {
		w.str(s)
		return
	}
	w.buf = strconv.AppendQuote(w.buf, s)
}

func isPlain(s string) bool {
	return s != "" && identLen(s, false) == len(s) && !slices.Contains(reserved, s)
}

// axis writes the name of an axis, which stands in expressions, where '-' is an operator.
func (w *printer) axis(s string) {
	if strings.IndexByte(s, '-') >= 0 {
		w.buf = strconv.AppendQuote(w.buf, s)
		return
	}
	w.name(s)
}

// raw writes ` word({…})` if there is a value.
func (w *printer) raw(word string, v json.RawMessage) {
	if len(v) > 0 {
		w.str(" ", word, "(", string(compact(v)), ")")
	}
}

func floatText(v float64, bits int) string {
	switch {
	case math.IsNaN(v):
		return "nan"
	case math.IsInf(v, 0):
		return strings.ToLower(strings.TrimPrefix(strconv.FormatFloat(v, 'g', -1, bits), "+"))
	default:
		return strconv.FormatFloat(v, 'g', -1, bits)
	}
}

func (w *printer) program(p *Program) {
	w.str("module ", p.Arch.String())
	facts := p.Facts.List()
	list(w, "facts", facts, func(f *string) { w.str(*f) })
	if p.CoreID != NoCore {
		w.str(" core=")
		w.int(int64(p.CoreID))
	}
	if p.Version != defaultVersion {
		w.str(" version=")
		w.int(int64(p.Version))
	}
	w.raw("attributes", p.Attrs)
	w.raw("extra", p.Extra)
	w.endLine()
	for _, f := range p.Cores {
		w.endLine()
		w.function(f)
	}
	w.consts(p.Consts)
}

func (w *printer) function(f *Func) {
	w.str("func ")
	w.name(f.Name)
	list(w, "attrs", f.Attrs, func(a *string) { w.name(*a) })
	w.raw("extra", f.Extra)
	w.open()
	for _, s := range f.Sets {
		if !s.implicit() {
			w.set(s)
		}
	}
	w.blocks(f.Blocks, "")
	w.shut()
}

// blocks writes blocks with their labels one step to the left of their instructions; the label of a first block named as implied, with
// instructions and nothing else, is left out.
func (w *printer) blocks(bs []*Block, implied string) {
	for i, b := range bs {
		if i > 0 || b.Name != implied || len(b.Insts) == 0 || len(b.Extra) > 0 {
			w.indent--
			w.startLine()
			w.indent++
			w.name(b.Name)
			w.str(":")
			w.raw("extra", b.Extra)
			w.endLine()
		}
		for _, in := range b.Insts {
			w.inst(in)
		}
	}
}
