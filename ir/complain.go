package ir

import (
	"fmt"
	"strings"
)

// Complaint is one rule that a program breaks: where, what was found and what was wanted.
type Complaint struct {
	Place string // "func sg0000, block Block1, inst I-3, out 0"
	Rule  string // short, stable name of the rule: "bounds", "partition", "dtype", "engine", "capacity", …
	Got   string
	Want  string
}

// Error returns "place: got …, want …".
func (c *Complaint) Error() string {
	return fmt.Sprintf("%s: %s: got %s, want %s", c.Place, c.Rule, c.Got, c.Want)
}

// Complaints is all that a program breaks.
type Complaints []Complaint

// First returns the first n lines of Error and how many more there are.
func (cs Complaints) First(n int) string {
	if len(cs) <= n {
		return cs.Error()
	}
	return fmt.Sprintf("%s\n… and %d more", cs[:n].Error(), len(cs)-n)
}

// Error returns one line a complaint.
func (cs Complaints) Error() string {
	var b strings.Builder
	for i := range cs {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(cs[i].Error())
	}
	return b.String()
}

// Complain collects complaints about one place at a time.
type Complain struct {
	Arch  Arch // generation of the program
	place func() string
	List  Complaints
	Bare  bool // for who asks only whether anything is wrong: complaints name the rule alone
}

// Add records that rule is broken at the current place.
func (c *Complain) Add(rule, got, want string) {
	if c.Bare {
		c.List = append(c.List, Complaint{Rule: rule})
		return
	}
	place := ""
	if c.place != nil {
		place = c.place()
	}
	c.List = append(c.List, Complaint{Place: place, Rule: rule, Got: got, Want: want})
}

// Addf is Add with both texts formatted: got from the first format, want as is.
func (c *Complain) Addf(rule, want, gotFormat string, args ...any) {
	if c.Bare {
		c.Add(rule, "", "")
		return
	}
	c.Add(rule, fmt.Sprintf(gotFormat, args...), want)
}
