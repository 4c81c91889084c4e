package bircheck

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
)

// exactKeys returns the text with every key that encoding/json would take for one of the dialect's, though it differs in case, made one that
// is nobody's: keys of bir.json are exact. Text that is no JSON, or not what belongs at some place, is returned as far as it was understood:
// json.Unmarshal says what is wrong with it. Text whose keys are all spelt right, which is nearly all, is returned as it is.
func exactKeys(text []byte) []byte {
	if !doubtful(text) {
		return text
	}
	w := &keyWalk{text: bytes.Clone(text), d: json.NewDecoder(bytes.NewReader(text)), keys: map[reflect.Type]map[string]reflect.Type{}}
	w.d.UseNumber() // a number that float64 cannot hold may stand where nobody asks
	_ = w.value(reflect.TypeFor[module](), 0)
	return w.text
}

// spellings are the keys of all structs of this package, by what they are without regard to case.
var spellings = func() map[string][]string {
	out := map[string][]string{}
	seen := map[reflect.Type]bool{}
	var visit func(t reflect.Type)
	visit = func(t reflect.Type) {
		if t = content(t); t.Kind() == reflect.Map {
			t = content(t.Elem())
		}
		if t.Kind() != reflect.Struct || seen[t] {
			return
		}
		seen[t] = true
		for key, f := range keysOf(t) {
			folded := strings.ToLower(key)
			if !slices.Contains(out[folded], key) {
				out[folded] = append(out[folded], key)
			}
			visit(f)
		}
	}
	visit(reflect.TypeFor[module]())
	return out
}()

// content is what a pointer or the elements of lists are.
func content(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	return t
}

// keysOf returns the types of a struct's values by key; none for a struct that reads its text itself.
func keysOf(t reflect.Type) map[string]reflect.Type {
	out := map[string]reflect.Type{}
	for _, f := range reflect.VisibleFields(t) {
		if key := f.Tag.Get("json"); key != "" {
			out[key] = f.Type
		}
	}
	return out
}

// doubtful tells whether some key of the text is one of the dialect's but for case, or cannot be told at a glance.
func doubtful(text []byte) bool {
	for {
		i := bytes.IndexByte(text, '"')
		if i < 0 {
			return false
		}
		text = text[i+1:]
		if i = bytes.IndexByte(text, '"'); i < 0 {
			return false
		}
		word := text[:i]
		text = bytes.TrimLeft(text[i+1:], " \t\r\n")
		if strange(word) {
			return true
		}
		if len(text) == 0 || text[0] != ':' {
			continue
		}
		if list := spellings[string(word)]; slices.Contains(list, string(word)) {
			continue
		}
		if list := spellings[string(bytes.ToLower(word))]; list != nil && !slices.Contains(list, string(word)) {
			return true
		}
	}
}

// strange tells whether a string holds more than plain ASCII.
func strange(word []byte) bool {
	return slices.ContainsFunc(word, func(b byte) bool { return b == '\\' || b >= 0x80 })
}

// keyWalk goes through a text beside the types that belong at each place.
type keyWalk struct {
	text []byte // blotted as the walk goes
	d    *json.Decoder
	keys map[reflect.Type]map[string]reflect.Type // keysOf, once a type
}

// tooDeep is a depth at which encoding/json gives up.
const tooDeep = 10001

var errDeep = errors.New("nested too deep")

// value walks over one value.
func (w *keyWalk) value(t reflect.Type, depth int) error {
	token, err := w.d.Token()
	switch {
	case err != nil:
		return err
	case depth > tooDeep:
		return errDeep
	}
	switch token {
	case json.Delim('{'):
		return w.object(content(t), depth+1)
	case json.Delim('['):
		for w.d.More() {
			if err := w.value(t, depth+1); err != nil {
				return err
			}
		}
		_, err = w.d.Token()
	}
	return err
}

// object walks over the rest of an object, of a struct's type, of a map's, or of one that is of no interest.
func (w *keyWalk) object(t reflect.Type, depth int) error {
	fields, ok := w.keys[t]
	if !ok && t.Kind() == reflect.Struct {
		fields = keysOf(t)
		w.keys[t] = fields
	}
	for w.d.More() {
		from := w.d.InputOffset()
		token, err := w.d.Token()
		if err != nil {
			return err
		}
		key, _ := token.(string)
		inner, known := fields[key]
		switch {
		case known:
		case t.Kind() == reflect.Map:
			inner = t.Elem()
		default:
			inner = reflect.TypeFor[json.RawMessage]()
			for name := range fields {
				if strings.EqualFold(name, key) {
					w.blot(from, w.d.InputOffset())
				}
			}
		}
		if err := w.value(inner, depth); err != nil {
			return err
		}
	}
	_, err := w.d.Token()
	return err
}

// blot makes the string that ends at `to` another one.
func (w *keyWalk) blot(from, to int64) {
	start := from + int64(bytes.IndexByte(w.text[from:to], '"')) + 1
	for i := start; i < to-1; i++ {
		w.text[i] = '-'
	}
}
