package birjson

import (
	"bytes"
	"slices"
	"strconv"
)

// iter goes through the members of an object or the elements of a list.
type iter struct {
	d     *doc
	of    value
	key   []byte // of the member, unescaped; nil in a list
	val   value
	index int // of the element or member, from 0

	pos, ord uint32 // after val
	checked  bool   // no key of the object stands twice
}

func (d *doc) items(v value) iter {
	return iter{d: d, of: v, index: -1, pos: v.pos + 1, ord: v.ord + 1}
}

// object begins an iteration over members. Of anything but an object it has none, and an error.
func (d *doc) object(v value) iter {
	if d.data[v.pos] != '{' {
		d.mismatch(v, "an object")
	}
	return d.items(v)
}

// list begins an iteration over elements. Of anything but a list it has none, and an error.
func (d *doc) list(v value) iter {
	if d.data[v.pos] != '[' {
		d.mismatch(v, "a list")
	}
	return d.items(v)
}

// next steps to the next item. It returns false at the end and once anything is wrong with the text.
func (it *iter) next() bool {
	if it.d.err != nil {
		return false
	}
	last := it.key
	if !it.step() {
		return false
	}
	// In order, keys cannot repeat: canonical files are checked for nothing.
	if it.index > 0 && !it.checked && it.key != nil && bytes.Compare(last, it.key) >= 0 {
		it.checked = true
		it.d.unique(it.of)
	}
	return it.d.err == nil
}

// step is next without the checks.
func (it *iter) step() bool {
	it.skip(',')
	switch it.d.data[it.pos] {
	case '}', ']':
		return false
	}
	if it.d.data[it.of.pos] == '{' {
		it.pos, it.key = it.d.quoted(it.pos)
		it.skip(':')
	}
	it.index++
	it.val = value{it.pos, it.ord}
	if it.d.isContainer(it.val) {
		s := it.d.spans[it.ord]
		it.pos, it.ord = s.end, s.next
	} else {
		it.pos = it.d.end(it.val)
	}
	return true
}

// skip steps over white space and one separator.
func (it *iter) skip(sep byte) {
	for {
		switch c := it.d.data[it.pos]; {
		case c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == sep:
			it.pos++
		default:
			return
		}
	}
}

// len returns the number of items of an object or list, 0 for anything else.
func (d *doc) len(v value) int {
	if !d.isContainer(v) {
		return 0
	}
	it := d.items(v)
	for it.step() {
	}
	return it.index + 1
}

// members returns the members of an object by ascending key.
func (d *doc) members(v value) []member {
	out := make([]member, 0, d.len(v))
	for it := d.object(v); it.next(); {
		out = append(out, member{it.key, it.val})
	}
	slices.SortStableFunc(out, func(a, b member) int { return bytes.Compare(a.key, b.key) })
	return out
}

// unique checks that no key stands twice in the object.
func (d *doc) unique(v value) {
	keys := make([][]byte, 0, d.len(v))
	for it := d.items(v); it.step(); {
		keys = append(keys, it.key)
	}
	slices.SortFunc(keys, bytes.Compare)
	for i := 1; i < len(keys); i++ {
		if bytes.Equal(keys[i-1], keys[i]) {
			d.fail(v, "the key %q stands twice", keys[i])
			return
		}
	}
}

// path returns the JSON path of the value that begins at pos. It walks the text again: paths cost nothing until something is wrong.
func (d *doc) path(pos uint32) string {
	var out []byte
	v := d.root()
	for v.pos < pos {
		it := d.items(v)
		for it.step() && it.pos <= pos {
		}
		if it.val.pos > pos || it.pos <= pos {
			break
		}
		out = appendPath(out, &it)
		v = it.val
	}
	return string(out)
}

func appendPath(out []byte, it *iter) []byte {
	if it.key == nil {
		return append(strconv.AppendInt(append(out, '['), int64(it.index), 10), ']')
	}
	if len(it.key) == 0 || bytes.ContainsFunc(it.key, func(r rune) bool { return r != '_' && !(r < 0x80 && (isLetter(byte(r)) || isDigit(byte(r)))) }) {
		return append(strconv.AppendQuote(append(out, '['), string(it.key)), ']')
	}
	if len(out) > 0 {
		out = append(out, '.')
	}
	return append(out, it.key...)
}
