package birjson

import (
	"unicode/utf16"
	"unicode/utf8"
)

// str scans a string. Invalid UTF-8 and lone surrogates are errors: they could not be written back as they were.
func (s *scanner) str() bool {
	s.pos++
	for s.pos < len(s.data) {
		switch c := s.data[s.pos]; {
		case c == '"':
			s.pos++
			return true
		case c == '\\':
			if !s.escape() {
				return false
			}
		case c < 0x20:
			return s.want("no control character in a string")
		case c < utf8.RuneSelf:
			s.pos++
		default:
			r, size := utf8.DecodeRune(s.data[s.pos:])
			if r == utf8.RuneError && size == 1 {
				return s.want("UTF-8")
			}
			s.pos += size
		}
	}
	return s.want("'\"' at the end of the string")
}

func (s *scanner) escape() bool {
	s.pos++
	if s.pos == len(s.data) {
		return s.want("an escape")
	}
	switch s.data[s.pos] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		s.pos++
		return true
	case 'u':
		return s.unicode()
	}
	return s.want(`one of "\/bfnrtu after a backslash`)
}

// unicode scans the rest of \uXXXX, and the second half of a surrogate pair.
func (s *scanner) unicode() bool {
	r, ok := hex4(s.data[s.pos+1:])
	if !ok {
		s.pos--
		return s.want(`\u and four hexadecimal digits`)
	}
	if utf16.IsSurrogate(r) {
		low, ok := lowHalf(s.data[s.pos+5:])
		if !ok || utf16.DecodeRune(r, low) == utf8.RuneError {
			s.pos--
			return s.want("both halves of a surrogate pair")
		}
		s.pos += 6
	}
	s.pos += 5
	return true
}

func lowHalf(b []byte) (rune, bool) {
	if len(b) < 2 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	return hex4(b[2:])
}

func hex4(b []byte) (rune, bool) {
	if len(b) < 4 {
		return 0, false
	}
	var r rune
	for _, c := range b[:4] {
		switch {
		case isDigit(c):
			c -= '0'
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// unescape returns the text of a string that scan has accepted, without its quotes.
func unescape(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); i++ {
		switch {
		case b[i] != '\\':
			out = append(out, b[i])
		case b[i+1] != 'u':
			i++
			out = append(out, escapes[b[i]])
		default:
			r, _ := hex4(b[i+2:])
			i += 5
			if utf16.IsSurrogate(r) {
				low, _ := lowHalf(b[i+1:])
				r = utf16.DecodeRune(r, low)
				i += 6
			}
			out = utf8.AppendRune(out, r)
		}
	}
	return out
}

const hexDigits = "0123456789abcdef"

// appendString appends s in quotes, escaping only what JSON demands.
func appendString(buf []byte, s string) []byte {
	buf = append(buf, '"')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			buf = append(buf, '\\', c)
		case c == '\n':
			buf = append(buf, '\\', 'n')
		case c == '\r':
			buf = append(buf, '\\', 'r')
		case c == '\t':
			buf = append(buf, '\\', 't')
		case c < 0x20:
			buf = append(buf, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		default:
			buf = append(buf, c)
		}
	}
	return append(buf, '"')
}
