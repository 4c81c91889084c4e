package birjson

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"

	"birfuzz/ir"
)

// printer prints canonical JSON: keys ascending, indent 2, lists of numbers on one line; or, compact, no white space at all.
//
// Unknown keys travel beside what is printed, as notes. Every object prints the unknown keys among its notes where they sort; the known
// ones among them are notes on the parts of the object, and vanish with those parts.
type printer struct {
	buf     []byte
	compact bool
	frames  []frame
	note    note  // on the next value
	err     error // a note that is no JSON
}

// frame is an object or list that is being printed.
type frame struct {
	list   bool
	table  bool
	count  int     // items printed
	fields []field // of an object: what is still to print beside the keys of its own, by ascending key
	notes  iter    // of a list: on its items; its d is nil if there are none
}

// field is a member that key prints where it sorts: an instruction's setting, or a note.
type field struct {
	key     string
	setting *ir.Param // nil for a note
	note    note
}

// note is kept JSON: a value in a text of its own. Its d is nil where there is none.
type note struct {
	d *doc
	v value
}

// noteOf returns the note that an Extra is.
func (p *printer) noteOf(extra json.RawMessage) note {
	if len(extra) == 0 {
		return note{}
	}
	d, err := parse("extra", extra)
	if err == nil && d.data[d.root().pos] != '{' {
		err = fmt.Errorf("extra: got %s, want an object", d.describe(d.root()))
	}
	if err != nil {
		p.fail(err)
		return note{}
	}
	return note{d, d.root()}
}

func (p *printer) fail(err error) {
	if p.err == nil {
		p.err = err
	}
}

// fields returns the members of a note on an object.
func (p *printer) fields(n note) []field {
	if n.d == nil || n.d.data[n.v.pos] != '{' {
		return nil
	}
	var out []field
	for _, m := range n.d.members(n.v) {
		out = append(out, field{key: string(m.key), note: note{n.d, m.val}})
	}
	if err := n.d.result(); err != nil {
		p.fail(err)
	}
	return out
}

// object begins an object that prints what stands in the note beside its own keys.
func (p *printer) object() { p.open('{', p.fields(p.note)) }

// table begins an object whose keys are names of the program: none is unknown, so a note on one that is not printed vanishes.
func (p *printer) table() {
	p.object()
	p.top().table = true
}

// array begins a list.
func (p *printer) array() { p.open('[', nil) }

func (p *printer) open(bracket byte, fields []field) {
	f := frame{list: bracket == '[', fields: fields}
	if n := p.note; f.list && n.d != nil && n.d.data[n.v.pos] == '[' {
		f.notes = n.d.list(n.v)
	}
	p.note = note{}
	p.frames = append(p.frames, f)
	p.buf = append(p.buf, bracket)
}

// top returns the innermost object or list. The pointer is good until another one is opened.
func (p *printer) top() *frame { return &p.frames[len(p.frames)-1] }

// close ends the innermost object or list.
func (p *printer) close() {
	for p.pending() != nil {
		p.field()
	}
	f := p.top()
	p.frames = p.frames[:len(p.frames)-1]
	if f.count > 0 {
		p.line()
	}
	if f.list {
		p.buf = append(p.buf, ']')
	} else {
		p.buf = append(p.buf, '}')
	}
}

// line begins a new line.
func (p *printer) line() {
	if p.compact {
		return
	}
	p.buf = append(p.buf, '\n')
	for range p.frames {
		p.buf = append(p.buf, ' ', ' ')
	}
}

// separate makes room for the next item of the innermost object or list.
func (p *printer) separate() {
	f := p.top()
	if f.count > 0 {
		p.buf = append(p.buf, ',')
	}
	f.count++
	p.note = note{}
	p.line()
}

// item begins an element of a list.
func (p *printer) item() {
	p.separate()
	if f := p.top(); f.notes.d != nil && f.notes.next() {
		p.note = note{f.notes.d, f.notes.val}
	}
}

// key begins a member and returns true, if it is present. An object offers all its keys in ascending order, those it leaves out too:
// so the printer knows which keys of a note are unknown.
func (p *printer) key(key string, present bool) bool {
	for next := p.pending(); next != nil && next.key < key; next = p.pending() {
		p.field()
	}
	f := p.top()
	var n note
	if len(f.fields) > 0 && f.fields[0].key == key {
		n = f.fields[0].note
		f.fields = f.fields[1:]
	}
	if !present {
		return false
	}
	p.memberKey(key)
	p.note = n
	return true
}

// pending returns the first field of the innermost object that is still to print, nil if there is none.
func (p *printer) pending() *field {
	if f := p.top(); len(f.fields) > 0 {
		return &f.fields[0]
	}
	return nil
}

// keyOrNote is key for members that unknown keys alone keep alive.
func (p *printer) keyOrNote(key string, present bool) bool {
	has := slices.ContainsFunc(p.top().fields, func(f field) bool { return f.key == key })
	return p.key(key, present || has)
}

// field prints the first of the fields that wait.
func (p *printer) field() {
	f := p.top()
	next := f.fields[0]
	f.fields = f.fields[1:]
	if f.table {
		return
	}
	p.memberKey(next.key)
	if next.setting != nil {
		p.setting(next.setting)
	} else {
		p.raw(next.note.d, next.note.v)
	}
}

func (p *printer) memberKey(key string) {
	p.separate()
	p.buf = append(appendString(p.buf, key), ':')
	p.blank()
}

// blank prints the space after a comma or colon.
func (p *printer) blank() {
	if !p.compact {
		p.buf = append(p.buf, ' ')
	}
}

func (p *printer) str(s string)  { p.buf = appendString(p.buf, s) }
func (p *printer) int(n int64)   { p.buf = strconv.AppendInt(p.buf, n, 10) }
func (p *printer) bits(n uint64) { p.buf = strconv.AppendUint(p.buf, n, 10) }
func (p *printer) bool(b bool)   { p.buf = strconv.AppendBool(p.buf, b) }

// float prints the shortest decimal that reads as f, never as an integer.
func (p *printer) float(f float64) {
	switch {
	case math.IsNaN(f):
		p.str("nan")
	case math.IsInf(f, 1):
		p.str("inf")
	case math.IsInf(f, -1):
		p.str("-inf")
	default:
		from := len(p.buf)
		p.buf = strconv.AppendFloat(p.buf, f, 'g', -1, 64)
		if !slices.ContainsFunc(p.buf[from:], func(c byte) bool { return c == '.' || c == 'e' }) {
			p.buf = append(p.buf, ".0"...)
		}
	}
}

// comma prints a comma within a line.
func (p *printer) comma() {
	p.buf = append(p.buf, ',')
	p.blank()
}

// inline prints a list on one line.
func inline[T any](p *printer, list []T, item func(T)) {
	p.buf = append(p.buf, '[')
	for i := range list {
		if i > 0 {
			p.comma()
		}
		item(list[i])
	}
	p.buf = append(p.buf, ']')
}

func (p *printer) ints(list []int64) { inline(p, list, p.int) }

// list prints a list of objects, one after the other.
func list[T any](p *printer, items []T, item func(T)) {
	p.array()
	for i := range items {
		p.item()
		item(items[i])
	}
	p.close()
}

// raw prints a value of d in canonical form.
func (p *printer) raw(d *doc, v value) {
	switch c := d.data[v.pos]; {
	case c == '{':
		p.members(d, d.members(v))
	case c == '[' && d.numeric(v):
		p.rawNumbers(d, v)
	case c == '[':
		p.array()
		for it := d.list(v); it.next(); {
			p.item()
			p.raw(d, it.val)
		}
		p.close()
	case c == '"':
		p.str(string(d.text(v, "a string")))
	default:
		p.buf = append(p.buf, d.data[v.pos:d.end(v)]...)
	}
}

// rawNumbers prints a list of numbers, or of lists of them, on one line.
func (p *printer) rawNumbers(d *doc, v value) {
	p.buf = append(p.buf, '[')
	for it := d.list(v); it.next(); {
		if it.index > 0 {
			p.comma()
		}
		p.raw(d, it.val)
	}
	p.buf = append(p.buf, ']')
}

// members prints an object of the given members, which are sorted.
func (p *printer) members(d *doc, ms []member) {
	p.open('{', nil)
	for _, m := range ms {
		p.memberKey(string(m.key))
		p.raw(d, m.val)
	}
	p.close()
}

// numeric tells whether a list holds numbers only, or lists of them.
func (d *doc) numeric(v value) bool {
	for it := d.items(v); it.step(); {
		c := d.data[it.val.pos]
		if c != '-' && !isDigit(c) && (c != '[' || !d.numeric(it.val)) {
			return false
		}
	}
	return true
}
