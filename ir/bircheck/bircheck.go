// Package bircheck tells whether a module in bir.json is legal, a second time: it reads the text with encoding/json into structs of its own
// and judges it by a table of its own (table.txt), both written from bir-json.md, semantics.md and nki-isa.md and from nothing else. It
// imports no other package of this module, so that a misreading of those pages in package ir (its op table, its geometry, Verify) is not
// repeated here but shows as a disagreement. Where the two disagree one of them is wrong, and the pages say which.
//
// It prefers what is plainly right to what is fast: a symbolic offset is tried for every value of its axes, and an output is laid over an
// input byte range by byte range. What it does not ask: whether keys stand twice, how deep the text nests and how large it is (the reader's
// questions), and whether dependencies suffice (the oracle's).
package bircheck

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Complaint is one rule that a module breaks.
type Complaint struct {
	Path string // JSON path: functions[0].blocks[0].instructions[3].outs[0]
	Rule string // one word: shape, dtype, bounds, …
	Text string // what stands there, and what may
}

// String is the path, the text and the rule on one line.
func (c Complaint) String() string { return c.Path + ": " + c.Text + " (" + c.Rule + ")" }

// Check returns every rule that the module breaks, nil if it is legal. Text that is no JSON, or holds another type than the dialect has at
// some place, is one complaint.
func Check(text []byte) []Complaint {
	var m module
	if err := json.Unmarshal(exactKeys(text), &m); err != nil {
		return []Complaint{unreadable(err)}
	}
	c := &checker{module: &m}
	c.all()
	return c.list
}

func unreadable(err error) Complaint {
	var t *json.UnmarshalTypeError
	if errors.As(err, &t) {
		return Complaint{t.Field, "type", fmt.Sprintf("a JSON %s where a %s belongs, at byte %d", t.Value, t.Type, t.Offset)}
	}
	return Complaint{"", "json", err.Error()}
}

// step is one part of a JSON path.
type step struct {
	key   string
	index int // −1: the key alone
}

// checker holds what is known of the module and the place that is looked at.
type checker struct {
	module *module
	arch   string
	facts  map[string]bool
	shards int64  // bound of the ShardIDs met, 0 before the first
	eight  string // the form of float8 with four bits of exponent met first
	path   []step
	list   []Complaint
	sets   map[string]*set
	locs   map[string]*location
	insts  map[string]*inst
	loops  []*loopAxis // around the instruction, outermost first
	meets  []meeting
}

// at runs f one step further down the path.
func (c *checker) at(key string, index int, f func()) {
	c.path = append(c.path, step{key, index})
	f()
	c.path = c.path[:len(c.path)-1]
}

func (c *checker) add(rule, format string, args ...any) {
	c.list = append(c.list, Complaint{c.where(), rule, fmt.Sprintf(format, args...)})
}

func (c *checker) where() string {
	var b strings.Builder
	for i, s := range c.path {
		if i > 0 {
			b.WriteByte('.')
		}
		b.WriteString(s.key)
		if s.index >= 0 {
			b.WriteString("[" + strconv.Itoa(s.index) + "]")
		}
	}
	return b.String()
}

// name checks a name and that no other of its kind has it.
func (c *checker) name(kind, name string, seen map[string]bool) {
	c.printable(kind, name)
	switch {
	case name == "":
		c.add("name", "a %s without a name", kind)
	case seen[name]:
		c.add("name", "a second %s %q", kind, name)
	}
	seen[name] = true
}

func (c *checker) printable(kind, name string) {
	for _, r := range name {
		if r < ' ' || r == 0x7f {
			c.add("name", "a control character in %s %q", kind, name)
			return
		}
	}
}

// oneOf checks a word and tells whether it is one of the list.
func (c *checker) oneOf(rule, kind, word string, list ...string) bool {
	if slices.Contains(list, word) {
		return true
	}
	c.add(rule, "%s %q, want one of %s", kind, word, strings.Join(list, ", "))
	return false
}
