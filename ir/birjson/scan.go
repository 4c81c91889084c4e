package birjson

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// span is where an object or list ends: the byte after its bracket, and the ordinal of the first object or list that opens later.
type span struct{ end, next uint32 }

// scanner checks the grammar of RFC 8259 and collects one span for every object and list, in the order in which they open.
type scanner struct {
	data  []byte
	pos   int
	depth int
	spans []span
	msg   string // what is wrong at pos
}

// scan checks that data is exactly one JSON value.
func scan(file string, data []byte) ([]span, error) {
	s := &scanner{data: data, spans: make([]span, 0, roomFor(data))}
	if s.value() {
		if s.peek(); s.pos == len(data) {
			return s.spans, nil
		}
		s.want("the end of the text")
	}
	before := data[:s.pos]
	line := 1 + bytes.Count(before, []byte{'\n'})
	return nil, &SyntaxError{File: file, Line: line, Col: s.pos - bytes.LastIndexByte(before, '\n'), Msg: s.msg}
}

// roomFor guesses the number of objects and lists: their opening brackets, those in strings too, but no more than a text can hold that goes
// on legally. Few texts need more, and none pays for brackets that close nothing.
func roomFor(data []byte) int {
	return min(bytes.Count(data, []byte{'{'})+bytes.Count(data, []byte{'['}), len(data)/3+1)
}

// peek skips white space and returns the byte that follows, 0 at the end.
func (s *scanner) peek() byte {
	for s.pos < len(s.data) {
		switch c := s.data[s.pos]; c {
		case ' ', '\n', '\r', '\t':
			s.pos++
		default:
			return c
		}
	}
	return 0
}

// want records what was expected at pos and returns false.
func (s *scanner) want(what string) bool {
	s.msg = fmt.Sprintf("got %s, want %s", s.found(), what)
	return false
}

// found describes what stands at pos.
func (s *scanner) found() string {
	rest := s.data[s.pos:]
	if len(rest) == 0 {
		return "the end of the text"
	}
	n := 0
	for n < len(rest) && n < 20 && isLetter(rest[n]) {
		n++
	}
	if n > 0 {
		return string(rest[:n])
	}
	r, size := utf8.DecodeRune(rest)
	if r == utf8.RuneError && size == 1 {
		return fmt.Sprintf("byte 0x%02x", rest[0])
	}
	return fmt.Sprintf("%q", r)
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func (s *scanner) value() bool {
	switch c := s.peek(); {
	case c == '{':
		return s.container('}', s.member)
	case c == '[':
		return s.container(']', s.value)
	case c == '"':
		return s.str()
	case c == '-' || isDigit(c):
		return s.number()
	default:
		return s.literal()
	}
}

// container scans an object or list whose items the function reads.
func (s *scanner) container(end byte, item func() bool) bool {
	if s.depth == MaxDepth {
		s.msg = fmt.Sprintf("objects and lists nested more than %d deep", MaxDepth)
		return false
	}
	s.depth++
	s.pos++
	ord := len(s.spans)
	s.spans = append(s.spans, span{})
	if s.peek() != end {
		for {
			if !item() {
				return false
			}
			c := s.peek()
			if c == end {
				break
			}
			if c != ',' {
				return s.want(fmt.Sprintf("',' or %q", end))
			}
			s.pos++
		}
	}
	s.pos++
	s.depth--
	s.spans[ord] = span{end: uint32(s.pos), next: uint32(len(s.spans))}
	return true
}

func (s *scanner) member() bool {
	if s.peek() != '"' {
		return s.want("a key in quotes")
	}
	if !s.str() {
		return false
	}
	if s.peek() != ':' {
		return s.want("':'")
	}
	s.pos++
	return s.value()
}

func (s *scanner) literal() bool {
	for _, word := range [...]string{"true", "false", "null"} {
		if n := s.pos + len(word); n <= len(s.data) && string(s.data[s.pos:n]) == word {
			s.pos = n
			return true
		}
	}
	switch s.found() {
	case "NaN", "nan", "Infinity", "inf":
		return s.want(`a value (numbers that JSON cannot hold are the strings "nan", "inf", "-inf")`)
	}
	return s.want("a value")
}

func (s *scanner) number() bool {
	if s.data[s.pos] == '-' {
		s.pos++
	}
	if s.pos < len(s.data) && s.data[s.pos] == '0' {
		s.pos++
	} else if !s.digits() {
		return false
	}
	if s.at('.') && !s.digits() {
		return false
	}
	if s.at('e') || s.at('E') {
		_ = s.at('+') || s.at('-')
		return s.digits()
	}
	return true
}

// at steps over the byte c if it stands at pos.
func (s *scanner) at(c byte) bool {
	if s.pos < len(s.data) && s.data[s.pos] == c {
		s.pos++
		return true
	}
	return false
}

func (s *scanner) digits() bool {
	from := s.pos
	for s.pos < len(s.data) && isDigit(s.data[s.pos]) {
		s.pos++
	}
	return s.pos > from || s.want("a digit")
}
