package fuzz

import (
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"birfuzz/oracle"
	"birfuzz/passes"
)

// Known is a file of findings that somebody has looked at and lives with for a while: they are counted, and not reported. It is text, made to
// be reviewed, with an entry a line:
//
//	# what is silenced                             until        why
//	class=value pass=vendor rule=vendor.output     2027-01-31   #4711: mended in their 2.14
//	signature=0f3a9c2b11d04e57                     2027-03-01   a padding byte, which nobody reads
//
// Keys are signature, class, pass and rule, each once at most; an entry silences findings of which all its keys say so. Values are compared as
// patterns of path.Match (value, vend*, [cd]rash). The day is the last on which the entry holds, in UTC; from the next on its findings count
// again. What stands behind the day is the reason, which must be there. Blank lines, and those that begin with "#" or ";", are comments.
type Known struct {
	Entries []*KnownEntry
	today   string // as an entry spells it
}

// KnownEntry is one line of a file of known findings. The JSON keys are those of the command's -json output; they are never renamed.
type KnownEntry struct {
	Place  string `json:"place"`  // file:line
	What   string `json:"what"`   // its keys, as they stand there
	Until  string `json:"until"`  // the last day, 2006-01-02
	Reason string `json:"reason"` // why it is silenced

	patterns [len(knownKeys)]string // by key; empty: the entry does not ask
}

// knownKeys are the keys of an entry, and knownSignature the place of the one that is known only when a finding has been made small.
var knownKeys = [...]string{"signature", "class", "pass", "rule"}

const knownSignature, knownClass, knownPass, knownRule = 0, 1, 2, 3

// classes lists the classes of findings: the checks, and how a pass may fail by itself.
func classes() []string {
	var out []string
	for _, c := range oracle.Checks() {
		out = append(out, c.Name)
	}
	return append(out, passes.Crash, passes.Hang, passes.Garbage)
}

// anyMatches tells whether a good pattern matches one of some names.
func anyMatches(pattern string, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { ok, _ := path.Match(pattern, name); return ok })
}

// ReadKnown reads the file. Entries end when the day after their last has begun at now.
func ReadKnown(file string, now time.Time) (*Known, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return ParseKnown(file, string(text), now)
}

// ParseKnown reads the text of such a file. An error begins with "file:line: ".
func ParseKnown(file, text string, now time.Time) (*Known, error) {
	k := &Known{today: now.UTC().Format(time.DateOnly)}
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' || line[0] == ';' {
			continue
		}
		e, err := parseKnown(line)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, n, err)
		}
		if i := slices.IndexFunc(k.Entries, func(o *KnownEntry) bool { return o.patterns == e.patterns }); i >= 0 {
			return nil, fmt.Errorf("%s:%d: a second entry for %s: the first is %s", file, n, e.What, k.Entries[i].Place)
		}
		e.Place = fmt.Sprintf("%s:%d", file, n)
		k.Entries = append(k.Entries, e)
	}
	return k, nil
}

// parseKnown reads one entry.
func parseKnown(line string) (*KnownEntry, error) {
	e := &KnownEntry{}
	words := strings.Fields(line)
	n := 0
	for ; n < len(words); n++ {
		key, value, isKey := strings.Cut(words[n], "=")
		if !isKey {
			break
		}
		i := slices.Index(knownKeys[:], key)
		switch {
		case i < 0:
			return nil, fmt.Errorf("got the key %q, want one of %s", key, strings.Join(knownKeys[:], ", "))
		case value == "":
			return nil, fmt.Errorf("%s: want a value", key)
		case e.patterns[i] != "":
			return nil, fmt.Errorf("%s stands twice", key)
		}
		if _, err := path.Match(value, ""); err != nil {
			return nil, fmt.Errorf("%s: got %q, want a name, or a pattern with *, ? and [a-z]", key, value)
		}
		if all := classes(); i == knownClass && !anyMatches(value, all) {
			return nil, fmt.Errorf("%s: got %q, want one of %s", key, value, strings.Join(all, ", "))
		}
		e.patterns[i] = value
	}
	e.What = strings.Join(words[:n], " ")
	switch {
	case n == 0:
		return nil, fmt.Errorf("got %q, want KEY=VALUE first, with the keys %s", words[0], strings.Join(knownKeys[:], ", "))
	case n == len(words):
		return nil, fmt.Errorf("%s: want the last day behind it, as 2027-01-31, and a reason", e.What)
	case n+1 == len(words):
		return nil, fmt.Errorf("%s: want a reason behind the day", e.What)
	}
	if _, err := time.Parse(time.DateOnly, words[n]); err != nil {
		return nil, fmt.Errorf("%s: got the day %q, want one as 2027-01-31", e.What, words[n])
	}
	e.Until, e.Reason = words[n], strings.Join(words[n+1:], " ")
	return e, nil
}

// Strangers says which entries name a pass that is none of the list, or a rule that none of those passes has, a line each. That may be meant, for
// a file may serve several commands, of which others run passes of somebody else.
func (k *Known) Strangers(all []passes.Pass) []string {
	var out []string
	for _, e := range k.Entries {
		var names, rules []string
		for i := range all {
			name := all[i].Name
			if names = append(names, name); e.patterns[knownPass] != "" && !anyMatches(e.patterns[knownPass], []string{name}) {
				continue
			}
			for _, r := range all[i].Rules {
				rules = append(rules, r.Name)
			}
		}
		switch pass, rule := e.patterns[knownPass], e.patterns[knownRule]; {
		case pass != "" && !anyMatches(pass, names):
			out = append(out, fmt.Sprintf("%s: no pass is called %s", e.Place, pass))
		case rule != "" && !anyMatches(rule, rules):
			out = append(out, fmt.Sprintf("%s: no rule is called %s", e.Place, rule))
		}
	}
	return out
}

// bySignature tells whether the entry names one cause.
func (e *KnownEntry) bySignature() bool {
	return strings.Contains(e.What, knownKeys[knownSignature]+"=")
}

// match returns the first entry that silences the finding, nil if none does. Entries that ask for the signature are looked at where the
// finding is small, for it has none of its own before.
func (k *Known) match(f *Finding, small bool) *KnownEntry {
	if k == nil {
		return nil
	}
	of := [...]string{f.Signature, f.Class, f.Pass, f.Rule}
next:
	for _, e := range k.Entries {
		if e.Until < k.today || e.patterns[knownSignature] != "" && !small {
			continue
		}
		for i, pattern := range e.patterns {
			if ok, _ := path.Match(pattern, of[i]); pattern != "" && !ok {
				continue next
			}
		}
		return e
	}
	return nil
}

// Expired says which entries silence no more, a line each.
func (k *Known) Expired() []string {
	if k == nil {
		return nil
	}
	var out []string
	for _, e := range k.Entries {
		if e.Until < k.today {
			out = append(out, fmt.Sprintf("%s: %s counts again since %s (%s)", e.Place, e.What, e.Until, e.Reason))
		}
	}
	return out
}
