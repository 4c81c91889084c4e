package gen

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// keysOnce says which key an object of a well-formed JSON value has twice: of two, nobody could tell which one holds.
func keysOnce(data []byte) error {
	k := keyReader{Decoder: json.NewDecoder(bytes.NewReader(data)), data: data}
	return k.value(nil)
}

// keyReader goes through a JSON value.
type keyReader struct {
	*json.Decoder
	data []byte
}

// value goes through the next value, which stands under the keys. What is no JSON is somebody else's to complain about.
func (k *keyReader) value(under []string) error {
	t, err := k.Token()
	if open, ok := t.(json.Delim); err != nil || !ok || open == ']' || open == '}' {
		return nil
	}
	seen := map[string]bool{}
	for k.More() {
		if t == json.Delim('{') {
			name, err := k.Token()
			key, ok := name.(string)
			if err != nil || !ok {
				return nil
			}
			if seen[key] {
				start := bytes.LastIndexByte(k.data[:k.InputOffset()-1], '"')
				line, column := position(k.data, int64(start)+1)
				return fmt.Errorf("%d:%d: %sa second %q, want each key once", line, column, strings.Join(append(under, ""), ": "), key)
			}
			seen[key] = true
			under = append(under[:len(under):len(under)], key)
		}
		if err := k.value(under); err != nil {
			return err
		}
		if t == json.Delim('{') {
			under = under[:len(under)-1]
		}
	}
	_, err = k.Token()
	return err
}
