package gen

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"birfuzz/ir"
)

// maxConfig is the most bytes of a configuration file that are read.
const maxConfig = 1 << 20

// ReadConfig reads a configuration: one JSON object, of which every key may be absent and then is as in Default.
//
//	{
//	  "insts":    [1, 64],                  least and most instructions of a program, 1 to 10000
//	  "short":    0.25,                     share of programs from the lowest quarter of that
//	  "elems":    256,                      about how many elements a tile has, 16 to 8192
//	  "arch":     {"gen3": 6, "sunda": 2},  odds of the generations; those that are absent are not drawn
//	  "rows_off": 0.25,                     probability that a program does without a given instruction
//	  "features": {"*": 0, "loops": 1},     probability of each feature; "*" is for all that are absent
//	  "only":     ["Load", "Save"],         instructions that programs consist of (see Only)
//	  "without":  ["Matmult"]               instructions that no program has (see Without)
//	}
//
// The error names the key, or line and column where the file is no JSON, and says what was expected.
func ReadConfig(r io.Reader) (Config, error) {
	c := Default()
	data, err := io.ReadAll(io.LimitReader(r, maxConfig+1))
	if err != nil {
		return c, err
	}
	if len(data) > maxConfig {
		return c, fmt.Errorf("more than %d bytes, want a configuration", maxConfig)
	}
	if err := wellFormed(data); err != nil {
		return c, err
	}
	if err := keysOnce(data); err != nil {
		return c, err
	}
	keys := map[string]json.RawMessage{}
	if err := decode(data, &keys, "an object with the keys "+strings.Join(slices.Sorted(maps.Keys(configKeys)), ", ")); err != nil {
		return c, err
	}
	for _, k := range slices.Sorted(maps.Keys(keys)) { // "only" before "without"
		set := configKeys[k]
		if set == nil {
			return c, fmt.Errorf("%s: no such key, want one of %s", k, strings.Join(slices.Sorted(maps.Keys(configKeys)), ", "))
		}
		if err := set(&c, keys[k]); err != nil {
			return c, fmt.Errorf("%s: %w", k, err)
		}
	}
	return c, nil
}

// wellFormed says where the JSON value that data begins with is none.
func wellFormed(data []byte) error {
	var broken *json.SyntaxError
	at := int64(len(data)) + 1
	switch err := json.NewDecoder(bytes.NewReader(data)).Decode(new(any)); {
	case errors.As(err, &broken):
		at = broken.Offset
		fallthrough
	case errors.Is(err, io.ErrUnexpectedEOF):
		line, column := position(data, at)
		return fmt.Errorf("%d:%d: %w", line, column, err)
	}
	return nil
}

// position returns the line and the column, in characters and both from 1, of the byte that a JSON decoder stumbled over: it has read offset bytes.
func position(data []byte, offset int64) (line, column int) {
	head := data[:max(0, min(int(offset)-1, len(data)))]
	line = 1 + bytes.Count(head, []byte("\n"))
	return line, 1 + utf8.RuneCount(head[bytes.LastIndexByte(head, '\n')+1:])
}

// configKeys sets what each key of a configuration says.
var configKeys = map[string]func(*Config, []byte) error{
	"insts": func(c *Config, b []byte) error {
		var n []int
		if err := decode(b, &n, "[least, most]"); err != nil {
			return err
		}
		if len(n) != 2 || n[0] < 1 || n[1] < n[0] || n[1] > mostInsts {
			return fmt.Errorf("got %v, want [least, most] with 1 ≤ least ≤ most ≤ %d", n, mostInsts)
		}
		c.MinInsts, c.MaxInsts = n[0], n[1]
		return nil
	},
	"elems": func(c *Config, b []byte) error {
		if err := decode(b, &c.Elems, "a number"); err != nil {
			return err
		}
		if c.Elems < leastElems || c.Elems > mostElems {
			return fmt.Errorf("got %d, want %d to %d", c.Elems, leastElems, mostElems)
		}
		return nil
	},
	"short":    func(c *Config, b []byte) error { return probability(&c.Short, b) },
	"rows_off": func(c *Config, b []byte) error { return probability(&c.RowsOff, b) },
	"arch":     (*Config).readArch,
	"features": (*Config).readFeatures,
	"only":     func(c *Config, b []byte) error { return instructions(c.Only, b) },
	"without":  func(c *Config, b []byte) error { return instructions(c.Without, b) },
}

// The bounds of a Config.
const (
	mostInsts  = 10_000
	leastElems = 16
	mostElems  = 8192
)

// decode reads one JSON value and nothing behind it.
func decode(data []byte, into any, want string) error {
	if string(bytes.TrimSpace(data)) == "null" { // would leave things as they are
		return fmt.Errorf("got a JSON null, want %s", want)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	if err := d.Decode(into); err != nil {
		var kind *json.UnmarshalTypeError
		if errors.As(err, &kind) {
			return fmt.Errorf("got a JSON %s, want %s", kind.Value, want)
		}
		return fmt.Errorf("%w, want %s", err, want)
	}
	if _, err := d.Token(); err != io.EOF {
		return fmt.Errorf("something follows, want %s and nothing else", want)
	}
	return nil
}

func probability(p *float64, data []byte) error {
	var x float64
	if err := decode(data, &x, "a probability"); err != nil {
		return err
	}
	if !(x >= 0 && x <= 1) {
		return fmt.Errorf("got %v, want a probability from 0 to 1", x)
	}
	*p = x
	return nil
}

// instructions hands a list of names on.
func instructions(set func([]string) error, data []byte) error {
	var list []string
	if err := decode(data, &list, "a list of names of instructions"); err != nil {
		return err
	}
	return set(list)
}

func (c *Config) readArch(data []byte) error {
	odds := map[string]int{}
	if err := decode(data, &odds, "an object of odds by generation"); err != nil {
		return err
	}
	c.Arch = [ir.NumArch]int{}
	sum := 0
	for _, name := range slices.Sorted(maps.Keys(odds)) {
		a, ok := ir.ParseArch(name)
		switch n := odds[name]; {
		case !ok:
			return fmt.Errorf("%s: no such generation", name)
		case n < 0 || n > mostOdds:
			return fmt.Errorf("%s: got %d, want odds from 0 to %d", name, n, mostOdds)
		default:
			c.Arch[a], sum = n, sum+n
		}
	}
	if sum == 0 {
		return errors.New("no generation is left")
	}
	return nil
}

// mostOdds bounds odds, so that no sum overflows.
const mostOdds = 1 << 20

func (c *Config) readFeatures(data []byte) error {
	given := map[string]json.RawMessage{}
	if err := decode(data, &given, "an object of probabilities by feature"); err != nil {
		return err
	}
	if rest, ok := given["*"]; ok {
		var p float64
		if err := probability(&p, rest); err != nil {
			return fmt.Errorf("*: %w", err)
		}
		for f := range c.Features {
			c.Features[f] = p
		}
		delete(given, "*")
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		f := slices.Index(featureNames[:], name)
		if f < 0 {
			return fmt.Errorf("%s: no such feature, want \"*\" or one of %s", name, strings.Join(featureNames[:], ", "))
		}
		if err := probability(&c.Features[f], given[name]); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}
