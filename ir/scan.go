package ir

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// tokenKind is the lexical class of a token of the text form.
type tokenKind uint8

const (
	eofToken tokenKind = iota
	lineToken
	identToken
	stringToken // a quoted name; text is what it stands for
	numberToken
	markToken // punctuation; text is the mark
)

type token struct {
	kind tokenKind
	text string
	pos  int // byte offset in the source
}

// marks are the punctuation of the text form; where one begins another the longer stands first.
var marks = []string{"..", "<=", ">=", "==", "!=", "+=", ":", "=", ",", "[", "]", "(", ")", "{", "}", "@", "$", "+", "-", "*", "<", ">"}

// scanner cuts the source into tokens. Its first error stands: from then on every token is the end of the file, so that whoever loops
// over tokens stops.
type scanner struct {
	file string
	src  string
	off  int
	tok  token
	expr int // > 0: inside brackets that hold expressions, where '-' is an operator and no letter of a name
	nest int // > 0: inside brackets, where the end of a line means nothing
	err  error
}

// next moves to the next token.
func (s *scanner) next() {
	if s.err != nil {
		return
	}
	s.skipBlank()
	pos := s.off
	if pos == len(s.src) {
		s.tok = token{eofToken, "", pos}
		return
	}
	switch c := s.src[pos]; {
	case c == '\n':
		s.off++
		s.tok = token{lineToken, "", pos}
	case isLetter(c):
		s.off += identLen(s.src[pos:], s.expr > 0)
		s.tok = token{identToken, s.src[pos:s.off], pos}
	case isDigit(c):
		s.off += numberLen(s.src[pos:])
		s.tok = token{numberToken, s.src[pos:s.off], pos}
	case c == '"':
		s.quoted()
	default:
		s.punctuation()
	}
}

func (s *scanner) skipBlank() {
	for s.off < len(s.src) {
		switch c := s.src[s.off]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n' && s.nest > 0:
			s.off++
		case c == ';':
			n := strings.IndexByte(s.src[s.off:], '\n')
			if n < 0 {
				n = len(s.src) - s.off
			}
			s.off += n
		default:
			return
		}
	}
}

func (s *scanner) punctuation() {
	for _, m := range marks {
		if strings.HasPrefix(s.src[s.off:], m) {
			s.tok = token{markToken, m, s.off}
			s.off += len(m)
			return
		}
	}
	_, n := utf8.DecodeRuneInString(s.src[s.off:])
	s.fail(s.off, quote(s.src[s.off:s.off+n]), `a name (quote it: "…"), a number or punctuation`)
}

// quoted reads a name in quotes. Control characters have no place in names, escaped or not: they would break every list of names.
func (s *scanner) quoted() {
	pos := s.off
	lit, err := strconv.QuotedPrefix(s.src[pos:])
	if err != nil {
		line, _, _ := strings.Cut(s.src[pos:], "\n")
		s.fail(pos, quote(line), "a quoted name that ends on its line, with Go's escapes")
		return
	}
	name, _ := strconv.Unquote(lit)
	if name == "" || !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl) {
		s.fail(pos, quote(name), "a name: UTF-8, not empty, without control characters")
		return
	}
	s.off += len(lit)
	s.tok = token{stringToken, name, pos}
}

// peek returns the token after the current one.
func (s *scanner) peek() token {
	ahead := *s
	ahead.next()
	return ahead.tok
}

// fail records the first error.
func (s *scanner) fail(pos int, got, want string) {
	if s.err != nil {
		return
	}
	line := 1 + strings.Count(s.src[:pos], "\n")
	col := pos - strings.LastIndexByte(s.src[:pos], '\n')
	s.err = fmt.Errorf("%s:%d:%d: got %s, want %s", s.file, line, col, got, want)
	s.off = len(s.src)
	s.tok = token{eofToken, "", s.off}
}

// want fails at the current token.
func (s *scanner) want(what string) { s.fail(s.tok.pos, s.tok.String(), what) }

// mark returns the punctuation that the token is, "" if it is none.
func (t token) mark() string {
	if t.kind != markToken {
		return ""
	}
	return t.text
}

// String names the token in an error.
func (t token) String() string {
	switch t.kind {
	case eofToken:
		return "the end of the file"
	case lineToken:
		return "the end of the line"
	default:
		return quote(t.text)
	}
}

func quote(s string) string { return clip(strconv.Quote(s)) }

// clip shortens a quotation for an error.
func clip(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	n := most
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + `…"`
}

func isLetter(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }

// identLen returns the length of the plain name that s begins with.
func identLen(s string, expr bool) int {
	n := 0
	for n < len(s) && (isLetter(s[n]) || n > 0 && (isDigit(s[n]) || s[n] == '.' || s[n] == '-' && !expr)) {
		n++
	}
	return n
}

// numberLen returns the length of the number that s begins with: digits, a fraction, an exponent. `0..4` begins with 0.
func numberLen(s string) int {
	n := digitsLen(s)
	if n+1 < len(s) && s[n] == '.' && isDigit(s[n+1]) {
		n += 1 + digitsLen(s[n+1:])
	}
	if n < len(s) && s[n] == 'e' {
		m := n + 1
		if m < len(s) && (s[m] == '+' || s[m] == '-') {
			m++
		}
		if d := digitsLen(s[m:]); d > 0 {
			n = m + d
		}
	}
	return n
}

func digitsLen(s string) int {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}
