package birjson

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"unicode"
)

// doc is a scanned text. The first thing found wrong with its meaning is kept in err; from then on every iteration ends at once, so the
// readers above need no error paths of their own.
type doc struct {
	file    string
	data    []byte
	spans   []span
	err     *Error
	unknown []value // unknown members, not yet in an Extra
}

// value is where a value begins: its first byte, and the ordinal of the first object or list that opens there or later.
// The zero value stands for a missing one; only the root may be at 0, and the root is never missing.
type value struct{ pos, ord uint32 }

func (v value) given() bool { return v != value{} }

// member is one key of an object with its value.
type member struct {
	key []byte
	val value
}

// open reads and scans a text of at most limit bytes. Its error is a *SyntaxError or, wrapped, what r returned.
func open(r io.Reader, file string, limit int) (*doc, error) {
	var buf bytes.Buffer
	if sized, ok := r.(interface{ Len() int }); ok {
		buf.Grow(min(sized.Len(), limit) + bytes.MinRead)
	}
	if _, err := buf.ReadFrom(io.LimitReader(r, int64(limit)+1)); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if buf.Len() > limit {
		return nil, &SyntaxError{File: file, Line: 1, Col: 1, Msg: fmt.Sprintf("more than %d bytes", limit)}
	}
	return parse(file, buf.Bytes())
}

func parse(file string, data []byte) (*doc, error) {
	spans, err := scan(file, data)
	if err != nil {
		return nil, err
	}
	return &doc{file: file, data: data, spans: spans}, nil
}

func (d *doc) root() value {
	s := scanner{data: d.data}
	s.peek()
	return value{pos: uint32(s.pos)}
}

// result returns the first error as an error.
func (d *doc) result() error {
	if d.err == nil {
		return nil
	}
	return d.err
}

// fail records that something is wrong with v.
func (d *doc) fail(v value, format string, args ...any) {
	if d.err == nil {
		d.err = &Error{File: d.file, Path: d.path(v.pos), Msg: fmt.Sprintf(format, args...)}
	}
}

// mismatch records that v is not what was wanted.
func (d *doc) mismatch(v value, want string) { d.fail(v, "got %s, want %s", d.describe(v), want) }

// require records that the object v lacks a key, unless val is given.
func (d *doc) require(v, val value, key string) bool {
	if !val.given() {
		d.fail(v, "no %q", key)
	}
	return d.err == nil
}

const shown = 40 // bytes of a value that an error shows

// describe names a value in an error.
func (d *doc) describe(v value) string {
	switch d.data[v.pos] {
	case '{':
		return "an object"
	case '[':
		return "a list"
	}
	text := d.data[v.pos:d.end(v)]
	if len(text) > shown {
		return string(bytes.ToValidUTF8(text[:shown], nil)) + "…"
	}
	return string(text)
}

// end returns the position after v.
func (d *doc) end(v value) uint32 {
	switch d.data[v.pos] {
	case '{', '[':
		return d.spans[v.ord].end
	case '"':
		end, _ := d.quoted(v.pos)
		return end
	}
	i := v.pos
	for int(i) < len(d.data) && (isLetter(d.data[i]) || isDigit(d.data[i]) || d.data[i] == '-' || d.data[i] == '+' || d.data[i] == '.') {
		i++
	}
	return i
}

// quoted returns the position after the string that begins at pos, and its text.
func (d *doc) quoted(pos uint32) (uint32, []byte) {
	i, escaped := pos+1, false
	for d.data[i] != '"' {
		if d.data[i] == '\\' {
			escaped = true
			i++
		}
		i++
	}
	text := d.data[pos+1 : i]
	if escaped {
		text = unescape(text)
	}
	return i + 1, text
}

func (d *doc) isContainer(v value) bool { c := d.data[v.pos]; return c == '{' || c == '[' }

// text returns the text of a string; nil, and an error, for anything else.
func (d *doc) text(v value, want string) []byte {
	if d.data[v.pos] != '"' {
		d.mismatch(v, want)
		return nil
	}
	_, text := d.quoted(v.pos)
	return text
}

// name returns a name: a non-empty string without control characters.
func (d *doc) name(v value) string {
	text := d.text(v, "a name")
	if d.err == nil && (len(text) == 0 || bytes.ContainsFunc(text, unicode.IsControl)) {
		d.mismatch(v, "a name, not empty and without control characters")
	}
	return string(text)
}

// word returns the value that a string of an enumeration stands for.
func word[T any](d *doc, v value, parse func(string) (T, bool), want string) T {
	t, ok := parse(string(d.text(v, want)))
	if !ok {
		d.mismatch(v, want)
	}
	return t
}

func (d *doc) bool(v value) bool {
	switch c := d.data[v.pos]; c {
	case 't', 'f':
		return c == 't'
	}
	d.mismatch(v, "true or false")
	return false
}

// int returns an integer from lo to hi. A number with a fraction or an exponent is none, not even 1.0.
func (d *doc) int(v value, lo, hi int64) int64 {
	n, err := strconv.ParseInt(string(d.data[v.pos:d.scalarEnd(v)]), 10, 64)
	if err != nil || n < lo || n > hi {
		want := fmt.Sprintf("an integer from %d to %d", lo, hi)
		if lo == hi {
			want = strconv.FormatInt(lo, 10)
		}
		d.mismatch(v, want)
		return 0
	}
	return n
}

// bits returns an unsigned 64-bit integer.
func (d *doc) bits(v value) uint64 {
	n, err := strconv.ParseUint(string(d.data[v.pos:d.scalarEnd(v)]), 10, 64)
	if err != nil {
		d.mismatch(v, fmt.Sprintf("an integer from 0 to %d", uint64(math.MaxUint64)))
	}
	return n
}

// scalarEnd is end for what should be a number: of an object or list it takes the bracket alone.
func (d *doc) scalarEnd(v value) uint32 {
	if d.isContainer(v) {
		return v.pos + 1
	}
	return d.end(v)
}

// float returns a number, or one of those that JSON cannot hold.
func (d *doc) float(v value) float64 {
	if d.data[v.pos] == '"' {
		_, text := d.quoted(v.pos)
		switch string(text) {
		case "nan":
			return math.NaN()
		case "inf":
			return math.Inf(1)
		case "-inf":
			return math.Inf(-1)
		}
	} else if f, err := strconv.ParseFloat(string(d.data[v.pos:d.scalarEnd(v)]), 64); err == nil || errors.Is(err, strconv.ErrRange) && f == 0 {
		return f
	}
	d.mismatch(v, `a number, "nan", "inf" or "-inf"`)
	return 0
}

// ints returns a list of integers from lo to hi.
func (d *doc) ints(v value, lo, hi int64) []int64 {
	out := make([]int64, 0, d.len(v))
	for it := d.list(v); it.next(); {
		out = append(out, d.int(it.val, lo, hi))
	}
	return out
}
