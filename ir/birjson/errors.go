package birjson

import "fmt"

// SyntaxError says that a text is no JSON, or more of it than the package reads (MaxBytes, MaxDepth). Semantics §6 calls such text garbage.
type SyntaxError struct {
	File      string
	Line, Col int // from 1; Col counts bytes
	Msg       string
}

// Error returns "file:line:col: got …, want …".
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Msg)
}

// Error says that a text is JSON but no module: a type, a name or a number is wrong. Semantics §6 calls such a module illegal.
type Error struct {
	File string
	Path string // "functions[0].blocks[0].name"; empty for the whole text
	Msg  string
}

// Error returns "file: path: what is wrong".
func (e *Error) Error() string {
	if e.Path == "" {
		return e.File + ": " + e.Msg
	}
	return e.File + ": " + e.Path + ": " + e.Msg
}
